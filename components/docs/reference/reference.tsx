// The reference of a protocol, drawn from its OpenAPI document: every operation with its address, fields, formulas,
// answers and refusals, each of them with an address of its own. Made on the server; only the copy buttons are script.
import type { OpenApi, OperationError, Schema } from '../../../lib/core/openapi';
import {
  anchorOf,
  type FieldLine,
  formLines,
  givenWords,
  kindOf,
  leavesOf,
  linesOf,
  type Placed,
  placedIn,
  schemaAt,
  titleOf,
} from '../../../lib/docs/reference-words';
import { Code } from '../../ui/code';
import { DocFrame, Source } from '../doc-body';
import { Callbacks } from './callbacks';
import { Fields, Formulas, Names, Switched } from './parts';
import styles from './reference.module.css';
import { Table } from './table';

type Props = { document: OpenApi; file: string };

export function Reference({ document, file }: Props) {
  const { info, servers, components } = document;
  const placed = placedIn(document);
  const base = servers[0]?.url ?? '';
  // The actions of the form protocols share their addresses.
  const paths = Object.keys(document.paths);
  const isForm = paths.length < placed.length;
  const card = components.schemas['parameters.card'];
  const sections = [
    ...placed.map(({ operation: { name } }) => ({ id: anchorOf(name), title: name })),
    { id: 'callbacks', title: 'Callbacks' },
    ...(card ? [{ id: 'card-parameters', title: 'Card parameters' }] : []),
    { id: 'errors', title: 'All refusals' },
  ];
  return (
    <DocFrame slug="reference" sections={sections} asCode>
      <div className={styles.reference}>
        <h1>{titleOf(document)}</h1>
        <p>{info.description}</p>
        <p>
          Version {info.version}, at <code>{base}</code>. This page is drawn from{' '}
          <a href={`/openapi/${file}.json`}>/openapi/{file}.json</a>, an OpenAPI 3.1 document that any tool can read.
        </p>
        {isForm ? <Addresses document={document} /> : null}
        <nav aria-label="Operations" className={styles.index}>
          <ul>
            {sections.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ul>
        </nav>
        {placed.map((each) => (
          <Section key={each.operation.name} {...each} base={base} isForm={isForm} schemas={components.schemas} />
        ))}
        <Callbacks callback={document.webhooks.callback.post['x-callback']} schemas={components.schemas} />
        {card ? <CardParameters schema={card} /> : null}
        <h2 id="errors">All refusals</h2>
        <p>Every refusal of the service. Each operation above lists those that it can answer.</p>
        <Errors errors={document['x-errors']} />
        <Source path={`reference/${file}`} />
      </div>
    </DocFrame>
  );
}

function Addresses({ document }: { document: OpenApi }) {
  return (
    <Table name="Addresses" head={['Address', 'What for']}>
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

type SectionProps = Placed & { base: string; isForm: boolean; schemas: OpenApi['components']['schemas'] };

function Section({ operation, method, path, withToken, base, isForm, schemas }: SectionProps) {
  const { name, summary, request, answer, examples, formulas, errors } = operation;
  const id = anchorOf(name);
  const asked = schemaAt(schemas, request);
  const answered = schemaAt(schemas, answer);
  const refused = asked['x-refused'] ?? [];
  return (
    <section aria-labelledby={id} className={styles.operation}>
      <h2 id={id}>{name}</h2>
      <p>{summary}</p>
      <p className={styles.address}>
        <code>
          {method} {base}
          {path}
        </code>
      </p>
      {withToken ? (
        <p>
          With the header <code>Token</code>: the session’s token.
        </p>
      ) : null}
      <Fields
        id={id}
        name={`Fields of ${name}`}
        lines={linesOf(asked)}
        isForm={isForm}
        hasCards={'parameters.card' in schemas}
      />
      {refused.length > 0 ? (
        <p className="quiet">
          Refused where they are sent: <Names names={refused} />
        </p>
      ) : null}
      <h3 id={`${id}.signature`}>Signature</h3>
      {formulas.length === 0 ? <p>Nothing is signed: the token says whose session it is.</p> : null}
      <Formulas formulas={formulas} />
      <h3>{examples.length > 1 ? 'Requests' : 'Request'}</h3>
      {examples.map(({ summary: title, value }) => (
        <Code
          key={title}
          title={examples.length > 1 ? title : undefined}
          text={isForm ? formLines(value).join('\n') : JSON.stringify(value, null, 2)}
          copies={`the request ${name}`}
        />
      ))}
      <h3>Answer</h3>
      <Code text={JSON.stringify(answered.examples?.[0], null, 2)} title="200" />
      <details className={styles.more}>
        <summary>Fields of the answer</summary>
        <Answer
          name={`Answer of ${name}`}
          lines={linesOf(answered.anyOf || answered.properties ? answered : (answered.items ?? {}))}
        />
      </details>
      <details className={styles.more}>
        <summary>{errors.length} refusals</summary>
        <Refusals errors={errors} />
      </details>
    </section>
  );
}

function Answer({ name, lines }: { name: string; lines: readonly FieldLine[] }) {
  return (
    <>
      <Table name={name} head={['Field', 'What it is']}>
        {lines
          .filter(({ isSwitched }) => !isSwitched)
          .map(({ path, need, kind, description }) => (
            <tr key={path}>
              <td className={styles.field}>
                <code>{path}</code>
                <span className={styles.need}>{givenWords[need]}</span>
              </td>
              <td>
                {description} <span className="quiet">{kind}</span>
              </td>
            </tr>
          ))}
      </Table>
      <Switched lines={lines} />
    </>
  );
}

/** What an operation is refused with, each leading to its row. */
function Refusals({ errors }: { errors: readonly OperationError[] }) {
  return (
    <ul>
      {errors.map(({ key, code, message }) => (
        <li key={key}>
          <a href={`#error.${key}`}>
            <code>{code}</code>
          </a>{' '}
          {message}
        </li>
      ))}
    </ul>
  );
}

function Errors({ errors }: { errors: readonly OperationError[] }) {
  return (
    <Table name="Every refusal" head={['Code', 'Message, and when it is given']}>
      {errors.map(({ key, code, http, message, when }) => (
        <tr key={key} id={`error.${key}`}>
          <td className="nowrap">
            <code>{code}</code>
            <span className={`${styles.need} ${styles.http}`}>HTTP {http}</span>
          </td>
          <td>
            {message}
            <p className={styles.rule}>{when}</p>
          </td>
        </tr>
      ))}
    </Table>
  );
}

function CardParameters({ schema }: { schema: Schema }) {
  return (
    <>
      <h2 id="card-parameters">Card parameters</h2>
      <p>{schema.description}</p>
      <Table name="Card parameters" head={['Name', 'What it is']}>
        {leavesOf(schema, '').map(({ path, schema: leaf }) => (
          <tr key={path} id={`card-parameters.${path}`}>
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
