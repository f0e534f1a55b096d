// The requests of both form protocols: their fields and limits (interface.md, S2S CARD common request fields; protocol.md
// 5), payer and payee under the names of the database, the order as the fields of a payment, and the schemas of
// subsequent charges, modifications and status requests.

import { z } from 'zod';
import { digitsOf, numberError } from '../../core/cards.ts';
import { hasStates } from '../../core/countries.ts';
import { type FieldError, fieldErrorTexts } from '../../core/errors.ts';
import type { FieldRule } from '../../core/openapi.ts';
import type { PartyDetails } from '../../core/payment.ts';
import { decodeForm, type Form, formLimits, type HttpRequest, jsonResult, type Route } from '../../http/index.ts';
import { type Action, handle, type Protocol } from '../pipeline/handle.ts';
import * as field from './fields.ts';
import { ignoringBlanks, type UncheckedBody, withRules } from './fields.ts';

/** The fields of every request in addition to its action. */
export const envelopeFields = { client_key: field.text(1, 64), hash: field.text(1, 128) };

export const order = {
  order_id: field.text(1, 255),
  order_amount: field.amount,
  order_currency: field.currency,
  order_description: field.text(1, 1024),
};

const email = field.emailOf(256);
const phoneCountryCode = field.patternText(/^[0-9][0-9-]*$/, 10);

/** The payer of a charge. The four address fields are required only if the mapping requires them. */
export const payer = {
  ...field.eachOf(['payer_first_name', 'payer_last_name'], field.payerText),
  payer_middle_name: field.payerText.optional(),
  payer_birth_date: field.day.optional(),
  payer_email: email,
  payer_phone: field.phone,
  payer_phone_country_code: phoneCountryCode.optional(),
  payer_ip: field.ipAddress,
  ...field.eachOf(['payer_address', 'payer_address2'], field.payerText.optional()),
  payer_house_number: field.text(1, 9).optional(),
  payer_country: field.country.optional(),
  payer_state: field.unvalidatedText,
  ...field.eachOf(['payer_city', 'payer_district', 'payer_zip'], field.payerText.optional()),
  // Not validated: an unknown language falls back to English.
  payer_language: field.unvalidatedText,
};

export const payee = {
  ...field.eachOf(['payee_first_name', 'payee_last_name', 'payee_middle_name'], field.payerText.optional()),
  payee_birth_date: field.day.optional(),
  payee_address: field.payerText.optional(),
  payee_country: field.country.optional(),
  ...field.eachOf(['payee_state', 'payee_city', 'payee_zip'], field.payerText.optional()),
  payee_email: email.optional(),
  payee_phone: field.phone.optional(),
  payee_phone_country_code: phoneCountryCode.optional(),
};

export const cardNumber = field.checkedText(1, 64, (value) => numberError(value) === null).transform(digitsOf);

export const card = {
  card_number: cardNumber.optional(),
  card_exp_month: field.patternText(/^(0?[1-9]|1[0-2])$/).optional(),
  card_exp_year: field.patternText(/^20[0-9]{2}$/).optional(),
  card_cvv2: field.patternText(/^[0-9]{3,4}$/).optional(),
  card_token: field.cardToken.optional(),
};

export const wallet = {
  digital_wallet: field.choice(['applepay', 'googlepay']).optional(),
  payment_token: field.text(1, 32 * 1024).optional(),
};

/** Results of the merchant's own 3-D Secure check. Only formats are checked: no trans_status causes a decline. */
export const mpiData = z.object(
  {
    eci: field.text(2, 2),
    authentication_value: field.text(28, 64),
    ds_trans_id: field.uuid,
    '3ds_version': field.patternText(/^[0-9]+\.[0-9]+\.[0-9]+$/, 16),
    trans_status: field.patternText(/^[A-Z]$/).optional(),
    xid: field.text(1, 64).optional(),
  },
  { error: fieldErrorTexts.notValid },
);

/** Optional fields of a payment: channel, provider parameters, custom data, callback URL. */
export const extras = {
  channel_id: field.text(1, 16).optional(),
  parameters: z.unknown().optional().meta({ type: 'object' }),
  custom_data: field.customData.optional(),
  callback_url: field.webUrl.optional(),
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
  order_currency: field.currency.optional(),
  recurring_first_trans_id: field.text(1, 255),
  recurring_token: field.text(1, 255),
  custom_data: extras.custom_data,
  callback_url: extras.callback_url,
};

