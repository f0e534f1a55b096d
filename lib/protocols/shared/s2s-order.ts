// Converts the order of a form protocol request into the fields of a new payment.
import { createHash } from 'node:crypto';
import { throwApiError } from '../../core/errors';
import { parseAmount } from '../../core/money';
import type { PartyDetails } from '../../core/payment';

/** Returns the payer fields that a caller's mapping requires; none for an unknown caller. */
export const requiredPayerFieldsOf = (caller: { mapping: { requiredPayerFields: string[] } | null } | null) =>
  caller?.mapping?.requiredPayerFields ?? [];

// The payer's language applies to pages here and at the provider; it is never returned.
export const withLanguage = ({
  payer,
  payer_language: language,
}: {
  payer: PartyDetails;
  payer_language?: string;
}): PartyDetails => (language === undefined ? payer : { ...payer, language });

/** The fields of an order. */
export type OrderFields = {
  order_id: string;
  order_amount: string;
  order_currency: string;
  order_description: string;
  channel_id?: string;
  custom_data?: unknown;
  callback_url?: string;
  hash: string;
  parameters?: Record<string, unknown>;
};

/** Returns the payment fields of an order. `method` is the method that the request's parameters belong to. */
export function orderInput(action: string, method: string, input: OrderFields, amountMinor: bigint) {
  return {
    orderNumber: input.order_id,
    orderAmount: input.order_amount,
    currency: input.order_currency,
    amountMinor,
    description: input.order_description,
    vatCalc: false,
    parameters: { [method]: input.parameters ?? {} },
    customData: input.custom_data ?? null,
    notificationUrl: input.callback_url ?? null,
    channelId: input.channel_id ?? null,
    requestDigest: digestOf([action, method], input),
  };
}

/** Returns the digest that distinguishes a repeat from a duplicate: over the order as sent and the hash. */
function digestOf(kind: readonly string[], input: OrderFields): Buffer {
  const { order_id, order_amount, order_currency, order_description, hash } = input;
  const values = [...kind, order_id, order_amount, order_currency, order_description, hash.toLowerCase()];
  return createHash('sha256').update(JSON.stringify(values)).digest();
}

/** Converts a checked amount to minor units. Throws 204012 for an unknown currency. */
export function minorOf(amount: string, currency: string): bigint {
  const parsed = parseAmount(amount, currency);
  return parsed.ok ? parsed.minor : throwApiError('currencyNotFound');
}
