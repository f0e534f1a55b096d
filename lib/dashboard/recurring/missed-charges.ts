/** The missed charges of a schedule that are still to be made, and the effect of a change of its plan. */

import { nextSubscriptions, previewChange } from '../../recurring';
import { decideSlot } from '../../schedules';
import type { DashboardRequest } from '../guard';
import type { ChangeEffect, MissedCharges } from '../lists/contract';
import { payerName } from '../lists/rows';
import { readPlan } from './plan-input';
import { chargeRulesOf, type FoundSchedule, findListedSchedule } from './schedule-list';

/** The maximum number of subscriptions that are checked. */
const subscriptionsMax = 500;

/** Counts the missed slots of a running schedule with the function that charges them; null for none. */
export async function findMissedCharges(
  { schedule, state, merchantId }: FoundSchedule,
  now: Date,
): Promise<MissedCharges | null> {
  if (state !== 'running') return null;
  const missed: MissedCharges = { slots: 0, charged: 0, subscriptions: 0, from: null };
  for (const { subscription, begun } of await nextSubscriptions(schedule.id, subscriptionsMax, now)) {
    if (subscription.begunSlot === subscription.done) continue;
    const { missedSlots } = await chargeRulesOf(merchantId, begun.protocol);
    const decision = decideSlot(schedule, subscription, missedSlots, now);
    if (decision.missed.length === 0) continue;
    missed.slots += decision.missed.length;
    missed.subscriptions += 1;
    const charged = { all: decision.missed.length, one: decision.what === 'charge' ? 1 : 0, none: 0 };
    missed.charged += charged[missedSlots];
    const from = decision.what === 'charge' ? now : decision.at;
    if (missedSlots === 'all' && (missed.from === null || from.toISOString() < missed.from)) {
      missed.from = from.toISOString();
    }
  }
  return missed.slots > 0 ? missed : null;
}

/** The charges after a change to the plan in the query. Null if the schedule does not exist for this user. */
export async function changeEffect(id: string, { scope, query, now }: DashboardRequest): Promise<ChangeEffect | null> {
  const row = await findListedSchedule(id, scope);
  if (!row) return null;
  const { live, ending, charges } = await previewChange(row.schedule, readPlan(Object.fromEntries(query)), now);
  return {
    live,
    ending,
    charges: charges.map(({ begun, amount, currency, before, at }) => ({
      id: begun.id,
      orderNumber: begun.orderNumber,
      payer: payerName(begun),
      amount,
      currency,
      before: before.toISOString(),
      at: at?.toISOString() ?? null,
    })),
  };
}
