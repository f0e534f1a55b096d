// npm run chaos -- malformed: mutates valid requests of every protocol, payer page and dashboard address (bytes,
// names, types, depths, sizes, encodings, headers) and sends them to a process. It must answer each without a status of
// 500 or more, without crashing and without blocking the others.
//   --requests 100000   --seed N

import { command, type Result } from './command-line.ts';
import { dashboardRequests } from './dashboard-requests.ts';
import { type Environment, startEnvironment } from './environment.ts';
import { type MalformedRequest, malformed, validRequests } from './malformed-requests.ts';
import { oneOf, random } from './seeded-random.ts';

/** Maximum event-loop delay. */
const eventLoopDelaySecondsMax = 0.2;
const defaultConcurrency = 12;
const metricsToken = 'malformed-malformed';
/** Share of requests to the dashboard. */
const dashboardShare = 0.3;

type Choice = { requests: number; seed: number; concurrency?: number; timed?: boolean };

/** Runs the test. */
export async function runMalformedTest({
  requests,
  seed,
  concurrency = defaultConcurrency,
  timed = true,
}: Choice): Promise<Result> {
  const environment = await startEnvironment({ name: 'malformed', apps: 1, settings: { METRICS_TOKEN: metricsToken } });
  const app = environment.apps[0] as Environment['apps'][number];
  const violations: string[] = [];
  const statuses: Record<string, number> = {};
  const draw = random(seed);
  let sent = 0;
  let slowest = { milliseconds: 0, what: '' };
  try {
    const good = { protocols: await validRequests(environment), dashboard: await dashboardRequests(environment) };
    await maxEventLoopDelayOf(app);
    const drive = async () => {
      while (sent < requests && violations.length < 50) {
        sent += 1;
        const { url, ...init } = malformed(
          oneOf(draw, draw() < dashboardShare ? good.dashboard : good.protocols),
          draw,
        );
        const started = performance.now();
        const status = await statusOf(app.url + url, init);
        const duration = performance.now() - started;
        if (duration > slowest.milliseconds)
          slowest = { milliseconds: Math.round(duration), what: formatRequest(url, init) };
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status === 'no answer' || status >= 500) violations.push(`${status} for ${formatRequest(url, init)}`);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, drive));
    const eventLoopDelaySeconds = await maxEventLoopDelayOf(app);
    if (!app.isUp()) violations.push('the process has crashed');
    // Apart from bodies of two megabytes and a busy machine, no request may block the event loop.
    if (timed && eventLoopDelaySeconds > eventLoopDelaySecondsMax)
      violations.push(`maximum event-loop delay ${eventLoopDelaySeconds} s`);
    return { violations, summary: { requests: sent, statuses, eventLoopDelaySeconds, slowest } };
  } finally {
    await environment.stop();
  }
}

// For repeating a request by hand, without the cookie.
function formatRequest(
  url: string,
  { method, headers: { cookie: _cookie, ...headers }, body = '' }: Omit<MalformedRequest, 'url'>,
) {
  const text = Buffer.from(body).toString('latin1');
  return `${method} ${url.slice(0, 200)} ${JSON.stringify(headers).slice(0, 300)} ${text.slice(0, 400)}`;
}

// An overloaded process answers 503 with Retry-After; the request has not been processed then.
const attemptsMax = 20;

async function statusOf(url: string, init: Omit<MalformedRequest, 'url'>): Promise<number | 'no answer'> {
  for (let tried = 1; ; tried += 1) {
    try {
      const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(20_000) });
      await response.arrayBuffer();
      const again = response.status === 503 && Number(response.headers.get('retry-after'));
      if (!again || tried === attemptsMax) return response.status;
      await new Promise((wake) => setTimeout(wake, again * 1000));
    } catch {
      return 'no answer';
    }
  }
}

/** The maximum event-loop delay since the previous call, measured by the process itself. */
async function maxEventLoopDelayOf({ url }: { url: string }): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  return Number(/^florin_nodejs_eventloop_lag_max_seconds ([\d.e-]+)/m.exec(await answer.text())?.[1] ?? 0);
}

await command(import.meta.url, ['requests', 'concurrency'], (options, seed) =>
  runMalformedTest({
    requests: Number(options.requests ?? 100_000),
    concurrency: Number(options.concurrency ?? defaultConcurrency),
    seed,
  }),
);
