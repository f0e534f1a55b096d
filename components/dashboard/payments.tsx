'use client';
// The list of payments. The server renders the first page; from then on the address bar says what is shown, and the list
// looks for news by itself while it shows the newest.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { Status } from '../ui/status';
import { AmountCell } from './amount';
import { ask } from './client';
import { type Change, Filters, isTyping } from './filters';
import { Glyph } from './glyphs';
import type { PaymentList, PaymentRow } from './model';
import styles from './payments.module.css';
import { Time } from './zone';

const newsMilliseconds = 10_000;

type Props = {
  initial: PaymentList;
  /** The query that `initial` answers. */
  initialQuery: string;
  /** Whether payments of several merchants may stand here. */
  manyMerchants: boolean;
  sandbox: boolean;
};

export function Payments({ initial, initialQuery, manyMerchants, sandbox }: Props) {
  const params = useSearchParams();
  const text = params.toString();
  const paged = params.has('after') || params.has('before');
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['payments', text],
    queryFn: () => ask<PaymentList>(`/payments?${text}`),
    initialData: text === initialQuery ? initial : undefined,
    placeholderData: keepPreviousData,
    refetchInterval: paged ? false : newsMilliseconds,
  });
  const change = (changed: Change) => {
    const next = new URLSearchParams(params);
    next.delete('after');
    next.delete('before');
    for (const [name, value] of Object.entries(changed)) {
      if (value === null) next.delete(name);
      else next.set(name, value);
    }
    if (next.toString() === text) return;
    // Next follows the address without asking its server, so that only the data is fetched.
    history.pushState(null, '', `?${next}`);
  };
  const filtered = ['q', 'state', 'from', 'to'].some((name) => params.has(name));
  const rows = data?.rows ?? [];
  return (
    <>
      <Filters params={params} change={change} />
      <p className="unseen" aria-live="polite">
        {data && !isPlaceholderData ? countText(data, paged) : ''}
      </p>
      {error ? <Trouble message={error.message} again={() => refetch()} /> : null}
      {rows.length > 0 ? (
        <Table rows={rows} manyMerchants={manyMerchants} stale={isPlaceholderData} />
      ) : data && !error ? (
        <Empty
          filtered={filtered || paged}
          sandbox={sandbox}
          clear={() => change({ q: null, state: null, from: null, to: null })}
        />
      ) : null}
      {data && (rows.length > 0 || paged) ? <Foot list={data} params={params} paged={paged} /> : null}
    </>
  );
}

function countText({ rows, older }: PaymentList, paged: boolean): string {
  const many = `${rows.length} ${rows.length === 1 ? 'payment' : 'payments'}`;
  return older || paged ? `${many} on this page` : many;
}

// A table on a phone is laid out as two lines a row, which takes its meaning away in some browsers: it is said again.
const role = (name: string) => ({ role: name });

