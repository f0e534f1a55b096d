// Components that requests, responses and callbacks of the reference share.
import Link from 'next/link';
import type { Formula, OpenApi } from '../../../lib/core/openapi.ts';
import { type FieldLine, formName, givenWords, needWords } from '../../../lib/docs/schema-description.ts';
import styles from './reference.module.css';
import { Table } from './table.tsx';

/** The formulas of a hash. */
export function Formulas({ formulas }: { formulas: readonly Formula[] }) {
  return formulas.map(({ when, formula }) => (
    <figure key={formula} className={styles.formula}>
      {formulas.length > 1 ? <figcaption>{when}</figcaption> : null}
      <code>{formula}</code>
    </figure>
  ));
}

/** The names of the fields that a protocol mapping can enable. */
export function Switched({ lines }: { lines: readonly FieldLine[] }) {
  const names = lines.filter(({ isSwitched }) => isSwitched).map(({ path }) => path);
  if (names.length === 0) return null;
  return (
    <p className="quiet">
      Sent where the <Link href="/docs/reference/mapping#fields">protocol mapping</Link> enables them:{' '}
      <Names names={names} />
    </p>
  );
}

export function Names({ names }: { names: readonly string[] }) {
  return names.map((name) => (
    <code key={name} className="nowrap">
      {name}{' '}
    </code>
  ));
}

type FieldsProps = {
  name: string;
  lines: readonly FieldLine[];
  isForm: boolean;
  /** True for fields that Florin sends. */
  isGiven?: boolean;
  file?: string;
  schemas?: OpenApi['components']['schemas'];
};

/** A table of fields. The id of a row is the path of its field. */
export function Fields({ name, lines, isForm, isGiven = false, file = '', schemas = {} }: FieldsProps) {
  return (
    <Table name={name} head={['Field', 'Meaning']}>
      {lines.map(({ path, need, kind, description, rules }) => (
        <tr key={path} id={path}>
          <td className={styles.field}>
            <a href={`#${path}`}>
              <code>{isForm ? formName(path) : path}</code>
            </a>
            <span className={styles.need}>{(isGiven ? givenWords : needWords)[need]}</span>
          </td>
          <td>
            {path === 'hash' ? <a href="#section-signature">The signature</a> : description}{' '}
            <span className="quiet">{kind}</span>
            {rules.map((rule) => (
              <p key={rule} className={styles.rule}>
                {rule}
              </p>
            ))}
            {path === 'parameters' ? <ParameterLinks file={file} hasCards={'parameters.card' in schemas} /> : null}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function ParameterLinks({ file, hasCards }: { file: string; hasCards: boolean }) {
  return (
    <p className={styles.rule}>
      {hasCards ? <Link href={`/docs/reference/${file}/card-parameters`}>Card parameters</Link> : null}
      {hasCards ? ', ' : null}
      <Link href="/docs/reference/methods">
        {hasCards ? 'parameters of other methods' : 'Parameters of each method'}
      </Link>
    </p>
  );
}
