// GET /healthz: reports whether this process can accept requests. It queries the database, which every request needs.
import { recent } from '../core/recent.ts';
import { query } from '../db/index.ts';
import { type HttpResult, jsonResult, type Route } from '../http/index.ts';
import { log } from '../telemetry/index.ts';

const timeoutMilliseconds = 1_500;
let draining = false;

/** Makes /healthz report draining, so that a load balancer sends no new requests. */
export function reportDraining(): void {
  draining = true;
}

/** Reports whether the process is draining. */
export function isDraining(): boolean {
  return draining;
}

/** 200 `{status:'ok'}`, or 503 `{status:'draining' | 'unavailable'}`. */
export const healthRoutes: Route[] = [{ method: 'GET', path: '/healthz', run: health }];

async function health(): Promise<HttpResult> {
  const status = draining ? 'draining' : (await databaseAnswers()) ? 'ok' : 'unavailable';
  return jsonResult({ status }, { status: status === 'ok' ? 200 : 503, headers: { 'cache-control': 'no-store' } });
}

/** Anyone can ask, and payments wait for the same connections. */
const databaseAnswers = recent(250, async () => {
  try {
    await within(timeoutMilliseconds, query('health', 'select 1'));
    return true;
  } catch (err) {
    log.warn({ err }, 'the health check failed');
    return false;
  }
});

/** The result of a check; throws if it takes longer. */
export async function within<Result>(milliseconds: number, check: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_done, fail) => {
    timer = setTimeout(() => fail(new Error('no answer in time')), milliseconds);
  });
  return Promise.race([check, late]).finally(() => clearTimeout(timer));
}
