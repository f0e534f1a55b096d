// The guard of the sandbox's test controls: they exist only if TEST_CONTROL_TOKEN is set, and answer only to it.
import { timingSafeEqual } from 'node:crypto';
import { env } from '../config';
import { type HttpResult, httpResult, type Route } from '../http';

/** Runs for requests with the token; others get 404. */
export function guarded(run: (request: Request) => Promise<HttpResult>): Route['run'] {
  return (request) =>
    mayControl(request.headers.get('authorization')) ? run(request) : httpResult(null, { status: 404 });
}

function mayControl(authorization: string | null): boolean {
  if (env.testControlToken === null) return false;
  const wanted = Buffer.from(`Bearer ${env.testControlToken}`);
  const received = Buffer.from(authorization ?? '');
  return received.length === wanted.length && timingSafeEqual(received, wanted);
}
