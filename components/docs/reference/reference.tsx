// Renders the reference of a protocol from its OpenAPI document, on the server: an index and a page per operation.
import Link from 'next/link';
import type { OpenApi } from '../../../lib/core/openapi.ts';
import { hasActions, partsIn } from '../../../lib/docs/reference.ts';
import { titleOf } from '../../../lib/docs/schema-description.ts';
import { DocFrame, Source } from '../doc-body.tsx';
import { Blocks, sectionId, Table } from './blocks.tsx';
import { MovedAnchors } from './moved-anchors.tsx';
import styles from './reference.module.css';

type Props = { document: OpenApi; file: string };

/** The index of a protocol: its URL and operations. */
export function Reference({ document, file }: Props) {
  const { info, servers } = document;
  const parts = partsIn(document);
  return (
    <DocFrame slug={`reference/${file}`} sections={[]} menu={menuOf(document, file)}>
      <div className={styles.reference}>
        <h1>{titleOf(document)}</h1>
        <p>{info.description}</p>
        <p>
          Version {info.version}, at <code>{servers[0]?.url ?? ''}</code>. These pages are generated from{' '}
          <a href={`/openapi/${file}.json`}>/openapi/{file}.json</a>, an OpenAPI 3.1 document.
        </p>
        <MovedAnchors
          path={`/docs/reference/${file}`}
          parts={parts.map(({ anchor, slug }) => [anchor, slug] as const)}
        />
        <Addresses document={document} />
        <h2 id="operations">Operations</h2>
        <Table name="Operations" head={['Operation', 'What it does']}>
          {parts.map(({ anchor, slug, name, summary }) => (
            <tr key={anchor} id={anchor}>
              <td className={styles.field}>
                <Link href={`/docs/reference/${file}/${slug}`}>
                  <code>{name}</code>
                </Link>
              </td>
              <td>{summary}</td>
            </tr>
          ))}
        </Table>
        <p>
          Every error code: <Link href="/docs/reference/errors">Errors</Link>.
        </p>
        <Source path={`reference/${file}`} />
      </div>
    </DocFrame>
  );
}

/** One part of a protocol's reference: an operation, the callbacks, or the card parameters. */
export function ReferencePart({ document, file, part: slug }: Props & { part: string }) {
  const part = partsIn(document).find((each) => each.slug === slug);
  const blocks = part?.blocks() ?? [];
  const sections = blocks.flatMap((block) =>
    block.kind === 'heading' ? [{ id: sectionId(block.text), title: block.text }] : [],
  );
  const hasCards = 'parameters.card' in document.components.schemas;
  const parameters = hasCards ? (
    <>
      <Link href={`/docs/reference/${file}/card-parameters`}>Card parameters</Link>,{' '}
      <Link href="/docs/reference/methods">parameters of other methods</Link>
    </>
  ) : (
    <Link href="/docs/reference/methods">Parameters of each method</Link>
  );
  return (
    <DocFrame slug={`reference/${file}/${slug}`} sections={sections} menu={menuOf(document, file)}>
      <div className={styles.reference}>
        <h1>{part?.title}</h1>
        <Blocks blocks={blocks} parameters={parameters} />
        <p>
          <Link href={`/docs/reference/${file}`}>{titleOf(document)}</Link>
        </p>
        <Source path={`reference/${file}/${slug}`} />
      </div>
    </DocFrame>
  );
}

function menuOf(document: OpenApi, file: string) {
  const pages = partsIn(document).map(({ slug, name }) => ({ slug: `reference/${file}/${slug}`, title: name }));
  return { title: titleOf(document), pages: [{ slug: `reference/${file}`, title: 'Overview' }, ...pages] };
}

function Addresses({ document }: { document: OpenApi }) {
  if (!hasActions(document)) return null;
  return (
    <Table name="Addresses" head={['Address', 'Purpose']}>
      {Object.entries(document.paths).flatMap(([path, item]) =>
        Object.entries(item).map(([method, { summary }]) => (
          <tr key={`${method} ${path}`}>
            <td className="nowrap">
              <code>
                {method.toUpperCase()} {document.servers[0]?.url}
                {path}
              </code>
            </td>
            <td>{summary}</td>
          </tr>
        )),
      )}
    </Table>
  );
}
