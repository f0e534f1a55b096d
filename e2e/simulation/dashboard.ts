// What users do in the dashboard, as routes of a simulated process: the product's actions, without its sign-in.
import { resendAll } from '../../lib/dashboard/callbacks/callbacks.ts';
import { DashboardError } from '../../lib/dashboard/errors.ts';
import type { DashboardRequest } from '../../lib/dashboard/guard.ts';
import { captureAction, refundAction, resendAction, voidAction } from '../../lib/dashboard/payments/actions.ts';
import { closeAction } from '../../lib/dashboard/unresolved/list.ts';
import { now } from '../../lib/db/clock.ts';
import { jsonResult, type Route } from '../../lib/http/index.ts';

const actions = {
  close: closeAction,
  resend: resendAction,
  'resend-all': resendAll,
  refund: refundAction,
  capture: captureAction,
  void: voidAction,
};

export type DashboardAction = keyof typeof actions;

/** A request of a user of all merchants. */
export type UserRequest = { user: string; body: object };

function contextOf({ user, body }: UserRequest, params: Record<string, string>): DashboardRequest {
  const viewer = {
    id: user,
    name: user,
    email: `${user}@example.com`,
    role: 'administrator',
    merchantId: null,
  } as const;
  const session = { id: user, token: '', confirmedAt: null, secondFactor: true, device: null };
  const asked = { viewer, session, scope: null, params, body, now: now() };
  return { ...asked, query: new URLSearchParams(), checks: false, setCookie: [], zone: 'UTC' };
}

/** `POST /dashboard/<action>/<id>`. */
export const userRoutes = Object.entries(actions).map(
  ([name, act]): Route => ({
    method: 'POST',
    path: `/dashboard/${name}/:id`,
    async run(request, params) {
      try {
        return jsonResult(await act(contextOf(JSON.parse(await request.text()), params)));
      } catch (thrown) {
        if (!(thrown instanceof DashboardError)) throw thrown;
        return jsonResult({ error: { message: thrown.message } }, { status: thrown.status });
      }
    },
  }),
);
