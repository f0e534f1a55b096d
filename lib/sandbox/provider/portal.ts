// Changes at the sandbox provider without a call of the gateway: portal actions, late outcomes and chargebacks. Each is
// notified and from then on shown by GET /operations/{key}.
import { randomUUID } from 'node:crypto';
import { env } from '../../config';
import { formatAmount, type Money, parseAmount } from '../../core/money';
import type { SandboxDecline } from '../../core/sandbox-cards';
import { endOf, isUnfinished, notificationNow } from './completion';
import { findById, finishModification, insertModification, updateOperation } from './operation-queries';
import type { Change, Operation, SimChargeback } from './operation-row';
import { declinedByProcessing } from './outcomes';
import { decideModification } from './scenario';
import { writeAnswer } from './wire';

export const portalActions = ['approve', 'decline', 'capture', 'refund', 'void'] as const;

/** `approve` settles a payment in any state, `decline` undoes an approval; the others are the usual modifications. */
export type PortalAction = (typeof portalActions)[number];

const refusal = (code: string, reason: string): SandboxDecline => ({ code, reason, class: 'technical', soft: false });
const changing = refusal('operation_in_progress', 'The operation is changing; ask again');
const takenBack = refusal('taken_back', 'The provider took its approval back');
const undone = {
  void: refusal('voided', 'Voided at the portal'),
  refund: refusal('refunded', 'Refunded at the portal'),
};

/**
 * Performs a portal action; `minor` is null for the full amount. Returns null when done, else the reason for refusing
 * it.
 */
export async function actAtPortal(
  operation: Operation,
  action: PortalAction,
  minor: bigint | null,
  at: Date,
): Promise<SandboxDecline | null> {
  if (operation.fingerprint === '') return refusal('not_received', 'The order has not arrived');
  if (operation.originalId !== null) return await completeModification(operation, action, at);
  if (action === 'approve') {
    if (!isUnfinished(operation) && operation.status !== 'declined')
      return refusal('approved', 'It is approved already');
    const settled = { ...operation, scenario: { ...operation.scenario, outcome: 'settled' } } as const;
    const amountMinor = minor ?? operation.amountMinor;
    const change = { ...endOf({ ...settled, amountMinor }, at, null), amountMinor, voidedAt: null };
    return (await updateOperation(operation, change, [notificationNow(at)])) ? null : changing;
  }
  if (action === 'decline') {
    const change = {
      status: 'declined',
      decline: takenBack,
      capturedMinor: 0n,
      capturedAt: null,
      dueAt: null,
    } as const;
    return (await updateOperation(operation, change, [notificationNow(at)])) ? null : changing;
  }
  return await followAtPortal(operation, action, minor, at);
}

/** A modification with a key that the gateway does not know: it shows in the payment itself. */
async function followAtPortal(
  payment: Operation,
  kind: 'capture' | 'refund' | 'void',
  minor: bigint | null,
  at: Date,
): Promise<SandboxDecline | null> {
  if (payment.kind !== 'payment') return refusal('not_a_payment', 'Only payments can be followed');
  const verdict = decideModification(payment, kind, minor, at);
  if ('decline' in verdict) return verdict.decline;
  const voided = {
    id: randomUUID(),
    key: `portal-${randomUUID()}`,
    kind,
    status: 'approved',
    decline: null,
    facts: {},
    currency: payment.currency,
    amountMinor: verdict.amountMinor,
  } as const;
  const made = {
    ...voided,
    account: payment.account,
    originalId: payment.id,
    fingerprint: 'portal',
    method: payment.method,
    orderNumber: payment.orderNumber,
    firstAnswer: writeAnswer(voided, env.baseUrl),
    createdAt: at,
  };
  const change = { ...verdict.change, ...shownOf(payment, kind, verdict.amountMinor) };
  return (await insertModification(payment, change, made, [notificationNow(at)])) === 'done' ? null : changing;
}

