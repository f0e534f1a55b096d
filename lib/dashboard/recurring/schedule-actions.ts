/** Actions on a schedule, with the functions of the S2S CARD schedule actions. */

import { audit, type Json } from '../../auth';
import { ApiError } from '../../core/errors';
import { newId } from '../../core/ids';
import { findSubscription } from '../../recurring';
import {
  createSchedule,
  deleteSchedule,
  deschedule,
  pauseSchedule,
  resumeSchedule,
  updateSchedule,
} from '../../schedules';
import { DashboardError } from '../errors';
import type { DashboardRequest } from '../guard';
import type { SchedulePage } from '../lists/contract';
import { readPlan } from './plan-input';
import { planFields } from './plan-labels';
import { type FoundSchedule, findListedSchedule } from './schedule-list';
import { schedulePage, scheduleSubject } from './schedules';

type ActionResult = Promise<SchedulePage | null>;

/** Pauses a schedule: no charges and no new subscriptions until it is resumed. */
export function pauseAction(request: DashboardRequest): ActionResult {
  return changeSchedule(request, async ({ schedule }, log) => {
    if (schedule.paused) throw new DashboardError(409, 'This schedule is paused already.');
    await log('schedule.pause', { paused: false }, { paused: true });
    await pauseSchedule(schedule.id);
  });
}

/** Resumes a paused schedule; charges due in the meantime are skipped. */
export function runAction(request: DashboardRequest): ActionResult {
  return changeSchedule(request, async ({ schedule }, log) => {
    if (!schedule.paused) throw new DashboardError(409, 'This schedule is running already.');
    await log('schedule.run', { paused: true }, { paused: false });
    await resumeSchedule(schedule);
  });
}

/** Deletes a schedule without active subscriptions. */
export function deleteAction(request: DashboardRequest): ActionResult {
  return changeSchedule(request, async ({ schedule, live }, log) => {
    await log('schedule.delete', { name: schedule.name }, null);
    try {
      await deleteSchedule(schedule.id, request.now);
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      await log('schedule.delete.refused', null, { detail: thrown.message });
      const many =
        live === 1 ? 'This schedule has 1 active subscription' : `This schedule has ${live} active subscriptions`;
      throw new DashboardError(409, `${many}. End them first, or pause the schedule.`);
    }
  });
}

/** Ends one subscription; the schedule stays. `subscription` is its id. */
export function descheduleAction(request: DashboardRequest): ActionResult {
  return changeSchedule(request, async ({ schedule, merchantId }, log) => {
    const id = (request.body as { subscription?: unknown } | null)?.subscription;
    const row = typeof id === 'string' ? await findSubscription(schedule.id, id) : null;
    if (!row) throw new DashboardError(400, 'This schedule does not have this subscription.');
    if (row.stoppedAt) throw new DashboardError(409, 'This subscription has ended already.');
    const { begun, subscription } = row;
    await log('schedule.deschedule', null, { detail: begun.orderNumber, subscription: subscription.id });
    await deschedule(merchantId, subscription.chainToken, schedule.id, request.now);
  });
}

/** Replaces the plan: subscriptions use the new one from their next charge, and past charges do not change. */
export function changeAction(request: DashboardRequest): ActionResult {
  return changeSchedule(request, async ({ schedule }, log) => {
    const plan = readPlan(request.body);
    await log('schedule.change', planFields(schedule), planFields({ ...schedule, ...plan }));
    await updateSchedule(schedule.id, () => plan);
  });
}

/** Creates a schedule for the user's own or selected merchant. */
export async function createAction(request: DashboardRequest): ActionResult {
  const { viewer, scope, body, now } = request;
  if (scope === null) throw new DashboardError(409, 'A schedule belongs to one merchant. Choose the merchant first.');
  const plan = readPlan(body);
  const id = newId();
  const entry = { actor: `user:${viewer.id}`, action: 'schedule.create', subject: scheduleSubject(id) };
  const after = planFields({ ...plan, id, paused: false });
  await audit({ ...entry, after, merchantId: scope }, now);
  await createSchedule(scope, { ...plan, id }, now);
  return schedulePage(id, request);
}

type Log = (action: string, before: Json, after: Json) => Promise<void>;

async function changeSchedule(
  request: DashboardRequest,
  act: (matches: FoundSchedule, log: Log) => Promise<void>,
): ActionResult {
  const { viewer, scope, now } = request;
  const id = request.params.id ?? '';
  const row = await findListedSchedule(id, scope);
  if (!row) return null;
  if (row.state === 'deleted') throw new DashboardError(409, 'This schedule was deleted.');
  const subject = scheduleSubject(row.schedule.id);
  const log: Log = (action, before, after) =>
    audit({ actor: `user:${viewer.id}`, action, subject, before, after, merchantId: row.merchantId }, now);
  await act(row, log);
  return schedulePage(id, request);
}
