'use client';
// The last simulation of the draft: how many payments would be rerouted, by MID, and which ones.
import Link from 'next/link';
import { useState } from 'react';
import { grouped } from '../../../lib/core/money.ts';
import type { DryRun, RoutingPage } from '../../../lib/dashboard/routing/contract.ts';
import { AmountCell } from '../amount.tsx';
import { dayText } from '../times.ts';
import { Button, Heading, Note, type SmallColumn, SmallTable } from '../ui/index.ts';
import { useZone } from '../zone.tsx';
import { percentText } from './labels.ts';

type Props = {
  page: RoutingPage;
  /** Whether the draft can be simulated; null without one. */
  run: (() => void) | null;
  running: boolean;
};

export function DryRunPart({ page, run, running }: Props) {
  const { draft } = page;
  const result = draft?.dryRun ?? null;
  const isCurrent = draft !== null && draft.dryRunOf === draft.version;
  return (
    <section aria-labelledby="dry-run" className="grid content-start gap-3.5 px-gutter py-3.5">
      <Heading
        aside={
          run ? (
            <Button
              icon="play"
              size="small"
              kind={result && isCurrent ? 'plain' : 'primary'}
              busy={running}
              onClick={run}
            >
              {result ? 'Simulate again' : 'Simulate'}
            </Button>
          ) : null
        }
      >
        <span id="dry-run">Simulation</span>
        {result ? <Period found={result} /> : null}
      </Heading>
      {result ? (
        <>
          {isCurrent ? null : (
            <Note tone="warn">The draft has changed since this simulation. Simulate again before publishing.</Note>
          )}
          <Figures found={result} />
          <Mids found={result} />
          <Moves found={result} />
          <Small found={result} />
        </>
      ) : (
        <p className="max-w-[420px] text-ink2">
          {draft
            ? 'Applies the draft to the payments of the last 30 days, up to 5,000 of them, and shows which would use another MID. Nothing is sent. Required before publishing.'
            : 'Change, add or move a rule to start a draft. Payments follow the published rules until the draft is published.'}
        </p>
      )}
    </section>
  );
}

function Period({ found }: { found: DryRun }) {
  const zone = useZone();
  const [from, to] = [found.from && dayText(found.from, zone), found.to && dayText(found.to, zone)];
  const days = from === to ? from : `${from} – ${to}`;
  return (
    <span className="ml-2 text-sm font-normal text-ink3">
      {found.cut ? 'latest ' : ''}
      {grouped(found.payments)} {found.payments === 1 ? 'payment' : 'payments'}
      {days ? `, ${days}` : ''}
    </span>
  );
}

