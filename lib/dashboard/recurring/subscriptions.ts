/** A subscription on the pages of its schedule and of its recurring agreement. */

import { formatAmount } from '../../core/money';
import { chargeAmountMinor, type ListedSubscription } from '../../recurring';
import type { SubscriptionRow } from '../lists/contract';
import { cardLabel, payerName } from '../lists/rows';

/** The row of a subscription. */
export function subscriptionRow({ subscription, begun, schedule, ...listed }: ListedSubscription): SubscriptionRow {
  return {
    id: subscription.id,
    scheduleId: schedule.id,
    scheduleName: schedule.name,
    chainId: listed.chainPaymentId,
    orderNumber: begun.orderNumber,
    card: cardLabel(begun.card),
    payer: payerName(begun),
    amount: formatAmount(chargeAmountMinor(subscription, begun), begun.currency),
    currency: begun.currency,
    done: subscription.done,
    of: schedule.paymentsCount,
    completed: `${subscription.done} of ${schedule.paymentsCount}`,
    retries: subscription.retries,
    braked: subscription.brakeReason,
    dueAt: listed.dueAt?.toISOString() ?? null,
    stoppedAt: listed.stoppedAt?.toISOString() ?? null,
    stopReason: listed.stopReason,
    createdAt: subscription.createdAt.toISOString(),
  };
}
