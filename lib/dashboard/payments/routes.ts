/** Routes of the payments' data. */
import { audit } from '../../auth';
import type { DashboardRequest, GuardedRoute } from '../guard';
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
async function exported({ viewer, scope, query, zone, now }: DashboardRequest): Promise<Response> {
  const filter = filterOf(readPaymentListQuery(query, zone), scope);
  const { merchantId } = filter;
  const after = { filter: query.toString(), time_zone: zone };
  const entry = { actor: `user:${viewer.id}`, action: 'payments.export', subject: 'payments', after, merchantId };
  await audit(entry, now);
  return exportPayments(filter, zone, now);
}

/** The rows of the route table. */
export const paymentRoutes: GuardedRoute[] = [
  {
    method: 'GET',
    path: '/payments/count',
    right: 'payments.read',
    run: ({ scope, query, zone }) => paymentCount(readPaymentListQuery(query, zone), scope),
  },
  { method: 'GET', path: '/payments/choices', right: 'payments.read', run: ({ scope }) => paymentChoices(scope) },
  { method: 'GET', path: '/payments/export', right: 'payments.export', run: exported },
  { method: 'GET', path: '/payments/views', right: 'payments.read', run: ({ viewer }) => viewsOf(viewer) },
  {
    method: 'POST',
    path: '/payments/views',
    right: 'own.change',
    run: ({ viewer, body, now }) => createView(viewer, body, now),
  },
  {
    method: 'POST',
    path: '/payments/views/:id',
    right: 'own.change',
    run: (request) => changeView(request.viewer, idOf(request), request.body),
  },
  {
    method: 'POST',
    path: '/payments/views/:id/delete',
    right: 'own.change',
    run: (request) => deleteView(request.viewer, idOf(request)),
  },
  {
    method: 'GET',
    path: '/payments/:id',
    right: 'payments.read',
    run: (request) => paymentPage(idOf(request), request.viewer, request.now),
  },
  {
    method: 'POST',
    path: '/payments/:id/capture',
    right: 'payments.capture',
    run: (request) => captureAction(actionOf(request)),
  },
  {
    method: 'POST',
    path: '/payments/:id/refund',
    right: 'payments.refund',
    run: (request) => refundAction(actionOf(request)),
  },
  {
    method: 'POST',
    path: '/payments/:id/void',
    right: 'payments.void',
    run: (request) => voidAction(actionOf(request)),
  },
  {
    method: 'POST',
    path: '/payments/:id/ask',
    right: 'payments.sync',
    run: (request) => syncWithProvider(idOf(request), request.viewer, request.now),
  },
  {
    method: 'POST',
    path: '/callbacks/:id/resend',
    right: 'callbacks.resend',
    run: (request) => resendAction(actionOf(request)),
  },
];
