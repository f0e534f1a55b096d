/** A payment's page: the payment with all related rows, read in parallel, its money line, facts and links. */

import { findAuditRecords, may, merchantOf, type Viewer } from '../../auth/index.ts';
import { callbacksOf } from '../../callbacks/index.ts';
import { brandById } from '../../core/cards.ts';
import { formatAmount } from '../../core/money.ts';
import { isAttempt, isNotFinal, type Payment, refundableMinor, type Transaction } from '../../core/payment.ts';
import { pick } from '../../core/pick.ts';
import type { State } from '../../core/states.ts';
import { findMid, type Mid } from '../../merchants/index.ts';
import { messagesOf } from '../../outbox/index.ts';
import {
  agreementsOf,
  findPayment,
  findRelatedRecords,
  findSession,
  historyMax,
  isCancelling,
  latestTransactionsOf,
  type RelatedRecords,
  reasonText,
  relatedMax,
  requestsOf,
  type Unresolved,
  unresolvedOf,
  versionsOf,
} from '../../payments/index.ts';
import { cardExpiry, checkoutStatus, fullName } from '../../protocols/index.ts';
import { scrubValue } from '../../telemetry/index.ts';
import { existing } from '../errors.ts';
import type { PageContext } from '../guard.ts';
import { amountText, paidWithText, protocolNames } from '../labels.ts';
import { factGroups, type NamedFact, visibleToken } from '../lists/rows.ts';
import { offersOf } from './allowed-actions.ts';
import { merchantOfPayment } from './queries.ts';
import { shortAddress, timelineOf } from './timeline.ts';

/** The subject of a payment's entries in the audit log. */
export const subjectOf = (paymentId: string): string => `payment:${paymentId}`;

/** The page of a payment as this user may see it. */
export async function paymentPage({ params, viewer, now }: PageContext) {
  const records = await readRecords(params.id ?? '', viewer);
  const { payment, transactions, callbacks, unresolved, session, merchant, around, latest, mid } = records;
  const url = payment.notificationUrl ?? merchant.url;
  const mayResend = may(viewer.role, 'callbacks.resend');
  const offered = { payment, mid, isCancelling: latest !== null && isCancelling(latest) };
  const [offer = { actions: {}, notes: [] }] = await offersOf([offered], viewer.role, now);
  const resendable = mayResend && callbacks.findLast((each) => each.url !== null && each.state !== 'undelivered');
  return {
    ...headOf(payment),
    merchantName: merchant.name,
    ...offer,
    /** Open differences from the provider's report, one sentence each. */
    unresolved: unresolved.filter(({ closedAt }) => closedAt === null).map(unresolvedText),
    /** Where callbacks of this payment go; null without a callback URL. */
    callbackHost: url === null ? null : shortAddress(url),
    groups: factGroups({
      ...factsOf(payment, latest, mid, merchant.name, viewer),
      Related: relatedFacts(payment, session !== null, around),
    }),
    /** The MID whose provider can be asked for the status; null if not possible or not allowed. */
    asks: mid && may(viewer.role, 'payments.sync') ? mid.name : null,
    resend: resendable ? resendable.id : null,
    customData: payment.customData == null ? null : JSON.stringify(scrubValue(payment.customData), null, 2),
    events: timelineOf(records, { mayResend, readsAnswers: may(viewer.role, 'developers.read') }, now),
    hasEvidence: hasEvidence(payment),
    /** An operation is in progress, so the page polls. */
    moving: transactions.some(isNotFinal) || callbacks.some(({ dueAt }) => mayChangeSoon(dueAt, now)),
  };
}

const disputable: readonly State[] = ['settled', 'refund', 'chargeback'];

/** Whether the payer can dispute the payment, or has disputed it. A payout has no payer. */
export const hasEvidence = ({ state, operation }: Payment): boolean =>
  disputable.includes(state) && operation !== 'credit';

const readsMax = 3;

/** A payment with all related rows, of one version: an action is bound to the version that the page shows. */
export async function readRecords(id: string, viewer: Viewer) {
  for (let reads = 1; ; reads += 1) {
    const payment = existing(await findPayment(id, merchantOf(viewer) ?? undefined));
    const [matches, transactions, callbacks, done, merchant, requests, around, unresolved, agreements] =
      await Promise.all([
        findSession(payment.id),
        latestTransactionsOf(payment.id, historyMax),
        callbacksOf(payment.id, historyMax),
        findAuditRecords([subjectOf(payment.id)], { most: historyMax }),
        merchantOfPayment(payment),
        requestsOf(payment.id),
        findRelatedRecords(payment),
        unresolvedOf(payment.id),
        agreementsOf(payment.id),
      ]);
    const [mids, messages] = await Promise.all([
      midsOf([...transactions, ...payment.routingLog]),
      messagesOf(
        payment.id,
        transactions.map((transaction) => transaction.id),
      ),
    ]);
    const session = matches?.session ?? null;
    const related = { callbacks, done, merchant, requests, around, unresolved, agreements };
    const records = { payment, session, transactions, ...related };
    const version = (await versionsOf([payment.id])).get(payment.id);
    if (version !== payment.version && reads < readsMax) continue;
    // A failover may have moved the attempt to another MID; further operations use that one.
    const latest = transactions.filter(isAttempt).at(-1) ?? null;
    const mid = latest ? (mids.get(latest.midId) ?? null) : null;
    const names = new Map([...mids].map(([midId, { name }]) => [midId, name]));
    return { ...records, messages, latest, mid, mids: names };
  }
}

