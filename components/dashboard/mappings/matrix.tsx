'use client';
// The field matrix of a mapping: fields as rows, places as columns. The matrix is one tab stop; arrow keys move between
// boxes and Space toggles. Fixed boxes are grey, with a note below the table.
import clsx from 'clsx';
import { Fragment, type KeyboardEvent, useContext, useRef, useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import {
  type FieldPlace,
  type FieldRow,
  type MappingProtocol,
  moreRows,
  payerRows,
} from '../../../lib/core/mapping-options.ts';
import { ChangedFields } from '../ui/form.tsx';
import { Tick } from '../ui/index.ts';
import { type Box, type MappingForm, rowsOf } from './form-values.ts';

const columnTitles: Record<FieldPlace, string> = {
  required: 'Required',
  callback: 'In callbacks',
  status: 'In status',
};

const groups: Record<string, { name: string; aside: (count: number) => string }> = {
  threeDS: { name: '3DS attributes', aside: (count) => `${count} fields, from threeDSServerTransID to eci` },
  browser: { name: 'Browser attributes', aside: (count) => `${count} fields such as browser_language` },
};

/** The label of a row; `isContract` is whether it is a contract name. */
function rowTitle({ id, names }: FieldRow): { name: string; isContract: boolean; aside?: string } {
  const group = groups[id];
  if (group) return { name: group.name, isContract: false, aside: group.aside(names.length) };
  return { name: names.join(', '), isContract: true };
}

const boxText = (value: unknown) => (value === 'some' ? 'some' : value ? 'on' : 'off');

/** The texts of the list of changes for the matrix. */
export function matrixWords(protocol: MappingProtocol) {
  const rows = rowsOf(protocol).flatMap((row) =>
    Object.entries({ required: 'required', callback: 'in callbacks', status: 'in status' }).map(
      ([place, text]) => [`matrix.${place}.${row.id}`, `${rowTitle(row).name} ${text}`] as const,
    ),
  );
  return { labels: Object.fromEntries(rows), show: Object.fromEntries(rows.map(([field]) => [field, boxText])) };
}

/** The boxes of a {@link MappingForm}; must be inside of its FormProvider. */
export function Matrix({ protocol, readOnly }: { protocol: MappingProtocol; readOnly: boolean }) {
  const matrix = useWatch<MappingForm, 'matrix'>({ name: 'matrix' });
  const { setValue } = useFormContext<MappingForm>();
  const changed = useContext(ChangedFields);
  const all = rowsOf(protocol);
  const columns = (Object.keys(columnTitles) as FieldPlace[]).filter((each) =>
    all.some(({ places: states }) => states[each] !== 'never'),
  );
  const { table, current, setCurrent, press } = useArrows(all, columns);
  const toggle = (place: FieldPlace, id: string, on: boolean) =>
    setValue(`matrix.${place}.${id}`, on, { shouldDirty: true, shouldTouch: true });
  const cell = { matrix, current, setCurrent, toggle, readOnly, changed };
  const groups = [
    { title: 'Payer fields', rows: payerRows(protocol) },
    { title: 'More fields', rows: moreRows(protocol) },
  ];
  return (
    <div className="relative overflow-x-auto phone:-mx-4">
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrow keys move between its boxes */}
      <table ref={table} role="grid" aria-label="Fields" onKeyDown={press} className="w-full border-collapse text-sm">
        {groups.map(({ title, rows }, at) => (
          <Fragment key={title}>
            <thead>
              <Head title={title} columns={columns} again={at > 0} />
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id} className="border-b border-line hover:bg-hover focus-within:bg-hover">
                  <th scope="row" className="h-[34px] py-1 text-left font-normal phone:h-11 phone:px-4">
                    <Title row={row} />
                  </th>
                  {columns.map((place) => (
                    <td key={place} className="text-center">
                      <Cell row={row} place={place} {...cell} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </Fragment>
        ))}
      </table>
      <Legend rows={all} />
    </div>
  );
}

function Head({ title, columns, again = false }: { title: string; columns: FieldPlace[]; again?: boolean }) {
  return (
    <tr className="border-b border-line text-xs text-ink3">
      <th
        scope="col"
        className={clsx(
          'h-8 text-left font-medium phone:px-4',
          again && 'pt-3.5 align-bottom text-sm font-semibold text-ink',
        )}
      >
        {title}
      </th>
      {columns.map((place) => (
        <th key={place} scope="col" className="w-[92px] text-center font-medium phone:w-[70px]">
          <span className={again ? 'unseen' : ''}>{columnTitles[place]}</span>
        </th>
      ))}
    </tr>
  );
}

const keyOf = (place: FieldPlace, id: string) => `${place}.${id}`;

function Title({ row }: { row: FieldRow }) {
  const { name, isContract, aside } = rowTitle(row);
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      <span className={isContract ? 'font-mono text-xs' : ''}>{name}</span>
      {aside ? <span className="text-xs text-ink3">{aside}</span> : null}
    </span>
  );
}

type CellProps = {
  row: FieldRow;
  place: FieldPlace;
  matrix: MappingForm['matrix'];
  /** The box with the tab stop. */
  current: string;
  setCurrent: (key: string) => void;
  toggle: (place: FieldPlace, id: string, on: boolean) => void;
  readOnly: boolean;
  changed: ReadonlySet<string> | null;
};

function Cell({ row, place, matrix, current, setCurrent, toggle, readOnly, changed }: CellProps) {
  const state = row.places[place];
  if (state === 'never') {
    return (
      <span className="text-ink3">
        <span aria-hidden="true">–</span>
        <span className="unseen">not available</span>
      </span>
    );
  }
  if (state === 'always') return <AlwaysSign />;
  const key = keyOf(place, row.id);
  const box: Box = matrix[place][row.id] ?? false;
  return (
    <span className="relative inline-grid size-8 place-items-center align-middle phone:size-11">
      {changed?.has(`matrix.${key}`) ? (
        <span
          aria-hidden="true"
          className="absolute top-[13px] left-0 size-1.5 rounded-full bg-accent phone:top-[19px]"
        />
      ) : null}
      <Tick
        ref={(input) => {
          if (input) input.indeterminate = box === 'some';
        }}
        data-box={key}
        aria-label={`${rowTitle(row).name}, ${columnTitles[place]}`}
        checked={box === true}
        disabled={readOnly}
        tabIndex={current === key ? 0 : -1}
        onFocus={() => setCurrent(key)}
        onChange={({ target }) => toggle(place, row.id, target.checked)}
        className={box === 'some' ? 'after:absolute after:inset-x-[3px] after:top-[7px] after:h-px after:bg-ink' : ''}
      />
    </span>
  );
}

function AlwaysSign() {
  return (
    <span className="inline-grid size-[15px] place-items-center rounded-tag bg-line2 align-middle text-ink3">
      <svg viewBox="0 0 15 15" fill="none" aria-hidden="true" className="size-[15px]">
        <path d="m3.8 7.8 2.6 2.6 4.8-5.6" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" />
      </svg>
      <span className="unseen">always</span>
    </span>
  );
}

function Legend({ rows }: { rows: FieldRow[] }) {
  const has = (place: FieldPlace) => rows.some(({ places: states }) => states[place] === 'always');
  const words = [has('required') && 'always required by the protocol', has('callback') && 'always in callbacks'].filter(
    Boolean,
  );
  if (words.length === 0) return null;
  return (
    <p className="flex items-center gap-2 pt-2.5 text-xs text-ink3 phone:px-4">
      <AlwaysSign /> <span>Grey: {words.join(', or ')}.</span>
    </p>
  );
}

/** The step of each key, in rows and columns; Home and End begin at the ends of the row. */
const steps: Record<string, [down: number, right: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, 1],
  End: [0, -1],
};

/** Arrow keys skip fixed boxes. */
function useArrows(rows: FieldRow[], columns: FieldPlace[]) {
  const table = useRef<HTMLTableElement>(null);
  const keys = rows.map(({ id, places }) =>
    columns.map((place) => (places[place] === 'open' ? keyOf(place, id) : null)),
  );
  const [current, setCurrent] = useState(keys.flat().find((key) => key !== null) ?? '');
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const from = (event.target as HTMLElement).dataset.box;
    const step = steps[event.key];
    if (from === undefined || !step) return;
    event.preventDefault();
    const [down, right] = step;
    const at = keys.flat().indexOf(from);
    const begin = { Home: -1, End: columns.length }[event.key] ?? at % columns.length;
    let [row, column] = [Math.floor(at / columns.length) + down, begin + right];
    while (keys[row]?.[column] === null) [row, column] = [row + down, column + right];
    table.current?.querySelector<HTMLElement>(`[data-box="${keys[row]?.[column]}"]`)?.focus();
  };
  return { table, current, setCurrent, press };
}
