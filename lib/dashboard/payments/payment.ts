/** A payment's page: the payment with all related rows, read in parallel. */

import { findAuditRecords, may, merchantOf, type Viewer } from '../../auth';
import { callbacksOf } from '../../callbacks';
import { formatAmount } from '../../core/money';
import { isAttempt, isNotFinal, type Payment, refundableMinor } from '../../core/payment';
import { findMid, type Mid } from '../../merchants';
import {
  findPayment,
  findRelatedRecords,
  findSession,
  isCancelling,
  messagesOf,
  requestsOf,
  transactionsOf,
  type Unresolved,
  unresolvedOf,
  versionsOf,
} from '../../payments';
import { checkoutStatus } from '../../protocols';
import { scrubValue } from '../../telemetry';
import type { PaymentPage } from '../contract';
import { amountText, paidWithText } from '../labels';
import { offersOf } from './allowed-actions';
import { shortAddress } from './callback-events';
import { factGroups, relatedGroup } from './facts';
import { moneyLine } from './money-line';
import { merchantOfPayment } from './queries';
import { timelineOf } from './timeline';

/** The subject of a payment's entries in the audit log. */
export const subjectOf = (paymentId: string): string => `payment:${paymentId}`;

/**
 * The page of a payment as this user may see it; null if it does not exist for them. A payment that changes between the
 * reads is read again: an action is bound to the version that the page shows.
 */
export async function paymentPage(id: string, viewer: Viewer, now: Date, rounds = 3): Promise<PaymentPage | null> {
  const payment = await findPayment(id, merchantOf(viewer) ?? undefined);
  if (!payment) return null;
  const [matches, transactions, callbacks, done, merchant, requests, around, unresolved] = await Promise.all([
    findSession(payment.id),
    transactionsOf(payment.id),
    callbacksOf(payment.id),
    findAuditRecords([subjectOf(payment.id)]),
    merchantOfPayment(payment),
    requestsOf(payment.id),
    findRelatedRecords(payment),
    unresolvedOf(payment.id),
  ]);
  const [mids, messages] = await Promise.all([
    midsOf([...transactions, ...payment.routingLog]),
    messagesOf(transactions.map((transaction) => transaction.id)),
  ]);
  const version = (await versionsOf([payment.id])).get(payment.id);
  if (version !== payment.version && rounds > 1) return paymentPage(id, viewer, now, rounds - 1);
  // A failover may have moved the attempt to another MID; further operations use that one.
  const latest = transactions.filter(isAttempt).at(-1) ?? null;
  const mid = latest ? (mids.get(latest.midId) ?? null) : null;
  const names = new Map([...mids].map(([midId, { name }]) => [midId, name]));
  const session = matches?.session ?? null;
  const history = { payment, session, transactions, callbacks, done, requests, messages, unresolved, mids: names };
  const url = payment.notificationUrl ?? merchant.defaultNotificationUrl;
  const mayResend = may(viewer.role, 'callbacks.resend');
  const offered = { payment, mid, isCancelling: latest !== null && isCancelling(latest) };
  const [offer = { actions: {}, notes: [] }] = await offersOf([offered], viewer.role, now);
  const facts = { payment, latest, mid, merchantName: merchant.name, viewer };
  return {
    ...headOf(payment),
    merchantName: merchant.name,
    ...offer,
    unresolved: unresolved.filter(({ closedAt }) => closedAt === null).map(unresolvedText),
    callbackHost: url === null ? null : shortAddress(url),
    groups: [...factGroups(facts), relatedGroup(payment, session !== null, around)].filter(
      (group) => group.facts.length > 0,
    ),
    asks: mid && may(viewer.role, 'payments.sync') ? mid.name : null,
    resend: mayResend
      ? (callbacks.findLast((each) => each.url !== null && each.state !== 'undelivered')?.id ?? null)
      : null,
    customData: payment.customData == null ? null : JSON.stringify(scrubValue(payment.customData), null, 2),
    events: timelineOf(history, mayResend, now),
    moving: transactions.some(isNotFinal) || callbacks.some(({ dueAt }) => mayChangeSoon(dueAt, now)),
  };
}

/** An open item as one line of the payment's page. */
function unresolvedText({ reason, amount, action }: Unresolved): string {
  const next = action === 'task' ? 'It needs a decision.' : `Florin tries to ${action} it.`;
  return `${reason}: ${amountText(amount.minor, amount.currency)} ${amount.currency}. ${next}`;
}

/** The payment's description and amounts. */
function headOf(payment: Payment) {
  const { currency } = payment;
  return {
    id: payment.id,
    version: payment.version,
    amount: amountText(payment.amountMinor, currency),
    currency,
    status: checkoutStatus[payment.state],
    reason: payment.reason,
    orderNumber: payment.orderNumber,
    description: payment.description,
    createdAt: payment.createdAt.toISOString(),
    paidWith: paidWithText(payment),
    sums: moneyLine(payment),
    refunded: formatAmount(payment.refundedMinor, currency),
    refundable: formatAmount(refundableMinor(payment), currency),
  };
}

async function midsOf(named: { midId: string }[]): Promise<Map<string, Mid>> {
  const ids = [...new Set(named.map(({ midId }) => midId))];
  const matches = await Promise.all(ids.map(findMid));
  return new Map(matches.flatMap((mid) => (mid ? [[mid.id, mid]] : [])));
}

const soonSeconds = 60;

function mayChangeSoon(dueAt: Date | null, now: Date): boolean {
  return dueAt !== null && dueAt.getTime() - now.getTime() < soonSeconds * 1000;
}
