// Schemas of the schedule actions of S2S CARD (interface.md, Schedule; protocol.md 5) and the rules between the fields
// of a plan. An update is checked together with the fields that it does not change.
import { z } from 'zod';
import { errors, type FieldError, fieldErrorTexts } from '../../core/errors.ts';
import type { FieldRule } from '../../core/openapi.ts';
import { firstPaymentDelays, intervalUnits, type SchedulePlan } from '../../core/recurrence.ts';
import type { FormFields } from '../../http/index.ts';
import { choice, flag, ignoringBlanks, text, uuid, withRules } from '../shared/fields.ts';
import { envelopeFields, toFieldErrors } from '../shared/s2s-requests.ts';

/** The plan fields of a request. */
export type PlanFields = Partial<SchedulePlan> & { name?: string };

// The limits ensure that the last date of a plan is a valid date.
const integerMax = 9999;
const spanYearsMax = 1000;

/** A whole number over 0. */
function positiveInteger(most: number) {
  return text(1, 255)
    .refine((value) => !/^(0+|-[0-9]+)$/.test(value), fieldErrorTexts.positive)
    .refine((value) => /^0*[1-9][0-9]{0,8}$/.test(value) && Number(value) <= most, fieldErrorTexts.notValid)
    .meta({ pattern: '^0*[1-9][0-9]{0,8}$', description: `A whole number from 1 to ${most}.` })
    .transform(Number);
}

const planShape = {
  name: text(1, 100),
  interval_length: positiveInteger(integerMax),
  interval_unit: choice(intervalUnits),
  payments_count: positiveInteger(integerMax),
  day_of_month: positiveInteger(31).optional(),
  delayed_first_payment: choice(firstPaymentDelays).optional(),
  first_payment_interval_length: positiveInteger(integerMax).optional(),
  first_payment_interval_unit: choice(intervalUnits).optional(),
  first_payment_day_of_week: positiveInteger(7).optional(),
  first_payment_day_of_month: positiveInteger(31).optional(),
};

const camelCase = (wire: string) => wire.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The wire names with their plan names, which differ in case only. */
const planNames = Object.keys(planShape).map((wire) => [wire, camelCase(wire) as keyof PlanFields] as const);

function planOf(body: { readonly [name: string]: unknown }): PlanFields {
  const sent = planNames.filter(([wire]) => body[wire] !== undefined);
  return Object.fromEntries(sent.map(([wire, name]) => [name, body[wire]]));
}

/** The fields of a plan on the wire, in the order of the contract. */
export function planFields(plan: PlanFields): FormFields {
  return Object.fromEntries(planNames.map(([wire, name]) => [wire, plan[name]]));
}

/**
 * The errors between the fields of a plan: a day of the month with another unit, a delay without its fields, a span of more
 * than a thousand years. An update is checked merged with its schedule.
 */
export function planErrors(plan: PlanFields): FieldError[] {
  const fieldErrors: FieldError[] = [];
  const requireField = (wire: keyof typeof planShape) => {
    if (planFields(plan)[wire] == null) fieldErrors.push({ path: wire, text: fieldErrorTexts.blank });
  };
  if (plan.dayOfMonth && plan.intervalUnit === 'day')
    fieldErrors.push({ path: 'day_of_month', text: fieldErrorTexts.notValid });
  if (plan.delayedFirstPayment === 'delay_by_interval') {
    requireField('first_payment_interval_length');
    requireField('first_payment_interval_unit');
  }
  if (plan.delayedFirstPayment === 'day_of_week') requireField('first_payment_day_of_week');
  if (plan.delayedFirstPayment === 'day_of_month') requireField('first_payment_day_of_month');
  return [...fieldErrors, ...toFieldErrors('payments_count', isTooLong(plan) ? fieldErrorTexts.notValid : null)];
}

/** The rules of {@link planErrors} as text; for an update they apply to the merged schedule. */
const planRules: readonly FieldRule[] = [
  { fields: ['day_of_month'], text: 'Only if interval_unit is month.' },
  {
    fields: ['first_payment_interval_length', 'first_payment_interval_unit'],
    text: 'Required if delayed_first_payment is delay_by_interval.',
  },
  { fields: ['first_payment_day_of_week'], text: 'Required if delayed_first_payment is day_of_week.' },
  { fields: ['first_payment_day_of_month'], text: 'Required if delayed_first_payment is day_of_month.' },
  { fields: ['payments_count'], text: `The whole schedule spans at most ${spanYearsMax} years.` },
  { fields: ['delays'], text: 'Deprecated: a request that contains it is refused before any other check.' },
];

// A malformed number has a field error of its own.
function isTooLong({ intervalLength, intervalUnit, paymentsCount }: PlanFields): boolean {
  if (typeof intervalLength !== 'number' || typeof paymentsCount !== 'number') return false;
  return (intervalLength * paymentsCount) / (intervalUnit === 'day' ? 365 : 12) > spanYearsMax;
}

/** Merges an update into a plan. A change to days removes the day of the month. */
export function changedPlan<Plan extends SchedulePlan>(plan: Plan, changes: PlanFields): Plan {
  const cleared = changes.intervalUnit === 'day' ? { dayOfMonth: null } : {};
  return { ...plan, ...cleared, ...changes };
}

// `delays` is reported first and alone: a client that still sends it has to change more than one field.
const withoutDelays = z.unknown().superRefine((body, context) => {
  if (typeof body !== 'object' || body === null || !('delays' in body)) return;
  context.addIssue({ code: 'custom', path: ['delays'], message: errors.parameterDeprecated.message });
});

/** CREATE_SCHEDULE. `schedule_id` is an optional id chosen by the merchant. */
export const createScheduleSchema = withoutDelays
  .pipe(
    ignoringBlanks(
      withRules(
        z.object({ ...envelopeFields, ...planShape, schedule_id: uuid.optional() }),
        (body) => planErrors(planOf(body)),
        planRules,
      ),
    ),
  )
  .transform((body) => ({ ...body, plan: planOf(body) as SchedulePlan & { name: string } }));

/** A complete plan from a form: omitted fields become null in the schedule. */
export const planSchema = ignoringBlanks(
  withRules(z.object(planShape), (body) => planErrors(planOf(body)), planRules),
).transform((body) => ({ ...absent, ...(planOf(body) as SchedulePlan & { name: string }) }));

const absent = {
  dayOfMonth: null,
  delayedFirstPayment: null,
  firstPaymentIntervalLength: null,
  firstPaymentIntervalUnit: null,
  firstPaymentDayOfWeek: null,
  firstPaymentDayOfMonth: null,
};

/** UPDATE_SCHEDULE: `changes` contains the sent fields. The caller merges them and runs {@link planErrors}. */
export const updateScheduleSchema = withoutDelays
  .pipe(
    ignoringBlanks(
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
export const scheduleSchema = ignoringBlanks(z.object({ ...envelopeFields, schedule_id: uuid }));

/** DESCHEDULE: removes one subscription from the schedule. */
export const descheduleSchema = ignoringBlanks(
  z.object({ ...envelopeFields, schedule_id: uuid, recurring_token: text(1, 255) }),
);

export type CreateScheduleRequest = z.output<typeof createScheduleSchema>;
export type UpdateScheduleRequest = z.output<typeof updateScheduleSchema>;
