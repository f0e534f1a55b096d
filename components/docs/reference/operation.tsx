// Renders an operation of the reference: URL, fields, formulas, request, response and errors.
import Link from 'next/link';
import type { OpenApi, OperationError, Schema } from '../../../lib/core/openapi.ts';
import { errorAnchor } from '../../../lib/docs/error-anchor.ts';
import {
  type FieldLine,
  formLines,
  givenWords,
  linesOf,
  type Placed,
  requestLinesOf,
  schemaAt,
} from '../../../lib/docs/schema-description.ts';
import { Code } from '../../ui/code.tsx';
import { Fields, Formulas, Names, Switched } from './parts.tsx';
import styles from './reference.module.css';
import { Table } from './table.tsx';

type Props = Placed & { base: string; isForm: boolean; schemas: OpenApi['components']['schemas']; file: string };

export function OperationBody({ operation, method, path, withToken, base, isForm, schemas, file }: Props) {
  const { name, summary, request, answer, examples, formulas, errors } = operation;
  const requestSchema = schemaAt(schemas, request);
  const refused = requestSchema['x-refused'] ?? [];
  return (
    <>
      <h1>{name}</h1>
      <p>{summary}</p>
      <p className={styles.address}>
        <code>
          {method} {base}
          {path}
        </code>
      </p>
      {withToken ? (
        <p>
          Send the session’s token in the header <code>Token</code>.
        </p>
      ) : null}
      <h2 id="section-fields">Fields</h2>
      <Fields
        name={`Fields of ${name}`}
        lines={requestLinesOf(requestSchema)}
        isForm={isForm}
        file={file}
        schemas={schemas}
      />
      {refused.length > 0 ? (
        <p className="quiet">
          These fields are refused: <Names names={refused} />
        </p>
      ) : null}
      <h2 id="section-signature">Signature</h2>
      {formulas.length === 0 ? <p>This request is not signed. The token identifies the session.</p> : null}
      <Formulas formulas={formulas} />
      <h2 id="section-request">Request</h2>
      {examples.map(({ summary: title, value }) => (
        <Code
          key={title}
          title={examples.length > 1 ? title : undefined}
          text={isForm ? formLines(value).join('\n') : JSON.stringify(value, null, 2)}
          copies={`the request ${name}`}
        />
      ))}
      <Response name={name} schema={schemaAt(schemas, answer)} />
      <h2 id="section-errors">Errors</h2>
      <Errors errors={errors} />
    </>
  );
}

function Response({ name, schema }: { name: string; schema: Schema }) {
  const lines = linesOf(schema.anyOf || schema.properties ? schema : (schema.items ?? {}));
  return (
    <>
      <h2 id="section-response">Response</h2>
      <Code text={JSON.stringify(schema.examples?.[0], null, 2)} title="200" />
      <ResponseFields name={`Response of ${name}`} lines={lines} />
    </>
  );
}

function ResponseFields({ name, lines }: { name: string; lines: readonly FieldLine[] }) {
  return (
    <>
      <Table name={name} head={['Field', 'Meaning']}>
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

/** The errors of an operation, each with a link to its row in the table of errors. */
function Errors({ errors }: { errors: readonly OperationError[] }) {
  return (
    <ul>
      {errors.map(({ key, code, message }) => (
        <li key={key}>
          <Link href={`/docs/reference/errors#${errorAnchor(key)}`}>
            <code>{code}</code>
          </Link>{' '}
          {message}
        </li>
      ))}
    </ul>
  );
}
