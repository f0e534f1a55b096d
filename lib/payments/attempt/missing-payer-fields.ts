/** Which of the payer's fields a merchant requires and a request lacks: what a page asks, and what a call is refused for. */
import { hasStates } from '../../core/countries';
import type { PartyDetails } from '../../core/payment';
import { type PayerFieldName, payerFieldNames } from '../../methods/fields';

/** The mapping's names of what one field of the page asks; any other name is the field's own. */
const pageFieldNames: { [name: string]: PayerFieldName } = { first_name: 'name', last_name: 'name' };

/** The name without the prefix of its protocol: `payer_email`, `customer.email` and `email` are one field. */
function withoutPrefix(name: string): string {
  return name.replace(/^(payer_|customer\.|billing_address\.)/, '');
}

function isMissing(payer: PartyDetails, field: PayerFieldName): boolean {
  if (field === 'name') return !payer.name && !(payer.first_name && payer.last_name);
  return !payer[field];
}

/**
 * The fields that are required and not there, in their order on the page. `state` is asked in five countries only
 * (contract, Resources, rule 1); with an unknown country it is among them if it is required.
 */
export function missingPayerFields(required: readonly string[], payer: PartyDetails): PayerFieldName[] {
  const wanted = new Set(required.map(withoutPrefix).map((name) => pageFieldNames[name] ?? name));
  return payerFieldNames.filter((field) => {
    if (!wanted.has(field) || !isMissing(payer, field)) return false;
    if (field !== 'state') return true;
    return payer.country ? hasStates(payer.country.toUpperCase()) : wanted.has('country');
  });
}
