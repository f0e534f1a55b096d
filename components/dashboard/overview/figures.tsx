// The row of key figures, each compared with the previous period. Green and red mean better and worse, not more and
// less.
import { grouped } from '../../../lib/core/money.ts';
import type { Compared, CurrencyVolume, Overview } from '../../../lib/dashboard/overview/contract.ts';
import { type Change, changeText, countText, percentText, pointsText } from './format.ts';

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

type Props = { overview: Overview; volume: CurrencyVolume | null };

export function Figures({ overview: { payments, approval, chargebacks, callbacks }, volume }: Props) {
  const unit = volume?.currency ?? '';
  const figures: FigureProps[] = [
    { name: 'Settled volume', ...amountFigure(volume?.settled), unit, good: 'up' },
    { name: 'Payments', ...countFigure(payments), change: countChange(payments), good: 'up' },
    { name: 'Approval rate', ...shareFigure(approval.now, approval.before), good: 'up' },
    { name: 'Refunded', ...amountFigure(volume?.refunded), unit },
    { name: 'Chargebacks', ...countFigure(chargebacks), change: fewer(chargebacks), good: 'down' },
    {
      name: 'Callbacks delivered first time',
      ...shareFigure(callbacks.firstTry, callbacks.firstTryBefore, 2),
      good: 'up',
    },
  ];
  return (
    <dl className="grid grid-cols-2 gap-y-4 px-gutter pt-1 pb-4 md:grid-cols-3 xl:grid-cols-6">
      {figures.map((figure) => (
        <Figure key={figure.name} {...figure} />
      ))}
    </dl>
  );
}

function amountFigure(amount: CurrencyVolume['settled'] | undefined) {
  if (!amount) return { value: '0', change: null, from: null };
  return { value: grouped(amount.now), change: changeText(amount.change), from: grouped(amount.before) };
}

const countFigure = ({ now, before }: Compared) => ({ value: countText(now), from: countText(before) });

function shareFigure(now: number | null, before: number | null, decimals = 1) {
  return {
    value: percentText(now, decimals),
    unit: '%',
    change: pointsText(now, before, decimals),
    from: before === null ? null : percentText(before, decimals),
  };
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

export function ChangeMark({ change: { direction, text }, good }: { change: Change; good?: 'up' | 'down' }) {
  const tone = !good || direction === 'same' ? 'text-ink2' : direction === good ? 'text-ok' : 'text-bad';
  return (
    <span className={tone}>
      <span aria-hidden="true">{arrows[direction]} </span>
      <span className="unseen">{words[direction]} </span>
      {text}
    </span>
  );
}
