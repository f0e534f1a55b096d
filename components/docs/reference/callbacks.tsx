// The callbacks of a protocol, as its reference draws them.
import type { Callback, OpenApi } from '../../../lib/core/openapi';
import { formLines, linesOf, schemaAt } from '../../../lib/docs/reference-words';
import { Code } from '../../ui/code';
import { Fields, Formulas, Switched } from './parts';
import styles from './reference.module.css';
import { Table } from './table';

type CallbacksProps = { callback: Callback; schemas: OpenApi['components']['schemas'] };

/** What is posted to the merchant's server. */
export function Callbacks({ callback: { body, headers, examples, formulas }, schemas }: CallbacksProps) {
  const lines = linesOf(schemaAt(schemas, body));
  return (
    <section aria-labelledby="callbacks" className={styles.operation}>
      <h2 id="callbacks">Callbacks</h2>
      <p>
        Posted to your server whenever a payment changes, form-encoded. Answer with any 2xx within 10 seconds; the usual
        body is <code>OK</code>. <a href="/docs/callbacks">Callbacks</a> says when one is sent again, and has receivers
        in four languages.
      </p>
      <Fields
        id="callbacks"
        name="Fields of a callback"
        lines={lines.filter(({ isSwitched }) => !isSwitched)}
        isForm
        hasCards={false}
        isGiven
      />
      <Switched lines={lines} />
      <h3 id="callbacks.signature">Signature</h3>
      <Formulas formulas={formulas} />
      <h3>Headers</h3>
      <Table name="Headers of a callback" head={['Header', 'What it says']}>
        {headers.map(({ name, description }) => (
          <tr key={name}>
            <td className={styles.field}>
              <code>{name}</code>
            </td>
            <td>{description}</td>
          </tr>
        ))}
      </Table>
      <h3>Examples</h3>
      {examples.map(({ summary, value }) => (
        <Code key={summary} title={summary} text={formLines(value).join('\n')} copies={`the callback: ${summary}`} />
      ))}
    </section>
  );
}
