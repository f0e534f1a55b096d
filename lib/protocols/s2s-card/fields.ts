// The fields of S2S CARD and their limits (interface.md, S2S CARD common request fields; protocol.md 5), and the
// schemas of subsequent charges, modifications and status requests. Field types are shared with Checkout.
import { z } from 'zod';
import { digitsOf, numberError } from '../../core/cards';
import { type FieldError, fieldErrorTexts } from '../../core/errors';
import type { FieldRule } from '../../core/openapi';
import {
  amount,
  choice,
  country,
  currency,
  customData,
  day,
  formFlag,
  ipAddress,
  orderAmountError,
  patternText,
  payerText,
  text,
  type UncheckedBody,
  unvalidatedText,
  uuid,
  webUrl,
  withoutBlanks,
  withRules,
} from '../shared/fields';

/** The fields of every request in addition to its action. */
export const envelopeFields = { client_key: text(1, 64), hash: text(1, 128) };

export const order = {
  order_id: text(1, 255),
  order_amount: amount,
  order_currency: currency,
  order_description: text(1, 1024),
};

const email = patternText(/^[^\s@]+@[^\s@]+$/, 256);
const phoneCountryCode = patternText(/^[0-9][0-9-]*$/, 10);

/** The payer of a charge. The four address fields are required only if the mapping requires them. */
export const payer = {
  payer_first_name: payerText,
  payer_last_name: payerText,
  payer_middle_name: payerText.optional(),
  payer_birth_date: day.optional(),
  payer_email: email,
  payer_phone: payerText,
  payer_phone_country_code: phoneCountryCode.optional(),
  payer_ip: ipAddress,
  payer_address: payerText.optional(),
  payer_address2: payerText.optional(),
  payer_house_number: text(1, 9).optional(),
  payer_country: country.optional(),
  payer_state: unvalidatedText,
  payer_city: payerText.optional(),
  payer_district: payerText.optional(),
  payer_zip: payerText.optional(),
  // Not validated: an unknown language falls back to English.
  payer_language: unvalidatedText,
};

export const payee = {
  payee_first_name: payerText.optional(),
  payee_last_name: payerText.optional(),
  payee_middle_name: payerText.optional(),
  payee_birth_date: day.optional(),
  payee_address: payerText.optional(),
  payee_country: country.optional(),
  payee_state: payerText.optional(),
  payee_city: payerText.optional(),
  payee_zip: payerText.optional(),
  payee_email: email.optional(),
  payee_phone: payerText.optional(),
  payee_phone_country_code: phoneCountryCode.optional(),
};

export const cardNumber = text(1, 64)
  .refine((value) => numberError(value) === null, fieldErrorTexts.notValid)
  .transform(digitsOf);

const cardToken = patternText(/^[0-9A-Za-z-]+$/, 128);

export const card = {
  card_number: cardNumber.optional(),
  card_exp_month: patternText(/^(0?[1-9]|1[0-2])$/).optional(),
  card_exp_year: patternText(/^20[0-9]{2}$/).optional(),
  card_cvv2: patternText(/^[0-9]{3,4}$/).optional(),
  card_token: cardToken.optional(),
};

export const wallet = {
  digital_wallet: choice(['applepay', 'googlepay']).optional(),
  payment_token: text(1, 32 * 1024).optional(),
};

/** Results of the merchant's own 3-D Secure check. Only formats are checked: no trans_status causes a decline. */
export const mpiData = z.object(
  {
    eci: text(2, 2),
    authentication_value: text(28, 64),
    ds_trans_id: uuid,
    '3ds_version': patternText(/^[0-9]+\.[0-9]+\.[0-9]+$/, 16),
    trans_status: patternText(/^[A-Z]$/).optional(),
    xid: text(1, 64).optional(),
  },
  { error: fieldErrorTexts.notValid },
);

/** Optional fields of a payment: channel, provider parameters, custom data, callback URL. */
export const extras = {
  channel_id: text(1, 16).optional(),
  parameters: z.unknown().optional().meta({ type: 'object' }),
  custom_data: customData.optional(),
  callback_url: webUrl.optional(),
};

/** Returns a list with one field error, or an empty list for null. */
export function toFieldErrors(path: string, error: string | null): FieldError[] {
  return error ? [{ path, text: error }] : [];
}

export const isSent = (body: UncheckedBody, name: string) => body[name] !== undefined;

/** Returns a field error for every missing field. */
export function missingFieldErrors(body: UncheckedBody, names: readonly string[]): FieldError[] {
  return names.filter((name) => !isSent(body, name)).flatMap((name) => toFieldErrors(name, fieldErrorTexts.blank));
}

const subsequentFields = {
  ...envelopeFields,
  ...order,
  order_currency: currency.optional(),
  recurring_first_trans_id: text(1, 255),
  recurring_token: text(1, 255),
  custom_data: extras.custom_data,
  callback_url: extras.callback_url,
};

const amountRule = { fields: ['order_amount'], text: 'More than 0, with no more decimals than the currency has.' };

const subsequentRules: readonly FieldRule[] = [
  amountRule,
  { fields: ['order_currency'], text: 'Default: the currency of the initial payment.' },
];

function subsequentSchema<Shape extends z.ZodRawShape>(shape: Shape) {
  const rules = (body: UncheckedBody) =>
    toFieldErrors('order_amount', orderAmountError(body.order_amount, body.order_currency, false));
  return z.preprocess(
    (body) => withoutBlanks(body, []),
    withRules(z.object({ ...subsequentFields, ...shape }), rules, subsequentRules),
  );
}

/**
 * RECURRING_SALE. The default currency is that of the initial payment; the action then checks the decimals of the
 * amount against it ({@link orderAmountError}).
 */
export const recurringSaleSchema = subsequentSchema({ auth: formFlag.optional() });

/** RECURRING_DEBIT, which has no authorisation. */
export const recurringDebitSchema = subsequentSchema({});

export type RecurringRequest = z.output<typeof recurringSaleSchema>;

/** VOID, RETRY, GET_TRANS_STATUS, GET_TRANS_DETAILS. */
export const transactionSchema = z.object({ ...envelopeFields, trans_id: text(1, 255) });

/** CAPTURE and CREDITVOID. An empty amount is a field error, so that it cannot mean the full amount. */
export const amountOfTransactionSchema = transactionSchema.extend({ amount: amount.optional() });

/** GET_TRANS_STATUS_BY_ORDER. */
export const orderSchema = z.object({ ...envelopeFields, order_id: order.order_id });
