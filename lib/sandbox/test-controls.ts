// The sandbox's guarded test controls: they move the clock and run due jobs, so that tests need not sleep. They exist
// only if TEST_CONTROL_TOKEN is set, and answer only to it.
import { timingSafeEqual } from 'node:crypto';
import { env } from '../config';
import { advanceClock, now } from '../db/clock';
import { type HttpResult, httpResult, jsonResult, type Route } from '../http';

const longestAdvanceSeconds = 10 * 366 * 24 * 3600;

/**
 * POST /sandbox/clock `{advance_seconds}` and POST /sandbox/tick, which runs the due jobs; both return `{now}`, ISO
 * 8601.
 */
export const controlRoutes = (runDueJobs: (now: Date) => Promise<unknown>): Route[] => [
  { method: 'POST', path: '/sandbox/clock', run: guarded(moveClock), only: 'sandbox' },
  { method: 'POST', path: '/sandbox/tick', run: guarded(() => runDue(runDueJobs)), only: 'sandbox' },
];

function guarded(run: (request: Request) => Promise<HttpResult>): Route['run'] {
  return (request) =>
    mayControl(request.headers.get('authorization')) ? run(request) : httpResult(null, { status: 404 });
}

function mayControl(authorization: string | null): boolean {
  if (env.testControlToken === null) return false;
  const wanted = Buffer.from(`Bearer ${env.testControlToken}`);
  const received = Buffer.from(authorization ?? '');
  return received.length === wanted.length && timingSafeEqual(received, wanted);
}

async function moveClock(request: Request): Promise<HttpResult> {
  const body: unknown = await request.json().catch(() => null);
  const seconds = (body as { advance_seconds?: unknown } | null)?.advance_seconds;
  if (typeof seconds !== 'number' || !(seconds >= 0 && seconds <= longestAdvanceSeconds)) {
    return jsonResult({ error: 'advance_seconds should be a number of seconds, forward only.' }, { status: 400 });
  }
  return jsonResult({ now: advanceClock(seconds).toISOString() });
}

async function runDue(runDueJobs: (now: Date) => Promise<unknown>): Promise<HttpResult> {
  await runDueJobs(now());
  return jsonResult({ now: now().toISOString() });
}
