/** Previews the charges after a change of a plan with the functions that make the change. Writes nothing. */
import { formatAmount } from '../core/money';
import type { Payment } from '../core/payment';
import { positionAfterPlanChange, type Schedule, type ScheduleInput } from '../schedules';
import { chargeAmountMinor } from './charge';
import { countActive, nextSubscriptions } from './subscription-list';

/** The next charge of an active subscription after the change of the plan; `at` is null if the change ends it. */
export type ChangedCharge = {
  begun: Payment;
  amount: string;
  currency: string;
  /** When it would be charged without the change. */
  before: Date;
  at: Date | null;
};

export type ChangePreview = {
  /** Active subscriptions, and how many of them end because they have already made all payments of the new plan. */
  live: number;
  ending: number;
  charges: ChangedCharge[];
};

/** Maximum number of listed subscriptions: those that are charged next. */
const shownMax = 10;

/** The effect of {@link updateSchedule} with the same input at `now`. */
export async function previewChange(schedule: Schedule, input: ScheduleInput, now: Date): Promise<ChangePreview> {
  const [counts, next] = await Promise.all([
    countActive(schedule.id, input.paymentsCount),
    nextSubscriptions(schedule.id, shownMax),
  ]);
  const updated = { ...schedule, ...input };
  const charges = next.map(({ subscription, begun, dueAt: before }) => {
    const position = positionAfterPlanChange(schedule, updated, { subscription, dueAt: before, at: now });
    const amount = formatAmount(chargeAmountMinor(subscription, begun), begun.currency);
    return { begun, amount, currency: begun.currency, before, at: position ? position.dueAt : before };
  });
  return { ...counts, charges };
}
