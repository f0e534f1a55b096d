/** Actions on a schedule, with the functions of the S2S CARD schedule actions. */

import type { Json } from '../../auth/index.ts';
import { ApiError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { findSubscription } from '../../recurring/index.ts';
import {
  createSchedule,
  deleteSchedule,
  deschedule,
  pauseSchedule,
  resumeSchedule,
  updateSchedule,
} from '../../schedules/index.ts';
import { logAction } from '../changes.ts';
import { DashboardError, refusal } from '../errors.ts';
import type { DashboardRequest } from '../guard.ts';
import { planFields, readPlan } from './plan.ts';
import { type FoundSchedule, findSchedule, schedulePage, scheduleSubject } from './schedules.ts';

const pausing = (paused: boolean, run: (schedule: FoundSchedule['schedule']) => Promise<unknown>) => {
  const [action, state] = paused ? ['schedule.pause', 'paused'] : ['schedule.run', 'running'];
  return (request: DashboardRequest) =>
    changeSchedule(request, async ({ schedule }, log) => {
      if (schedule.paused === paused) throw refusal(`This schedule is ${state} already.`);
      await log(action, { paused: !paused }, { paused });
      await run(schedule);
    });
};

/** Pauses a schedule: no charges and no new subscriptions until it is resumed. */
export const pauseAction = pausing(true, ({ id }) => pauseSchedule(id));

/** Resumes a paused schedule; charges due in the meantime are skipped. */
export const runAction = pausing(false, resumeSchedule);

/** Deletes a schedule without active subscriptions. */
export function deleteAction(request: DashboardRequest) {
  return changeSchedule(request, async ({ schedule, live }, log) => {
    await log('schedule.delete', { name: schedule.name }, null);
    try {
      await deleteSchedule(schedule.id, request.now);
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      await log('schedule.delete.refused', null, { detail: thrown.message });
      const many = live === 1 ? '1 active subscription' : `${live} active subscriptions`;
      throw refusal(`This schedule has ${many}. End them first, or pause the schedule.`);
    }
  });
}

/** Ends one subscription; the schedule stays. `subscription` is its id. */
export function descheduleAction(request: DashboardRequest) {
  return changeSchedule(request, async ({ schedule, merchantId }, log) => {
    const id = (request.body as { subscription?: unknown } | null)?.subscription;
    const row = typeof id === 'string' ? await findSubscription(schedule.id, id) : null;
    if (!row) throw new DashboardError(400, 'This schedule does not have this subscription.');
    if (row.stoppedAt) throw refusal('This subscription has ended already.');
    const { begun, subscription } = row;
    await log('schedule.deschedule', null, { detail: begun.orderNumber, subscription: subscription.id });
    await deschedule(merchantId, subscription.chainToken, schedule.id, request.now);
  });
}

/** Replaces the plan: subscriptions use the new one from their next charge, and past charges do not change. */
export function changeAction(request: DashboardRequest) {
  return changeSchedule(request, async ({ schedule }, log) => {
    const plan = readPlan(request.body);
    await log('schedule.change', planFields(schedule), planFields({ ...schedule, ...plan }));
    await updateSchedule(schedule.id, () => plan);
  });
}

/** Creates a schedule for the user's own or selected merchant. */
export async function createAction(request: DashboardRequest) {
  const { scope, body, now } = request;
  if (scope === null) throw refusal('A schedule belongs to one merchant. Choose the merchant first.');
  const plan = readPlan(body);
  const id = newId();
  const after = planFields({ ...plan, id, paused: false });
  await logAction(request, 'schedule.create', scheduleSubject(id), { after, merchantId: scope });
  await createSchedule(scope, { ...plan, id }, now);
  return schedulePage({ ...request, params: { id } });
}

type Log = (action: string, before: Json, after: Json) => Promise<void>;

async function changeSchedule(request: DashboardRequest, act: (found: FoundSchedule, log: Log) => Promise<void>) {
  const row = await findSchedule(request);
  if (row.state === 'deleted') throw refusal('This schedule was deleted.');
  const { schedule, merchantId } = row;
  await act(row, (action, before, after) =>
    logAction(request, action, scheduleSubject(schedule.id), { before, after, merchantId }),
  );
  return schedulePage(request);
}
