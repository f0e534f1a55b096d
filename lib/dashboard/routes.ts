/** The dashboard's data, as rows of the table of routes: each with the right that it asks for. */

import { merchantOf } from '../auth/roles';
import type { Route } from '../route';
import { captureAction, refundAction, resendAction, voidAction } from './actions';
import { type Asked, type GuardedRoute, guarded } from './guard';
import { homePath } from './paths';
import { paymentPage } from './payment';
import { paymentList } from './payments';
import { readListQuery } from './query';
import { sessionRoutes } from './session';

const idOf = ({ viewer, params, body, now }: Asked) => ({ viewer, id: params.id ?? '', body, now });

const table: GuardedRoute[] = [
  {
    method: 'GET',
    path: '/payments',
    right: 'payments.read',
    run: ({ viewer, query, zone }) => paymentList(readListQuery(query, zone), merchantOf(viewer)),
  },
  {
    method: 'GET',
    path: '/payments/:id',
    right: 'payments.read',
    run: ({ viewer, params, now }) => paymentPage(params.id ?? '', viewer, now),
  },
  {
    method: 'POST',
    path: '/payments/:id/capture',
    right: 'payments.capture',
    run: (asked) => captureAction(idOf(asked)),
  },
  {
    method: 'POST',
    path: '/payments/:id/refund',
    right: 'payments.refund',
    run: (asked) => refundAction(idOf(asked)),
  },
  {
    method: 'POST',
    path: '/payments/:id/void',
    right: 'payments.void',
    run: (asked) => voidAction(idOf(asked)),
  },
  {
    method: 'POST',
    path: '/callbacks/:id/resend',
    right: 'callbacks.resend',
    run: (asked) => resendAction(idOf(asked)),
  },
];

/** Every row of the dashboard. */
export const dashboardRoutes: Route[] = [
  ...sessionRoutes,
  ...table.map((row) => guarded({ ...row, path: `${homePath}/api${row.path}` })),
];
