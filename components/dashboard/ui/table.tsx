'use client';
// The table of every list: keyboard navigation, whole rows as links, and two lines per row on a phone.
import clsx from 'clsx';
import Link from 'next/link';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { fittedColumns } from './column-fit.ts';
import { Tick } from './fields.tsx';
import { isTyping, useShortcuts } from './shortcuts.ts';

export type Column<Row> = {
  id: string;
  head: ReactNode;
  /** `end` for counts and times; `amount` for an AmountCell, whose currency has its own slot. */
  align?: 'start' | 'end' | 'amount';
  cell: (row: Row) => ReactNode;
  /** Pixels, or a share as `'20%'`; columns without a width share the rest. */
  width?: number | string;
  hideOnPhone?: boolean;
  /** Hides the column in narrower tables, before others: `xl` first. */
  hideBelow?: 'md' | 'lg' | 'xl';
  /** The class that hides it where the table has no space for it (column-fit.ts). */
  fit?: string | undefined;
  mono?: boolean;
  sorted?: 'ascending' | 'descending';
  onSort?: () => void;
};

export type Selection = { ids: ReadonlySet<string>; toggle: (id: string) => void; toggleAll: (ids: string[]) => void };

type Identified = { id: string };

export type ObjectTableProps<Row extends Identified> = {
  columns: readonly Column<Row>[];
  rows: readonly Row[] | undefined;
  rowHref?: (row: Row) => string;
  /** Opens a row beside the list instead. */
  onRow?: (row: Row) => void;
  selected?: string | null;
  /** Checkboxes; see useSelection. */
  selection?: Selection;
  /** The accessible name of the first cell's link, if its content is not enough. */
  rowName?: (row: Row) => string;
  caption: string;
  empty?: ReactNode;
  loading?: boolean;
  /** Older rows stay while a filter loads. */
  stale?: boolean;
  dense?: boolean;
  /** Buttons of a row, at its right, shown on hover or focus. */
  actions?: (row: Row) => ReactNode;
};

const tickWidth = 47;
const actionsWidth = 88;

// Some browsers drop table semantics with a changed display, so the roles are explicit.
const role = (name: string) => ({ role: name });

export function ObjectTable<Row extends Identified>(given: ObjectTableProps<Row>) {
  const { rows, caption, empty, loading = false, stale = false, selection, actions } = given;
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body, selection !== undefined);
  if (rows === undefined && !loading) return null;
  if (rows?.length === 0) return <>{empty}</>;
  const columns = fittedColumns(given.columns, (selection ? tickWidth : 0) + (actions ? actionsWidth : 0));
  const props = { ...given, columns };
  return (
    <div className="@container">
      <table
        {...role('table')}
        aria-label={caption}
        aria-busy={stale || undefined}
        className={clsx('w-full table-fixed phone:block', stale && 'opacity-60')}
      >
        <colgroup className="phone:hidden">
          {selection ? <col width={tickWidth} /> : null}
          {columns.map(({ id, width, fit }) => (
            <col key={id} width={width} className={fit} />
          ))}
          {actions ? <col width={actionsWidth} className="max-lg:hidden" /> : null}
        </colgroup>
        <Head {...props} ids={rows?.map(({ id }) => id) ?? []} />
        <tbody {...role('rowgroup')} ref={body} className="phone:block">
          {rows ? rows.map((row) => <Line key={row.id} {...props} row={row} />) : <LoadingRows {...props} />}
        </tbody>
      </table>
    </div>
  );
}

