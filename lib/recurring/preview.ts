/** What a change of a plan will charge, told before it is made by the functions that make it. Nothing is written. */
import { formatAmount } from '../core/money';
import type { Payment } from '../core/payment';
import { positionAfterPlanChange, type Schedule, type ScheduleInput } from '../schedules';
import { chargeAmountMinor } from './charge';
import { countActive, nextSubscriptions } from './subscription-list';

/** The next charge of a live subscription once the plan has changed; `at` is null where it ends with the change. */
export type ChangedCharge = {
  begun: Payment;
  amount: string;
  currency: string;
  /** When it would be charged without the change. */
  before: Date;
  at: Date | null;
};

export type ChangePreview = {
  /** Live subscriptions, and how many of them end because all the payments of the new plan are made. */
  live: number;
  ending: number;
  charges: ChangedCharge[];
};

/** So many subscriptions are shown: those that are charged next. */
const shownMax = 10;

/** What {@link updateSchedule} would do with the same input at `now`. */
export async function previewChange(schedule: Schedule, input: ScheduleInput, now: Date): Promise<ChangePreview> {
  const [counts, next] = await Promise.all([
    countActive(schedule.id, input.paymentsCount),
    nextSubscriptions(schedule.id, shownMax),
  ]);
  const updated = { ...schedule, ...input };
  const charges = next.map(({ subscription, begun, dueAt: before }) => {
    const place = positionAfterPlanChange(schedule, updated, { subscription, dueAt: before, at: now });
    const amount = formatAmount(chargeAmountMinor(subscription, begun), begun.currency);
    return { begun, amount, currency: begun.currency, before, at: place ? place.dueAt : before };
  });
  return { ...counts, charges };
}
