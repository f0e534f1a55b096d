// The table of metrics, from the registry that /metrics prints.
import { metrics } from '../telemetry';
import { tableOf } from './markdown-table';

/** Florin's own series; those of the Node process have the same prefix and are named in the text of the page. */
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
