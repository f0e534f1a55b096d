/**
 * What the page asks: the billing fields that the mapping or the method requires and the request lacks, and the method's
 * own parameters. `state` is asked in five countries only (contract, Resources, rule 1), so it may depend on the country
 * that the payer chooses.
 */

import type { Payment } from '../core/payment';
import type { PayerFieldName } from '../methods/fields';
import type { Method, MethodOperation } from '../methods/method';
import { type ParameterField, parametersToCollect } from '../methods/parameters';
import { missingPayerFields, previouslyAskedFields } from '../payments';
import { hasSealedParameters } from '../vault';
import { phoneFor } from './phone';
import type { View } from './view';

type FormSource = { caller: Pick<View['caller'], 'mapping'>; payment: Payment };

/** The fields that a card's form asks. Who opens a payout's page gets the money and pays nothing. */
export function cardFormFields({ caller, payment }: FormSource): PayerFieldName[] {
  return payment.operation === 'credit' ? [] : missingPayerFields(caller.mapping.requiredPayerFields, payment.payer);
}

/** Whether the payer has to tick that they may be charged again (protocol.md 3). */
export function requiresConsent({ session, payment }: Pick<View, 'session' | 'payment'>): boolean {
  return session.consentRequired && (payment.operation === 'purchase' || payment.operation === 'debit');
}

/** What another method's form asks. */
export type MethodFormFields = { fields: PayerFieldName[]; parameters: ParameterField[] };

/** How the field of a method's parameter is named on the page. */
export const parameterFieldName = (parameter: string) => `parameter_${parameter}` as const;

/**
 * The fields of a method's form; what the page has asked before is asked again, because after a decline it may be what
 * was wrong. `country` is one that the payer has just chosen.
 */
export function methodFormFields({ caller, payment }: FormSource, method: Method, country?: string): MethodFormFields {
  const again = previouslyAskedFields(payment, method.id);
  const known = country ?? payment.payer.country?.toUpperCase();
  const required = payment.operation === 'credit' ? [] : caller.mapping.requiredPayerFields;
  const usable = ([name, value]: [string, string | undefined]) =>
    !again.includes(name) &&
    (name !== 'phone' || !method.asks?.includes('phone') || phoneFor(method, known, value ?? '') !== null);
  const payer = Object.fromEntries(Object.entries(payment.payer).filter(usable));
  const told = (payment.parameters[method.id] ?? {}) as Record<string, unknown>;
  const given = Object.fromEntries(Object.entries(told).filter(([name]) => !again.includes(parameterFieldName(name))));
  const isSealed = hasSealedParameters(payment, method.id);
  const asked = parametersToCollect(method, given, known, {
    operation: payment.operation as MethodOperation,
    currency: payment.currency,
  });
  return {
    fields: missingPayerFields([...required, ...(method.asks ?? [])], payer),
    parameters: asked.filter(({ name, input }) => {
      return input !== 'secret' || !isSealed || again.includes(parameterFieldName(name));
    }),
  };
}
