// The reference of a protocol, drawn from its OpenAPI document: every operation with its address, fields, formulas,
// answers and refusals, each of them with an address of its own. Made on the server; only the copy buttons are script.
import type { OpenApi, Operation, OperationError, Schema } from '../../../lib/core/openapi';
import { Code } from '../../ui/code';
import { DocFrame } from '../doc-body';
import styles from './reference.module.css';
import { Table } from './table';
import { anchorOf, type FieldLine, formLines, formName, kindOf, linesOf } from './words';

type Props = { document: OpenApi; file: string };

/** An operation with where it is called. */
type Placed = { operation: Operation; method: string; path: string; withToken: boolean };

export function Reference({ document, file }: Props) {
  const { info, servers, components } = document;
  const placed = placedIn(document);
  const base = servers[0]?.url ?? '';
  // The actions of the form protocols share their addresses.
  const paths = Object.keys(document.paths);
  const isForm = paths.length < placed.length;
  const card = components.schemas['parameters.card'];
  const sections = placed.map(({ operation: { name } }) => ({ id: anchorOf(name), title: name }));
  return (
    <DocFrame slug="reference" sections={sections}>
      <div className={styles.reference}>
        <h1>{info.title.replace('Florin: ', '')} reference</h1>
        <p>{info.description}</p>
        <p>
          Version {info.version}, at <code>{base}</code>. This page is drawn from{' '}
          <a href={`/openapi/${file}.json`}>/openapi/{file}.json</a>, an OpenAPI 3.1 document that any tool can read.
        </p>
        {isForm ? <Addresses document={document} /> : null}
        <nav aria-label="Operations" className={styles.index}>
          <ul>
            {placed.map(({ operation: { name } }) => (
              <li key={name}>
                <a href={`#${anchorOf(name)}`}>{name}</a>
              </li>
            ))}
          </ul>
        </nav>
        {placed.map((each) => (
          <Section key={each.operation.name} {...each} base={base} isForm={isForm} schemas={components.schemas} />
        ))}
        {card ? <CardParameters schema={card} /> : null}
        <h2 id="errors">All refusals</h2>
        <p>Every refusal of the service. Each operation above lists those that it can answer.</p>
        <Errors errors={document['x-errors']} />
      </div>
    </DocFrame>
  );
}

/** Every operation once, at the first of its addresses. */
function placedIn({ paths }: OpenApi): Placed[] {
  const found = new Map<string, Placed>();
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, each] of Object.entries(item)) {
      for (const operation of each['x-operations']) {
        const withToken = JSON.stringify(each.parameters ?? []).includes('"Token"');
        if (!found.has(operation.name))
          found.set(operation.name, { operation, method: method.toUpperCase(), path, withToken });
      }
    }
  }
  return [...found.values()];
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
  const asked = schemaOf(schemas, request);
  const given = schemaOf(schemas, answer);
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
      {formulas.map(({ when, formula }) => (
        <figure key={formula} className={styles.formula}>
          {formulas.length > 1 ? <figcaption>{when}</figcaption> : null}
          <code>{formula}</code>
        </figure>
      ))}
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
      <Code text={JSON.stringify(given.examples?.[0], null, 2)} title="200" />
      <details className={styles.more}>
        <summary>Fields of the answer</summary>
        <Answer
          name={`Answer of ${name}`}
          lines={linesOf(given.anyOf || given.properties ? given : (given.items ?? {}))}
        />
      </details>
      <details className={styles.more}>
        <summary>{errors.length} refusals</summary>
        <Refusals errors={errors} />
      </details>
    </section>
  );
}

const schemaOf = (schemas: SectionProps['schemas'], { $ref }: { $ref: string }): Schema =>
  schemas[$ref.replace('#/components/schemas/', '')] ?? {};

function Names({ names }: { names: readonly string[] }) {
  return names.map((name) => (
    <code key={name} className="nowrap">
      {name}{' '}
    </code>
  ));
}

const needs = { required: 'required', optional: 'optional', depends: 'depends, see its rule' };

type FieldsProps = { id: string; name: string; lines: readonly FieldLine[]; isForm: boolean; hasCards: boolean };

function Fields({ id, name, lines, isForm, hasCards }: FieldsProps) {
  return (
    <Table name={name} head={['Field', 'What it is']}>
      {lines.map(({ path, need, kind, description, rules }) => (
        <tr key={path} id={`${id}.${path}`}>
          <td className={styles.field}>
            <a href={`#${id}.${path}`}>
              <code>{isForm ? formName(path) : path}</code>
            </a>
            <span className={styles.need}>{needs[need]}</span>
          </td>
          <td>
            {path === 'hash' ? <a href={`#${id}.signature`}>The signature</a> : description}{' '}
            <span className="quiet">{kind}</span>
            {rules.map((rule) => (
              <p key={rule} className={styles.rule}>
                {rule}
              </p>
            ))}
            {path === 'parameters' ? <ParameterLinks hasCards={hasCards} /> : null}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function ParameterLinks({ hasCards }: { hasCards: boolean }) {
  return (
    <p className={styles.rule}>
      {hasCards ? <a href="#card-parameters">The card parameter sets</a> : null}
      {hasCards ? ', ' : null}
      <a href="/docs/methods">{hasCards ? 'those of other methods' : 'Those of each method'}</a>
    </p>
  );
}

function Answer({ name, lines }: { name: string; lines: readonly FieldLine[] }) {
  return (
    <Table name={name} head={['Field', 'What it is']}>
      {lines.map(({ path, need, kind, description }) => (
        <tr key={path}>
          <td className={styles.field}>
            <code>{path}</code>
            <span className={styles.need}>{need === 'required' ? 'always' : 'where known'}</span>
          </td>
          <td>
            {description} <span className="quiet">{kind}</span>
          </td>
        </tr>
      ))}
    </Table>
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

/** The leaves of nested parameters: `cart.items[].price`. */
function leavesOf(schema: Schema, path: string): { path: string; schema: Schema }[] {
  if (schema.type === 'array') return leavesOf(schema.items ?? {}, `${path}[]`);
  if (!schema.properties) return [{ path, schema }];
  return Object.entries(schema.properties).flatMap(([name, inner]) =>
    leavesOf(inner, path === '' ? name : `${path}.${name}`),
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