function unresolvedText(item: Unresolved): string {
  const { amount, action } = item;
  const next = action === 'task' ? 'It needs a decision.' : `Florin tries to ${action} it.`;
  return `${reasonText(item)}: ${amountText(amount.minor, amount.currency)} ${amount.currency}. ${next}`;
}

/** The payment's description and amounts; an action names the `version` that the user saw. */
function headOf(payment: Payment) {
  const { currency, state } = payment;
  return {
    ...pick(payment, 'id', 'version', 'currency', 'reason', 'orderNumber', 'description', 'createdAt'),
    amount: amountText(payment.amountMinor, currency),
    status: checkoutStatus[state],
    /** The recipient of a refund, as `Visa •••• 4242 of Lena Hoffmann`. */
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

const soonMs = 60_000;

const mayChangeSoon = (dueAt: Date | null, now: Date) => dueAt !== null && dueAt.getTime() - now.getTime() < soonMs;

/** Payer, card, processing and references as this user may see them; null for a document, without links and tokens. */
export function factsOf(
  payment: Payment,
  latest: Transaction | null,
  mid: Mid | null,
  merchantName: string,
  viewer: Viewer | null,
): Record<'Payer' | 'Card' | 'Processing' | 'References', NamedFact[]> {
  const { payer, card, protocol, operation } = payment;
  const facts = latest?.providerData;
  const links = viewer !== null && may(viewer.role, 'settings.read');
  return {
    Payer: [
      ['Name', fullName(payer) ?? card?.holder],
      ['Email', payer.email, { mail: true }],
      ['Phone', payer.phone],
      ['Country', payer.country],
      ['IP address', payer.ip],
    ],
    Card: [
      ['Number', card && `${card.first6} •••• ${card.last4}`],
      ['Brand', card && brandById(card.brand)?.name],
      ['Expires', card && cardExpiry(card)],
      ['Holder', card?.holder],
    ],
    Processing: [
      ['Merchant', merchantName, links ? { href: `/dashboard/merchants/${payment.merchantId}` } : {}],
      ['MID', mid?.name, links && mid ? { href: `/dashboard/mids/${mid.id}` } : {}],
      ['Channel', `${protocolNames[protocol]}, ${operation}`],
      ['Descriptor', facts?.descriptor],
    ],
    References: [
      ['payment_id', payment.id, { code: true }],
      ['trans_id', payment.attemptId, { code: true }],
      ['Provider', facts?.providerRef, { code: true }],
      ['RRN', facts?.rrn, { code: true }],
      ['ARN', facts?.arn, { code: true }],
      ['Authorisation code', facts?.approvalCode, { code: true }],
      ['recurring', viewer && payment.recurringToken && visibleToken(viewer, payment.recurringToken), { code: true }],
    ],
  };
}

/** The related objects of a payment, and other payments of the payer. */
function relatedFacts(payment: Payment, hasSession: boolean, around: RelatedRecords): NamedFact[] {
  const { card, payer } = payment;
  const email = payer.email ?? '';
  const chain = payment.recurringFirstId === null ? 'Initial payment' : 'Subsequent charge';
  return [
    ['Session', hasSession ? 'View session' : null, { href: `/dashboard/sessions/${payment.id}` }],
    ['Recurring', around.chainId && chain, { href: `/dashboard/chains/${around.chainId}` }],
    ['Schedule', payment.scheduleId && 'View schedule', { href: `/dashboard/schedules/${payment.scheduleId}` }],
    ['Token', around.hasToken ? 'View saved card' : null, { href: `/dashboard/tokens/${card?.id}` }],
    ['Same card', othersText(around.withCard), { href: `/dashboard/payments?card=${card?.id}` }],
    ['Same email', othersText(around.withEmail), { href: `/dashboard/payments?q=${encodeURIComponent(email)}` }],
  ];
}

function othersText(count: number): string | null {
  if (count === 0) return null;
  if (count >= relatedMax) return `More than ${relatedMax} other payments`;
  return `${count} other ${count === 1 ? 'payment' : 'payments'}`;
}

type Sum = { name: string; amount: string; sign: '→' | '−' | '=' | null; quiet: boolean };

/** Empty before an authorisation. */
export function moneyLine(payment: Payment): Sum[] {
  const { amountMinor, settledMinor, refundedMinor, refundingMinor, chargedBackMinor, currency, state } = payment;
  const sum = (name: string, minor: bigint, sign: Sum['sign']): Sum => ({
    name,
    amount: amountText(minor, currency),
    sign,
    quiet: minor === 0n,
  });
  const authorised = sum('Authorised', amountMinor, null);
  if (state === 'pending') return [authorised, sum('Can be captured', amountMinor - settledMinor, '=')];
  if (settledMinor === 0n) return [];
  if (payment.operation === 'credit' || payment.operation === 'transfer') return [sum('Paid out', settledMinor, null)];
  return [
    authorised,
    sum('Captured', settledMinor, '→'),
    sum('Refunded', refundedMinor, '−'),
    ...(refundingMinor > 0n ? [sum('Refund in progress', refundingMinor, '−')] : []),
    ...(chargedBackMinor > 0n ? [sum('Disputed', chargedBackMinor, '−')] : []),
    sum('Can be refunded', refundableMinor(payment), '='),
  ];
}
