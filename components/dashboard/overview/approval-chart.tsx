'use client';
// The approval rate by day: all MIDs, the worst MID, and the previous period.
import { scaleLinear, scalePoint } from '@visx/scale';
import { ChartFrame, type ChartProps, linePath, Plot, plotBottom, plotHeight } from './chart.tsx';
import { bucketText, percentText } from './format.ts';

const left = 34;
const right = 82;
const top = 10;

const kinds = {
  all: { stroke: 'stroke-chart1', fill: 'fill-chart1', dash: undefined },
  worst: { stroke: 'stroke-chart2', fill: 'fill-chart2', dash: '5 3' },
  before: { stroke: 'stroke-ink3', fill: 'fill-ink3', dash: '2 3' },
};

type Line = { name: string; rates: readonly (number | null)[]; kind: keyof typeof kinds };

export function ApprovalChart({ approvals, approvalsBefore, worst, period, attempts, className }: ChartProps) {
  const { buckets, unit } = period;
  const lines: Line[] = [
    { name: worst ? 'All MIDs' : 'This period', rates: approvals, kind: 'all' },
    ...(worst ? [{ name: worst.name, rates: worst.rates, kind: 'worst' as const }] : []),
    { name: 'Previous period', rates: approvalsBefore, kind: 'before' },
  ];
  const rateText = (line: Line, bucket: number) => percentText(line.rates[bucket] ?? null);
  return (
    <ChartFrame
      question="Approval rate"
      about={`Percent of authorisation attempts, per ${unit}`}
      nothing={attempts === 0 ? 'No attempt was completed in this period.' : undefined}
      table={{
        head: [unit === 'hour' ? 'Hour' : 'Day', ...lines.map(({ name }) => `${name}, %`)],
        rows: buckets.map((bucket, at) => [bucketText(bucket), ...lines.map((line) => rateText(line, at))]),
      }}
      className={className}
    >
      <Plot
        {...{ buckets, left, right, label: 'Approval rate', firstWidth: 380, space: 40, tick: String }}
        scales={(width) => {
          const points = scalePoint({ domain: buckets, range: [left + 6, width - right] });
          const y = scaleLinear({ domain: domainOf(lines), range: [plotHeight - plotBottom, top] });
          return { x: (bucket: string) => points(bucket) ?? left, y };
        }}
        valuesOf={(at) =>
          lines.map((line) => {
            return { text: line.name, value: `${rateText(line, at)} %`, swatch: kinds[line.kind].fill };
          })
        }
      >
        {({ x, y }, active) => (
          <>
            {active === null ? null : (
              <path d={`M${x(buckets[active] ?? '')},${top}V${plotHeight - plotBottom}`} className="stroke-line2" />
            )}
            {[...lines].reverse().map(({ name, rates, kind }) => (
              <path
                key={name}
                d={linePath(knownOf(buckets, rates).map(({ bucket, rate }) => [x(bucket), y(rate * 100)]))}
                fill="none"
                className={kinds[kind].stroke}
                strokeWidth={1.75}
                strokeDasharray={kinds[kind].dash}
              />
            ))}
            <LineEnds lines={lines} buckets={buckets} x={x} y={y} />
          </>
        )}
      </Plot>
    </ChartFrame>
  );
}

function knownOf(buckets: string[], rates: Line['rates']): { bucket: string; rate: number }[] {
  return buckets.flatMap((bucket, place) => {
    const rate = rates[place] ?? null;
    return rate === null ? [] : [{ bucket, rate }];
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
      const end = knownOf(buckets, line.rates).at(-1);
      return end ? [{ ...line, rate: end.rate, x: x(end.bucket), y: y(end.rate * 100) }] : [];
    })
    .sort((one, other) => one.y - other.y);
  let free = 0;
  return ends.map(({ name, kind, rate, ...at }) => {
    const label = Math.min(Math.max(at.y, free + 6), plotHeight - plotBottom - 16);
    free = label + 24;
    const { fill } = kinds[kind];
    return (
      <g key={name}>
        {kind === 'all' ? <circle cx={at.x} cy={at.y} r={3.5} className={fill} /> : null}
        {kind === 'worst' ? <rect x={at.x - 3} y={at.y - 3} width={6} height={6} className={fill} /> : null}
        <text x={at.x + 9} y={label + 3} className="figures fill-ink font-semibold">
          {percentText(rate)} %
        </text>
        <text x={at.x + 9} y={label + 16} className="fill-ink3">
          {name.length > 13 ? `${name.slice(0, 12)}…` : name}
        </text>
      </g>
    );
  });
}