function Figures({ found }: { found: DryRun }) {
  const { payments, moved, approval, without } = found;
  const points = approval === null ? 0 : (approval.draft - approval.now) * 100;
  const figures = [
    {
      title: 'Rerouted',
      value: grouped(moved),
      tone: undefined,
      aside: payments === 0 ? 'of no payments' : `${percentText(moved / payments)} of payments`,
    },
    {
      title: 'Approval rate, estimated',
      value: approval === null ? '–' : percentText(approval.draft),
      tone: isUnchanged(points) ? undefined : points > 0 ? 'text-ok' : 'text-bad',
      aside: approval === null ? 'too few payments' : pointsText(points),
    },
    {
      title: 'Without a MID',
      value: grouped(without.draft),
      tone: without.draft > without.now ? 'text-bad' : undefined,
      aside: without.draft === 0 ? 'none refused' : `${grouped(without.now)} now`,
    },
  ];
  return (
    <dl className="m-0 grid grid-cols-3 divide-x divide-line">
      {figures.map(({ title, value, aside, tone = 'text-ink3' }) => (
        <div key={title} className="px-3 first:pl-0 last:pr-0">
          <dt className="text-xs text-ink2">{title}</dt>
          <dd className="m-0">
            <span className="figures block text-figure font-semibold">{value}</span>
            <span className={`text-xs ${tone}`}>{aside}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

const isUnchanged = (points: number) => Math.abs(points) < 0.05;

function pointsText(points: number): string {
  if (isUnchanged(points)) return 'unchanged';
  return `${Math.abs(points).toFixed(1)} points ${points > 0 ? 'up' : 'down'}`;
}

function Mids({ found: { mids, payments, without } }: { found: DryRun }) {
  const shown = mids.filter(({ now, draft }) => now > 0 || draft > 0);
  const most = Math.max(1, ...shown.flatMap(({ now, draft }) => [now, draft]));
  if (payments === 0) return <p className="text-ink2">There are no payments to simulate.</p>;
  const lost = without.now > 0 || without.draft > 0 ? [{ id: '', name: 'No MID', ...without }] : [];
  const percent = (count: number) => (count / payments) * 100;
  const columns: SmallColumn<DryRun['mids'][number]>[] = [
    {
      head: 'MID',
      names: true,
      className: 'text-left',
      cellClass: 'max-w-0 truncate py-2 pr-2 font-normal',
      cell: ({ name }) => <span title={name}>{name}</span>,
    },
    {
      head: <span className="unseen">Compared</span>,
      className: 'w-[140px] phone:hidden',
      cellClass: 'pr-2',
      cell: ({ now, draft }) => <Bars now={now / most} draft={draft / most} />,
    },
    {
      head: 'Now',
      className: 'w-[58px] text-right',
      cellClass: 'figures text-ink2',
      cell: ({ now }) => percent(now).toFixed(1),
    },
    {
      head: 'Draft',
      className: 'w-[64px] text-right',
      cellClass: 'figures font-strong',
      cell: ({ draft }) => `${percent(draft).toFixed(1)} %`,
    },
    {
      head: 'Change',
      className: 'w-[62px] text-right',
      cellClass: 'figures text-xs',
      cell: ({ now, draft }) => (
        <span className={now === draft ? 'text-ink3' : ''}>{changeText(percent(draft - now))}</span>
      ),
    },
  ];
  return (
    <SmallTable
      label="Share of the payments by MID, now and with the draft"
      className="w-full border-collapse text-sm"
      headCell="h-8 border-b border-line text-xs font-medium text-ink2"
      cell="border-b border-line"
      columns={columns}
      rows={[...shown, ...lost].map((each) => ({ ...each, key: each.id }))}
    />
  );
}

function changeText(points: number): string {
  if (isUnchanged(points)) return 'same';
  return `${points > 0 ? '+' : '−'}${Math.abs(points).toFixed(1)}`;
}

function Bars({ now, draft }: { now: number; draft: number }) {
  return (
    <svg viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true" className="block h-[14px] w-full">
      <rect x="0" y="1" width={now * 100} height="5" className="fill-line2" />
      <rect x="0" y="8" width={draft * 100} height="5" className="fill-accent" />
    </svg>
  );
}

const shownMost = 8;

const moveColumns: SmallColumn<DryRun['moves'][number]>[] = [
  {
    head: 'Amount',
    cellClass: 'w-[128px] py-1.5 pr-3 text-right font-strong whitespace-nowrap',
    cell: ({ amount, currency }) => <AmountCell amount={amount} currency={currency} />,
  },
  {
    head: 'Order',
    cellClass: 'w-[112px] truncate pr-3',
    cell: ({ id, orderNumber }) => (
      <Link href={`/dashboard/payments/${id}`} prefetch={false} className="font-mono text-xs" title={orderNumber}>
        {orderNumber}
      </Link>
    ),
  },
  {
    head: 'From and to',
    cellClass: 'py-1.5 text-ink2',
    cell: ({ from, to }) => (
      <>
        {from ?? 'no MID'} <span aria-hidden="true">→</span> <span className="unseen">to </span>
        <span className={to === null ? 'text-bad' : 'text-ink'}>{to ?? 'no MID'}</span>
      </>
    ),
  },
];

function Moves({ found: { moves, moved } }: { found: DryRun }) {
  const [all, setAll] = useState(false);
  if (moves.length === 0) return null;
  const shown = all ? moves : moves.slice(0, shownMost);
  return (
    <div>
      <Heading
        aside={
          moves.length > shownMost ? (
            <Button kind="bare" size="small" aria-expanded={all} onClick={() => setAll(!all)}>
              {all
                ? 'Show fewer'
                : `Show ${moves.length < moved ? `${moves.length} of ${grouped(moved)}` : `all ${moved}`}`}
            </Button>
          ) : null
        }
      >
        Rerouted payments
      </Heading>
      <SmallTable
        label="Payments that would use another MID"
        className="w-full table-fixed border-collapse text-sm"
        hideHead
        rowClass="border-b border-line hover:bg-hover"
        columns={moveColumns}
        rows={shown.map((move) => ({ ...move, key: move.id }))}
      />
    </div>
  );
}

function Small({ found: { undecided, approval } }: { found: DryRun }) {
  return (
    <div className="grid gap-1.5 text-xs text-ink3">
      {undecided > 0 ? (
        <p>
          Of {grouped(undecided)} payments only the first six digits of the card are known, but a rule requires more:
          they count as not matching.
        </p>
      ) : null}
      <p>
        A payment whose MID the published rules could still select stays with it under “now”. Turnover limits are
        ignored.{' '}
        {approval === null
          ? ''
          : 'The estimate uses the approval rate of each MID for these payments, by currency. Actual results can differ.'}
      </p>
    </div>
  );
}
