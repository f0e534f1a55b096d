/**
 * Stores the parameters that a payment page collected for a method with those of the request, so that every account
 * gets them, and the names of the fields, so that the page shows them again after a decline.
 */

import { hasStates } from '../../core/countries.ts';
import type { PartyDetails, Payment } from '../../core/payment.ts';
import { type PayerFieldName, payerFieldNames } from '../../methods/fields.ts';
import { decryptParameters, sealParameters } from '../../vault/index.ts';

/** A method other than card, with the values of its form. */
export type MethodInstrument = {
  method: string;
  parameters?: Record<string, unknown>;
  /** Parameters that are stored encrypted. */
  secret?: Record<string, string>;
  /** Names of the fields that the page has shown. */
  shownFields?: string[];
  /** A wallet token that the provider decrypts; it is not stored. */
  walletToken?: string;
};

const askedFieldsKey = (method: string) => `${method}:asked`;

/** The members of a payment's parameters for the collected values; undefined where the page showed no fields. */
export async function collectedParameters(
  payment: Payment,
  instrument: MethodInstrument,
): Promise<Record<string, unknown> | undefined> {
  const { method, parameters, secret, shownFields } = instrument;
  if (!parameters && !secret && !shownFields) return undefined;
  const stored = (payment.parameters[method] ?? {}) as object;
  return {
    [method]: { ...stored, ...parameters },
    [askedFieldsKey(method)]: shownFields ?? [],
    ...(secret &&
      (await sealParameters(payment, method, { ...(await decryptParameters(payment, method)), ...secret }))),
  };
}

/** The names of the fields that the page showed before the latest attempt by a method. */
export function previouslyAskedFields({ parameters }: Pick<Payment, 'parameters'>, method: string): string[] {
  const names = parameters[askedFieldsKey(method)];
  return Array.isArray(names) ? names.map(String) : [];
}

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