/** Returns the field errors of `order_amount`. */
export const orderErrors = (body: UncheckedBody, zeroAllowed: boolean) =>
  toFieldErrors('order_amount', field.orderAmountError(body.order_amount, body.order_currency, zeroAllowed));

const subsequentRules: readonly FieldRule[] = [
  field.amountRule('order_amount'),
  { fields: ['order_currency'], text: 'Default: the currency of the initial payment.' },
];

const subsequentSchema = <Shape extends z.ZodRawShape>(shape: Shape) =>
  ignoringBlanks(
    withRules(z.object({ ...subsequentFields, ...shape }), (body) => orderErrors(body, false), subsequentRules),
  );

/** RECURRING_SALE. The action checks the amount in the currency of the initial payment, which is the default. */
export const recurringSaleSchema = subsequentSchema({ auth: field.formFlag.optional() });

/** RECURRING_DEBIT, which has no authorisation. */
export const recurringDebitSchema = subsequentSchema({});

export type RecurringRequest = z.output<typeof recurringSaleSchema>;

/** VOID, RETRY, GET_TRANS_STATUS, GET_TRANS_DETAILS. */
export const transactionSchema = z.object({ ...envelopeFields, trans_id: field.text(1, 255) });

/** CAPTURE and CREDITVOID. An empty amount is a field error, so that it cannot mean the full amount. */
export const amountOfTransactionSchema = transactionSchema.extend({ amount: field.amount.optional() });

/** GET_TRANS_STATUS_BY_ORDER. */
export const orderSchema = z.object({ ...envelopeFields, order_id: order.order_id });

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
  field.stateRule('payer_state'),
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

/** Returns the payer fields that a caller's mapping requires; none for an unknown caller. */
export const requiredPayerFieldsOf = (caller: { mapping: { requiredPayerFields: string[] } | null } | null) =>
  caller?.mapping?.requiredPayerFields ?? [];

// The payer's language applies to pages here and at the provider; it is never returned.
export const withLanguage = (input: { payer: PartyDetails; payer_language?: string }): PartyDetails =>
  input.payer_language === undefined ? input.payer : { ...input.payer, language: input.payer_language };

type OrderFields = { [name in keyof typeof order]: string } & {
  channel_id?: string;
  custom_data?: unknown;
  callback_url?: string;
  hash: string;
  parameters?: Record<string, unknown>;
};

/** Returns the payment fields of an order. `method` is the method that the request's parameters belong to. */
export function orderInput(action: string, method: string, input: OrderFields, amountMinor: bigint) {
  const { order_id, order_amount, order_currency, order_description, hash } = input;
  const texts = [order_id, order_amount, order_currency, order_description];
  return {
    orderNumber: order_id,
    orderAmount: order_amount,
    currency: order_currency,
    amountMinor,
    description: order_description,
    parameters: { [method]: input.parameters ?? {} },
    customData: input.custom_data,
    notificationUrl: input.callback_url,
    channelId: input.channel_id,
    requestDigest: field.digestOf([action, method, ...texts, hash.toLowerCase()]),
  };
}

/** The definition of a form protocol for the pipeline, and its routes; `get` answers GET requests too. */
export function formProtocol(
  name: 's2s_card' | 's2s_apm',
  actions: Readonly<Record<string, Action>>,
  paths: readonly string[],
  get?: (request: HttpRequest) => Promise<Form>,
): { protocol: Protocol<Form>; routes: Route[] } {
  const protocol: Protocol<Form> = {
    name,
    rateLimitScope: 's2s',
    decode: (request) => (get && request.method === 'GET' ? get(request) : decodeForm(request, formLimits)),
    find: (body) =>
      typeof body.action === 'string' && Object.hasOwn(actions, body.action) ? (actions[body.action] ?? null) : null,
    keyOf: (body) => body.client_key,
    reply: (status, body) => jsonResult(body, { status, headers: { 'cache-control': 'no-store' } }),
  };
  const run: Route['run'] = (request, _params, clientIp) => handle(protocol, request, clientIp);
  const methods = get ? (['POST', 'GET'] as const) : (['POST'] as const);
  return { protocol, routes: paths.flatMap((path) => methods.map((method) => ({ method, path, run }))) };
}