function Table({ rows, manyMerchants, stale }: { rows: PaymentRow[]; manyMerchants: boolean; stale: boolean }) {
  const body = useRowKeys();
  return (
    <table {...role('table')} className={styles.table} data-stale={stale || undefined} aria-label="Payments">
      <thead {...role('rowgroup')}>
        <tr {...role('row')}>
          <th {...role('columnheader')} scope="col" className={styles.amount}>
            Amount
          </th>
          <th {...role('columnheader')} scope="col">
            Status
          </th>
          <th {...role('columnheader')} scope="col">
            Order
          </th>
          <th {...role('columnheader')} scope="col">
            Method
          </th>
          <th {...role('columnheader')} scope="col">
            Payer
          </th>
          {manyMerchants ? (
            <th {...role('columnheader')} scope="col">
              Merchant
            </th>
          ) : null}
          <th {...role('columnheader')} scope="col" className={styles.created} aria-sort="descending">
            Created <span aria-hidden="true">↓</span>
          </th>
        </tr>
      </thead>
      <tbody {...role('rowgroup')} ref={body}>
        {rows.map((row) => (
          <Row key={row.id} row={row} manyMerchants={manyMerchants} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row, manyMerchants }: { row: PaymentRow; manyMerchants: boolean }) {
  return (
    <tr {...role('row')}>
      <td {...role('cell')} className={styles.amount}>
        <AmountCell amount={row.amount} currency={row.currency} />
      </td>
      <td {...role('cell')} className={styles.status}>
        <span className={styles.cut}>
          <Status status={row.status} />
          {row.remark ? <span className={styles.remark}>{row.remark}</span> : null}
        </span>
      </td>
      <td {...role('cell')} className={styles.order}>
        <Link href={`/dashboard/payments/${row.id}`} prefetch={false} className={styles.link}>
          <span className={styles.cut}>{row.orderNumber}</span>
        </Link>
      </td>
      <td {...role('cell')} className={styles.method}>
        {row.method ? (
          <>
            {row.method.name}
            {row.method.last4 ? <span className="figures"> •••• {row.method.last4}</span> : null}
          </>
        ) : (
          <span className="quiet">–</span>
        )}
      </td>
      <td {...role('cell')} className={styles.payer}>
        <span className={styles.cut}>{row.payer ?? <span className="quiet">–</span>}</span>
      </td>
      {manyMerchants ? (
        <td {...role('cell')} className={styles.merchant}>
          <span className={styles.cut}>{row.merchantName}</span>
        </td>
      ) : null}
      <td {...role('cell')} className={styles.created}>
        <Time at={row.createdAt} as="day and time" />
      </td>
    </tr>
  );
}

/** J and K, or the arrows, move from row to row; Enter opens, because it is the row's link that has the focus. */
function useRowKeys() {
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    const move = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      const links = [...(body.current?.querySelectorAll('a') ?? [])];
      const at = links.indexOf(document.activeElement as HTMLAnchorElement);
      const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp';
      // Arrows scroll the page until a row has been taken up.
      if (isArrow && at < 0) return;
      const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      links[Math.min(links.length - 1, Math.max(0, at + step))]?.focus();
    };
    addEventListener('keydown', move);
    return () => removeEventListener('keydown', move);
  }, []);
  return body;
}

function Foot({ list, params, paged }: { list: PaymentList; params: URLSearchParams; paged: boolean }) {
  const to = (name: 'after' | 'before', place: string | null) => {
    if (place === null) return null;
    const next = new URLSearchParams(params);
    next.delete('after');
    next.delete('before');
    next.set(name, place);
    return `/dashboard/payments?${next}`;
  };
  return (
    <div className={styles.foot}>
      <span className="figures">{countText(list, paged)}</span>
      {list.newer || list.older ? (
        <nav aria-label="Pages" className={styles.pages}>
          <PageLink href={to('before', list.newer)} glyph="left" text="Newer" />
          <PageLink href={to('after', list.older)} glyph="right" text="Older" />
        </nav>
      ) : null}
      <span className={styles.keys} aria-hidden="true">
        <kbd>J</kbd>
        <kbd>K</kbd> move <kbd>↵</kbd> open <kbd>/</kbd> search
      </span>
    </div>
  );
}

function PageLink({ href, glyph, text }: { href: string | null; glyph: 'left' | 'right'; text: string }) {
  const inside = (
    <>
      {glyph === 'left' ? <Glyph name="left" size={14} /> : null}
      {text}
      {glyph === 'right' ? <Glyph name="right" size={14} /> : null}
    </>
  );
  if (href === null) return <span className={styles.pageOff}>{inside}</span>;
  return (
    <Link href={href} prefetch={false} className="button small">
      {inside}
    </Link>
  );
}

function Trouble({ message, again }: { message: string; again: () => void }) {
  return (
    <div className={styles.trouble} role="alert">
      <p>
        <b>The list could not be read.</b> {message} Your filters are kept.
      </p>
      <button type="button" className="button small" onClick={again}>
        <Glyph name="again" size={14} />
        Try again
      </button>
    </div>
  );
}

function Empty({ filtered, sandbox, clear }: { filtered: boolean; sandbox: boolean; clear: () => void }) {
  if (filtered) {
    return (
      <div className={styles.empty}>
        <h2>No payment fits</h2>
        <p>A search finds whole values only: an id, an order number, an e-mail, or a card's last four digits.</p>
        <button type="button" className="button" onClick={clear}>
          Remove all filters
        </button>
      </div>
    );
  }
  return (
    <div className={styles.empty}>
      <h2>No payments yet</h2>
      <p>
        A payment appears here within seconds of the session that your server opens.{' '}
        {sandbox ? (
          <>
            In the sandbox, <Link href="/">buy something from the demo shop</Link> with a test card.
          </>
        ) : null}
      </p>
    </div>
  );
}
