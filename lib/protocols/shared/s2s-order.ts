// What a request of the form protocols says of its order, as a payment begins with it: card or any other method.
import { createHash } from 'node:crypto';
import { throwApiError } from '../../core/errors';
import { parseAmount } from '../../core/money';
import type { PartyDetails } from '../../core/payment';

/** The payer fields that a caller's mapping requires; none for an unknown caller. */
export const requiredPayerFieldsOf = (caller: { mapping: { requiredPayerFields: string[] } | null } | null) =>
  caller?.mapping?.requiredPayerFields ?? [];

// The language is the payer's, for what is shown to them here and at the provider; it is never returned.
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

/** The part of a payment that its order gives. `method` is whose parameters the request holds. */
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

/** What tells a repeat from a duplicate: the order as sent, and the hash, which stands for the values it was made of. */
function digestOf(kind: readonly string[], input: OrderFields): Buffer {
  const { order_id, order_amount, order_currency, order_description, hash } = input;
  const values = [...kind, order_id, order_amount, order_currency, order_description, hash.toLowerCase()];
  return createHash('sha256').update(JSON.stringify(values)).digest();
}

/** Minor units of an amount that has passed its checks; an unknown currency is refused (204012). */
export function minorOf(amount: string, currency: string): bigint {
  const parsed = parseAmount(amount, currency);
  return parsed.ok ? parsed.minor : throwApiError('currencyNotFound');
}
