/** Routes of all lists, and of the pages and actions of sessions, unresolved items, tokens, recurring payments and schedules. */

import { type DashboardRequest, type GuardedRoute, route } from '../guard';
import { chainPage } from '../recurring/chains';
import { changeEffect } from '../recurring/missed-charges';
import {
  changeAction,
  createAction,
  deleteAction,
  descheduleAction,
  pauseAction,
  runAction,
} from '../recurring/schedule-actions';
import { scheduleCharges, schedulePage, schedulePreview, scheduleSubscribers } from '../recurring/schedules';
import { sessionPage } from '../sessions/sessions';
import { removeAction, tokenPage } from '../tokens/tokens';
import { closeAction } from '../unresolved/close';
import { lists } from './all';
import { listRoute } from './resource';

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
  ...Object.values(lists).map(listRoute),
  read('/sessions/:id', one(sessionPage)),
  route('POST /unresolved/:id/close', 'unresolved.close', closeAction),
  read('/tokens/:id', one(tokenPage)),
  route('POST /tokens/:id/remove', 'tokens.remove', removeAction),
  read('/chains/:id', one(chainPage)),
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
