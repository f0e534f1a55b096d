/** Decides which modifications a payment allows now, for protocols and dashboard: the only rule for all three. */
import { sameDay } from '../core/dates.ts';
import { type ErrorKey, throwApiError } from '../core/errors.ts';
import { type Kind, type Payment, refundableMinor, type Transaction } from '../core/payment.ts';
import type { Mid } from '../merchants/index.ts';
import { findUndone } from './queries.ts';

export type Modification = 'capture' | 'refund' | 'void';

/** The effect of a modification. `exclusive`: it blocks every other modification until its outcome is known. */
export type Move = { kind: Kind; mostMinor: bigint; partial: boolean; exclusive: boolean };

/** Why a modification is refused, in more detail than the error. */
export type RefusalReason =
  | 'state'
  | 'awaited'
  | 'busy'
  | 'cancelling'
  | 'payout'
  | 'disputed'
  | 'undone'
  | 'nothing left'
  | 'refunded'
  | 'day over'
  | 'no refunds'
  | 'portal only';

/** `move` with a refusal: the request's amount is checked before the refusal. */
export type Permission =
  | { move: Move; refusal: null; reason: null }
  | { move: null; refusal: ErrorKey; reason: RefusalReason }
  | { move: Move; refusal: ErrorKey; reason: RefusalReason };

/** `releaseBy`: the modification that releases an authorisation in the payment's protocol, where it is allowed. */
export type AvailableActions = Record<Modification, Permission> & { releaseBy: 'refund' | 'void' | null };

/** The MID of the latest attempt. */
export type ActionAccount = Pick<Mid, 'refundSupport'>;

/**
 * Facts that are not in the payment's row. `isUndone`: it was voided or reversed in whole before a dispute.
 * `isCancelling`: a cancellation of its latest attempt is in progress at the provider.
 */
export type Circumstances = { isUndone: boolean; isCancelling: boolean };

/** A payment with the account and the cancellation of its latest attempt. */
export type Modifiable = { payment: Payment; account: ActionAccount; isCancelling: boolean };

const refused = (refusal: ErrorKey, reason: RefusalReason): Permission => ({ move: null, refusal, reason });
const allowed = (move: Move): Permission => ({ move, refusal: null, reason: null });

/** The modifications of a payment at `now`. The order of the checks is the order of precedence of the errors. */
export function availableActions(
  payment: Payment,
  account: ActionAccount,
  now: Date,
  { isUndone, isCancelling }: Circumstances = { isUndone: false, isCancelling: false },
): AvailableActions {
  const unlessCancelling = (permission: Permission): Permission =>
    isCancelling && permission.move && !permission.refusal
      ? { move: permission.move, refusal: 'duplicateRequest', reason: 'cancelling' }
      : permission;
  const refund = unlessCancelling(refundOf(payment, account, isUndone));
  const cancel = unlessCancelling(voidOf(payment, now));
  const releases = ({ move, refusal }: Permission) =>
    payment.state === 'pending' && move?.kind === 'reversal' && !refusal;
  return {
    capture: unlessCancelling(captureOf(payment)),
    refund,
    void: cancel,
    releaseBy: releases(refund) ? 'refund' : releases(cancel) ? 'void' : null,
  };
}

/** {@link availableActions} of many payments, with one query for those that are disputed. */
export async function readAvailableActions(subjects: readonly Modifiable[], now: Date): Promise<AvailableActions[]> {
  const disputed = subjects.filter(({ payment }) => isDisputed(payment)).map(({ payment }) => payment.id);
  const undone = disputed.length > 0 ? await findUndone(disputed) : new Set<string>();
  return subjects.map(({ payment, account, isCancelling }) =>
    availableActions(payment, account, now, { isUndone: undone.has(payment.id), isCancelling }),
  );
}

/** The move for a modification of this amount, null for the maximum; throws the API error where it is not allowed. */
export function plannedMove(permission: Permission, amountMinor: bigint | null): Planned {
  if (permission.move === null) return throwApiError(permission.refusal);
  const { refusal } = permission;
  const { kind, mostMinor: maxMinor, partial, exclusive } = permission.move;
  if (amountMinor !== null && amountMinor > maxMinor) throwApiError(aboveMost[kind] ?? 'refundAboveRemaining');
  if (amountMinor !== null && amountMinor < maxMinor && !partial) throwApiError('reversalPartial');
  if (refusal) throwApiError(refusal);
  return { kind, amountMinor: amountMinor ?? maxMinor, exclusive };
}

