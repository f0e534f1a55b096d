// Routes of the sandbox: an error answer is thrown where its reason is found, and returned here. The guarded test
// controls move the clock and run due jobs, so that tests need not sleep; they exist only if TEST_CONTROL_TOKEN is set.
import { timingSafeEqual } from 'node:crypto';
import { env } from '../config/index.ts';
import { advanceClock, now } from '../db/clock.ts';
import { type HttpRequest, type HttpResult, httpResult, jsonResult, type Route } from '../http/index.ts';

class ThrownAnswer extends Error {
  readonly answer: HttpResult;

  constructor(answer: HttpResult) {
    super('the sandbox rejects a request');
    this.answer = answer;
  }
}

/** Ends the request with this answer. */
export function refuse(answer: HttpResult): never {
  throw new ThrownAnswer(answer);
}

/** The answer of `work`, also if it is thrown. */
export async function answerOf(work: () => Promise<HttpResult> | HttpResult): Promise<HttpResult> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof ThrownAnswer) return thrown.answer;
    throw thrown;
  }
}

/** A route that exists in a sandbox only. */
export const sandboxRoute = (method: string, path: string, run: Route['run']): Route => ({
  method,
  path,
  only: 'sandbox',
  run: (request, params, clientIp) => answerOf(() => run(request, params, clientIp)),
});

/** A test control: it exists only if TEST_CONTROL_TOKEN is set, and answers only to it. */
export const testControl = (method: string, path: string, run: (request: HttpRequest) => Promise<HttpResult>): Route =>
  sandboxRoute(method, path, (request) =>
    mayControl(request.headers.get('authorization')) ? run(request) : httpResult(null, { status: 404 }),
  );

function mayControl(authorization: string | null): boolean {
  if (env.testControlToken === null) return false;
  const wanted = Buffer.from(`Bearer ${env.testControlToken}`);
  const received = Buffer.from(authorization ?? '');
  return received.length === wanted.length && timingSafeEqual(received, wanted);
}

const longestAdvanceSeconds = 10 * 366 * 24 * 3600;

/**
 * POST /sandbox/clock `{advance_seconds}`, which returns `{now}`, and POST /sandbox/tick for the due jobs, which returns
 * `{now, rows}` with the number of rows that they processed.
 */
export const controlRoutes = (runDueJobs: (now: Date) => Promise<number>): Route[] => [
  testControl('POST', '/sandbox/clock', moveClock),
  testControl('POST', '/sandbox/tick', async () => {
    const rows = await runDueJobs(now());
    return jsonResult({ now: now().toISOString(), rows });
  }),
];

async function moveClock(request: HttpRequest): Promise<HttpResult> {
  const body: unknown = await request.json().catch(() => null);
  const seconds = (body as { advance_seconds?: unknown } | null)?.advance_seconds;
  if (typeof seconds !== 'number' || !(seconds >= 0 && seconds <= longestAdvanceSeconds)) {
    return jsonResult({ error: 'advance_seconds should be a number of seconds, forward only.' }, { status: 400 });
  }
  return jsonResult({ now: advanceClock(seconds).toISOString() });
}
