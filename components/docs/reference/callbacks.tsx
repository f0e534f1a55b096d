// Renders the callbacks of a protocol: fields, signature, headers and examples.
import Link from 'next/link';
import type { Callback, OpenApi } from '../../../lib/core/openapi.ts';
import { formLines, linesOf, schemaAt } from '../../../lib/docs/schema-description.ts';
import { Code } from '../../ui/code.tsx';
import { Fields, Formulas, Switched } from './parts.tsx';
import styles from './reference.module.css';
import { Table } from './table.tsx';

type CallbacksProps = { title: string; callback: Callback; schemas: OpenApi['components']['schemas'] };

export function Callbacks({ title, callback: { body, headers, examples, formulas }, schemas }: CallbacksProps) {
  const lines = linesOf(schemaAt(schemas, body));
  return (
    <>
      <h1>{title.replace('reference', 'callbacks')}</h1>
      <p>
        Florin posts a callback, form-encoded, to your server when a payment changes. Answer with any 2xx status within
        10 seconds; the usual body is <code>OK</code>. <Link href="/docs/guide/callbacks">Callbacks</Link> describes
        retries and has receivers in four languages.
      </p>
      <h2 id="section-fields">Fields</h2>
      <Fields name="Fields of a callback" lines={lines.filter(({ isSwitched }) => !isSwitched)} isForm isGiven />
      <Switched lines={lines} />
      <h2 id="section-signature">Signature</h2>
      <Formulas formulas={formulas} />
      <h2 id="section-headers">Headers</h2>
      <Table name="Headers of a callback" head={['Header', 'Meaning']}>
        {headers.map(({ name, description }) => (
          <tr key={name}>
            <td className={styles.field}>
              <code>{name}</code>
            </td>
            <td>{description}</td>
          </tr>
        ))}
      </Table>
      <h2 id="section-examples">Examples</h2>
      {examples.map(({ summary, value }) => (
        <Code key={summary} title={summary} text={formLines(value).join('\n')} copies={`the callback: ${summary}`} />
      ))}
    </>
  );
}
