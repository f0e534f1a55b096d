'use client';
// The filter row of the list. Everything is in the address bar: a filter is set by changing the address, and whoever
// passes the address on passes the filter on.
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { StatusShape } from '../ui/status';
import { statusWords } from '../ui/status-words';
import styles from './filters.module.css';
import { Glyph } from './glyphs';
import { zoneText } from './times';
import { useZone } from './zone';

/** Changes to the address: `null` removes a filter. */
export type Change = Record<string, string | null>;

type Props = { params: URLSearchParams; change: (change: Change) => void };

const pauseMilliseconds = 350;

export function Filters({ params, change }: Props) {
  const zone = useZone();
  const filtered = ['q', 'state', 'from', 'to'].some((name) => params.has(name));
  return (
    <div className={styles.filters}>
      <Search value={params.get('q') ?? ''} onChange={(text) => change({ q: text || null })} />
      <StatusFilter value={params.get('state') ?? ''} onChange={(state) => change({ state: state || null })} />
      <DateFilter params={params} change={change} />
      {filtered ? (
        <button
          type="button"
          className={styles.clear}
          onClick={() => change({ q: null, state: null, from: null, to: null })}
        >
          Clear
        </button>
      ) : null}
      <span className={styles.zone} title={zone}>
        {zoneText(new Date().toISOString(), zone)}
      </span>
    </div>
  );
}

function Search({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // The address may change without the field: by the back button, or by "Clear".
  useEffect(() => {
    if (field.current && document.activeElement !== field.current) field.current.value = value;
    if (field.current && value === '') field.current.value = '';
  }, [value]);
  useEffect(() => {
    const jump = (event: KeyboardEvent) => {
      if (event.key !== '/' || isTyping(event.target) || event.metaKey || event.ctrlKey || event.altKey) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    addEventListener('keydown', jump);
    return () => removeEventListener('keydown', jump);
  }, []);
  const send = () => {
    clearTimeout(timer.current);
    onChange(field.current?.value.trim() ?? '');
  };
  const later = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(send, pauseMilliseconds);
  };
  return (
    <search className={styles.searching}>
      <form
        className={styles.search}
        action="/dashboard/payments"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          send();
        }}
      >
        <Glyph name="search" />
        <label className="unseen" htmlFor="search">
          Search by payment, transaction, order, e-mail or the card's last four digits
        </label>
        <input
          ref={field}
          id="search"
          name="q"
          type="search"
          autoComplete="off"
          spellCheck={false}
          placeholder="Payment, order, e-mail, card last four"
          defaultValue={value}
          onChange={later}
        />
        <span aria-hidden="true" className={styles.key}>
          /
        </span>
      </form>
    </search>
  );
}

/** The value of a field at once, while the address still follows; the address wins when it changes by itself. */
function useDraft(value: string): [string, (draft: string) => void] {
  const [draft, setDraft] = useState(value);
  useEffect(() => setDraft(value), [value]);
  return [draft, setDraft];
}

function StatusFilter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [draft, setDraft] = useDraft(value);
  const chosen = draft.split(',').filter((status) => status in statusWords);
  const toggle = (status: string) => {
    const next = chosen.includes(status) ? chosen.filter((each) => each !== status) : [...chosen, status];
    // In the order of the list, so that the same choice has one address.
    const text = Object.keys(statusWords)
      .filter((each) => next.includes(each))
      .join(',');
    setDraft(text);
    onChange(text);
  };
  const text = chosen.map((status) => statusWords[status]).join(', ');
  return (
    <Chip name="Status" value={text} remove={() => onChange('')}>
      <fieldset className={styles.choices}>
        <legend className="unseen">Status</legend>
        {Object.entries(statusWords).map(([status, word]) => (
          <label key={status}>
            <input type="checkbox" checked={chosen.includes(status)} onChange={() => toggle(status)} />
            <StatusShape status={status} />
            {word}
          </label>
        ))}
      </fieldset>
    </Chip>
  );
}

function DateFilter({ params, change }: Props) {
  const [from, setFrom] = useDraft(params.get('from') ?? '');
  const [to, setTo] = useDraft(params.get('to') ?? '');
  const text = from && to ? `${from} – ${to}` : from ? `from ${from}` : to ? `up to ${to}` : '';
  return (
    <Chip name="Created" value={text} remove={() => change({ from: null, to: null })}>
      <div className={styles.days}>
        <label htmlFor="from">First day</label>
        <input
          id="from"
          type="date"
          className={styles.day}
          value={from}
          max={to || undefined}
          onChange={({ target }) => {
            setFrom(target.value);
            change({ from: target.value || null });
          }}
        />
        <label htmlFor="to">Last day</label>
        <input
          id="to"
          type="date"
          className={styles.day}
          value={to}
          min={from || undefined}
          onChange={({ target }) => {
            setTo(target.value);
            change({ to: target.value || null });
          }}
        />
      </div>
    </Chip>
  );
}

type ChipProps = { name: string; value: string; remove: () => void; children: ReactNode };

/** A filter: its name and value, a button that removes it, and what opens when it is pressed. */
function Chip({ name, value, remove, children }: ChipProps) {
  const [open, setOpen] = useState(false);
  const chip = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    const outside = (event: PointerEvent) => {
      if (!chip.current?.contains(event.target as Node)) setOpen(false);
    };
    const leave = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      button.current?.focus();
    };
    addEventListener('pointerdown', outside);
    addEventListener('keydown', leave);
    return () => {
      removeEventListener('pointerdown', outside);
      removeEventListener('keydown', leave);
    };
  }, [open]);
  return (
    <div ref={chip} className={styles.chip} data-set={value !== '' || undefined}>
      <button
        ref={button}
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className={styles.chipButton}
      >
        <span>{name}</span>
        {value === '' ? <Glyph name="down" size={14} /> : <b>{value}</b>}
      </button>
      {value === '' ? null : (
        <button type="button" className={styles.remove} onClick={remove} title={`Remove the filter ${name}`}>
          <Glyph name="cross" size={14} />
          <span className="unseen">Remove the filter {name}</span>
        </button>
      )}
      {open ? <div className={styles.panel}>{children}</div> : null}
    </div>
  );
}

/** Whether a key belongs to a field and not to the page. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName))
  );
}
