'use client';
// The settled volume in one currency: a bar per day, stacked by method, and the previous period as a dashed line.
import { scaleBand, scaleLinear } from '@visx/scale';
import { grouped } from '../../../lib/core/money';
import type { CurrencyVolume, Period } from '../../../lib/dashboard/overview/contract';
import { ChartFrame, type ChartTable } from './chart-frame';
import { axisText, bucketText, labelStep } from './format';
import { BucketLabels, GridLines, linePath } from './grid';
import { ChartTooltips } from './tooltips';
import { useWidth } from './use-width';

type Props = {
  volume: CurrencyVolume | null;
  period: Period;
  /** Method names. */
  names: Readonly<Record<string, string>>;
  /** The currency control. */
  choice: React.ReactNode;
  className?: string;
};

const height = 256;
const left = 44;
const bottom = 24;
const top = 6;

const fills = ['fill-chart1', 'fill-chart2', 'fill-chart3', 'fill-chart4', 'fill-chart6'];

function fillOf(method: string, at: number): string {
  return method === 'other' ? 'fill-chart5' : (fills[at] ?? 'fill-chart5');
}

export function VolumeChart({ volume, period, names, choice, className }: Props) {
  const per = period.unit === 'hour' ? 'hour' : 'day';
  const running =
    period.running === null ? '' : ` ${bucketText(period.buckets[period.running] ?? '')} is not complete yet.`;
  const empty = !volume?.bars.some((bar) => bar.some(({ value }) => value > 0));
  return (
    <ChartFrame
      question="Settled volume"
      about={volume ? `${volume.currency} per ${per}, by method.${running}` : `By ${per} and method`}
      aside={choice}
      nothing={empty ? 'Nothing was settled in this period.' : undefined}
      table={volume ? tableOf(volume, period, names) : { head: [], rows: [] }}
      className={className}
    >
      {volume ? (
        <>
          <Legend volume={volume} names={names} />
          <Bars volume={volume} period={period} names={names} />
        </>
      ) : null}
    </ChartFrame>
  );
}

function tableOf(
  { currency, methods, bars, before }: CurrencyVolume,
  { buckets, unit }: Period,
  names: Props['names'],
): ChartTable {
  return {
    head: [
      unit === 'hour' ? 'Hour' : 'Day',
      ...methods.map((method) => `${names[method] ?? method}, ${currency}`),
      'Previous period',
    ],
    rows: buckets.map((bucket, at) => [
      bucketText(bucket),
      ...(bars[at] ?? []).map(({ text }) => grouped(text)),
      grouped(before[at]?.text ?? ''),
    ]),
  };
}

function Legend({ volume: { methods }, names }: { volume: CurrencyVolume; names: Props['names'] }) {
  return (
    <ul className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink2">
      {methods.map((method, at) => (
        <li key={method} className="flex items-center gap-1.5">
          <svg width="9" height="9" aria-hidden="true" className={fillOf(method, at)}>
            <rect width="9" height="9" rx="2" />
          </svg>
          {names[method] ?? method}
        </li>
      ))}
      <li className="flex items-center gap-1.5">
        <svg width="18" height="8" aria-hidden="true" className="stroke-ink">
          <line x1="0" y1="4" x2="18" y2="4" strokeWidth="1.5" strokeDasharray="3 2.5" />
        </svg>
        Previous period
      </li>
    </ul>
  );
}

function Bars({ volume, period, names }: { volume: CurrencyVolume; period: Period; names: Props['names'] }) {
  const [frame, width] = useWidth<HTMLDivElement>(720);
  const { buckets, running } = period;
  const { bars, before, methods, currency } = volume;
  const sums = bars.map((bar) => bar.reduce((sum, { value }) => sum + value, 0));
  const most = Math.max(...sums, ...before.map(({ value }) => value), 0);
  const x = scaleBand({
    domain: buckets,
    range: [left, width],
    paddingInner: buckets.length > 45 ? 0.25 : 0.5,
    paddingOuter: 0.25,
  });
  const y = scaleLinear({ domain: [0, most || 1], range: [height - bottom, top], nice: 4 });
  const middle = (bucket: string) => (x(bucket) ?? 0) + x.bandwidth() / 2;
  const points = buckets.map((bucket, at) => ({
    x: middle(bucket),
    title: bucketText(bucket),
    lines: [
      ...methods.map((method, which) => ({
        text: names[method] ?? method,
        value: `${grouped(bars[at]?.[which]?.text ?? '0')} ${currency}`,
        swatch: fillOf(method, which),
      })),
      { text: 'Previous period', value: `${grouped(before[at]?.text ?? '0')} ${currency}` },
    ],
  }));
  const step = labelStep(buckets.length, width - left, 44);
  return (
    <div ref={frame}>
      <ChartTooltips label="Settled volume" points={points} width={width}>
        {(active) => (
          <svg viewBox={`0 0 ${width} ${height}`} width="100%" height={height} aria-hidden="true" className="text-11">
            <GridLines y={y} left={left} right={width} />
            {y.ticks(4).map((tick) => (
              <text key={tick} x={left - 10} y={y(tick) + 4} textAnchor="end" className="figures fill-ink3">
                {axisText(tick)}
              </text>
            ))}
            {active === null ? null : (
              <rect
                x={(x(buckets[active] ?? '') ?? 0) - 3}
                y={top}
                width={x.bandwidth() + 6}
                height={height - bottom - top}
                className="fill-hover"
              />
            )}
            {buckets.map((bucket, at) => (
              <g key={bucket} transform={`translate(${x(bucket) ?? 0}, 0)`} opacity={at === running ? 0.45 : 1}>
                <Stack bar={bars[at] ?? []} methods={methods} width={x.bandwidth()} y={y} />
              </g>
            ))}
            <path
              d={linePath(before.map(({ value }, at) => [middle(buckets[at] ?? ''), y(value)]))}
              fill="none"
              className="stroke-ink"
              strokeWidth={1.5}
              strokeDasharray="3 2.5"
            />
            <BucketLabels buckets={buckets} step={step} x={middle} y={height - bottom + 18} />
          </svg>
        )}
      </ChartTooltips>
    </div>
  );
}

type StackProps = {
  bar: CurrencyVolume['bars'][number];
  methods: string[];
  width: number;
  y: (value: number) => number;
};

/** The segments of a bar, stacked with a gap of 1.5 pixels. */
function Stack({ bar, methods, width, y }: StackProps) {
  let below = 0;
  return methods.map((method, at) => {
    const value = bar[at]?.value ?? 0;
    const from = y(below);
    below += value;
    const to = y(below);
    const tall = from - to - (at === 0 ? 0 : 1.5);
    return tall > 0 ? (
      <rect
        key={method}
        y={to}
        width={width}
        height={Math.max(tall, 0.5)}
        rx={Math.min(1.5, width / 4)}
        className={fillOf(method, at)}
      />
    ) : null;
  });
}