export type Planned = { kind: Kind; amountMinor: bigint; exclusive: boolean };

const aboveMost: Partial<Record<Kind, ErrorKey>> = { capture: 'captureAboveHeld', reversal: 'reversalAboveAmount' };

/** The modification that releases authorisations in the payment's protocol: void on Checkout, else CREDITVOID. */
export function releasingModification({ protocol }: Pick<Payment, 'protocol'>): 'refund' | 'void' {
  return protocol === 'checkout' ? 'void' : 'refund';
}

/** Whether the latest attempt is being cancelled at its provider. */
export function isCancelling({ cancelReason }: Pick<Transaction, 'cancelReason'>): boolean {
  return cancelReason !== null;
}

function captureOf(payment: Payment): Permission {
  if (payment.state !== 'pending') return refused('captureNotPending', 'state');
  if (awaitsPayer(payment)) return refused('captureNotPending', 'awaited');
  if (payment.inFlightId) return refused('duplicateRequest', 'busy');
  return allowed({ kind: 'capture', mostMinor: payment.amountMinor, partial: true, exclusive: true });
}

function refundOf(payment: Payment, { refundSupport }: ActionAccount, isUndone: boolean): Permission {
  const { state, operation } = payment;
  const releases = isReleasedBy(payment, 'refund');
  if (state === 'pending' && awaitsPayer(payment)) return refused('refundNotSettled', 'awaited');
  if (!releases && state !== 'settled' && !isDisputed(payment)) return refused('refundNotSettled', 'state');
  if (isUndone) return refused('refundNotSettled', 'undone');
  if (operation === 'credit') return refused('refundNotAllowed', 'payout');
  if (!releases && refundSupport === 'none') return refused('refundNotAllowed', 'no refunds');
  if (!releases && refundSupport === 'portal') return refused('refundInPortalOnly', 'portal only');
  if (payment.inFlightId) return refused('duplicateRequest', 'busy');
  // A debit is returned in whole only.
  if (releases || operation === 'debit') return allowed(reversalOf(payment));
  const mostMinor = refundableMinor(payment);
  if (mostMinor <= 0n) return refused('refundAboveRemaining', 'nothing left');
  return allowed({ kind: 'refund', mostMinor, partial: true, exclusive: false });
}

function voidOf(payment: Payment, now: Date): Permission {
  const { state, operation, settledAt } = payment;
  const releases = isReleasedBy(payment, 'void');
  if (state === 'pending' && awaitsPayer(payment)) return refused('voidNotAllowed', 'awaited');
  if (isDisputed(payment)) return refused('voidNotAllowed', 'disputed');
  if (!releases && state !== 'settled') return refused('voidNotAllowed', 'state');
  if (!releases && !(settledAt && sameDay(settledAt, now))) {
    return refused('voidNotAllowed', operation === 'credit' ? 'payout' : 'day over');
  }
  if (payment.inFlightId) return refused('duplicateRequest', 'busy');
  if (releases) return allowed(reversalOf(payment));
  if (payment.refundedMinor > 0n || payment.refundingMinor > 0n) return refused('voidNotAllowed', 'refunded');
  if (operation === 'credit') return refused('voidNotAllowed', 'payout');
  return allowed({ kind: 'void', mostMinor: payment.settledMinor, partial: false, exclusive: true });
}

/** Pending until the payer or their bank acts: no authorisation exists that could be captured or released. */
function awaitsPayer({ inFlightId, attemptId }: Payment): boolean {
  return inFlightId !== null && inFlightId === attemptId;
}

function isReleasedBy(payment: Payment, modification: 'refund' | 'void'): boolean {
  return payment.state === 'pending' && !awaitsPayer(payment) && releasingModification(payment) === modification;
}

/** The undisputed part of a payment can be refunded; a disputed debit cannot, as debits are returned in whole only. */
function isDisputed(payment: Payment): boolean {
  return payment.state === 'chargeback' && refundableMinor(payment) > 0n && payment.operation !== 'debit';
}

function reversalOf({ state, amountMinor, settledMinor }: Payment): Move {
  return {
    kind: 'reversal',
    mostMinor: state === 'pending' ? amountMinor : settledMinor,
    partial: false,
    exclusive: true,
  };
}
