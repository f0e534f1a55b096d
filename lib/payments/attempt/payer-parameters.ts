/**
 * What a payer's page has collected for a method: kept with the parameters of the request, so that any provider account
 * gets it, and remembered by name, so that the page asks for it again after a decline.
 */
import type { Payment } from '../../core/payment';
import { openParameters, sealedParameters } from '../../vault/secret-parameters';

/** A method besides the card, and what its form on the page has brought. */
export type OtherMeans = {
  method: string;
  parameters?: Record<string, unknown>;
  /** Parameters that are kept sealed. */
  secret?: Record<string, string>;
  /** Names of the fields that the page has asked for. */
  asked?: string[];
  /** A wallet's token, for the provider to open; nobody keeps it. */
  walletToken?: string;
};

const placeOf = (method: string) => `${method}:asked`;

/** The members of a payment's parameters that hold what was collected; undefined where the page asked for nothing. */
export async function collected(payment: Payment, means: OtherMeans): Promise<Record<string, unknown> | undefined> {
  const { method, parameters, secret, asked } = means;
  if (!parameters && !secret && !asked) return undefined;
  const told = (payment.parameters[method] ?? {}) as object;
  return {
    [method]: { ...told, ...parameters },
    [placeOf(method)]: asked ?? [],
    ...(secret && (await sealedParameters(method, { ...(await openParameters(payment, method)), ...secret }))),
  };
}

/** The names of the fields that the page has asked for before the latest attempt by a method. */
export function askedBefore({ parameters }: Pick<Payment, 'parameters'>, method: string): string[] {
  const names = parameters[placeOf(method)];
  return Array.isArray(names) ? names.map(String) : [];
}
