/**
 * Validates the form of a method other than a card: payer fields and the method's parameters, normalised for the
 * provider.
 */

import type { PartyDetails, Payment } from '../core/payment';
import type { Method } from '../methods/method';
import { checkTypedParameters } from '../methods/parameters';
import { checkPerson, countryOf, type FormErrors, type PersonRequirements, type TypedValues } from './form';
import { phoneFor } from './phone';
import { type MethodFormFields, parameterFieldName } from './required-fields';

export type CheckedMethodForm =
  | {
      ok: true;
      person: PartyDetails;
      parameters: Record<string, string>;
      secret: Record<string, string>;
      shownFields: string[];
    }
  | { ok: false; errors: FormErrors };

/** Validates all required fields and lists every error, in the order of the page. */
export function checkMethodForm(
  typed: TypedValues,
  method: Method,
  { fields, parameters }: MethodFormFields,
  context: Pick<PersonRequirements, 'language' | 'now'> & { payment: Payment },
): CheckedMethodForm {
  const { payer } = context.payment;
  const input = Object.fromEntries(parameters.map(({ name }) => [name, typed[parameterFieldName(name)] ?? '']));
  const checked = checkTypedParameters(parameters, input);
  const parameterErrors = Object.entries(checked.faults).map(([name, message]) => [parameterFieldName(name), message]);
  const errors: FormErrors = Object.fromEntries(parameterErrors);
  const requirements: PersonRequirements = { ...context, fields, payer };
  const person = checkPerson(typed, requirements, errors);
  if (method.asks?.includes('phone') && !errors.phone) {
    const phone = phoneFor(method, countryOf(typed, requirements), person.phone ?? payer.phone ?? '');
    if (phone === null) errors.phone = { key: 'error.phone.wrong' };
    else person.phone = phone;
  }
  if (Object.keys(errors).length > 0) return { ok: false, errors };
  const isSecret = (name: string) => parameters.some((field) => field.name === name && field.input === 'secret');
  const values = Object.entries(checked.values);
  return {
    ok: true,
    person,
    parameters: Object.fromEntries(values.filter(([name]) => !isSecret(name))),
    secret: Object.fromEntries(values.filter(([name]) => isSecret(name))),
    shownFields: [...parameters.map(({ name }) => parameterFieldName(name)), ...fields],
  };
}
