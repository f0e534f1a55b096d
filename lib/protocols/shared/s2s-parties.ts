// Payer and payee of the form protocols: conversion to the names of the database, and rules between their fields
// (interface.md, Resources, rule 1; protocol.md 5).
import { hasStates } from '../../core/countries';
import { type FieldError, fieldErrorTexts } from '../../core/errors';
import type { FieldRule } from '../../core/openapi';
import type { PartyDetails } from '../../core/payment';
import { isSent, missingFieldErrors, payee, payer, toFieldErrors } from '../s2s-card/fields';
import type { UncheckedBody } from './fields';

/** Checks the payer's fields. The state is used in five countries only and ignored elsewhere (contract, rule 1). */
export function payerErrors(body: UncheckedBody, required: readonly string[]): FieldError[] {
  const withState = typeof body.payer_country === 'string' && hasStates(body.payer_country);
  const stateValid =
    !withState || !isSent(body, 'payer_state') || payee.payee_state.safeParse(body.payer_state).success;
  const requiredFields = required.filter((name) => name !== 'payer_state' || withState);
  return [
    ...toFieldErrors('payer_state', stateValid ? null : fieldErrorTexts.notValid),
    ...missingFieldErrors(body, requiredFields),
  ];
}

/** The rules of {@link payerErrors} as text. */
export const payerRules: readonly FieldRule[] = [
  {
    fields: ['payer_state'],
    text: 'Used in CA, US, JP, AU and IN only, with up to 255 characters; ignored elsewhere.',
  },
  {
    fields: ['payer_address', 'payer_country', 'payer_city', 'payer_zip'],
    text: 'Required if the protocol mapping requires them.',
  },
];

/** Returns the fields of a payer or payee under the contract's names without their prefix, as they are stored. */
function personOf(body: UncheckedBody, prefix: 'payer_' | 'payee_', names: readonly string[]): PartyDetails {
  const details: PartyDetails = {};
  for (const name of names) {
    const value = body[name];
    if (typeof value === 'string') details[name.slice(prefix.length)] = value;
  }
  return details;
}

const payeeNames = Object.keys(payee);
const payerNames = Object.keys(payer).filter((name) => name !== 'payer_language' && name !== 'payer_state');

/** Returns the payee of a checked request. */
export function payeeOf(body: UncheckedBody): PartyDetails {
  return personOf(body, 'payee_', payeeNames);
}

/** Returns the payer of a checked request, without the language. */
export function payerOf(body: UncheckedBody): PartyDetails {
  const details = personOf(body, 'payer_', payerNames);
  if (details.country && hasStates(details.country) && typeof body.payer_state === 'string')
    details.state = body.payer_state;
  return details;
}

/** Returns the payer's language as sent. It is not validated, so its length is limited here. */
export function languageOf(body: UncheckedBody): string | undefined {
  return typeof body.payer_language === 'string' ? body.payer_language.slice(0, 16) : undefined;
}

/** Returns a cache of schemas by the mapping's `requiredPayerFields`. */
export function schemaPerMapping<Schema>(
  make: (required: readonly string[]) => Schema,
): (required?: readonly string[]) => Schema {
  const cached = new Map<string, Schema>();
  return (required = []) => {
    const bare = new Set(required.map((name) => name.replace(/^(payer_|customer\.|billing_address\.)/, '')));
    const names = Object.keys(payer).filter((name) => bare.has(name.slice('payer_'.length)));
    const key = names.join(' ');
    const schema = cached.get(key) ?? make(names);
    cached.set(key, schema);
    return schema;
  };
}
