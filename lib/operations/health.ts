// GET /healthz: reports whether this process can accept requests. It queries the database, which every request needs.
import { query } from '../db';
import { type HttpResult, jsonResult, type Route } from '../http';
import { log } from '../telemetry';

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

async function databaseAnswers(): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_done, fail) => {
    timer = setTimeout(() => fail(new Error('the database did not answer in time')), timeoutMilliseconds);
  });
  try {
    await Promise.race([query('health', 'select 1'), timeout]);
    return true;
  } catch (err) {
    log.warn({ err }, 'the health check failed');
    return false;
  } finally {
    clearTimeout(timer);
  }
}
