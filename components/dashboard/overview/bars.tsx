// Bars in lists: decline reasons and payment methods, with their numbers.
import Link from 'next/link';
import type { DeclineLine, MethodLine, Period } from '../../../lib/dashboard/overview/contract';
import { declineLabels } from '../../../lib/dashboard/payments/decline-labels';
import { ChartFrame } from './chart-frame';
import { countText, differenceText, percentText } from './format';

/** Who can act on it. */
const whose: Record<string, string> = {
  funds: 'issuer',
  bank: 'issuer',
  data: 'payer',
  unconfirmed: 'payer',
  technical: 'provider',
};

type DeclinesProps = { declines: DeclineLine[]; period: Period; className?: string };

export function Declines({ declines, period, className }: DeclinesProps) {
  const all = declines.reduce((sum, { now }) => sum + now, 0);
  const most = Math.max(...declines.map(({ now }) => now), 1);
  return (
    <ChartFrame
      question="Decline reasons"
      about={`${countText(all)} declines by category, compared with the previous period`}
      nothing={declines.length === 0 ? 'No attempt was declined in this period or the previous one.' : undefined}
      table={{
        head: ['Category', 'Party', 'Declined', 'Previous period', 'Difference'],
        rows: declines.map(({ class: name, now, before }) => [
          declineLabels[name] ?? name,
          whose[name] ?? '',
          countText(now),
          countText(before),
          differenceText(now, before),
        ]),
      }}
      className={className}
    >
      <ul className="grid gap-1.5">
        {declines.map(({ class: name, now, before }) => (
          <li key={name} className="grid grid-cols-[minmax(0,1fr)_48px_48px_40px_36px] items-center gap-x-2">
            <Link
              href={`/dashboard/payments?class=${name}&from=${period.from}&to=${period.to}`}
              prefetch={false}
              className="truncate text-ink no-underline hover:underline"
            >
              {declineLabels[name] ?? name}
            </Link>
            <span className="text-xs text-ink3">{whose[name]}</span>
            <Bar share={now / most} className="fill-chart1" />
            <span className="figures text-end font-medium">{countText(now)}</span>
            <Difference now={now} before={before} />
          </li>
        ))}
      </ul>
    </ChartFrame>
  );
}

/** An increase by half and by at least ten is highlighted. */
function Difference({ now, before }: { now: number; before: number }) {
  const isMuch = now - before >= 10 && now > before * 1.5;
  return (
    <span className={`figures text-end text-xs ${isMuch ? 'text-bad' : 'text-ink3'}`}>
      {differenceText(now, before)}
    </span>
  );
}

const shownMethods = 6;

type MethodsProps = {
  methods: MethodLine[];
  names: Readonly<Record<string, string>>;
  period: Period;
  className?: string;
};

export function Methods({ methods, names, period, className }: MethodsProps) {
  const most = Math.max(...methods.map(({ share }) => share), 0.01);
  const shown = methods.slice(0, shownMethods);
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
      <ul className="grid gap-1.5">
        {shown.map(({ method, share, approved }) => (
          <li key={method} className="grid grid-cols-[minmax(0,120px)_minmax(0,1fr)_48px_52px] items-center gap-x-2.5">
            <Link
              href={`/dashboard/payments?method=${encodeURIComponent(method)}&from=${period.from}&to=${period.to}`}
              prefetch={false}
              className="truncate text-ink no-underline hover:underline"
            >
              {names[method] ?? method}
            </Link>
            <Bar share={share / most} className="fill-field/60" />
            <span className="figures text-end font-medium">{percentText(share, share < 0.1 ? 1 : 0)} %</span>
            <span className="figures text-end text-xs text-ink3">
              {percentText(approved)} %<span className="unseen"> approved</span>
            </span>
          </li>
        ))}
      </ul>
      {methods.length > shown.length ? (
        <p className="mt-2 text-xs text-ink3">{methods.length - shown.length} more in the table.</p>
      ) : null}
    </ChartFrame>
  );
}

function Bar({ share, className }: { share: number; className: string }) {
  return (
    <svg width="100%" height="10" aria-hidden="true" className={className}>
      <rect width={`${Math.max(share * 100, 1.5)}%`} height="10" rx="1.5" />
    </svg>
  );
}
