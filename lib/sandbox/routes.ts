// Routes of the sandbox. A refusal is thrown where it is found, and answered here.
import { timingSafeEqual } from 'node:crypto';
import { env } from '../config';
import { type HttpResult, httpResult, type Route } from '../http';

class Refusal extends Error {
  readonly answer: HttpResult;

  constructor(answer: HttpResult) {
    super('the sandbox refuses a request');
    this.answer = answer;
  }
}

/** Ends the request with this answer. */
export function refuse(answer: HttpResult): never {
  throw new Refusal(answer);
}

/** The answer of `work`, also if it refuses. */
export async function answerOf(work: () => Promise<HttpResult> | HttpResult): Promise<HttpResult> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown.answer;
    throw thrown;
  }
}

/** A route that exists in a sandbox only. */
export const sandboxRoute = (method: string, path: string, run: Route['run']): Route => ({
  ...{ method, path, only: 'sandbox' },
  run: (request, params, clientIp) => answerOf(() => run(request, params, clientIp)),
});

/** A test control: it exists only if TEST_CONTROL_TOKEN is set, and answers only to it. */
export const testControl = (method: string, path: string, run: (request: Request) => Promise<HttpResult>): Route =>
  sandboxRoute(method, path, (request) =>
    mayControl(request.headers.get('authorization')) ? run(request) : httpResult(null, { status: 404 }),
  );

function mayControl(authorization: string | null): boolean {
  if (env.testControlToken === null) return false;
  const wanted = Buffer.from(`Bearer ${env.testControlToken}`);
  const received = Buffer.from(authorization ?? '');
  return received.length === wanted.length && timingSafeEqual(received, wanted);
}
