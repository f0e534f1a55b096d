// How the benchmarks tell what they found: the machine, medians with their spread, and lines in columns.
import { cpus, loadavg, release, totalmem, type, version } from 'node:os';

/** The middle value; of an even number of them the mean of both. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The value below which so large a part of the sorted values lies; undefined where there is none. */
export function percentile(sorted, part) {
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * part) - 1))];
}

/** Whether a figure is as it should be; null where nothing is asked of it. What could not be measured is not reached. */
export function isReached({ value, least, most }) {
  if (value === null) return false;
  if (least !== undefined) return value >= least;
  return most === undefined ? null : value <= most;
}

/** `median (min..max)` with so many decimals. */
export function spread(values, decimals = 0) {
  const show = (value) =>
    value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return `${show(median(values))} (${show(Math.min(...values))}..${show(Math.max(...values))})`;
}

/** What a figure depends on, as lines. A busy machine is said, because figures from it mean little. */
export function machineFacts(more = []) {
  const [load] = loadavg();
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

/** Prints rows of texts in columns. */
export function printColumns(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows)
    console.log(
      `  ${row
        .map((text, column) => text.padEnd(widths[column]))
        .join('  ')
        .trimEnd()}`,
    );
}
