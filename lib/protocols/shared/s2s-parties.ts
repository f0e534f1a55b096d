// Payer and payee of the form protocols: from the fields of a request to the words of the money tables, and the rules
// that look at several of their fields (interface.md, Resources, rule 1; protocol.md 5).
import { hasStates } from '../../core/countries';
import { type FieldError, fieldErrorTexts } from '../../core/errors';
import type { FieldRule } from '../../core/openapi';
import type { PartyDetails } from '../../core/payment';
import { isSent, missingFieldErrors, payee, payer, toFieldErrors } from '../s2s-card/fields';
import type { UncheckedBody } from './fields';

/** The payer's state counts in five countries only; elsewhere it is hidden, whatever it is (contract, rule 1). */
export function payerErrors(body: UncheckedBody, required: readonly string[]): FieldError[] {
  const withState = typeof body.payer_country === 'string' && hasStates(body.payer_country);
  const stateFits = !withState || !isSent(body, 'payer_state') || payee.payee_state.safeParse(body.payer_state).success;
  const wanted = required.filter((name) => name !== 'payer_state' || withState);
  return [
    ...toFieldErrors('payer_state', stateFits ? null : fieldErrorTexts.notValid),
    ...missingFieldErrors(body, wanted),
  ];
}

/** What {@link payerErrors} checks, in words. */
export const payerRules: readonly FieldRule[] = [
  {
    fields: ['payer_state'],
    text: 'Counts in CA, US, JP, AU and IN only, with up to 255 characters; elsewhere it is not read.',
  },
  {
    fields: ['payer_address', 'payer_country', 'payer_city', 'payer_zip'],
    text: 'Required where the protocol mapping says so.',
  },
];

/** The fields of a person under the contract's names without their prefix, as the money tables keep them. */
function personOf(body: UncheckedBody, prefix: 'payer_' | 'payee_', names: readonly string[]): PartyDetails {
  const found: PartyDetails = {};
  for (const name of names) {
    const value = body[name];
    if (typeof value === 'string') found[name.slice(prefix.length)] = value;
  }
  return found;
}

const payeeNames = Object.keys(payee);
const payerNames = Object.keys(payer).filter((name) => name !== 'payer_language' && name !== 'payer_state');

/** The payee of a checked request. */
export function payeeOf(body: UncheckedBody): PartyDetails {
  return personOf(body, 'payee_', payeeNames);
}

/** The payer of a checked request, without their language. */
export function payerOf(body: UncheckedBody): PartyDetails {
  const found = personOf(body, 'payer_', payerNames);
  if (found.country && hasStates(found.country) && typeof body.payer_state === 'string') found.state = body.payer_state;
  return found;
}

/** The payer's language as sent. It is not validated, so that only its length is bounded. */
export function languageOf(body: UncheckedBody): string | undefined {
  return typeof body.payer_language === 'string' ? body.payer_language.slice(0, 16) : undefined;
}

/** Schemas that depend on what the mapping requires, each made once. `required` as in `requiredPayerFields`. */
export function schemaPerMapping<Schema>(
  make: (required: readonly string[]) => Schema,
): (required?: readonly string[]) => Schema {
  const made = new Map<string, Schema>();
  return (required = []) => {
    const bare = new Set(required.map((name) => name.replace(/^(payer_|customer\.|billing_address\.)/, '')));
    const names = Object.keys(payer).filter((name) => bare.has(name.slice('payer_'.length)));
    const key = names.join(' ');
    const schema = made.get(key) ?? make(names);
    made.set(key, schema);
    return schema;
  };
}
