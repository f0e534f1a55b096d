// What the schedule actions of S2S CARD may hold (interface.md, Schedule; protocol.md 5): shapes, and the rules that a
// plan has to obey as a whole, which an update must obey together with what it leaves as it was.
import { z } from 'zod';
import { errors, type FieldError, fieldErrorTexts } from '../../core/errors';
import type { FieldRule } from '../../core/openapi';
import { firstPaymentDelays, intervalUnits, type SchedulePlan } from '../../core/recurrence';
import { choice, flag, text, uuid, withoutBlanks, withRules } from '../shared/fields';
import { envelopeFields, toFieldErrors } from './fields';

/** A plan as far as a request gives one. */
export type PlanFields = Partial<SchedulePlan> & { name?: string };

// More than anybody needs, and few enough that the last date of a plan is a date.
const wholeMax = 9999;
const spanYearsMax = 1000;

/** A whole number over 0. */
function whole(most: number) {
  return text(1, 255)
    .refine((value) => !/^(0+|-[0-9]+)$/.test(value), fieldErrorTexts.positive)
    .refine((value) => /^0*[1-9][0-9]{0,8}$/.test(value) && Number(value) <= most, fieldErrorTexts.notValid)
    .meta({ pattern: '^0*[1-9][0-9]{0,8}$', description: `A whole number from 1 to ${most}.` })
    .transform(Number);
}

const planShape = {
  name: text(1, 100),
  interval_length: whole(wholeMax),
  interval_unit: choice(intervalUnits),
  payments_count: whole(wholeMax),
  day_of_month: whole(31).optional(),
  delayed_first_payment: choice(firstPaymentDelays).optional(),
  first_payment_interval_length: whole(wholeMax).optional(),
  first_payment_interval_unit: choice(intervalUnits).optional(),
  first_payment_day_of_week: whole(7).optional(),
  first_payment_day_of_month: whole(31).optional(),
};

// The names of the wire and of the plan, the only place where they meet.
const names = {
  name: 'name',
  interval_length: 'intervalLength',
  interval_unit: 'intervalUnit',
  payments_count: 'paymentsCount',
  day_of_month: 'dayOfMonth',
  delayed_first_payment: 'delayedFirstPayment',
  first_payment_interval_length: 'firstPaymentIntervalLength',
  first_payment_interval_unit: 'firstPaymentIntervalUnit',
  first_payment_day_of_week: 'firstPaymentDayOfWeek',
  first_payment_day_of_month: 'firstPaymentDayOfMonth',
} as const satisfies { [wire in keyof typeof planShape]: keyof PlanFields };

function planOf(body: { readonly [name: string]: unknown }): PlanFields {
  const found = Object.entries(names).filter(([wire]) => body[wire] !== undefined);
  return Object.fromEntries(found.map(([wire, name]) => [name, body[wire]]));
}

/**
 * What is wrong with a plan as a whole: a day of the month without months, a delay without its fields, dates beyond a
 * thousand years. An update is checked with the schedule that it changes.
 */
export function planErrors(plan: PlanFields): FieldError[] {
  const faults: FieldError[] = [];
  const need = (wire: keyof typeof names) => {
    const value = plan[names[wire]];
    if (value === undefined || value === null) faults.push({ path: wire, text: fieldErrorTexts.blank });
  };
  if (plan.dayOfMonth && plan.intervalUnit === 'day')
    faults.push({ path: 'day_of_month', text: fieldErrorTexts.notValid });
  if (plan.delayedFirstPayment === 'delay_by_interval') {
    need('first_payment_interval_length');
    need('first_payment_interval_unit');
  }
  if (plan.delayedFirstPayment === 'day_of_week') need('first_payment_day_of_week');
  if (plan.delayedFirstPayment === 'day_of_month') need('first_payment_day_of_month');
  return [...faults, ...toFieldErrors('payments_count', isTooLong(plan) ? fieldErrorTexts.notValid : null)];
}

