'use client';
// The entries of the audit log as a table with their place in the chain, below the check of the chain. An entry expands
// to its fields before and after.
import { useMutation } from '@tanstack/react-query';
import clsx from 'clsx';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { type ReactNode, useRef } from 'react';
import type { AuditRow, HashChainState } from '../../../lib/dashboard/audit/contract.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorIcon } from '../../ui/icons.tsx';
import { Logo } from '../../ui/logo.tsx';
import { Icon } from '../icons.tsx';
import { initialsOf } from '../shell/user-menu.tsx';
import { dayText } from '../times.ts';
import {
  Button,
  ExportLink,
  ListPage,
  type ListProps,
  Pairs,
  request,
  type SmallColumn,
  SmallTable,
} from '../ui/index.ts';
import { useRowKeys } from '../ui/table.tsx';
import { Time, useZone } from '../zone.tsx';

/** The result of the chain check; null before one. */
type Checked = HashChainState | null;

type Props = { rows: readonly AuditRow[]; open: string | null; toggle: (id: string) => void; state: Checked };

function EntryTable({ rows, open, toggle, state }: Props) {
  const zone = useZone();
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body, false);
  const today = dayText(new Date().toISOString(), zone);
  return (
    <table className="w-full text-sm">
      <caption className="unseen">Audit log, newest first</caption>
      <thead>
        <tr className="h-8 border-b border-line text-xs text-ink3">
          {Object.entries(logHeads).map(([text, extra]) => (
            <th key={text} scope="col" className={clsx('font-medium', extra)}>
              {text}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {rows.map((row) => (
          <Entry
            key={row.id}
            row={row}
            isOpen={row.id === open}
            isToday={dayText(row.at, zone) === today}
            toggle={() => toggle(row.id)}
            state={state}
          />
        ))}
      </tbody>
    </table>
  );
}

const logHeads = {
  When: 'w-[116px] pl-gutter lg:w-[150px] phone:hidden',
  Who: 'w-[19%] px-2 phone:hidden',
  What: 'px-2 phone:pl-4',
  Chain: 'w-[152px] pr-gutter pl-6 max-lg:hidden',
};

type EntryProps = { row: AuditRow; isOpen: boolean; isToday: boolean; toggle: () => void; state: Checked };

function Entry({ row, isOpen, isToday, toggle, state }: EntryProps) {
  const opens = row.fields.length > 0 || row.href !== null || row.source !== null;
  return (
    <>
      <tr
        className={clsx(
          'h-[38px] border-line',
          isOpen ? 'bg-sub' : 'border-b hover:bg-hover',
          opens && 'cursor-pointer',
        )}
        onClick={(event) => {
          if (opens && !(event.target as Element).closest('a, button')) toggle();
        }}
      >
        <td className="pl-gutter text-ink2 phone:hidden">
          <Time at={row.at} as={isToday ? 'time' : 'day and time'} />
        </td>
        <td className="px-2 phone:hidden">
          <Actor row={row} />
        </td>
        <td className="px-2 phone:px-4 phone:py-2">
          <span className="flex items-center justify-between gap-3">
            <span className={clsx('min-w-0', isOpen && 'font-semibold')}>{row.what}</span>
            <span className="flex shrink-0 items-center gap-2 text-xs text-ink3">
              {row.note}
              {opens ? (
                <button
                  type="button"
                  data-open
                  aria-expanded={isOpen}
                  aria-label={`Details of ${row.what}`}
                  onClick={toggle}
                  className="inline-grid size-6 place-items-center rounded-control border-0 bg-transparent p-0 text-ink3 hover:text-ink phone:size-11"
                >
                  <Icon name={isOpen ? 'up' : 'down'} size={14} />
                </button>
              ) : null}
            </span>
          </span>
          <span className="hidden text-xs text-ink3 phone:block">
            {row.actor.name}, <Time at={row.at} as="day and time" />
          </span>
        </td>
        <Place hash={row.hash} id={row.id} state={state} />
      </tr>
      {isOpen ? (
        <tr className="border-b border-line bg-sub align-top">
          <td className="phone:hidden" />
          <td className="px-2 pb-4 text-xs text-ink3 phone:hidden">
            <code className="break-words">{row.action}</code>
          </td>
          <td className="px-2 pb-4 phone:px-4">
            <Fields row={row} />
            <Origin row={row} />
            {row.href ? (
              <Link href={row.href} prefetch={false} className="mt-2 inline-block text-xs">
                View
              </Link>
            ) : null}
          </td>
          <td className="relative pr-gutter pb-4 pl-6 text-xs text-ink3 max-lg:hidden">
            <Line state={state} id={row.id} />
            <code>after {shortHash(row.previous)}</code>
          </td>
        </tr>
      ) : null}
    </>
  );
}

function Actor({ row }: { row: AuditRow }) {
  const { name, isUser } = row.actor;
  return (
    <span className="flex items-center gap-2">
      {!isUser ? (
        <Logo size={20} />
      ) : (
        <span
          aria-hidden="true"
          className="inline-grid size-5 shrink-0 place-items-center rounded-full bg-line text-[9px] leading-none font-semibold text-ink2"
        >
          {initialsOf(name)}
        </span>
      )}
      <span className="min-w-0 truncate">{name}</span>
    </span>
  );
}

/** An entry's place in the chain: a square on a line, red where the chain breaks. */
function Place({ hash, id, state }: { hash: string; id: string; state: Checked }) {
  const color = colorOf(id, state);
  return (
    <td className="relative pr-gutter pl-6 text-xs text-ink2 max-lg:hidden">
      <Line id={id} state={state} />
      <span
        aria-hidden="true"
        className={clsx(
          'absolute top-1/2 left-[5px] size-2 -translate-y-1/2 rounded-[2px] border-[1.5px] border-solid bg-bg',
          color.border,
        )}
      />
      <code>{shortHash(hash)}</code>
    </td>
  );
}

function Line({ id, state }: { id: string; state: Checked }) {
  return <span aria-hidden="true" className={clsx('absolute -inset-y-px left-2 w-0.5', colorOf(id, state).fill)} />;
}

function colorOf(id: string, state: Checked): { border: string; fill: string } {
  if (state === null) return { border: 'border-field', fill: 'bg-line2' };
  const broken = state.brokenAt;
  if (!broken || BigInt(id) < BigInt(broken.entry)) return { border: 'border-ok', fill: 'bg-ok' };
  // Entries after a break may be intact but are not verified.
  return broken.entry === id ? { border: 'border-bad', fill: 'bg-bad' } : { border: 'border-field', fill: 'bg-line2' };
}

function Fields({ row }: { row: AuditRow }) {
  if (row.fields.length === 0) return null;
  if (!row.changes) {
    return (
      <Pairs
        of={row.fields.map(({ name, after }) => [labelOf(name), after ?? 'nothing', 'break-words'])}
        className="grid grid-cols-[minmax(96px,190px)_minmax(0,1fr)] gap-x-3 gap-y-1 text-xs"
      />
    );
  }
  return (
    <SmallTable
      label="Changed fields"
      className="w-full max-w-[640px] table-fixed text-xs"
      headCell="h-7 border-b border-line text-xs font-medium text-ink3"
      cell="py-1.5 break-words"
      rowClass="border-b border-line align-top"
      columns={changeColumns}
      rows={row.fields.map((field) => ({ ...field, key: field.name }))}
    />
  );
}

function Origin({ row: { source, browser } }: { row: AuditRow }) {
  if (source === null) return null;
  return (
    <Pairs
      of={[
        ['Address', source, 'break-words'],
        ['Browser', browser, 'break-words'],
      ]}
      className="mt-2 grid grid-cols-[minmax(96px,190px)_minmax(0,1fr)] gap-x-3 gap-y-1 text-xs"
    />
  );
}

const empty = <span className="text-ink3">empty</span>;

const changeColumns: SmallColumn<AuditRow['fields'][number]>[] = [
  { head: 'Field', names: true, cellClass: 'pr-2 font-normal text-ink2', cell: ({ name }) => labelOf(name) },
  {
    head: 'Before',
    className: 'px-2',
    cell: ({ before }) => (before === null ? empty : <del className="text-bad">{before}</del>),
  },
  {
    head: 'After',
    cell: ({ after }) => (after === null ? empty : <ins className="font-strong text-ok no-underline">{after}</ins>),
  },
];

/** `Largest payment` for `largestPayment`; contract names such as `payer_email` stay unchanged. */
function labelOf(name: string): string {
  if (name.includes('_')) return name;
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('.', ', ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function AuditLog({ mayVerify, ...list }: ListProps<AuditRow> & { mayVerify: boolean }) {
  const chain = useHashChain();
  const params = useSearchParams();
  return (
    <>
      {mayVerify ? <HashChainBanner chain={chain} /> : null}
      <ListPage<AuditRow>
        {...list}
        tools={<ExportLink href={`/dashboard/api/audit-log/export?${params}`} all="all" />}
        draw={(rows, open, toggle) => <EntryTable rows={rows} open={open} toggle={toggle} state={chain.data ?? null} />}
      />
    </>
  );
}

/** The last check on this page. */
const useHashChain = () => useMutation({ mutationFn: () => request<HashChainState>('/audit-log/chain') });

function HashChainBanner({ chain }: { chain: ReturnType<typeof useHashChain> }) {
  const { data: state = null, isPending, error } = chain;
  const broken = state?.brokenAt != null || state?.cutAt != null;
  return (
    <div
      role="status"
      className={clsx(
        'flex min-h-[52px] flex-wrap items-center gap-x-4 gap-y-2 border-b px-gutter py-2.5 text-sm',
        state === null && 'border-line bg-sub',
        state !== null && (broken ? 'border-bad-line bg-bad-soft' : 'border-line bg-ok-soft'),
      )}
    >
      <span className={clsx(state === null && 'text-ink3', state !== null && (broken ? 'text-bad' : 'text-ok'))}>
        {broken ? <ErrorIcon /> : <Icon name="shield" size={18} />}
      </span>
      <p className="min-w-0 flex-1 basis-72">
        {error?.message ?? (state === null ? <Result title={unchecked}>{scope}</Result> : <CheckText state={state} />)}
      </p>
      {state?.head ? (
        <span className="flex items-center gap-2 text-xs text-ink2">
          <code>head {shortHash(state.head)}</code>
          <CopyButton text={state.anchor ?? ''} what="head" word />
        </span>
      ) : null}
      <Button size="small" icon="again" busy={isPending} onClick={() => chain.mutate()}>
        {state === null ? 'Verify chain' : 'Verify again'}
      </Button>
    </div>
  );
}

function CheckText({ state }: { state: HashChainState }) {
  const { entries, since, checkedAt, brokenAt, cutAt, lost } = state;
  const count = countOf(entries);
  if (brokenAt) {
    return (
      <Result title={`The chain is broken at entry ${brokenAt.entry}`}>
        of <Time at={brokenAt.at} as="date and time" />: {breakReasons[brokenAt.why]}. {count} were read.
      </Result>
    );
  }
  if (cutAt) {
    return (
      <Result title="Entries are missing at the end">
        {cutAt.by} had entry {cutAt.entry} of the log.
      </Result>
    );
  }
  return (
    <Result title="The chain is intact">
      {count}
      {since ? ' since ' : null}
      {since ? <Time at={since} as="date and time" /> : null}, checked <Time at={checkedAt} />.{' '}
      {lost ? (
        <>
          The key of {countOf(lost.entries)} before <Time at={lost.until} as="date and time" /> was lost: of these, only
          the order is verified.
        </>
      ) : (
        'No entry was changed or removed.'
      )}
    </Result>
  );
}

const countOf = (entries: number) => `${entries.toLocaleString('en')} ${entries === 1 ? 'entry' : 'entries'}`;

const breakReasons: Record<NonNullable<HashChainState['brokenAt']>['why'], string> = {
  altered: 'it was changed afterwards',
  'missing before': 'the entry before it was changed or removed',
  'without key': 'its hash was made without the key of the log',
  'unknown key': 'its hash was made with another key',
  'older key': 'its hash was made with a key that had been replaced',
  'other than its anchor': 'it differs from its anchor',
};

const unchecked = 'Each entry contains the hash of the one before it.';
const scope = 'The check reads the whole log and finds changed or removed entries.';

function Result({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <b className="mr-2">{title}</b>
      <span className="text-ink2">{children}</span>
    </>
  );
}

/** The ends of a hash. */
function shortHash(hash: string): string {
  return `${hash.slice(0, 4)}…${hash.slice(-4)}`;
}
