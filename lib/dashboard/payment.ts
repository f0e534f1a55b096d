/** A payment's page: the payment with everything that is known of it, read side by side. */
import type { Fact, FactGroup, PaymentPage } from '../../components/dashboard/model';
import { auditOf } from '../auth/audit';
import { may, merchantOf, type Viewer } from '../auth/roles';
import { brandById } from '../core/cards';
import { formatAmount } from '../core/money';
import { scrubValue } from '../log';
import { callbacksOf } from '../payments/callbacks';
import { findPayment, findSession, transactionsOf } from '../payments/find';
import { merchantOfPayment } from '../payments/list';
import { findMid, type Mid } from '../payments/merchants';
import { isAttempt, isOpen, type Payment, type Transaction } from '../payments/payment';
import { cardExpiry, checkoutStatus, fullName } from '../protocols/record';
import { actionsOf, remainingMinor } from './allowed';
import { shortAddress } from './callback-event';
import { timelineOf } from './timeline';
import { amountText, paidWith, protocolNames } from './words';

/** The subject of a payment's entries in the audit log. */
export const subjectOf = (paymentId: string): string => `payment:${paymentId}`;

/** The page of a payment as this person may see it; null where it does not exist for them. */
export async function paymentPage(id: string, viewer: Viewer, now: Date): Promise<PaymentPage | null> {
  const payment = await findPayment(id, merchantOf(viewer) ?? undefined);
  if (!payment) return null;
  const [found, transactions, callbacks, done, merchant] = await Promise.all([
    findSession(payment.id),
    transactionsOf(payment.id),
    callbacksOf(payment.id),
    auditOf([subjectOf(payment.id)]),
    merchantOfPayment(payment),
  ]);
  const mids = await midsOf([...transactions, ...payment.trace]);
  // The attempt may have gone on to another account; what is done next is done there.
  const latest = transactions.filter(isAttempt).at(-1) ?? null;
  const mid = latest ? (mids.get(latest.midId) ?? null) : null;
  const names = new Map([...mids].map(([midId, { name }]) => [midId, name]));
  const history = { payment, session: found?.session ?? null, transactions, callbacks, done, mids: names };
  const url = payment.notificationUrl ?? merchant.defaultNotificationUrl;
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
    merchantName: merchant.name,
    paidWith: paidWith(payment),
    sums: sumsOf(payment),
    refunded: formatAmount(payment.refundedMinor, currency),
    refundable: formatAmount(remainingMinor(payment), currency),
    ...actionsOf(payment, mid, viewer.role, now),
    callbackHost: url === null ? null : shortAddress(url),
    groups: [...groupsOf(payment, latest, mid, merchant.name), routingOf(payment, names)].filter(
      ({ facts }) => facts.length > 0,
    ),
    customData: payment.customData == null ? null : JSON.stringify(scrubValue(payment.customData), null, 2),
    events: timelineOf(history, may(viewer.role, 'callbacks.resend'), now),
    moving: transactions.some(isOpen) || callbacks.some(({ dueAt }) => isSoon(dueAt, now)),
  };
}

async function midsOf(named: { midId: string }[]): Promise<Map<string, Mid>> {
  const ids = [...new Set(named.map(({ midId }) => midId))];
  const found = await Promise.all(ids.map(findMid));
  return new Map(found.flatMap((mid) => (mid ? [[mid.id, mid]] : [])));
}

const soonSeconds = 60;

function isSoon(dueAt: Date | null, now: Date): boolean {
  return dueAt !== null && dueAt.getTime() - now.getTime() < soonSeconds * 1000;
}

/** The money line: a sum that can be read from left to right. Empty before any money was held. */
function sumsOf(payment: Payment): PaymentPage['sums'] {
  const { amountMinor, settledMinor, refundedMinor, refundingMinor, currency, state } = payment;
  if (settledMinor === 0n && state !== 'pending') return [];
  const sum = (name: string, minor: bigint, sign: PaymentPage['sums'][number]['sign']) => ({
    name,
    amount: amountText(minor, currency),
    sign,
    quiet: minor === 0n,
  });
  return [
    sum('Authorised', amountMinor, null),
    sum('Captured', settledMinor, '→'),
    sum('Refunded', refundedMinor, '−'),
    ...(refundingMinor > 0n ? [sum('Refund on its way', refundingMinor, '−' as const)] : []),
    sum('Can be refunded', remainingMinor(payment), '='),
  ];
}

function groupsOf(payment: Payment, latest: Transaction | null, mid: Mid | null, merchantName: string): FactGroup[] {
  const { payer, card, protocol, operation } = payment;
  const facts = latest?.facts;
  const brand = card && brandById(card.brand)?.name;
  const groups: FactGroup[] = [
    group('Payer', [
      ['Name', fullName(payer) ?? card?.holder],
      ['E-mail', payer.email, { mail: true }],
      ['Phone', payer.phone],
      ['Country', payer.country],
      ['IP address', payer.ip],
    ]),
    group('Card', [
      ['Number', card && `${card.first6} •••• ${card.last4}`],
      ['Brand', brand],
      ['Expires', card && cardExpiry(card)],
      ['Holder', card?.holder],
    ]),
    group('Processing', [
      ['Merchant', merchantName],
      ['MID', mid?.name],
      ['Channel', `${protocolNames[protocol]}, ${operation}`],
      ['Descriptor', facts?.descriptor],
    ]),
    group('References', [
      ['payment_id', payment.id, { code: true }],
      ['trans_id', payment.attemptId, { code: true }],
      ['Provider', facts?.providerRef, { code: true }],
      ['RRN', facts?.rrn, { code: true }],
      ['ARN', facts?.arn, { code: true }],
      ['Approval', facts?.approvalCode, { code: true }],
      ['recurring', payment.recurringToken, { code: true }],
    ]),
  ];
  return groups;
}

/** Which accounts were taken or passed over, in order, and why. */
function routingOf({ trace }: Payment, names: Map<string, string>): FactGroup {
  const told = trace.map(({ midId, taken, why }, at): Named => {
    return [`${at + 1}. ${names.get(midId) ?? midId}`, `${taken ? 'Taken' : 'Passed over'}: ${why}`];
  });
  return group('Routing', told);
}

type Named = [name: string, value: string | null | undefined, more?: Pick<Fact, 'code' | 'mail'>];

function group(title: string, facts: Named[]): FactGroup {
  return { title, facts: facts.flatMap(([name, value, more]) => (value ? [{ name, value, ...more }] : [])) };
}
