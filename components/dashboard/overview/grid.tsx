// The grid lines, the labels of the axes and the lines of a chart.
import { tickText } from './format';

/** A chart's vertical scale. */
type Scale = { (value: number): number; ticks: (count: number) => number[] };

/** A line for each tick. */
export function GridLines({ y, left, right }: { y: Scale; left: number; right: number }) {
  return y
    .ticks(4)
    .map((tick) => (
      <line key={tick} x1={left} x2={right} y1={y(tick)} y2={y(tick)} stroke="currentColor" className="text-line" />
    ));
}

type LabelsProps = { buckets: string[]; step: number; x: (bucket: string) => number; y: number };

/** The name of each `step`-th day or hour. */
export function BucketLabels({ buckets, step, x, y }: LabelsProps) {
  return buckets.map((bucket, at) =>
    at % step === 0 ? (
      <text key={bucket} x={x(bucket)} y={y} textAnchor="middle" className="figures fill-ink3">
        {tickText(bucket, at)}
      </text>
    ) : null,
  );
}

/** The path through the points; empty without one. */
export function linePath(points: [x: number, y: number][]): string {
  return points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${x},${y}`).join('');
}
