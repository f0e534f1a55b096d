// Renders the blocks of the reference (lib/docs/reference.ts).
import Link from 'next/link';
import type { ReactNode } from 'react';
import type { Block, FieldTable, Inline } from '../../../lib/docs/reference.ts';
import { formName } from '../../../lib/docs/schema-description.ts';
import { Code } from '../../ui/code.tsx';
import styles from './reference.module.css';

/** `parameters` links to the descriptions of a method's parameters. */
type Props = { blocks: readonly Block[]; parameters: ReactNode };

export function Blocks({ blocks, parameters }: Props) {
  return blocks
    .filter(({ only }) => only !== 'text')
    .map((block, at) => {
      const key = `${at}`;
      return <BlockOf key={key} block={block} parameters={parameters} />;
    });
}

export const sectionId = (title: string) => `section-${title.toLowerCase()}`;

function BlockOf({ block, parameters }: { block: Block; parameters: ReactNode }) {
  switch (block.kind) {
    case 'heading':
      return <h2 id={sectionId(block.text)}>{block.text}</h2>;
    case 'text':
      return (
        <p className={block.look === 'address' ? styles.address : block.look}>
          <Inlines parts={block.parts} />
        </p>
      );
    case 'list':
      return (
        <ul>
          {block.items.map((parts, at) => {
            const key = `${at}`;
            return (
              <li key={key}>
                <Inlines parts={parts} />
              </li>
            );
          })}
        </ul>
      );
    case 'table':
      return (
        <Table name={block.name} head={block.head}>
          {block.rows.map(({ name, text }) => (
            <tr key={name} id={block.hasIds ? name : undefined}>
              <td className={styles.field}>
                <code>{name}</code>
              </td>
              <td>{text}</td>
            </tr>
          ))}
        </Table>
      );
    case 'fields':
      return <Fields {...block} parameters={parameters} />;
    case 'formulas':
      return block.formulas.map(({ when, formula }) => (
        <figure key={formula} className={styles.formula}>
          {block.formulas.length > 1 ? <figcaption>{when}</figcaption> : null}
          <code>{formula}</code>
        </figure>
      ));
    case 'code':
      return <Code title={block.title ?? block.status} text={block.text} copies={block.copies} />;
  }
}

const Inlines = ({ parts }: { parts: readonly Inline[] }) =>
  parts.map((part, at) => {
    const key = `${at}`;
    if (typeof part === 'string') return part;
    if ('code' in part) return <code key={key}>{part.code}</code>;
    if ('name' in part) {
      return (
        <code key={key} className="nowrap">
          {part.name}{' '}
        </code>
      );
    }
    return (
      <Link key={key} href={part.href}>
        {typeof part.link === 'string' ? part.link : <code>{part.link.code}</code>}
      </Link>
    );
  });

function Fields({ name, lines, words, isForm, hasIds, parameters }: FieldTable & { parameters: ReactNode }) {
  return (
    <Table name={name} head={['Field', 'Meaning']}>
      {lines.map(({ path, need, kind, description, rules }) => {
        const shown = <code>{isForm ? formName(path) : path}</code>;
        return (
          <tr key={path} id={hasIds ? path : undefined}>
            <td className={styles.field}>
              {hasIds ? <a href={`#${path}`}>{shown}</a> : shown}
              <span className={styles.need}>{words[need]}</span>
            </td>
            <td>
              {path === 'hash' ? <a href={`#${sectionId('Signature')}`}>The signature</a> : description}{' '}
              <span className="quiet">{kind}</span>
              {rules.map((rule) => (
                <p key={rule} className={styles.rule}>
                  {rule}
                </p>
              ))}
              {path === 'parameters' ? <p className={styles.rule}>{parameters}</p> : null}
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

/** A scrollable table of the reference. */
export function Table({ name, head, children }: { name: string; head: readonly string[]; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable table must be reachable by keyboard
    <section className="scroll" tabIndex={0} aria-label={name}>
      <table>
        <thead>
          <tr>
            {head.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
