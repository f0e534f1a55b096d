/** Routes of the payments' data. */
import { audit } from '../../auth';
import type { HttpResult } from '../../http';
import { type DashboardRequest, type GuardedRoute, route } from '../guard';
import { readPaymentListQuery } from '../lists/query';
import { captureAction, refundAction, resendAction, voidAction } from './actions';
import { paymentChoices } from './choices';
import { exportPayments } from './export';
import { paymentPage } from './payment';
import { filterOf, paymentCount } from './payments';
import { syncWithProvider } from './sync';
import { changeView, createView, deleteView, viewsOf } from './views';

const idOf = ({ params }: DashboardRequest): string => params.id ?? '';
const actionOf = (request: DashboardRequest) => ({
  viewer: request.viewer,
  id: idOf(request),
  body: request.body,
  now: request.now,
});

/** The export is logged before the first line is sent. */
async function exported({ viewer, scope, query, zone, now }: DashboardRequest): Promise<HttpResult> {
  const filter = filterOf(readPaymentListQuery(query, zone), scope);
  const { merchantId } = filter;
  const after = { filter: query.toString(), time_zone: zone };
  const entry = { actor: `user:${viewer.id}`, action: 'payments.export', subject: 'payments', after, merchantId };
  await audit(entry, now);
  return exportPayments(filter, zone, now);
}

/** The rows of the route table. */
export const paymentRoutes: GuardedRoute[] = [
  route('GET /payments/count', 'payments.read', ({ scope, query, zone }) =>
    paymentCount(readPaymentListQuery(query, zone), scope),
  ),
  route('GET /payments/choices', 'payments.read', ({ scope }) => paymentChoices(scope)),
  route('GET /payments/export', 'payments.export', exported),
  route('GET /payments/views', 'payments.read', ({ viewer }) => viewsOf(viewer)),
  route('POST /payments/views', 'own.change', ({ viewer, body, now }) => createView(viewer, body, now)),
  route('POST /payments/views/:id', 'own.change', (request) => changeView(request.viewer, idOf(request), request.body)),
  route('POST /payments/views/:id/delete', 'own.change', (request) => deleteView(request.viewer, idOf(request))),
  route('GET /payments/:id', 'payments.read', (request) => paymentPage(idOf(request), request.viewer, request.now)),
  route('POST /payments/:id/capture', 'payments.capture', (request) => captureAction(actionOf(request))),
  route('POST /payments/:id/refund', 'payments.refund', (request) => refundAction(actionOf(request))),
  route('POST /payments/:id/void', 'payments.void', (request) => voidAction(actionOf(request))),
  route('POST /payments/:id/ask', 'payments.sync', (request) =>
    syncWithProvider(idOf(request), request.viewer, request.now),
  ),
  route('POST /callbacks/:id/resend', 'callbacks.resend', (request) => resendAction(actionOf(request))),
];
