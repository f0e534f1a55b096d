// npm run test:chaos:malformed: requests that nobody would send. Good ones of every protocol and page, and of the dashboard by somebody who is signed in, are malformed by chance (bytes,
// names, types, depths, sizes, encodings, headers) and sent to a process, which has to answer each: never with 500, never
// by falling over, never by making the others wait.
//   --requests 100000   --seed N

import { command } from './command.mjs';
import { dashboardRequests } from './dashboard-requests.mjs';
import { startEnvironment } from './environment.mjs';
import { malformed, validRequests } from './malformed-requests.mjs';
import { oneOf, random } from './random.mjs';

/** How long the process may be busy with one thing. */
const eventLoopDelaySecondsMax = 0.2;
const defaultConcurrency = 12;
const metricsToken = 'fuzzed-fuzzed-fuzzed';
/** How many of the requests go to the dashboard. */
const dashboardShare = 0.3;

/**
 * Runs the proof.
 * @returns {Promise<{ violations: string[], summary: object }>}
 */
export async function runMalformedTest({ requests, seed, concurrency = defaultConcurrency, timed = true }) {
  const environment = await startEnvironment({ name: 'fuzz', apps: 1, settings: { METRICS_TOKEN: metricsToken } });
  const [app] = environment.apps;
  const violations = [];
  const statuses = {};
  const draw = random(seed);
  let sent = 0;
  let slowest = { milliseconds: 0, what: '' };
  try {
    const good = [await validRequests(environment), await dashboardRequests(environment)];
    await maxEventLoopDelayOf(app);
    const drive = async () => {
      while (sent < requests && violations.length < 50) {
        sent += 1;
        const { url, ...init } = malformed(oneOf(draw, good[draw() < dashboardShare ? 1 : 0]), draw);
        const started = performance.now();
        const status = await statusOf(app.url + url, init);
        const took = performance.now() - started;
        if (took > slowest.milliseconds) slowest = { milliseconds: Math.round(took), what: told(url, init) };
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status >= 500 || status === 'no answer') violations.push(`${status} for ${told(url, init)}`);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, drive));
    const eventLoopDelaySeconds = await maxEventLoopDelayOf(app);
    if (!app.isUp()) violations.push('the process has fallen over');
    // Bodies of two megabytes and a busy machine aside, nothing that was sent may hold the loop.
    if (timed && eventLoopDelaySeconds > eventLoopDelaySecondsMax)
      violations.push(`the loop stood still for ${eventLoopDelaySeconds} s`);
    return { violations, summary: { requests: sent, statuses, eventLoopDelaySeconds, slowest } };
  } finally {
    await environment.stop();
  }
}

// So that it can be sent again by hand; not with the cookie.
function told(url, { method, headers: { cookie: _cookie, ...headers }, body = '' }) {
  const text = Buffer.from(body).toString('latin1');
  return `${method} ${url.slice(0, 200)} ${JSON.stringify(headers).slice(0, 300)} ${text.slice(0, 400)}`;
}

// A process that has too much to do says so, and when to ask again: then the request has not been looked at yet.
const triesMax = 20;

async function statusOf(url, init) {
  for (let tried = 1; ; tried += 1) {
    try {
      const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(20_000) });
      await response.arrayBuffer();
      const again = response.status === 503 && Number(response.headers.get('retry-after'));
      if (!again || tried === triesMax) return response.status;
      await new Promise((wake) => setTimeout(wake, again * 1000));
    } catch {
      return 'no answer';
    }
  }
}

/** The longest that the loop stood still since this was asked last, as the process itself has measured it. */
async function maxEventLoopDelayOf({ url }) {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  return Number(/^florin_nodejs_eventloop_lag_max_seconds ([\d.e-]+)/m.exec(await answer.text())?.[1] ?? 0);
}

await command(import.meta.url, (options, seed) =>
  runMalformedTest({
    requests: Number(options.requests ?? 100_000),
    concurrency: Number(options.concurrency ?? defaultConcurrency),
    seed,
  }),
);
