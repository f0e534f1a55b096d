/** Routes of sessions, payouts, chargebacks, unresolved items, tokens, recurring payments and schedules. */

import { chargebackList } from '../disputes/chargebacks';
import type { DashboardRequest, GuardedRoute } from '../guard';
import { payoutList } from '../payouts/payouts';
import { chainList, chainPage } from '../recurring/chains';
import { changeEffect } from '../recurring/missed-charges';
import {
  changeAction,
  createAction,
  deleteAction,
  descheduleAction,
  pauseAction,
  runAction,
} from '../recurring/schedule-actions';
import {
  scheduleCharges,
  scheduleList,
  schedulePage,
  schedulePreview,
  scheduleSubscribers,
} from '../recurring/schedules';
import { sessionList, sessionPage } from '../sessions/sessions';
import { removeAction, tokenList, tokenPage } from '../tokens/tokens';
import { closeAction, unresolvedList } from '../unresolved/unresolved';

const one = (page: (id: string, request: DashboardRequest) => Promise<object | null>) => (context: DashboardRequest) =>
  page(context.params.id ?? '', context);

const read = (path: string, run: GuardedRoute['run']): GuardedRoute => ({
  method: 'GET',
  path,
  right: 'payments.read',
  run,
});

const change = (path: string, run: GuardedRoute['run']): GuardedRoute => ({
  method: 'POST',
  path,
  right: 'schedules.change',
  run,
});

export const listRoutes: GuardedRoute[] = [
  read('/sessions', sessionList),
  read('/sessions/:id', one(sessionPage)),
  read('/payouts', payoutList),
  read('/chargebacks', chargebackList),
  read('/unresolved', unresolvedList),
  { method: 'POST', path: '/unresolved/:id/close', right: 'unresolved.close', run: closeAction },
  read('/tokens', tokenList),
  read('/tokens/:id', one(tokenPage)),
  { method: 'POST', path: '/tokens/:id/remove', right: 'tokens.remove', run: removeAction },
  read('/chains', chainList),
  read('/chains/:id', one(chainPage)),
  read('/schedules', scheduleList),
  change('/schedules', createAction),
  read('/schedules/:id', one(schedulePage)),
  read('/schedules/:id/preview', one(schedulePreview)),
  read('/schedules/:id/effect', one(changeEffect)),
  read('/schedules/:id/subscriptions', one(scheduleSubscribers)),
  read('/schedules/:id/charges', one(scheduleCharges)),
  change('/schedules/:id/change', changeAction),
  change('/schedules/:id/pause', pauseAction),
  change('/schedules/:id/run', runAction),
  change('/schedules/:id/delete', deleteAction),
  change('/schedules/:id/deschedule', descheduleAction),
];