/** The payment after a portal action: as captured, as undone, or with the remaining amount. */
function shownOf(payment: Operation, kind: 'capture' | 'refund' | 'void', minor: bigint): Change {
  const { facts, currency } = payment;
  if (kind === 'capture') return { status: 'approved', facts: { ...facts, amount: formatAmount(minor, currency) } };
  const isWhole = payment.refundedMinor + minor === payment.capturedMinor;
  if (kind === 'void') return isUnfinished(payment) ? {} : { status: 'declined', decline: undone.void };
  if (isWhole) return { status: 'declined', decline: undone.refund };
  const shown = facts.amount === undefined ? null : parseAmount(facts.amount, currency);
  const left = (shown?.ok ? shown.minor : payment.amountMinor) - minor;
  return { facts: { ...facts, amount: formatAmount(left, currency) } };
}

/** Completes a modification that was left processing, as far as the payment's amounts allow. */
async function completeModification(follow: Operation, action: PortalAction, at: Date): Promise<SandboxDecline | null> {
  const payment = follow.originalId === null ? null : await findById(follow.originalId);
  const kind = follow.kind;
  const isModification = kind === 'capture' || kind === 'refund' || kind === 'void';
  if (!payment || !isModification || follow.status !== 'processing' || (action !== 'approve' && action !== 'decline')) {
    return refusal('not_possible', 'Only what is processing can be approved or declined');
  }
  const requestedMinor = kind === 'void' ? null : follow.amountMinor;
  const verdict =
    action === 'decline' ? { decline: declinedByProcessing } : decideModification(payment, kind, requestedMinor, at);
  const [end, effect]: [Change, Change] =
    'decline' in verdict
      ? [{ status: 'declined', decline: verdict.decline }, {}]
      : [{ status: 'approved', amountMinor: verdict.amountMinor }, verdict.change];
  return (await finishModification([follow, end], [payment, effect], [notificationNow(at)])) ? null : changing;
}

/** A chargeback: an amount, which may be wrong on purpose, and its id, a new one by default. */
export type Dispute = { amount: Money; reasonCode: string; id?: string };

/** Charges back a payment; null if the payment has changed meanwhile. */
export async function chargeBack(taken: Operation, dispute: Dispute, at: Date): Promise<SimChargeback | null> {
  const { amount, reasonCode, id } = dispute;
  const earlier = taken.facts.chargebacks ?? [];
  const date = at.toISOString().slice(0, 10);
  const chargeback = {
    id: id ?? `cb-${earlier.length + 1}`,
    amount: formatAmount(amount.minor, amount.currency),
    currency: amount.currency,
    date,
    bank_date: date,
    reason_code: reasonCode,
    status: 'open',
  } as const;
  const others = earlier.filter((each) => each.id !== chargeback.id);
  return (await updateChargebacks(taken, [...others, chargeback], at)) ? chargeback : null;
}

/** The merchant wins a chargeback and gets the money back; null if there is none with this id to win. */
export async function reverseChargeback(taken: Operation, id: string, at: Date): Promise<SimChargeback | null> {
  const all = taken.facts.chargebacks ?? [];
  const lost = all.find((each) => each.id === id);
  if (!lost) return null;
  const won = { ...lost, status: 'won' } as const;
  const updated = await updateChargebacks(
    taken,
    all.map((each) => (each === lost ? won : each)),
    at,
  );
  return updated ? won : null;
}

async function updateChargebacks(taken: Operation, chargebacks: SimChargeback[], at: Date): Promise<boolean> {
  return await updateOperation(taken, { facts: { ...taken.facts, chargebacks } }, [notificationNow(at)]);
}

/** The amount of a payment without chargebacks, in minor units. */
export function leftOf({ capturedMinor, currency, facts }: Operation): bigint {
  const open = (facts.chargebacks ?? []).filter((each) => each.status === 'open' && each.currency === currency);
  const sums = open.map(({ amount }) => parseAmount(amount, currency));
  return sums.reduce((left, sum) => (sum.ok ? left - sum.minor : left), capturedMinor);
}
