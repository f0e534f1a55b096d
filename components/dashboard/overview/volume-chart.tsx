'use client';
// The settled volume in one currency: a bar per day, stacked by method, and the previous period as a dashed line.
import { scaleBand, scaleLinear } from '@visx/scale';
import { grouped } from '../../../lib/core/money.ts';
import type { CurrencyVolume } from '../../../lib/dashboard/overview/contract.ts';
import { ChartFrame, type ChartProps, linePath, Plot, plotBottom, plotHeight } from './chart.tsx';
import { axisText, bucketText } from './format.ts';

type DrawnProps = Pick<ChartProps, 'period' | 'names'> & { volume: CurrencyVolume };

const left = 44;
const top = 6;

const fills = ['fill-chart1', 'fill-chart2', 'fill-chart3', 'fill-chart4', 'fill-chart6'];

function fillOf(method: string, at: number): string {
  return method === 'other' ? 'fill-chart5' : (fills[at] ?? 'fill-chart5');
}

export function VolumeChart({ volume, period, names, className }: ChartProps) {
  const { unit, running, buckets } = period;
  const partial = running === null ? '' : ` ${bucketText(buckets[running] ?? '')} is not complete yet.`;
  const empty = !volume?.bars.some((bar) => bar.some(({ value }) => value > 0));
  return (
    <ChartFrame
      question="Settled volume"
      about={volume ? `${volume.currency} per ${unit}, by method.${partial}` : `By ${unit} and method`}
      nothing={empty ? 'Nothing was settled in this period.' : undefined}
      table={volume ? tableOf({ volume, period, names }) : { head: [], rows: [] }}
      className={className}
    >
      {volume ? (
        <>
          <Legend methods={volume.methods} names={names} />
          <Bars volume={volume} period={period} names={names} />
        </>
      ) : null}
    </ChartFrame>
  );
}

function tableOf({ volume: { currency, methods, bars, before }, period: { buckets, unit }, names }: DrawnProps) {
  const heads = methods.map((method) => `${names[method] ?? method}, ${currency}`);
  return {
    head: [unit === 'hour' ? 'Hour' : 'Day', ...heads, 'Previous period'],
    rows: buckets.map((bucket, at) => [
      bucketText(bucket),
      ...(bars[at] ?? []).map(({ text }) => grouped(text)),
      grouped(before[at]?.text ?? ''),
    ]),
  };
}

function Legend({ methods, names }: Pick<CurrencyVolume, 'methods'> & Pick<ChartProps, 'names'>) {
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

function Bars({ volume: { bars, before, methods, currency }, period: { buckets, running }, names }: DrawnProps) {
  const sums = bars.map((bar) => bar.reduce((sum, { value }) => sum + value, 0));
  const most = Math.max(...sums, ...before.map(({ value }) => value), 0);
  const amount = (text = '0') => `${grouped(text)} ${currency}`;
  return (
    <Plot
      {...{ buckets, left, label: 'Settled volume', firstWidth: 720, space: 44, tick: axisText }}
      scales={(width) => {
        const bands = scaleBand({
          domain: buckets,
          range: [left, width],
          paddingInner: buckets.length > 45 ? 0.25 : 0.5,
          paddingOuter: 0.25,
        });
        const y = scaleLinear({ domain: [0, most || 1], range: [plotHeight - plotBottom, top], nice: 4 });
        const start = (bucket = '') => bands(bucket) ?? 0;
        return { start, band: bands.bandwidth(), x: (bucket = '') => start(bucket) + bands.bandwidth() / 2, y };
      }}
      valuesOf={(at) => [
        ...methods.map((method, which) => ({
          text: names[method] ?? method,
          value: amount(bars[at]?.[which]?.text),
          swatch: fillOf(method, which),
        })),
        { text: 'Previous period', value: amount(before[at]?.text) },
      ]}
    >
      {({ start, band, x, y }, active) => (
        <>
          {active === null ? null : (
            <rect
              x={start(buckets[active]) - 3}
              y={top}
              width={band + 6}
              height={plotHeight - plotBottom - top}
              className="fill-hover"
            />
          )}
          {buckets.map((bucket, at) => (
            <g key={bucket} transform={`translate(${start(bucket)}, 0)`} opacity={at === running ? 0.45 : 1}>
              <Stack bar={bars[at] ?? []} methods={methods} width={band} y={y} />
            </g>
          ))}
          <path
            d={linePath(before.map(({ value }, at) => [x(buckets[at]), y(value)]))}
            fill="none"
            className="stroke-ink"
            strokeWidth={1.5}
            strokeDasharray="3 2.5"
          />
        </>
      )}
    </Plot>
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
