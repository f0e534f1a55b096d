/**
 * Stores the parameters that a payment page collected for a method with those of the request, so that every account
 * gets them, and the names of the fields, so that the page shows them again after a decline.
 */
import type { Payment } from '../../core/payment';
import { decryptParameters, sealParameters } from '../../vault';

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
    ...(secret && (await sealParameters(method, { ...(await decryptParameters(payment, method)), ...secret }))),
  };
}

/** The names of the fields that the page showed before the latest attempt by a method. */
export function previouslyAskedFields({ parameters }: Pick<Payment, 'parameters'>, method: string): string[] {
  const names = parameters[askedFieldsKey(method)];
  return Array.isArray(names) ? names.map(String) : [];
}
