// The output of the benchmarks: the machine, medians with their range, and columns.
import { cpus, loadavg, release, totalmem, type, version } from 'node:os';

/** A figure with its target; see benchmark-part.ts. */
export type Aimed = { value: number | null; least?: number; most?: number };

/** The median; of an even number of values the mean of the middle two. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const at = (place: number) => sorted[place] ?? Number.NaN;
  return sorted.length % 2 === 1 ? at(Math.floor(middle)) : (at(middle - 1) + at(middle)) / 2;
}

/** The value at this percentile of sorted values; undefined if there are none. */
export function percentile(sorted: ArrayLike<number>, part: number): number | undefined {
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * part) - 1))];
}

/** Whether a figure meets its target; null without one. An unmeasured figure misses it. */
export function isReached({ value, least, most }: Aimed): boolean | null {
  if (value === null) return false;
  if (least !== undefined) return value >= least;
  return most === undefined ? null : value <= most;
}

/** `median (min..max)` with this many decimals. */
export function spread(values: number[], decimals = 0): string {
  const show = (value: number) =>
    value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return `${show(median(values))} (${show(Math.min(...values))}..${show(Math.max(...values))})`;
}

/** The environment of a measurement, as lines, with a warning about a busy machine. */
export function machineFacts(more: [string, string][] = []): [string, string][] {
  const [load = 0] = loadavg();
  const busy = load > cpus().length * 0.75 ? ': other work was going on, the figures are for guidance only' : '';
  return [
    ['Date', new Date().toISOString().slice(0, 16).replace('T', ' ')],
    ['Machine', `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB`],
    ['System', `${type()} ${release()} ${version().includes('Debian') ? '(Debian)' : ''}`.trim()],
    ['Node', process.versions.node],
    ...more,
    ['Load', `${load.toFixed(1)} before the start${busy}`],
  ];
}

/** Prints rows of text in columns. */
export function printColumns(rows: string[][]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows)
    console.log(
      `  ${row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}`,
    );
}
