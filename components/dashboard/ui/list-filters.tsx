'use client';
// The filter row: a search field, a chip for each active filter, and one to add another.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { FilterDef } from '../../../lib/dashboard/lists/contract.ts';
import { Icon } from '../icons.tsx';
import { dateText } from '../times.ts';
import { KeyCap } from './button.tsx';
import { SearchedOptions } from './chips.tsx';
import { InlineInput } from './fields.tsx';
import { Popup } from './popup.tsx';
import { useShortcuts } from './shortcuts.ts';

/** Changes to the address: null removes a filter. */
export type Change = (changed: Record<string, string | null>) => void;

type Props = {
  search?: string;
  filters: readonly FilterDef[];
  query: URLSearchParams;
  change: Change;
  /** At the right end: the time zone, a sort. */
  children?: ReactNode;
};

export function ListFilters({ search, filters, query, change, children }: Props) {
  const set = filters.filter((filter) => filterText(filter, query) !== '');
  const unset = filters.filter((filter) => !set.includes(filter));
  const isFiltered = set.length > 0 || (query.get('q') ?? '') !== '';
  return (
    <div className="flex flex-wrap items-center gap-2 px-gutter py-3 phone:flex-nowrap phone:overflow-x-auto">
      {search === undefined ? null : (
        <SearchField label={search} value={query.get('q') ?? ''} onChange={(text) => change({ q: text || null })} />
      )}
      {set.map((filter) => (
        <FilterChip key={filter.name} filter={filter} query={query} change={change} />
      ))}
      {unset.length > 0 ? <AddFilter filters={unset} every={filters} query={query} change={change} /> : null}
      {isFiltered ? (
        <button
          type="button"
          onClick={() => change(clearing(filters))}
          className="h-7 shrink-0 rounded-control border-0 bg-transparent px-2 text-ink2 hover:bg-hover phone:h-11"
        >
          Clear
        </button>
      ) : null}
      {children ? <span className="ml-auto shrink-0 text-xs text-ink3">{children}</span> : null}
    </div>
  );
}

/** Removes every filter and the search. */
export function clearing(filters: readonly FilterDef[]): Record<string, null> {
  const names = ['q', ...filters.flatMap(paramsOf)];
  return Object.fromEntries(names.map((name) => [name, null]));
}

const pauseMilliseconds = 350;

type SearchProps = { label: string; value: string; onChange: (text: string) => void };

