'use client';
// The filter row: a search field, a chip for each active filter, and one to add another.
import { Popover } from 'radix-ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { FilterDef } from '../../../lib/dashboard/lists/contract';
import { Icon } from '../icons';
import { KeyCap } from './button';
import { SearchedOptions } from './chips';
import { filterText, paramsOf } from './filter-def';
import { useShortcuts } from './shortcuts';

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

const popover =
  'z-20 max-w-[calc(100vw-16px)] rounded-control bg-raised p-1.5 text-sm text-ink shadow-lifted motion-safe:animate-appear';

type ChipProps = { filter: FilterDef; query: URLSearchParams; change: Change };

function FilterChip({ filter, query, change }: ChipProps) {
  const remove = () => change(Object.fromEntries(paramsOf(filter).map((name) => [name, null])));
  return (
    <Popover.Root>
      <span className="inline-flex h-7 max-w-[320px] shrink-0 rounded-control border border-solid border-line2 bg-raised text-xs phone:h-11">
        <Popover.Trigger asChild>
          <button
            type="button"
            className="inline-flex min-w-0 items-center gap-1.5 rounded-l-[5px] border-0 bg-transparent px-2 text-xs text-ink3 hover:bg-hover"
          >
            {filter.label}
            <span className="truncate font-strong text-ink">{filterText(filter, query)}</span>
          </button>
        </Popover.Trigger>
        <button
          type="button"
          onClick={remove}
          aria-label={`Remove the filter ${filter.label}`}
          className="grid w-6 shrink-0 place-items-center rounded-r-[5px] border-0 border-l border-solid border-line2 bg-transparent p-0 text-ink2 hover:bg-hover phone:w-11"
        >
          <Icon name="cross" size={14} />
        </button>
      </span>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className={popover}
          aria-label={filter.label}
        >
          <Editor filter={filter} query={query} change={change} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function AddFilter({
  filters,
  every,
  query,
  change,
}: {
  filters: readonly FilterDef[];
  /** All of them: the one being set stays open with its second value. */
  every: readonly FilterDef[];
  query: URLSearchParams;
  change: Change;
}) {
  const [picked, setPicked] = useState<string | null>(null);
  const filter = every.find(({ name }) => name === picked) ?? (filters.length === 1 ? filters[0] : undefined);
  return (
    <Popover.Root onOpenChange={(open) => (open ? setPicked(null) : undefined)}>
      <Popover.Trigger asChild>
        <button
          type="button"
          className="inline-flex h-7 shrink-0 items-center gap-1.5 rounded-control border border-dashed border-field bg-transparent px-2 text-xs text-ink2 hover:bg-hover phone:h-11"
        >
          <Icon name="plus" size={14} />
          {filters.length === 1 ? filters[0]?.label : 'Filter'}
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className={popover}
          aria-label="Add a filter"
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
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
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
  if (kind === 'text') {
    return (
      <DraftInput label={label} value={query.get(first) ?? ''} onChange={(text) => change({ [first]: text || null })} />
    );
  }
  const type = kind === 'day' ? 'date' : 'text';
  const words = kind === 'day' ? ['First day', 'Last day'] : ['At least', 'At most'];
  return (
    <div className="grid gap-2 p-1">
      {[first, second].map((name, at) => (
        <DraftInput
          key={name}
          label={words[at] ?? name}
          type={type}
          value={query.get(name) ?? ''}
          onChange={(text) => change({ [name]: text || null })}
        />
      ))}
    </div>
  );
}

type DraftProps = { label: string; value: string; type?: 'text' | 'date'; onChange: (text: string) => void };

/** A field that reports its value on blur or Enter, so that a partial value does not filter. */
function DraftInput({ label, value, type = 'text', onChange }: DraftProps) {
  const [draft, setDraft] = useState(value);
  useEffect(() => setDraft(value), [value]);
  const send = () => (draft.trim() === value ? undefined : onChange(draft.trim()));
  return (
    <label className="grid grid-cols-[72px_1fr] items-center gap-2 px-1 text-ink2">
      {label}
      <input
        type={type}
        value={draft}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => {
          setDraft(target.value);
          if (type === 'date') onChange(target.value);
        }}
        onBlur={send}
        onKeyDown={({ key }) => (key === 'Enter' ? send() : undefined)}
        className="h-8 w-[168px] rounded-control border border-solid border-field bg-raised px-2.5 text-ink field-focus phone:h-11 phone:text-[16px]"
      />
    </label>
  );
}
