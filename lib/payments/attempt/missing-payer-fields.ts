/**
 * Finds the payer fields that a merchant requires and a request lacks: a page shows them, an API request is rejected.
 */
import { hasStates } from '../../core/countries';
import type { PartyDetails } from '../../core/payment';
import { type PayerFieldName, payerFieldNames } from '../../methods/fields';

/** The mapping's names that one page field covers; other names are equal to the field's. */
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
 * The required fields that are missing, in page order. `state` is required in five countries only (contract, Resources,
 * rule 1); it is included with an unknown country, if `country` is required.
 */
export function missingPayerFields(required: readonly string[], payer: PartyDetails): PayerFieldName[] {
  const requiredNames = new Set(required.map(withoutPrefix).map((name) => pageFieldNames[name] ?? name));
  return payerFieldNames.filter((field) => {
    if (!requiredNames.has(field) || !isMissing(payer, field)) return false;
    if (field !== 'state') return true;
    return payer.country ? hasStates(payer.country.toUpperCase()) : requiredNames.has('country');
  });
}
