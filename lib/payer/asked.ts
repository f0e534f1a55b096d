/**
 * Which billing fields the page asks: those that the mapping requires and the request lacks. `state` is asked in five
 * countries only (contract, Resources, rule 1), so it may depend on the country that the payer chooses.
 */
import { hasStates } from '../core/countries';
import { type PayerFieldName, payerFieldNames } from '../methods/fields';
import type { Person } from '../payments/payment';
import type { View } from './view';

/** The mapping's names of what one field of the page asks; any other name is the field's own. */
const askedAs: { [name: string]: PayerFieldName } = { first_name: 'name', last_name: 'name' };

/** The name without the prefix of its protocol: `payer_email`, `customer.email` and `email` are one field. */
function bare(name: string): string {
  return name.replace(/^(payer_|customer\.|billing_address\.)/, '');
}

function lacks(payer: Person, field: PayerFieldName): boolean {
  if (field === 'name') return !payer.name && !(payer.first_name && payer.last_name);
  return !payer[field];
}

/** The fields to ask, in their order on the page. With an unknown country `state` is among them if it is required. */
export function askedFields(required: string[], payer: Person): PayerFieldName[] {
  const wanted = new Set(required.map(bare).map((name) => askedAs[name] ?? name));
  return payerFieldNames.filter((field) => {
    if (!wanted.has(field) || !lacks(payer, field)) return false;
    if (field !== 'state') return true;
    return payer.country ? hasStates(payer.country.toUpperCase()) : wanted.has('country');
  });
}

/** The fields that a session's page asks. Who opens a payout's page gets the money and pays nothing. */
export function askedOf({ caller, payment }: Pick<View, 'caller' | 'payment'>): PayerFieldName[] {
  return payment.operation === 'credit' ? [] : askedFields(caller.mapping.requiredPayerFields, payment.payer);
}
