'use client';
// The approval rate by day: all MIDs, the worst MID, and the previous period.
import { scaleLinear, scalePoint } from '@visx/scale';
import type { Overview, Period } from '../../../lib/dashboard/overview/contract';
import { ChartFrame } from './chart-frame';
import { bucketText, labelStep, percentText } from './format';
import { BucketLabels, GridLines, linePath } from './grid';
import { ChartTooltips } from './tooltips';
import { useWidth } from './use-width';

type Rates = readonly (number | null)[];
type Props = Pick<Overview, 'approvals' | 'approvalsBefore' | 'worst' | 'period' | 'attempts'> & { className?: string };

const height = 256;
const left = 34;
const bottom = 24;
const top = 10;

export function ApprovalChart({ approvals, approvalsBefore, worst, period, attempts, className }: Props) {
  const { buckets, unit } = period;
  const lines = linesOf(approvals, approvalsBefore, worst);
  return (
    <ChartFrame
      question="Approval rate"
      about={`Percent of authorisation attempts, per ${unit}`}
      nothing={attempts === 0 ? 'No attempt was completed in this period.' : undefined}
      table={{
        head: [unit === 'hour' ? 'Hour' : 'Day', ...lines.map(({ name }) => `${name}, %`)],
        rows: buckets.map((bucket, at) => [
          bucketText(bucket),
          ...lines.map(({ rates }) => percentText(rates[at] ?? null)),
        ]),
      }}
      className={className}
    >
      <Lines lines={lines} period={period} />
    </ChartFrame>
  );
}

type Line = { name: string; rates: Rates; kind: 'all' | 'worst' | 'before' };

function linesOf(all: Rates, before: Rates, worst: Overview['worst']): Line[] {
  return [
    { name: worst ? 'All MIDs' : 'This period', rates: all, kind: 'all' },
    ...(worst ? [{ name: worst.name, rates: worst.rates, kind: 'worst' as const }] : []),
    { name: 'Previous period', rates: before, kind: 'before' },
  ];
}

const strokes = { all: 'stroke-chart1', worst: 'stroke-chart2', before: 'stroke-ink3' };
const fills = { all: 'fill-chart1', worst: 'fill-chart2', before: 'fill-ink3' };
const dashes = { all: undefined, worst: '5 3', before: '2 3' };

function Lines({ lines, period }: { lines: Line[]; period: Period }) {
  const [frame, width] = useWidth<HTMLDivElement>(380);
  const { buckets } = period;
  const right = 82;
  const x = scalePoint({ domain: buckets, range: [left + 6, width - right] });
  const y = scaleLinear({ domain: domainOf(lines), range: [height - bottom, top] });
  const at = (bucket: string) => x(bucket) ?? left;
  const points = buckets.map((bucket, place) => ({
    x: at(bucket),
    title: bucketText(bucket),
    lines: lines.map(({ name, rates, kind }) => ({
      text: name,
      value: `${percentText(rates[place] ?? null)} %`,
      swatch: fills[kind],
    })),
  }));
  const step = labelStep(buckets.length, width - left - right, 40);
  return (
    <div ref={frame}>
      <ChartTooltips label="Approval rate" points={points} width={width}>
        {(active) => (
          <svg viewBox={`0 0 ${width} ${height}`} width="100%" height={height} aria-hidden="true" className="text-11">
            <GridLines y={y} left={left} right={width - right + 6} />
            {y.ticks(4).map((tick) => (
              <text key={tick} x={left - 10} y={y(tick) + 4} textAnchor="end" className="figures fill-ink3">
                {tick}
              </text>
            ))}
            {active === null ? null : (
              <line
                x1={at(buckets[active] ?? '')}
                x2={at(buckets[active] ?? '')}
                y1={top}
                y2={height - bottom}
                className="stroke-line2"
              />
            )}
            {[...lines].reverse().map(({ name, rates, kind }) => (
              <path
                key={name}
                d={linePath(knownOf(buckets, rates).map(({ bucket, rate }) => [at(bucket), y(rate * 100)]))}
                fill="none"
                className={strokes[kind]}
                strokeWidth={1.75}
                strokeDasharray={dashes[kind]}
              />
            ))}
            <LineEnds lines={lines} buckets={buckets} x={at} y={y} />
            <BucketLabels buckets={buckets} step={step} x={at} y={height - bottom + 18} />
          </svg>
        )}
      </ChartTooltips>
    </div>
  );
}

/** The buckets with completed attempts: the line connects them. */
function knownOf(buckets: string[], rates: Rates): { bucket: string; rate: number }[] {
  return buckets.flatMap((bucket, place) => {
    const rate = rates[place];
    return rate === null || rate === undefined ? [] : [{ bucket, rate }];
  });
}

/** The axis may start above zero, in steps of five. */
function domainOf(lines: Line[]): [number, number] {
  const known = lines.flatMap(({ rates }) => rates.flatMap((rate) => (rate === null ? [] : [rate * 100])));
  const least = Math.floor(Math.min(...known, 100) / 5) * 5;
  const most = Math.ceil(Math.max(...known, 0) / 5) * 5;
  return [Math.max(0, Math.min(least, most - 10)), Math.min(100, Math.max(most, least + 10))];
}

type EndsProps = { lines: Line[]; buckets: string[]; x: (bucket: string) => number; y: (rate: number) => number };

/** Each line has its name and last value at its end; overlapping names are moved apart. */
function LineEnds({ lines, buckets, x, y }: EndsProps) {
  const ends = lines
    .flatMap((line) => {
      const place = line.rates.findLastIndex((rate) => rate !== null);
      const rate = line.rates[place];
      return rate === null || rate === undefined
        ? []
        : [{ ...line, rate, x: x(buckets[place] ?? ''), at: y(rate * 100) }];
    })
    .sort((one, other) => one.at - other.at);
  let free = 0;
  return ends.map(({ name, kind, rate, x: across, at }) => {
    const label = Math.min(Math.max(at, free + 6), height - bottom - 16);
    free = label + 24;
    return (
      <g key={name}>
        {kind === 'all' ? <circle cx={across} cy={at} r={3.5} className={fills[kind]} /> : null}
        {kind === 'worst' ? <rect x={across - 3} y={at - 3} width={6} height={6} className={fills[kind]} /> : null}
        <text x={across + 9} y={label + 3} className="figures fill-ink font-semibold">
          {percentText(rate)} %
        </text>
        <text x={across + 9} y={label + 16} className="fill-ink3">
          {name.length > 13 ? `${name.slice(0, 12)}…` : name}
        </text>
      </g>
    );
  });
}
