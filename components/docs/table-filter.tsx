'use client';
// Finds rows of a long table that the server has drawn: those without the words are hidden. Without script the whole table
// stands there.
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import styles from './table-filter.module.css';

/** `table` is the name of the table. */
type Props = { table: string; label: string; children: ReactNode };

export function TableFilter({ table, label, children }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<Element | null>(null);
  useEffect(() => {
    const found = frame.current?.querySelector(`section[aria-label="${table}"]`);
    if (!found) return;
    const above = document.createElement('div');
    found.before(above);
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
  const find = (wanted: string) => {
    setText(wanted);
    const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = [...(table?.querySelectorAll<HTMLElement>('tbody tr') ?? [])];
    for (const row of rows) {
      const told = row.textContent?.toLowerCase() ?? '';
      row.hidden = !words.every((word) => told.includes(word));
    }
    setCount(words.length === 0 ? null : rows.filter((row) => !row.hidden).length);
  };
  return (
    <div className={styles.finder}>
      <label htmlFor={id} className="label">
        {label}
      </label>
      <input id={id} type="search" className="input" value={text} onChange={({ target }) => find(target.value)} />
      <p className="hint" aria-live="polite">
        {count === null ? '' : `${count} found`}
      </p>
    </div>
  );
}