/** Its label names what it searches; `/` focuses it. Searches after a pause, or immediately with Enter. */
export function SearchField({ label, value, onChange }: SearchProps) {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // The address may change without the field: by the back button, or by "Clear".
  useEffect(() => {
    if (!field.current) return;
    if (value === '' || document.activeElement !== field.current) field.current.value = value;
  }, [value]);
  useShortcuts({ '/': () => field.current?.select() });
  const send = () => {
    clearTimeout(timer.current);
    onChange(field.current?.value.trim() ?? '');
  };
  const later = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(send, pauseMilliseconds);
  };
  return (
    <search className="relative w-[304px] min-w-[180px] shrink text-ink3 phone:w-[240px] phone:shrink-0">
      <span className="pointer-events-none absolute inset-y-0 left-2.5 flex items-center">
        <Icon name="search" />
      </span>
      <input
        ref={field}
        type="search"
        aria-label={`Search by ${label.charAt(0).toLowerCase()}${label.slice(1)}`}
        placeholder={label}
        defaultValue={value}
        autoComplete="off"
        spellCheck={false}
        onChange={later}
        onKeyDown={(event) => {
          if (event.key === 'Enter') send();
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
        className="peer h-7 w-full appearance-none rounded-control border border-solid border-field bg-raised pr-8 pl-8 text-ink placeholder:text-ink3 placeholder:opacity-100 field-focus phone:h-11 phone:pr-2 phone:text-[16px]"
      />
      <span className="pointer-events-none absolute inset-y-0 right-1.5 flex items-center peer-focus:hidden">
        <KeyCap text="/" />
      </span>
    </search>
  );
}

type ChipProps = { filter: FilterDef; query: URLSearchParams; change: Change };

function FilterChip({ filter, query, change }: ChipProps) {
  const remove = () => change(Object.fromEntries(paramsOf(filter).map((name) => [name, null])));
  return (
    <span className="inline-flex h-7 max-w-[320px] shrink-0 rounded-control border border-solid border-line2 bg-raised text-xs phone:h-11">
      <Popup
        label={filter.label}
        trigger={
          <button
            type="button"
            className="inline-flex min-w-0 items-center gap-1.5 rounded-l-[5px] border-0 bg-transparent px-2 text-xs text-ink3 hover:bg-hover"
          >
            {filter.label}
            <span className="truncate font-strong text-ink">{filterText(filter, query)}</span>
          </button>
        }
      >
        <Editor filter={filter} query={query} change={change} />
      </Popup>
      <button
        type="button"
        onClick={remove}
        aria-label={`Remove the filter ${filter.label}`}
        className="grid w-6 shrink-0 place-items-center rounded-r-[5px] border-0 border-l border-solid border-line2 bg-transparent p-0 text-ink2 hover:bg-hover phone:w-11"
      >
        <Icon name="cross" size={14} />
      </button>
    </span>
  );
}

type AddProps = Omit<ChipProps, 'filter'> & {
  filters: readonly FilterDef[];
  /** All of them: the one being set stays open with its second value. */
  every: readonly FilterDef[];
};

function AddFilter({ filters, every, query, change }: AddProps) {
  const [picked, setPicked] = useState<string | null>(null);
  const filter = every.find(({ name }) => name === picked) ?? (filters.length === 1 ? filters[0] : undefined);
  return (
    <Popup
      onOpenChange={(open) => (open ? setPicked(null) : undefined)}
      label="Add a filter"
      trigger={
        <button
          type="button"
          className="inline-flex h-7 shrink-0 items-center gap-1.5 rounded-control border border-dashed border-field bg-transparent px-2 text-xs text-ink2 hover:bg-hover phone:h-11"
        >
          <Icon name="plus" size={14} />
          {filters.length === 1 ? filters[0]?.label : 'Filter'}
        </button>
      }
    >
      {filter ? (
        <Editor filter={filter} query={query} change={change} />
      ) : (
        <div className="grid min-w-[160px]">
          {filters.map(({ name, label }) => (
            <button
              key={name}
              type="button"
              onClick={() => setPicked(name)}
              className="flex min-h-[30px] items-center rounded-tag border-0 bg-transparent px-2 text-start hover:bg-hover focus-visible:bg-hover phone:min-h-11"
            >
              {label}
            </button>
          ))}
        </div>
      )}
    </Popup>
  );
}

/** A choice is shown immediately; the address follows a moment later. */
function useShown(requested: string): [string, (text: string) => void] {
  const [state, setState] = useState({ asked: requested, shown: requested });
  if (state.asked !== requested) setState({ asked: requested, shown: requested });
  return [state.asked === requested ? state.shown : requested, (shown) => setState({ asked: requested, shown })];
}

function Editor({ filter, query, change }: ChipProps) {
  const { kind, options = [], label } = filter;
  const [first = '', second = ''] = paramsOf(filter);
  const [shown, setShown] = useShown(query.get(first) ?? '');
  const chosen = shown.split(',').filter((value) => value !== '');
  if (kind === 'choices' || kind === 'choice') {
    return (
      <fieldset className="min-w-[200px]">
        <legend className="unseen">{label}</legend>
        <SearchedOptions
          options={options}
          value={chosen}
          onChange={(next) => {
            const added = next.find((value) => !chosen.includes(value));
            const wanted = kind === 'choice' ? (added ?? null) : next.join(',');
            setShown(wanted ?? '');
            change({ [first]: wanted });
          }}
        />
      </fieldset>
    );
  }
  const words = { text: [label], day: ['First day', 'Last day'], amount: ['At least', 'At most'] }[kind];
  return (
    <div className={kind === 'text' ? 'px-1' : 'grid gap-2 px-2 py-1'}>
      {[first, second].slice(0, words.length).map((name, at) => (
        <DraftInput
          key={name}
          label={words[at] ?? name}
          type={kind === 'day' ? 'date' : 'text'}
          value={query.get(name) ?? ''}
          onChange={(text) => change({ [name]: text || null })}
        />
      ))}
    </div>
  );
}

type DraftProps = { label: string; value: string; type: 'text' | 'date'; onChange: (text: string) => void };

/** A field that reports its value on blur or Enter, so that a partial value does not filter. */
function DraftInput({ label, value, type, onChange }: DraftProps) {
  const [draft, setDraft] = useState(value);
  useEffect(() => setDraft(value), [value]);
  const send = () => (draft.trim() === value ? undefined : onChange(draft.trim()));
  return (
    <InlineInput
      label={label}
      type={type}
      value={draft}
      onChange={({ target }) => {
        setDraft(target.value);
        if (type === 'date') onChange(target.value);
      }}
      onBlur={send}
      onKeyDown={({ key }) => (key === 'Enter' ? send() : undefined)}
      className="w-[168px]"
    />
  );
}

/** The parameters of a filter. */
export function paramsOf({ name, kind, params }: FilterDef): readonly string[] {
  if (kind !== 'day' && kind !== 'amount') return [name];
  return params ?? [`${name}_from`, `${name}_to`];
}

/** The text of a filter's chip; empty if it is not set. */
export function filterText(filter: FilterDef, query: URLSearchParams): string {
  const [first = '', second = ''] = paramsOf(filter).map((name) => query.get(name) ?? '');
  switch (filter.kind) {
    case 'choice':
    case 'choices':
      return first
        .split(',')
        .filter((value) => value !== '')
        .map((value) => filter.options?.find((option) => option.value === value)?.label ?? value)
        .join(', ');
    case 'text':
      return first;
    case 'day':
      return rangeText(dateText(first), dateText(second));
    case 'amount':
      return rangeText(first, second);
  }
}

function rangeText(from: string, to: string): string {
  if (from && to) return from === to ? from : `${from} – ${to}`;
  if (from) return `from ${from}`;
  return to ? `up to ${to}` : '';
}

/** The query with changed parameters (null removes one), from its first page on. */
export function changedQuery(query: URLSearchParams, change: Readonly<Record<string, string | null>>): URLSearchParams {
  const next = new URLSearchParams(query);
  for (const name of ['after', 'before', 'open']) next.delete(name);
  for (const [name, value] of Object.entries(change)) {
    if (value === null || value === '') next.delete(name);
    else next.set(name, value);
  }
  return next;
}