function Head<Row extends Identified>({ columns, selection, actions, ids }: ObjectTableProps<Row> & { ids: string[] }) {
  const all = ids.length > 0 && ids.every((id) => selection?.ids.has(id));
  return (
    <thead {...role('rowgroup')} className="phone:sr-only">
      <tr {...role('row')}>
        {selection ? (
          <th {...role('columnheader')} scope="col" className="h-8 border-b border-line pl-gutter">
            <Tick
              aria-label="All rows of this page"
              checked={all}
              onChange={() => selection.toggleAll(ids)}
              className="align-middle"
            />
          </th>
        ) : null}
        {columns.map(({ id, head, align, fit, sorted, onSort }, at) => (
          <th
            key={id}
            {...role('columnheader')}
            scope="col"
            aria-sort={sorted}
            className={clsx(
              'h-8 truncate border-b border-line px-2 text-xs font-medium first:pl-gutter last:pr-gutter',
              align === 'end' && 'text-end',
              align === 'amount' && 'pr-[43px] text-end',
              columns[at - 1]?.align === 'amount' && 'pl-5',
              sorted ? 'text-ink' : 'text-ink3',
              fit,
            )}
          >
            {onSort ? (
              <button
                type="button"
                onClick={onSort}
                className="border-0 bg-transparent p-0 font-medium text-inherit hover:text-ink hover:underline"
              >
                {head}
              </button>
            ) : (
              head
            )}
            {sorted ? <span aria-hidden="true"> {sorted === 'descending' ? '↓' : '↑'}</span> : null}
          </th>
        ))}
        {actions ? (
          <th {...role('columnheader')} scope="col" className="border-b border-line max-lg:hidden">
            <span className="unseen">Actions</span>
          </th>
        ) : null}
      </tr>
    </thead>
  );
}

type LineProps<Row extends Identified> = ObjectTableProps<Row> & { row: Row };

function Line<Row extends Identified>(props: LineProps<Row>) {
  const { columns, row, selected, selection, dense = false, actions } = props;
  const ticked = selection?.ids.has(row.id) ?? false;
  return (
    <tr
      {...role('row')}
      data-row={row.id}
      aria-selected={selected === row.id || ticked || undefined}
      className={clsx(
        'group relative focus-within:shadow-[inset_2px_0_var(--accent)] phone:flex phone:min-h-[60px] phone:flex-wrap phone:items-center phone:gap-x-2 phone:border-b phone:border-line phone:px-gutter phone:py-2.5 phone:before:order-2 phone:before:h-0 phone:before:basis-full phone:before:content-[""]',
        selected === row.id || ticked ? 'bg-sel' : 'hover:bg-hover focus-within:bg-hover',
      )}
    >
      {selection ? (
        <td {...role('cell')} className="border-b border-line pl-gutter phone:hidden">
          <Tick
            data-tick=""
            aria-label={`Select ${props.rowName?.(row) ?? row.id}`}
            checked={ticked}
            onChange={() => selection.toggle(row.id)}
            className="relative z-1 align-middle"
          />
        </td>
      ) : null}
      {columns.map((column, at) => (
        <td key={column.id} {...role('cell')} className={cellClass(columns, column, at, dense)}>
          {at === 0 ? <RowLink {...props} /> : column.cell(row)}
        </td>
      ))}
      {actions ? (
        <td {...role('cell')} className="border-b border-line pr-gutter max-lg:hidden">
          <span className="relative z-1 flex justify-end gap-1 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100">
            {actions(row)}
          </span>
        </td>
      ) : null}
    </tr>
  );
}

/** On a phone the first and last cell are in the first line, the others in the second. */
function cellClass<Row>(columns: readonly Column<Row>[], column: Column<Row>, at: number, dense: boolean): string {
  const { align, hideOnPhone, fit, mono } = column;
  const first = at === 0;
  const last = at === columns.length - 1;
  const before = columns[at - 1];
  return clsx(
    // Clipped rather than hidden: a cell must not scroll to its focused link.
    'overflow-clip text-ellipsis whitespace-nowrap border-b border-line px-2 first:pl-gutter last:pr-gutter phone:min-w-0 phone:border-0 phone:p-0 phone:first:pl-0 phone:last:pr-0',
    dense ? 'h-[34px] phone:h-auto' : 'h-[38px] phone:h-auto',
    (align === 'end' || align === 'amount') && 'figures text-end',
    before?.align === 'amount' && 'pl-5',
    mono && 'font-mono text-xs tracking-[-0.01em]',
    first
      ? 'font-strong phone:order-1 phone:flex-1 phone:text-start phone:text-[15px] phone:leading-[22px]'
      : 'text-ink2 phone:text-xs phone:text-ink3',
    last && !first && 'phone:order-1 phone:flex-none',
    !first && !last && 'phone:order-3 phone:max-w-full',
    hideOnPhone && 'phone:hidden',
    fit,
  );
}

