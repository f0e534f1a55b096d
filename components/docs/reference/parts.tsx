// The parts that requests, answers and callbacks of the reference are drawn with.
import type { Formula } from '../../../lib/core/openapi';
import { type FieldLine, formName, givenWords, needWords } from '../../../lib/docs/reference-words';
import styles from './reference.module.css';
import { Table } from './table';

/** How a hash is made. */
export function Formulas({ formulas }: { formulas: readonly Formula[] }) {
  return formulas.map(({ when, formula }) => (
    <figure key={formula} className={styles.formula}>
      {formulas.length > 1 ? <figcaption>{when}</figcaption> : null}
      <code>{formula}</code>
    </figure>
  ));
}

/** What a protocol mapping can add, by name alone: what each is stands in the table of the mapping. */
export function Switched({ lines }: { lines: readonly FieldLine[] }) {
  const names = lines.filter(({ isSwitched }) => isSwitched).map(({ path }) => path);
  if (names.length === 0) return null;
  return (
    <p className="quiet">
      Where the <a href="/docs/mapping#fields">protocol mapping</a> has them on: <Names names={names} />
    </p>
  );
}

/** Names in a row. */
export function Names({ names }: { names: readonly string[] }) {
  return names.map((name) => (
    <code key={name} className="nowrap">
      {name}{' '}
    </code>
  ));
}

type FieldsProps = {
  id: string;
  name: string;
  lines: readonly FieldLine[];
  isForm: boolean;
  hasCards: boolean;
  isGiven?: boolean;
};

/** A table of fields, each at an address of its own. */
export function Fields({ id, name, lines, isForm, hasCards, isGiven = false }: FieldsProps) {
  return (
    <Table name={name} head={['Field', 'What it is']}>
      {lines.map(({ path, need, kind, description, rules }) => (
        <tr key={path} id={`${id}.${path}`}>
          <td className={styles.field}>
            <a href={`#${id}.${path}`}>
              <code>{isForm ? formName(path) : path}</code>
            </a>
            <span className={styles.need}>{(isGiven ? givenWords : needWords)[need]}</span>
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
