/**
 * What may be done with a payment as it stands, and why something that one might expect may not. This only chooses the
 * buttons: the rules themselves are those of payments/follow.ts, which decides anew when one of them is pressed.
 */

import { may, type Right, type Role, roleNames } from '../../auth';
import { formatAmount } from '../../core/money';
import { type Payment, refundableMinor } from '../../core/payment';
import type { Mid } from '../../merchants';
import type { Actions } from '../contract';

type Offer = { actions: Actions; notes: string[] };

/** The actions on offer. `mid` is the account of the latest attempt; null where nothing was tried yet. */
export function allowedActions(payment: Payment, mid: Pick<Mid, 'refundSupport'> | null, role: Role, now: Date): Offer {
  const isOpen = payment.state === 'pending' || payment.state === 'settled' || refundableMinor(payment) > 0n;
  if (!mid || !isOpen) return { actions: {}, notes: [] };
  if (payment.inFlightId) {
    return {
      actions: {},
      notes: ['The provider is processing this payment. The next actions depend on its response.'],
    };
  }
  const offer = payment.state === 'pending' ? authorisedActions(payment) : settledActions(payment, mid, now);
  const rights: Record<keyof Actions, Right> = {
    capture: 'payments.capture',
    refund: 'payments.refund',
    void: 'payments.void',
  };
  const names = Object.keys(offer.actions) as (keyof Actions)[];
  const forbidden = names.filter((name) => !may(role, rights[name]));
  if (forbidden.length === 0) return offer;
  for (const name of forbidden) delete offer.actions[name];
  return { ...offer, notes: [`You have read-only access (role ${roleNames[role]}).`] };
}

function authorisedActions({ amountMinor, currency }: Payment): Offer {
  const amount = formatAmount(amountMinor, currency);
  return {
    actions: { capture: { most: amount }, void: { kind: 'release', amount } },
    notes: ['The money is authorised. One capture collects all or part of it.'],
  };
}

function settledActions(payment: Payment, mid: Pick<Mid, 'refundSupport'>, now: Date): Offer {
  const { currency, settledMinor, refundedMinor, refundingMinor, operation } = payment;
  const remaining = refundableMinor(payment);
  const actions: Actions = {};
  const notes: string[] = [];
  if (mid.refundSupport === 'none')
    notes.push('Refunds are not available: the provider of this MID does not support them.');
  else if (mid.refundSupport === 'portal') notes.push("Refunds of this MID are made in the provider's own portal.");
  else if (remaining > 0n) {
    actions.refund = { most: formatAmount(remaining, currency), partial: operation !== 'debit' };
  }
  if (payment.state === 'chargeback') {
    return { actions, notes: [...notes, 'Void is not available: a part of the payment is disputed.'] };
  }
  const touched = refundedMinor > 0n || refundingMinor > 0n;
  if (!isSameDay(payment.settledAt, now))
    notes.push('This payment can no longer be voided: voids end at 00:00 UTC after the settlement.');
  else if (touched) notes.push('Void is not available: part of the payment is refunded.');
  else {
    actions.void = { kind: 'void', amount: formatAmount(settledMinor, currency) };
    notes.push('This payment can be voided until 00:00 UTC.');
  }
  return { actions, notes };
}

function isSameDay(settledAt: Date | null, now: Date): boolean {
  return settledAt?.toISOString().slice(0, 10) === now.toISOString().slice(0, 10);
}