/** The first cell links to the object, and its link covers the whole row. */
function RowLink<Row extends Identified>({
  columns,
  row,
  rowHref,
  onRow,
  rowName,
}: ObjectTableProps<Row> & { row: Row }) {
  const content = columns[0]?.cell(row);
  const cover = 'text-inherit no-underline outline-none after:absolute after:inset-0 after:content-[""]';
  if (rowHref) {
    return (
      <Link href={rowHref(row)} prefetch={false} data-open="" aria-label={rowName?.(row)} className={cover}>
        {content}
      </Link>
    );
  }
  if (!onRow) return <>{content}</>;
  return (
    <button
      type="button"
      data-open=""
      aria-label={rowName?.(row)}
      onClick={() => onRow(row)}
      className={clsx(cover, 'max-w-full truncate border-0 bg-transparent p-0 text-start font-[inherit]')}
    >
      {content}
    </button>
  );
}

/** J and K, or the arrow keys once a row has the focus, move; Enter opens; X selects. */
export function useRowKeys(body: RefObject<HTMLTableSectionElement | null>, ticks: boolean): void {
  const links = () => [...(body.current?.querySelectorAll<HTMLElement>('[data-open]') ?? [])];
  const here = () => links().findIndex((link) => link.closest('tr')?.contains(document.activeElement));
  const move = (step: number) => {
    const all = links();
    const next = all[Math.min(all.length - 1, Math.max(0, here() + step))];
    next?.focus();
    next?.closest('tr')?.scrollIntoView({ block: 'nearest' });
  };
  const tick = () => {
    const row = links()[here()]?.closest('tr');
    row?.querySelector<HTMLInputElement>('input[data-tick]')?.click();
  };
  useShortcuts({ j: () => move(1), k: () => move(-1), ...(ticks ? { x: tick } : {}) });
  // Arrow keys scroll the page until a row has the focus.
  const taken = () => here() >= 0 && !isTyping(document.activeElement);
  useShortcuts({ arrowdown: () => move(1), arrowup: () => move(-1) }, { when: taken });
}

/** True after 200 ms: faster results need no loading indicator. */
function useDelayed(): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 200);
    return () => clearTimeout(timer);
  }, []);
  return late;
}

/** Grey bars as placeholders of a text, after a short delay. */
export function Loading() {
  const late = useDelayed();
  const lines = ['w-2/5', 'w-3/5 opacity-75', 'w-1/2 opacity-50', 'w-1/3 opacity-30', 'w-2/3 opacity-20'];
  return (
    <div role="status" className="grid min-h-[38px] gap-4 px-gutter py-4">
      <span className="unseen">Loading</span>
      {late
        ? lines.map((line) => (
            <span key={line} aria-hidden="true" className={clsx('h-2.5 rounded-tag bg-line', line)} />
          ))
        : null}
    </div>
  );
}

const bars = ['w-16', 'w-24', 'w-20', 'w-28', 'w-14'];
const fades = ['opacity-100', 'opacity-80', 'opacity-60', 'opacity-45', 'opacity-30', 'opacity-20', 'opacity-10'];

function LoadingRows<Row extends Identified>({ columns, selection, actions, dense = false }: ObjectTableProps<Row>) {
  const late = useDelayed();
  if (!late) return null;
  return Array.from({ length: 12 }, (_, line) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike
    <tr key={line} {...role('row')} className={clsx(fades[Math.floor(line / 2)] ?? 'opacity-10')}>
      {selection ? <td className="border-b border-line" /> : null}
      {columns.map(({ id, align, fit }, at) => (
        <td
          key={id}
          className={clsx(
            'border-b border-line px-2 first:pl-gutter last:pr-gutter',
            dense ? 'h-[34px]' : 'h-[38px]',
            fit,
          )}
        >
          <span
            className={clsx(
              'block h-2.5 rounded-tag bg-line',
              bars[(line + at) % bars.length],
              (align === 'end' || align === 'amount') && 'ml-auto',
            )}
          />
        </td>
      ))}
      {actions ? <td className="border-b border-line max-lg:hidden" /> : null}
    </tr>
  ));
}
