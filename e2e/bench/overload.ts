// npm run bench -- overload: offers three times the peak rate of sales for half a minute: how many succeed, how the others
// fail, and how fast the server recovers. Docs: docs/contributing/benchmarks.md.
//   --built   measures the last build, even if the sources have changed since
//   --short   eight seconds
import { step } from '../../scripts/project.ts';
import { command, type Options, type Part } from './benchmark-part.ts';
import { watchMemory } from './memory.ts';
import { median, printColumns } from './report.ts';
import { saleRequest } from './requests.ts';
import { type Stack, withStack } from './stack.ts';
import { openLoad, sell, startWorkload, times } from './workload.ts';

const times3 = 3;
/** The timeout of a merchant's server. */
const patienceSeconds = 10;

/** Polls the health check like a load balancer until `stop`, which returns the responses by kind. */
function watchHealth(port: number) {
  const kinds: Record<string, number> = {};
  const timer = setInterval(async () => {
    const signal = AbortSignal.timeout(2_000);
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { signal }).catch(() => null);
    const kind = answer?.status ?? 'none within 2 s';
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }, 1_000);
  return {
    stop() {
      clearInterval(timer);
      return kinds;
    },
  };
}

async function measure(stack: Stack, { short }: Options) {
  const workload = await step('Starting the servers', () => startWorkload(stack, { merchants: { silent: {} } }));
  const { app: port } = workload.ports;
  const { silent } = workload.merchants;
  const peaks: number[] = [];
  for (let count = 0; count < (short ? 2 : 4); count += 1) {
    const { perSecond } = await step('Sales one after the other', () => sell(workload, port, silent, { seconds: 3 }));
    // The first round warms up and leaves plans of empty tables.
    if (count > 0) peaks.push(perSecond);
    else await stack.database.query('analyze');
  }
  const peak = median(peaks);
  const rate = Math.ceil(peak * times3);
  const seconds = short ? 8 : 30;
  const memory = watchMemory(workload.server.pid ?? 0);
  const health = watchHealth(port);
  const requestsOf = (count: number) => times(count, () => saleRequest(port, silent));
  const open = (job: { rate: number; seconds: number }) =>
    openLoad(workload, { port, patienceSeconds, ...job, requests: requestsOf(job.rate * job.seconds) });
  const over = await step(`${rate} sales a second for ${seconds} s`, () => open({ rate, seconds }));
  const healthKinds = health.stop();
  const half = Math.floor(peak / 2);
  const after = await step('Half of the peak right after it', () => open({ rate: half, seconds: short ? 5 : 15 }));
  const { perSecond: again } = await step('The peak again', () => sell(workload, port, silent, { seconds: 3 }));
  const rss = memory.stop();
  const made = over.bySecond.slice(0, seconds).reduce((sum, each) => sum + (each ?? 0), 0) / seconds;
  console.log('');
  printColumns([
    ['Peak, one after the other', `${peak.toFixed(0)} a second`],
    ['Offered', `${rate} a second`],
    ['Made meanwhile', `${made.toFixed(0)} a second`],
    ['All answers', JSON.stringify(over.kinds)],
    ['Responses to the others', over.samples.join(' | ') || 'nothing'],
    ['Successes, p50 and p99', `${over.p50?.toFixed(0)} and ${over.p99?.toFixed(0)} ms`],
    ['Health check responses', JSON.stringify(healthKinds)],
    ['Half of the peak right after it', `${JSON.stringify(after.kinds)}, p99 ${after.p99?.toFixed(0)} ms`],
    ['The peak again', `${again.toFixed(0)} a second`],
    ['Memory at most', `${Math.max(...rss).toFixed(0)} MB`],
  ]);
  const failedAfter = after.offered - after.done;
  const figures = [
    { name: 'Sales made at three times the peak, of the peak', value: made / peak, unit: '', decimals: 2, least: 0.9 },
    { name: 'Failures right after it, at half of the peak', value: failedAfter, unit: '', most: 0 },
    { name: 'The peak after it, of the peak before', value: again / peak, unit: '', decimals: 2 },
    { name: 'Memory under three times the peak', value: Math.max(...rss), unit: 'MB', most: 350 },
  ];
  return { figures, raw: { peaks, rate, seconds, over, healthKinds, after, again, memoryMb: rss } };
}

export const part: Part = {
  name: 'overload',
  title: 'Three times as much as can be done',
  run: (options) => withStack((stack) => measure(stack, options)),
};

await command(import.meta.url, part);
