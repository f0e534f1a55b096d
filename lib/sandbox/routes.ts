// Routes of the sandbox. An error answer is thrown where its reason is found, and returned here.
import { timingSafeEqual } from 'node:crypto';
import { env } from '../config/index.ts';
import { type HttpResult, httpResult, type Route } from '../http/index.ts';

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
