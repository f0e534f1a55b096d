/** A payment's page: the payment with all related rows, read in parallel. */

import { findAuditRecords, may, merchantOf, type Viewer } from '../../auth/index.ts';
import { callbacksOf } from '../../callbacks/index.ts';
import { formatAmount } from '../../core/money.ts';
import { isAttempt, isNotFinal, type Payment, refundableMinor } from '../../core/payment.ts';
import { findMid, type Mid } from '../../merchants/index.ts';
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
} from '../../payments/index.ts';
import { checkoutStatus } from '../../protocols/index.ts';
import { scrubValue } from '../../telemetry/index.ts';
import type { PageContext } from '../guard.ts';
import { amountText, paidWithText } from '../labels.ts';
import { shownGroups } from '../lists/rows.ts';
import { offersOf } from './allowed-actions.ts';
import { factGroups, moneyLine, relatedGroup } from './facts.ts';
import { merchantOfPayment } from './queries.ts';
import { shortAddress, timelineOf } from './timeline.ts';

/** The subject of a payment's entries in the audit log. */
export const subjectOf = (paymentId: string): string => `payment:${paymentId}`;

/** The page of a payment as this user may see it; null if it does not exist for them. */
export async function paymentPage({ params, viewer, now }: Pick<PageContext, 'params' | 'viewer' | 'now'>) {
  const records = await readRecords(params.id ?? '', viewer);
  if (!records) return null;
  const { payment, transactions, callbacks, unresolved, session, merchant, around } = records;
  // A failover may have moved the attempt to another MID; further operations use that one.
  const latest = transactions.filter(isAttempt).at(-1) ?? null;
  const mid = latest ? (records.mids.get(latest.midId) ?? null) : null;
  const names = new Map([...records.mids].map(([midId, { name }]) => [midId, name]));
  const url = payment.notificationUrl ?? merchant.url;
  const mayResend = may(viewer.role, 'callbacks.resend');
  const offered = { payment, mid, isCancelling: latest !== null && isCancelling(latest) };
  const [offer = { actions: {}, notes: [] }] = await offersOf([offered], viewer.role, now);
  const facts = factGroups({ payment, latest, mid, merchantName: merchant.name, viewer });
  const resendable = mayResend && callbacks.findLast((each) => each.url !== null && each.state !== 'undelivered');
  return {
    ...headOf(payment),
    merchantName: merchant.name,
    ...offer,
    /** Open differences from the provider's report, one sentence each. */
    unresolved: unresolved.filter(({ closedAt }) => closedAt === null).map(unresolvedText),
    /** Where callbacks of this payment go; null without a callback URL. */
    callbackHost: url === null ? null : shortAddress(url),
    groups: shownGroups([...facts, relatedGroup(payment, session !== null, around)]),
    /** The MID whose provider can be asked for the status; null if not possible or not allowed. */
    asks: mid && may(viewer.role, 'payments.sync') ? mid.name : null,
    /** The latest callback that can be resent; null without one. */
    resend: resendable ? resendable.id : null,
    customData: payment.customData == null ? null : JSON.stringify(scrubValue(payment.customData), null, 2),
    events: timelineOf({ ...records, mids: names }, mayResend, now),
    /** An operation is in progress, so the page polls. */
    moving: transactions.some(isNotFinal) || callbacks.some(({ dueAt }) => mayChangeSoon(dueAt, now)),
  };
}

const readsMax = 3;

/** A payment with all related rows, of one version: an action is bound to the version that the page shows. */
async function readRecords(id: string, viewer: Viewer) {
  for (let reads = 1; ; reads += 1) {
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
    const session = matches?.session ?? null;
    const records = { payment, session, transactions, callbacks, done, merchant, requests, around, unresolved };
    const version = (await versionsOf([payment.id])).get(payment.id);
    if (version === payment.version || reads === readsMax) return { ...records, mids, messages };
  }
}

/** An open item as one line of the payment's page. */
function unresolvedText({ reason, amount, action }: Unresolved): string {
  const next = action === 'task' ? 'It needs a decision.' : `Florin tries to ${action} it.`;
  return `${reason}: ${amountText(amount.minor, amount.currency)} ${amount.currency}. ${next}`;
}

/** The payment's description and amounts; an action names the `version` that the user saw. */
function headOf(payment: Payment) {
  const { id, version, currency, state, reason, orderNumber, description, createdAt } = payment;
  return {
    ...{ id, version, currency, reason, orderNumber, description, createdAt },
    amount: amountText(payment.amountMinor, currency),
    status: checkoutStatus[state],
    /** The recipient of a refund, as `Visa •••• 4242 of Lena Hoffmann`. */
    paidWith: paidWithText(payment),
    sums: moneyLine(payment),
    /** The amounts that the dialogs compute with. */
    refunded: formatAmount(payment.refundedMinor, currency),
    refundable: formatAmount(refundableMinor(payment), currency),
  };
}

async function midsOf(named: { midId: string }[]): Promise<Map<string, Mid>> {
  const ids = [...new Set(named.map(({ midId }) => midId))];
  const matches = await Promise.all(ids.map(findMid));
  return new Map(matches.flatMap((mid) => (mid ? [[mid.id, mid]] : [])));
}

const soonMs = 60_000;

const mayChangeSoon = (dueAt: Date | null, now: Date) => dueAt !== null && dueAt.getTime() - now.getTime() < soonMs;
