// Bars in lists: decline reasons and payment methods, with their numbers.
import Link from 'next/link';
import type { ReactNode } from 'react';
import type { Period } from '../../../lib/dashboard/overview/contract.ts';
import { declineLabels } from '../../../lib/dashboard/payments/decline-labels.ts';
import { ChartFrame, type ChartProps } from './chart.tsx';
import { countText, differenceText, percentText } from './format.ts';

/** Who can act on it. */
const whose: Record<string, string> = {
  funds: 'issuer',
  bank: 'issuer',
  data: 'payer',
  unconfirmed: 'payer',
  technical: 'provider',
};

export function Declines({ declines, period, filter, className }: ChartProps) {
  const all = declines.reduce((sum, { now }) => sum + now, 0);
  const most = Math.max(...declines.map(({ now }) => now), 1);
  const lines = declines.map((line) => {
    const { class: name, now, before } = line;
    return { ...line, name: declineLabels[name] ?? name, party: whose[name] ?? '', text: differenceText(now, before) };
  });
  return (
    <ChartFrame
      question="Decline reasons"
      about={`${countText(all)} declines by category, compared with the previous period`}
      nothing={declines.length === 0 ? 'No attempt was declined in this period or the previous one.' : undefined}
      table={{
        head: ['Category', 'Party', 'Declined', 'Previous period', 'Difference'],
        rows: lines.map(({ name, party, now, before, text }) => [name, party, countText(now), countText(before), text]),
      }}
      className={className}
    >
      <BarList
        columns="grid-cols-[minmax(0,1fr)_48px_48px_40px_36px] gap-x-2"
        fill="fill-chart1"
        period={period}
        filter={filter}
        lines={lines.map(({ name, class: kind, party, now, before, text }) => ({
          name,
          query: `class=${kind}`,
          about: <span className="text-xs text-ink3">{party}</span>,
          share: now / most,
          value: countText(now),
          // An increase by half and by at least ten is highlighted.
          beside: <span className={now - before >= 10 && now > before * 1.5 ? 'text-bad' : 'text-ink3'}>{text}</span>,
        }))}
      />
    </ChartFrame>
  );
}

const shownMethods = 6;

export function Methods({ methods, names, period, filter, className }: ChartProps) {
  const most = Math.max(...methods.map(({ share }) => share), 0.01);
  const more = methods.length - shownMethods;
  return (
    <ChartFrame
      question="Payment methods"
      about="Share of attempted payments, and approval rate"
      nothing={methods.length === 0 ? 'No payment was attempted in this period.' : undefined}
      table={{
        head: ['Method', 'Payments', 'Share, %', 'Approved, %'],
        rows: methods.map(({ method, payments, share, approved }) => [
          names[method] ?? method,
          countText(payments),
          percentText(share),
          percentText(approved),
        ]),
      }}
      className={className}
    >
      <BarList
        columns="grid-cols-[minmax(0,120px)_minmax(0,1fr)_48px_52px] gap-x-2.5"
        fill="fill-field/60"
        period={period}
        filter={filter}
        lines={methods.slice(0, shownMethods).map(({ method, share, approved }) => ({
          name: names[method] ?? method,
          query: `method=${encodeURIComponent(method)}`,
          share: share / most,
          value: `${percentText(share, share < 0.1 ? 1 : 0)} %`,
          beside: (
            <span className="text-ink3">
              {percentText(approved)} %<span className="unseen"> approved</span>
            </span>
          ),
        }))}
      />
      {more > 0 ? <p className="mt-2 text-xs text-ink3">{more} more in the table.</p> : null}
    </ChartFrame>
  );
}

type BarLine = { name: string; query: string; about?: ReactNode; share: number; value: string; beside: ReactNode };

/** `filter` is the query of the overview's merchant and MID. */
type BarsProps = { columns: string; fill: string; period: Period; filter: string; lines: BarLine[] };

function BarList({ columns, fill, period: { from, to }, filter, lines }: BarsProps) {
  return (
    <ul className="grid gap-1.5">
      {lines.map(({ name, query, about, share, value, beside }) => (
        <li key={query} className={`grid items-center ${columns}`}>
          <Link
            href={`/dashboard/payments?${query}&from=${from}&to=${to}${filter}`}
            prefetch={false}
            className="truncate text-ink no-underline hover:underline"
          >
            {name}
          </Link>
          {about}
          <svg width="100%" height="10" aria-hidden="true" className={fill}>
            <rect width={`${Math.max(share * 100, 1.5)}%`} height="10" rx="1.5" />
          </svg>
          <span className="figures text-end font-medium">{value}</span>
          <span className="figures text-end text-xs">{beside}</span>
        </li>
      ))}
    </ul>
  );
}
