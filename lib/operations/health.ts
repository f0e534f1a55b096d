// GET /healthz: whether this process can take work. It asks the database, because a process without one serves nothing.
import { query } from '../db';
import type { Route } from '../http';
import { log } from '../telemetry';

const patienceMilliseconds = 1_500;
let draining = false;

/** From now on the process reports that it is going away, so that a balancer sends it nothing new. */
export function reportDraining(): void {
  draining = true;
}

/** Whether it does. */
export function isDraining(): boolean {
  return draining;
}

/** The row of the table: 200 `{status:'ok'}`, or 503 `{status:'draining' | 'unavailable'}`. */
export const healthRoutes: Route[] = [{ method: 'GET', path: '/healthz', run: health }];

async function health(): Promise<Response> {
  const status = draining ? 'draining' : (await databaseAnswers()) ? 'ok' : 'unavailable';
  return Response.json({ status }, { status: status === 'ok' ? 200 : 503, headers: { 'cache-control': 'no-store' } });
}

async function databaseAnswers(): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_done, fail) => {
    timer = setTimeout(() => fail(new Error('the database did not answer in time')), patienceMilliseconds);
  });
  try {
    await Promise.race([query('health', 'select 1'), late]);
    return true;
  } catch (err) {
    log.warn({ err }, 'the health check failed');
    return false;
  } finally {
    clearTimeout(timer);
  }
}
