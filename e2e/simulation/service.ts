// What a simulated process runs: the service's own routes and jobs, and the actions of the dashboard that move money or
// send callbacks.
import { deliverDue } from '../../lib/callbacks/index.ts';
import { ApiError, errorBody, renderApiError } from '../../lib/core/errors.ts';
import { now } from '../../lib/db/clock.ts';
import { buildMatcher, type HttpResult, jsonResult } from '../../lib/http/index.ts';
import { backgroundDone } from '../../lib/jobs/index.ts';
import { watchClock } from '../../lib/operations/index.ts';
import { payerRoutes } from '../../lib/payer/index.ts';
import { pollDue, processDueNotifications, resolveDueItems } from '../../lib/payments/index.ts';
import { apmRoutes, cardRoutes, checkoutRoutes } from '../../lib/protocols/index.ts';
import { chargeDue } from '../../lib/recurring/index.ts';
import { log } from '../../lib/telemetry/index.ts';
import { loadDataKeys, seal } from '../../lib/vault/index.ts';
import { userRoutes } from './dashboard.ts';

const match = buildMatcher([...checkoutRoutes, ...cardRoutes, ...apmRoutes, ...payerRoutes, ...userRoutes]);

/** Handles a request as lib/server does. */
export async function serve(request: Request, clientIp: string): Promise<HttpResult> {
  const matched = match(request.method, new URL(request.url).pathname);
  if (matched === null || 'allow' in matched) return jsonResult(errorBody(404, 'no route'), { status: 404 });
  try {
    return await matched.route.run(request, matched.params, { address: clientIp });
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) {
      log.error({ err: thrown }, 'a handler failed');
      return jsonResult(errorBody(500, String((thrown as Error)?.stack)), { status: 500 });
    }
    const { body, status, headers } = renderApiError(thrown);
    return jsonResult(body, { status, headers: Object.fromEntries(headers) });
  }
}

/** Runs a job as lib/server does: a failure is logged. */
const logged = (run: (now: Date) => Promise<number>) => async (at: Date) => {
  try {
    return await run(at);
  } catch (err) {
    log.error({ err }, 'a job failed');
    return 0;
  }
};

/** The jobs of the money path by name. */
export const jobs = {
  transactions: logged(pollDue),
  notifications: logged(processDueNotifications),
  unresolved: logged(resolveDueItems),
  schedules: logged(chargeDue),
  callbacks: logged(deliverDue),
};

export { backgroundDone, loadDataKeys, now, seal, watchClock };
