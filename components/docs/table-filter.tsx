'use client';
// Filters the rows of a server-rendered table: rows without the words are hidden. Without script the table has no
// filter.
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import styles from './table-filter.module.css';

/** `table` is the accessible name of the table. */
type Props = { table: string; label: string; children: ReactNode };

export function TableFilter({ table, label, children }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<Element | null>(null);
  useEffect(() => {
    const section = frame.current?.querySelector(`section[aria-label="${table}"]`);
    if (!section) return;
    const above = document.createElement('div');
    section.before(above);
    setPlace(above);
    return () => above.remove();
  }, [table]);
  return (
    <div ref={frame}>
      {children}
      {place && createPortal(<Finder label={label} table={place.nextElementSibling} />, place)}
    </div>
  );
}

function Finder({ label, table }: { label: string; table: Element | null }) {
  const id = useId();
  const [text, setText] = useState('');
  const [count, setCount] = useState<number | null>(null);
  const filter = (input: string) => {
    setText(input);
    const words = input.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = [...(table?.querySelectorAll<HTMLElement>('tbody tr') ?? [])];
    for (const row of rows) {
      const content = row.textContent?.toLowerCase() ?? '';
      row.hidden = !words.every((word) => content.includes(word));
    }
    setCount(words.length === 0 ? null : rows.filter((row) => !row.hidden).length);
  };
  return (
    <div className={styles.finder}>
      <label htmlFor={id} className="label">
        {label}
      </label>
      <input id={id} type="search" className="input" value={text} onChange={({ target }) => filter(target.value)} />
      <p className="hint" aria-live="polite">
        {count === null ? '' : `${count} found`}
      </p>
    </div>
  );
}
