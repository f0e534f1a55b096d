// The row of key figures, each compared with the previous period. Green and red mean better and worse, not more and
// less.
import type { ReactNode } from 'react';
import { grouped } from '../../../lib/core/money';
import type { Compared, CurrencyVolume, Overview } from '../../../lib/dashboard/overview/contract';
import { type Change, changeText, countText, percentText, pointsText } from './format';

type Props = { overview: Overview; volume: CurrencyVolume | null };

export function Figures({ overview, volume }: Props) {
  const { payments, approval, chargebacks, callbacks } = overview;
  const currency = volume?.currency ?? '';
  return (
    <dl className="grid grid-cols-2 gap-y-4 px-gutter pt-1 pb-4 md:grid-cols-3 xl:grid-cols-6">
      <Figure
        name="Settled volume"
        value={volume ? grouped(volume.settled.now) : '0'}
        unit={currency}
        change={changeText(volume?.settled.change ?? null)}
        good="up"
        from={volume ? grouped(volume.settled.before) : null}
      />
      <Figure
        name="Payments"
        value={countText(payments.now)}
        change={countChange(payments)}
        good="up"
        from={countText(payments.before)}
      />
      <Figure
        name="Approval rate"
        value={percentText(approval.now)}
        unit="%"
        change={pointsText(approval.now, approval.before)}
        good="up"
        from={approval.before === null ? null : percentText(approval.before)}
      />
      <Figure
        name="Refunded"
        value={volume ? grouped(volume.refunded.now) : '0'}
        unit={currency}
        change={changeText(volume?.refunded.change ?? null)}
        from={volume ? grouped(volume.refunded.before) : null}
      />
      <Figure
        name="Chargebacks"
        value={countText(chargebacks.now)}
        change={fewer(chargebacks)}
        good="down"
        from={countText(chargebacks.before)}
      />
      <Figure
        name="Callbacks delivered first time"
        value={percentText(callbacks.firstTry, 2)}
        unit="%"
        change={pointsText(callbacks.firstTry, callbacks.firstTryBefore, 2)}
        good="up"
        from={callbacks.firstTryBefore === null ? null : percentText(callbacks.firstTryBefore, 2)}
      />
    </dl>
  );
}

function countChange({ now, before }: Compared): Change | null {
  return before === 0 ? null : changeText((now - before) / before);
}

function fewer({ now, before }: Compared): Change {
  const difference = Math.abs(now - before);
  if (difference === 0) return { direction: 'same', text: 'unchanged' };
  return now > before
    ? { direction: 'up', text: `${difference} more` }
    : { direction: 'down', text: `${difference} fewer` };
}

type FigureProps = {
  name: string;
  value: string;
  unit?: string;
  change: Change | null;
  /** Whether higher or lower is better; absent if neither. */
  good?: 'up' | 'down';
  /** The value of the previous period; null if unknown. */
  from: string | null;
};

function Figure({ name, value, unit, change, good, from }: FigureProps) {
  return (
    <div className="min-w-0 border-line max-md:even:border-l max-md:even:pl-4 md:max-xl:not-nth-[3n+1]:border-l md:max-xl:not-nth-[3n+1]:pl-5 xl:not-first:border-l xl:not-first:pl-5">
      <dt className="text-xs text-ink2">{name}</dt>
      <dd className="truncate">
        <span className="figures text-figure font-semibold max-md:text-bar">{value}</span>
        {unit ? <span className="ml-1 text-xs text-ink3">{unit}</span> : null}
      </dd>
      <dd className="figures flex flex-wrap gap-x-1 text-xs text-ink3">
        {change ? <ChangeMark change={change} good={good} /> : null}
        <span>{from === null || (!change && from === '0') ? 'None before' : `from ${from}`}</span>
      </dd>
    </div>
  );
}

const arrows = { up: '↑', down: '↓', same: '→' };
const words = { up: 'up', down: 'down', same: '' };

function ChangeMark({ change: { direction, text }, good }: { change: Change; good?: 'up' | 'down' }): ReactNode {
  const tone = !good || direction === 'same' ? 'text-ink2' : direction === good ? 'text-ok' : 'text-bad';
  return (
    <span className={tone}>
      <span aria-hidden="true">{arrows[direction]} </span>
      <span className="unseen">{words[direction]} </span>
      {text}
    </span>
  );
}
