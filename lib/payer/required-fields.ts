/**
 * Decides which fields the page requires: billing fields that the mapping or the method requires and the request lacks,
 * and the method's parameters. `state` is required in five countries only (contract, Resources, rule 1), so it may
 * depend on the country that the payer chooses.
 */

import type { Payment } from '../core/payment.ts';
import type { PayerFieldName } from '../methods/fields.ts';
import type { Method, MethodOperation } from '../methods/method.ts';
import { acceptsRequestField, type ParameterField, parametersToCollect } from '../methods/parameters.ts';
import { readPhone } from '../methods/phone.ts';
import { missingPayerFields, previouslyAskedFields } from '../payments/index.ts';
import { hasSealedParameters } from '../vault/index.ts';
import type { View } from './view.ts';

type FormSource = { caller: Pick<View['caller'], 'mapping'>; payment: Payment };

/** The payer fields of a card's form; a payout has none, because its payee does not pay. */
export function cardFormFields({ caller, payment }: FormSource): PayerFieldName[] {
  return payment.operation === 'credit' ? [] : missingPayerFields(caller.mapping.requiredPayerFields, payment.payer);
}

export type MethodFormFields = { fields: PayerFieldName[]; parameters: ParameterField[] };

export const parameterFieldName = (parameter: string) => `parameter_${parameter}` as const;

/**
 * The fields of a method's form. Fields that the page requested before are requested again, because after a decline
 * they may be wrong. `country` is the one that the payer has just chosen.
 */
export function methodFormFields({ caller, payment }: FormSource, method: Method, country?: string): MethodFormFields {
  const previous = previouslyAskedFields(payment, method.id);
  const known = country ?? payment.payer.country?.toUpperCase();
  const required = payment.operation === 'credit' ? [] : caller.mapping.requiredPayerFields;
  const usable = ([name, value]: [string, string | undefined]) =>
    !previous.includes(name) &&
    (name !== 'phone' || !method.asks?.includes('phone') || phoneFor(method, known, value ?? '') !== null);
  const payer = Object.fromEntries(Object.entries(payment.payer).filter(usable));
  const stored = (payment.parameters[method.id] ?? {}) as Record<string, unknown>;
  const present = Object.fromEntries(
    Object.entries(stored).filter(([name]) => !previous.includes(parameterFieldName(name))),
  );
  const isSealed = hasSealedParameters(payment, method.id);
  const missing = parametersToCollect(method, present, known, {
    operation: payment.operation as MethodOperation,
    currency: payment.currency,
  });
  return {
    fields: missingPayerFields([...required, ...(method.asks ?? [])], payer),
    parameters: missing.filter(({ name, input }) => {
      return input !== 'secret' || !isSealed || previous.includes(parameterFieldName(name));
    }),
  };
}

/**
 * A phone number in international form for a method's provider, read by the payer's country or by the method's only one;
 * null if the method does not accept it. Its catalogue row defines which numbers it accepts (Benin, Togo).
 */
export function phoneFor(method: Method, country: string | undefined, text: string): string | null {
  const { countries = [] } = method;
  const only = countries.length === 1 ? countries[0] : undefined;
  for (const by of new Set([country?.toUpperCase() || undefined, only, undefined])) {
    const phone = readPhone(text, by);
    if (phone !== null && acceptsRequestField(method, 'payer_phone', phone)) return phone;
  }
  return null;
}
