// The schedule actions of S2S CARD (interface.md, Schedule; protocol.md 5). The format of a schedule id is checked
// before its existence. CREATE is signed by formula 3, all others by formula 4.
import { wireDate } from '../../core/dates.ts';
import { fieldErrorTexts, throwApiError, throwFieldErrors } from '../../core/errors.ts';
import type { SchedulePlan } from '../../core/recurrence.ts';
import { type ChangePreview, previewChange } from '../../recurring/index.ts';
import * as schedules from '../../schedules/index.ts';
import { type Action, action, type KnownCaller } from '../pipeline/handle.ts';
import { definedFields } from '../shared/wire-fields.ts';
import * as fields from './schedule-fields.ts';

type ScheduleRequest = { schedule_id: string; hash: string };

const ofSchedule = {
  subject: ({ merchant }: KnownCaller, { schedule_id: id }: ScheduleRequest) => schedules.findSchedule(merchant.id, id),
  signature: ({ schedule_id: scheduleId, hash }: ScheduleRequest) =>
    ({ recipe: 'card4', values: { scheduleId }, hash }) as const,
  missing: 'scheduleNotFound',
} as const;

const scheduleResponse = (name: string, scheduleId: string) => ({
  action: name,
  result: 'SUCCESS',
  schedule_id: scheduleId,
});

const createAction = action<fields.CreateScheduleRequest>({
  schema: fields.createScheduleSchema,
  signature: ({ hash }) => ({ recipe: 'card3', values: {}, hash }),
  run: async ({ caller, input, now }) => {
    const made = await schedules.createSchedule(caller.merchant.id, { ...input.plan, id: input.schedule_id }, now);
    if (!made) return throwFieldErrors([{ path: 'schedule_id', text: fieldErrorTexts.notValid }]);
    return scheduleResponse('CREATE_SCHEDULE', made.id);
  },
});

/** The response to `preview=Y`: the charges that the change would cause next, with all values as text. */
function previewOf({ id }: schedules.Schedule, { live, ending, charges }: ChangePreview) {
  return {
    ...scheduleResponse('UPDATE_SCHEDULE', id),
    preview: 'Y',
    live_subscriptions: String(live),
    ending_subscriptions: String(ending),
    next_charges: charges.map(({ begun, before, at, amount, currency }) => ({
      order_id: begun.orderNumber,
      ...(at && { date: wireDate(at) }),
      date_before: wireDate(before),
      amount,
      currency,
    })),
  };
}

/** Changes the sent fields only; with `preview=Y` nothing changes. */
const updateAction = action<fields.UpdateScheduleRequest, schedules.Schedule>({
  ...ofSchedule,
  schema: fields.updateScheduleSchema,
  run: async ({ input, subject, now }) => {
    const merge = (schedule: schedules.Schedule): SchedulePlan & { name: string } => {
      const plan = fields.changedPlan(schedule, input.changes);
      const fieldErrors = fields.planErrors(plan);
      return fieldErrors.length > 0 ? throwFieldErrors(fieldErrors) : plan;
    };
    if (input.preview) return previewOf(subject, await previewChange(subject, merge(subject), now));
    await schedules.updateSchedule(subject.id, merge);
    return scheduleResponse('UPDATE_SCHEDULE', subject.id);
  },
});

type Change = (schedule: schedules.Schedule, now: Date) => Promise<void>;

function scheduleChange(name: string, change: Change): Action {
  return action<ScheduleRequest, schedules.Schedule>({
    ...ofSchedule,
    schema: fields.scheduleSchema,
    run: async ({ subject, now }) => {
      await change(subject, now);
      return scheduleResponse(name, subject.id);
    },
  });
}

/** The actions by name. */
export const scheduleActions = {
  CREATE_SCHEDULE: createAction,
  UPDATE_SCHEDULE: updateAction,
  DELETE_SCHEDULE: scheduleChange('DELETE_SCHEDULE', ({ id }, now) => schedules.deleteSchedule(id, now)),
  PAUSE_SCHEDULE: scheduleChange('PAUSE_SCHEDULE', ({ id }) => schedules.pauseSchedule(id)),
  RUN_SCHEDULE: scheduleChange('RUN_SCHEDULE', schedules.resumeSchedule),
  // `delays` is always null.
  SCHEDULE_INFO: action<ScheduleRequest, schedules.Schedule>({
    ...ofSchedule,
    schema: fields.scheduleSchema,
    run: async ({ subject }) => ({
      ...scheduleResponse('SCHEDULE_INFO', subject.id),
      ...definedFields(fields.planFields(subject)),
      delays: null,
      paused: subject.paused ? 'Y' : 'N',
    }),
  }),
  // Ends one subscription; the schedule stays.
  DESCHEDULE: action<ScheduleRequest & { recurring_token: string }, schedules.Schedule>({
    ...ofSchedule,
    schema: fields.descheduleSchema,
    run: async ({ caller, input, subject, now }) => {
      const ended = await schedules.deschedule(caller.merchant.id, input.recurring_token, subject.id, now);
      if (!ended) throwApiError('incorrectTransaction');
      return { ...scheduleResponse('DESCHEDULE', subject.id), recurring_token: input.recurring_token };
    },
  }),
} as const;
