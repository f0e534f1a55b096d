// A code block with quiet names and no syntax colours.
import type { ReactNode } from 'react';
import styles from './code.module.css';
import { CopyButton } from './copy-button.tsx';

type Props = {
  text: string;
  /** The caption of the block: a word, or a request line. */
  title?: ReactNode;
  /** The label of the copy button; without it there is none. */
  copies?: string;
};

export function Code({ text, title, copies }: Props) {
  return (
    <figure className={styles.block}>
      {title || copies ? (
        <figcaption className={styles.head}>
          <span>{title}</span>
          {copies ? <CopyButton text={text} what={copies} word /> : null}
        </figcaption>
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls has to be reachable by keyboard */}
      <pre className={styles.code} tabIndex={0}>
        <code>{codeLines(text, styles.name)}</code>
      </pre>
    </figure>
  );
}

// `"name":` of JSON and `name=` of a form or `name:` of a header, at the beginning of a line.
const named = /^(\s*"[^"]+":|[\w[\].-]+(?:=|:\s))(.*)$/s;

/** The lines of a code block, their names with a class of their own. */
export function codeLines(text: string, nameClass: string | undefined): ReactNode[] {
  return text.split('\n').map((line, at, all) => {
    const [, name, rest = line] = named.exec(line) ?? [];
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines keep their places
      <span key={at}>
        {name === undefined ? null : <span className={nameClass}>{name}</span>}
        {at < all.length - 1 ? `${rest}\n` : rest}
      </span>
    );
  });
}
