/** What a payment's page says beside the timeline: the money line, facts, and links to related objects. */
import { may, type Viewer } from '../../auth/index.ts';
import { brandById } from '../../core/cards.ts';
import { type Payment, refundableMinor, type Transaction } from '../../core/payment.ts';
import type { Mid } from '../../merchants/index.ts';
import { type RelatedRecords, relatedMax } from '../../payments/index.ts';
import { cardExpiry, fullName } from '../../protocols/index.ts';
import { amountText, protocolNames } from '../labels.ts';
import { type FactGroup, factGroup } from '../lists/rows.ts';

type FactsInput = {
  payment: Payment;
  latest: Transaction | null;
  mid: Mid | null;
  merchantName: string;
  viewer: Viewer;
};

/** Payer, card, processing and references. */
export function factGroups({ payment, latest, mid, merchantName, viewer }: FactsInput): FactGroup[] {
  const { payer, card, protocol, operation } = payment;
  const facts = latest?.providerData;
  const settings = may(viewer.role, 'settings.read');
  return [
    factGroup('Payer', [
      ['Name', fullName(payer) ?? card?.holder],
      ['Email', payer.email, { mail: true }],
      ['Phone', payer.phone],
      ['Country', payer.country],
      ['IP address', payer.ip],
    ]),
    factGroup('Card', [
      ['Number', card && `${card.first6} •••• ${card.last4}`],
      ['Brand', card && brandById(card.brand)?.name],
      ['Expires', card && cardExpiry(card)],
      ['Holder', card?.holder],
    ]),
    factGroup('Processing', [
      ['Merchant', merchantName, settings ? { href: `/dashboard/merchants/${payment.merchantId}` } : {}],
      ['MID', mid?.name, settings && mid ? { href: `/dashboard/mids/${mid.id}` } : {}],
      ['Channel', `${protocolNames[protocol]}, ${operation}`],
      ['Descriptor', facts?.descriptor],
    ]),
    factGroup('References', [
      ['payment_id', payment.id, { code: true }],
      ['trans_id', payment.attemptId, { code: true }],
      ['Provider', facts?.providerRef, { code: true }],
      ['RRN', facts?.rrn, { code: true }],
      ['ARN', facts?.arn, { code: true }],
      ['Authorisation code', facts?.approvalCode, { code: true }],
      ['recurring', payment.recurringToken, { code: true }],
    ]),
  ];
}

/** The related objects of a payment, and other payments of the payer. */
export function relatedGroup(payment: Payment, hasSession: boolean, around: RelatedRecords): FactGroup {
  const { card, payer } = payment;
  const email = payer.email ?? '';
  return factGroup('Related', [
    ['Session', hasSession ? 'View session' : null, { href: `/dashboard/sessions/${payment.id}` }],
    ['Recurring', around.chainId && chainText(payment), { href: `/dashboard/chains/${around.chainId}` }],
    ['Schedule', payment.scheduleId && 'View schedule', { href: `/dashboard/schedules/${payment.scheduleId}` }],
    ['Token', around.hasToken ? 'View saved card' : null, { href: `/dashboard/tokens/${card?.id}` }],
    ['Same card', othersText(around.withCard), { href: `/dashboard/payments?card=${card?.id}` }],
    ['Same email', othersText(around.withEmail), { href: `/dashboard/payments?q=${encodeURIComponent(email)}` }],
  ]);
}

function chainText({ recurringFirstId }: Payment): string {
  return recurringFirstId === null ? 'Initial payment' : 'Subsequent charge';
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
