// Generates the table of metrics from the registry of /metrics.
import { metrics } from '../telemetry';
import { tableOf } from './markdown-table';

/** Florin's own metrics; the text of the page lists those of the Node process. */
export function metricTable(): string {
  const own = Object.values<unknown>(metrics).filter(isMetric);
  return tableOf(
    ['Name', 'Type', 'Labels', 'Meaning'],
    own.map((metric) => [
      `\`${metric.name}\``,
      metric.constructor.name.toLowerCase(),
      metric.labelNames.map((label) => `\`${label}\``).join(' '),
      `${metric.help}.`,
    ]),
  );
}

type Metric = { name: string; help: string; labelNames: readonly string[] };

const isMetric = (value: unknown): value is Metric =>
  typeof value === 'object' && value !== null && 'help' in value && 'labelNames' in value;
