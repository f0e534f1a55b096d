/**
 * What a payer's page has collected for a method: kept with the parameters of the request, so that any provider account
 * gets it, and remembered by name, so that the page asks for it again after a decline.
 */
import type { Payment } from '../../core/payment';
import { decryptParameters, sealParameters } from '../../vault';

/** A method besides the card, and what its form on the page has brought. */
export type MethodInstrument = {
  method: string;
  parameters?: Record<string, unknown>;
  /** Parameters that are kept sealed. */
  secret?: Record<string, string>;
  /** Names of the fields that the page has asked for. */
  asked?: string[];
  /** A wallet's token, for the provider to open; nobody keeps it. */
  walletToken?: string;
};

const askedFieldsKey = (method: string) => `${method}:asked`;

/** The members of a payment's parameters that hold what was collected; undefined where the page asked for nothing. */
export async function collectedParameters(
  payment: Payment,
  means: MethodInstrument,
): Promise<Record<string, unknown> | undefined> {
  const { method, parameters, secret, asked } = means;
  if (!parameters && !secret && !asked) return undefined;
  const told = (payment.parameters[method] ?? {}) as object;
  return {
    [method]: { ...told, ...parameters },
    [askedFieldsKey(method)]: asked ?? [],
    ...(secret && (await sealParameters(method, { ...(await decryptParameters(payment, method)), ...secret }))),
  };
}

/** The names of the fields that the page has asked for before the latest attempt by a method. */
export function previouslyAskedFields({ parameters }: Pick<Payment, 'parameters'>, method: string): string[] {
  const names = parameters[askedFieldsKey(method)];
  return Array.isArray(names) ? names.map(String) : [];
}