/** What {@link planErrors} checks, in words; of an update, with the schedule as it will be. */
const planRules: readonly FieldRule[] = [
  { fields: ['day_of_month'], text: 'Only where interval_unit is month.' },
  {
    fields: ['first_payment_interval_length', 'first_payment_interval_unit'],
    text: 'Required where delayed_first_payment is delay_by_interval.',
  },
  { fields: ['first_payment_day_of_week'], text: 'Required where delayed_first_payment is day_of_week.' },
  { fields: ['first_payment_day_of_month'], text: 'Required where delayed_first_payment is day_of_month.' },
  { fields: ['payments_count'], text: `The whole schedule spans at most ${spanYearsMax} years.` },
  { fields: ['delays'], text: 'Retired: a request that has it is refused, and nothing else of it is looked at.' },
];

// A number that is at fault itself has no length to speak of.
function isTooLong({ intervalLength, intervalUnit, paymentsCount }: PlanFields): boolean {
  if (typeof intervalLength !== 'number' || typeof paymentsCount !== 'number') return false;
  return (intervalLength * paymentsCount) / (intervalUnit === 'day' ? 365 : 12) > spanYearsMax;
}

/** A plan with an update's changes. A day of the month goes with the months: who turns to days does not have to know. */
export function changedPlan<Plan extends SchedulePlan>(plan: Plan, changes: PlanFields): Plan {
  const leftover = changes.intervalUnit === 'day' ? { dayOfMonth: null } : {};
  return { ...plan, ...leftover, ...changes };
}

// `delays` is answered alone and first: a client that still sends it has to change more than one field.
const withoutDelays = z.unknown().superRefine((body, context) => {
  if (typeof body !== 'object' || body === null || !('delays' in body)) return;
  context.addIssue({ code: 'custom', path: ['delays'], message: errors.parameterDeprecated.message });
});

/** CREATE_SCHEDULE. The plan is checked as a whole; `schedule_id` is the merchant's own choice of an id. */
export const createScheduleSchema = withoutDelays
  .pipe(
    z.preprocess(
      (body) => withoutBlanks(body, []),
      withRules(
        z.object({ ...envelopeFields, ...planShape, schedule_id: uuid.optional() }),
        (body) => planErrors(planOf(body)),
        planRules,
      ),
    ),
  )
  .transform((body) => ({ ...body, plan: planOf(body) as SchedulePlan & { name: string } }));

/** A whole plan by itself, as a form gives it: what it leaves out is absent from the schedule too. */
export const planSchema = z
  .preprocess(
    (body) => withoutBlanks(body, []),
    withRules(z.object(planShape), (body) => planErrors(planOf(body)), planRules),
  )
  .transform((body) => ({ ...absent, ...(planOf(body) as SchedulePlan & { name: string }) }));

const absent = {
  dayOfMonth: null,
  delayedFirstPayment: null,
  firstPaymentIntervalLength: null,
  firstPaymentIntervalUnit: null,
  firstPaymentDayOfWeek: null,
  firstPaymentDayOfMonth: null,
};

/** UPDATE_SCHEDULE: `changes` holds what was sent. Merge it and ask {@link planErrors} about the whole. */
export const updateScheduleSchema = withoutDelays
  .pipe(
    z.preprocess(
      (body) => withoutBlanks(body, []),
      z
        .object({
          ...envelopeFields,
          ...z.object(planShape).partial().shape,
          schedule_id: uuid,
          preview: flag.optional(),
        })
        .meta({ 'x-rules': planRules }),
    ),
  )
  .transform((body) => ({ ...body, changes: planOf(body) }));

/** PAUSE_SCHEDULE, RUN_SCHEDULE, DELETE_SCHEDULE, SCHEDULE_INFO. */
export const scheduleSchema = z.preprocess(
  (body) => withoutBlanks(body, []),
  z.object({ ...envelopeFields, schedule_id: uuid }),
);

/** DESCHEDULE: one chain leaves the schedule. */
export const descheduleSchema = z.preprocess(
  (body) => withoutBlanks(body, []),
  z.object({ ...envelopeFields, schedule_id: uuid, recurring_token: text(1, 255) }),
);

export type CreateScheduleRequest = z.output<typeof createScheduleSchema>;
export type UpdateScheduleRequest = z.output<typeof updateScheduleSchema>;
