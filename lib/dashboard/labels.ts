/** The dashboard's display names of states, operations, amounts and methods. */

import { brandById } from '../core/cards.ts';
import { formatAmount, grouped } from '../core/money.ts';
import type { Kind, Payment } from '../core/payment.ts';
import type { State } from '../core/states.ts';
import { findMethod } from '../methods/catalog.ts';
import { checkoutStatus, fullName } from '../protocols/index.ts';
import { statusLabels } from './status-labels.ts';

/** A state as text. */
export function stateLabel(state: State): string {
  return statusLabels[checkoutStatus[state]] ?? state;
}

export const kindNames: Readonly<Record<Kind, string>> = {
  sale: 'Sale',
  authorize: 'Authorisation',
  debit: 'Debit',
  credit: 'Payout',
  transfer: 'Transfer',
  recurring: 'Recurring charge',
  capture: 'Capture',
  refund: 'Refund',
  reversal: 'Reversal',
  void: 'Void',
  chargeback: 'Chargeback',
};

export { protocolNames } from '../core/mapping-options.ts';

/** An amount with thousands separators: `1,249.00`. */
export function amountText(minor: bigint, currency: string): string {
  return grouped(formatAmount(minor, currency));
}

/** `1,249.00 EUR`. */
export function moneyText(minor: bigint, currency: string): string {
  return `${amountText(minor, currency)} ${currency}`;
}

/** How it was paid: `Visa` and the last four digits, or the method's name. Null before the first attempt. */
export function methodLabel(payment: Payment): { name: string; last4: string | null } | null {
  const { card, digitalWallet, method } = payment;
  const id = digitalWallet ?? (card ? null : method);
  const name = id === null ? null : methodName(id);
  if (card) return { name: name ?? brandById(card.brand)?.name ?? 'Card', last4: card.last4 };
  return name === null ? null : { name, last4: null };
}

/** The display name of a method or wallet; the id if the catalogue has none. */
export function methodName(id: string): string {
  return id === 'card' ? 'Card' : (findMethod(id)?.name ?? id);
}

/** `Visa •••• 4242`; null before the first attempt. */
export function methodText(method: { name: string; last4: string | null } | null): string | null {
  return method && (method.last4 === null ? method.name : `${method.name} •••• ${method.last4}`);
}

/** `Visa •••• 4242 of Lena Hoffmann`; null before the first attempt. */
export function paidWithText(payment: Payment): string | null {
  const method = methodText(methodLabel(payment));
  const name = payment.card?.holder ?? fullName(payment.payer);
  return method === null || name === undefined || name === '' ? method : `${method} of ${name}`;
}
