// Renders the reference of a protocol from its OpenAPI document, on the server: an index and a page per operation.
import Link from 'next/link';
import type { OpenApi, Schema } from '../../../lib/core/openapi.ts';
import { anchorOf, kindOf, leavesOf, operationSlug, placedIn, titleOf } from '../../../lib/docs/schema-description.ts';
import { DocFrame, Source } from '../doc-body.tsx';
import { Callbacks } from './callbacks.tsx';
import { MovedAnchors } from './moved-anchors.tsx';
import { OperationBody } from './operation.tsx';
import styles from './reference.module.css';
import { Table } from './table.tsx';

type Props = { document: OpenApi; file: string };

/** The index of a protocol: its URL and operations. */
export function Reference({ document, file }: Props) {
  const { info, servers, components } = document;
  const placed = placedIn(document);
  const base = servers[0]?.url ?? '';
  const card = components.schemas['parameters.card'];
  const rows = [
    ...placed.map(({ operation: { name, summary } }) => ({
      id: anchorOf(name),
      slug: operationSlug(name),
      name,
      summary,
    })),
    { id: 'callbacks', slug: 'callbacks', name: 'Callbacks', summary: 'The notification of a change to your server.' },
    ...(card
      ? [{ id: 'card-parameters', slug: 'card-parameters', name: 'Card parameters', summary: card.description ?? '' }]
      : []),
  ];
  return (
    <DocFrame slug={`reference/${file}`} sections={[]} menu={menuOf(document, file)}>
      <div className={styles.reference}>
        <h1>{titleOf(document)}</h1>
        <p>{info.description}</p>
        <p>
          Version {info.version}, at <code>{base}</code>. These pages are generated from{' '}
          <a href={`/openapi/${file}.json`}>/openapi/{file}.json</a>, an OpenAPI 3.1 document.
        </p>
        <MovedAnchors path={`/docs/reference/${file}`} parts={rows.map(({ id, slug }) => [id, slug] as const)} />
        <Addresses document={document} />
        <h2 id="operations">Operations</h2>
        <Table name="Operations" head={['Operation', 'What it does']}>
          {rows.map(({ id, slug, name, summary }) => (
            <tr key={id} id={id}>
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
export function ReferencePart({ document, file, part }: Props & { part: string }) {
  const { components, servers } = document;
  const { schemas } = components;
  const placed = placedIn(document);
  const found = placed.find(({ operation }) => operationSlug(operation.name) === part);
  const card = schemas['parameters.card'];
  const sections = found
    ? ['Fields', 'Signature', 'Request', 'Response', 'Errors']
    : part === 'callbacks'
      ? ['Fields', 'Signature', 'Headers', 'Examples']
      : [];
  return (
    <DocFrame
      slug={`reference/${file}/${part}`}
      sections={sections.map((title) => ({ id: `section-${title.toLowerCase()}`, title }))}
      menu={menuOf(document, file)}
    >
      <div className={styles.reference}>
        {found ? (
          <OperationBody
            {...found}
            base={servers[0]?.url ?? ''}
            isForm={isForm(document)}
            schemas={schemas}
            file={file}
          />
        ) : null}
        {part === 'callbacks' ? (
          <Callbacks
            title={titleOf(document)}
            callback={document.webhooks.callback.post['x-callback']}
            schemas={schemas}
          />
        ) : null}
        {part === 'card-parameters' && card ? <CardParameters schema={card} /> : null}
        <p>
          <Link href={`/docs/reference/${file}`}>{titleOf(document)}</Link>
        </p>
        <Source path={`reference/${file}/${part}`} />
      </div>
    </DocFrame>
  );
}

/** Actions of the form protocols share their paths. */
const isForm = (document: OpenApi) => Object.keys(document.paths).length < placedIn(document).length;

function menuOf(document: OpenApi, file: string) {
  const operations = placedIn(document).map(({ operation: { name } }) => ({ slug: operationSlug(name), title: name }));
  const card = document.components.schemas['parameters.card'];
  const others = [
    { slug: 'callbacks', title: 'Callbacks' },
    ...(card ? [{ slug: 'card-parameters', title: 'Card parameters' }] : []),
  ];
  const pages = [...operations, ...others].map(({ slug, title }) => ({ slug: `reference/${file}/${slug}`, title }));
  return { title: titleOf(document), pages: [{ slug: `reference/${file}`, title: 'Overview' }, ...pages] };
}

function Addresses({ document }: { document: OpenApi }) {
  if (!isForm(document)) return null;
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

function CardParameters({ schema }: { schema: Schema }) {
  return (
    <>
      <h1>Card parameters</h1>
      <p>{schema.description}</p>
      <Table name="Card parameters" head={['Name', 'Meaning']}>
        {leavesOf(schema, '').map(({ path, schema: leaf }) => (
          <tr key={path} id={path}>
            <td className={styles.field}>
              <code>{path}</code>
            </td>
            <td>{leaf.description ?? kindOf(leaf)}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}
