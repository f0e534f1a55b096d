// The sandbox's guarded test controls: they move the clock and run due jobs, so that tests need not sleep. They exist
// only if TEST_CONTROL_TOKEN is set, and answer only to it.
import { advanceClock, now } from '../db/clock.ts';
import { type HttpResult, jsonResult, type Route } from '../http/index.ts';
import { testControl } from './routes.ts';

const longestAdvanceSeconds = 10 * 366 * 24 * 3600;

/**
 * POST /sandbox/clock `{advance_seconds}` and POST /sandbox/tick, which runs the due jobs; both return `{now}`, ISO
 * 8601.
 */
export const controlRoutes = (runDueJobs: (now: Date) => Promise<unknown>): Route[] => [
  testControl('POST', '/sandbox/clock', moveClock),
  testControl('POST', '/sandbox/tick', async () => {
    await runDueJobs(now());
    return jsonResult({ now: now().toISOString() });
  }),
];

async function moveClock(request: Request): Promise<HttpResult> {
  const body: unknown = await request.json().catch(() => null);
  const seconds = (body as { advance_seconds?: unknown } | null)?.advance_seconds;
  if (typeof seconds !== 'number' || !(seconds >= 0 && seconds <= longestAdvanceSeconds)) {
    return jsonResult({ error: 'advance_seconds should be a number of seconds, forward only.' }, { status: 400 });
  }
  return jsonResult({ now: advanceClock(seconds).toISOString() });
}
