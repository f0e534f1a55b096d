// The payee of a payout or a transfer in Checkout requests (interface.md, Resources) and in callbacks (protocol.md 7).
import type { PartyDetails, Payment } from '../../core/payment';
import type { FormFields } from '../../http';
import { cardMask, namesOf } from './wire-fields';

/** Whether an operation pays money out. */
export const isPayout = (operation: string) => operation === 'credit' || operation === 'transfer';

type PayeeInput = {
  payee?: { [name: string]: string | undefined };
  payee_billing_address?: { [name: string]: string | undefined };
  payee_first_name?: string;
  payee_last_name?: string;
};

/** Returns the payee of a request. */
export function payeeOf(input: PayeeInput): PartyDetails {
  const { language: _unused, ...address } = input.payee_billing_address ?? {};
  const { ip: _none, ...payee } = input.payee ?? {};
  const names = { first_name: input.payee_first_name, last_name: input.payee_last_name };
  const details: PartyDetails = { ...payee, ...address, ...names };
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
}

/** Returns `payee_card` and `payee_*` of a payout or a transfer; no fields for other payments. */
export function payeeFields({ operation, payee, card }: Payment): FormFields {
  if (operation !== 'credit' && operation !== 'transfer') return {};
  const { first, last } = namesOf(payee);
  const { name: _name, first_name: _first, last_name: _last, card: mask, ...others } = payee;
  return {
    payee_card: operation === 'credit' ? card && cardMask(card) : mask,
    payee_first_name: first,
    payee_last_name: last,
    ...Object.fromEntries(Object.entries(others).map(([name, value]) => [`payee_${name}`, value])),
  };
}
