// The callback of each protocol in OpenAPI: a webhook of the document, and a callback of every operation whose request
// can contain a callback URL. The examples come from the functions that build real callbacks, and the API tests
// validate every received callback against these schemas.
import { z } from 'zod';
import {
  type CallbackSubject,
  callbackFields,
  callbackResults,
  callbackSignature,
  type DueCallback,
  modificationActions,
  retrySeconds,
} from '../callbacks/index.ts';
import { env } from '../config/index.ts';
import { demoMerchant } from '../core/demo-merchant.ts';
import type { Callback, Operation, Schema } from '../core/openapi.ts';
import type { Payment, Protocol, Transaction } from '../core/payment.ts';
import { layOut } from '../core/signatures.ts';
import type { FormFields } from '../http/index.ts';
import { actionParameter, operationHeader } from '../protocols/index.ts';
import * as wire from './common-schemas.ts';
import { apmResponses, cardResponses, presentationFields, quote } from './responses.ts';
import { responseSchema } from './schemas.ts';
import { formulaText, namesIn, uniqueFormulas } from './signature-formula.ts';

const payer = wire.text('The payer, if known.').optional();
const payee = wire.text('The payee of a payout or a transfer, if known.').optional();
const hash = wire.text('The signature.', 'd2f1c0a98b7e6f5d4c3b2a1908f7e6d5c4b3a291');
const custom = z.unknown().meta({ description: 'The custom data of the request, without card data.' }).optional();
const expiry = wire.text('MM/YYYY.', '05/2038').optional();
const firstOfChain = wire.uuid('The transaction ID of the initial payment.').optional();
const named = (prefix: string, names: string, schema: z.ZodType) =>
  Object.fromEntries(names.split(' ').map((name) => [`${prefix}_${name}`, schema]));

/** The fields of a callback in order of importance, then the mapping's optional fields and the signature. */
const shapeOf = (own: z.ZodRawShape) => z.strictObject({ ...own, ...without(own), hash });

const without = (own: object) =>
  Object.fromEntries(Object.entries(wire.mappingFields).filter(([name]) => !(name in own)));

const checkoutCallback = shapeOf({
  id: wire.paymentId,
  payment_id: wire.paymentId,
  trans_id: wire.transId,
  operation_id: wire.operationId.optional(),
  order_id: wire.text('Your order number.', 'order-1001'),
  order_number: wire.text('Your order number.', 'order-1001'),
  order_amount: wire.money('The amount of the reported operation, for example of a partial refund.'),
  order_currency: wire.text('ISO 4217.', 'EUR'),
  order_description: wire.text('As sent.', 'Two coffee cups'),
  order_status: wire.checkoutState,
  type: z
    .enum([
      ...(['sale', 'capture', 'recurring', 'debit', 'credit', 'transfer', '3ds', 'redirect', 'init'] as const),
      ...(['refund', 'reversal', 'void', 'chargeback'] as const),
    ])
    .meta({ description: 'The reported event. Read it together with status.' }),
  status: z
    .enum(['success', 'fail', 'waiting', 'undefined'])
    .meta({ description: 'The outcome of the event. order_status is the state of the payment.' }),
  reason: wire.text('The reason of a failure, with fail only.').optional(),
  date: wire.wireDate('The time of the event, UTC.'),
  ...named('customer', 'name email ip country state city address', payer),
  card: wire.mask.optional(),
  card_expiration_date: expiry,
  card_token: wire.cardToken,
  payee_card: wire.text('First six and last four digits of the payee’s card.').optional(),
  ...named('payee', 'first_name last_name middle_name email phone phone_country_code birth_date birth_day', payee),
  ...named('payee', 'country state city district address house_number zip', payee),
  recurring_init_trans_id: firstOfChain,
  ...wire.chain,
  ...named('crypto', 'network address', wire.text('The address or network of a cryptocurrency payment.').optional()),
  digital_wallet: wire.wallet.optional(),
  pan_type: wire.panType.optional(),
  custom_data: custom,
});

const startActions = (responses: typeof cardResponses, modifications: readonly string[]) =>
  z
    .enum([
      ...Object.keys(responses).filter((name) => !modifications.includes(name)),
      ...wire.uniqueValues(modificationActions),
    ] as [string])
    .meta({ description: 'The reported action. A refund or a reversal is CREDITVOID, a dispute CHARGEBACK.' });

const chargebackText = wire.text('A detail of a dispute, if the provider sends it.').optional();

const formCallback = {
  result: z
    .enum([...wire.uniqueValues(callbackResults), 'REDIRECT'])
    .meta({ description: 'The outcome. WAITING, UNDEFINED and REDIRECT are not final.', examples: ['SUCCESS'] }),
  status: wire.formState,
  order_id: wire.text('Your order number.', 'order-1001'),
  trans_id: wire.transId,
  trans_date: wire.wireDate('The time of the event, UTC.').optional(),
  creditvoid_date: wire
    .wireDate('The time of the refund or reversal, UTC; with CREDITVOID instead of trans_date.')
    .optional(),
  amount: wire.money('The amount of the reported operation, for example of a partial refund.'),
  currency: wire.text('ISO 4217.', 'EUR').optional(),
  chargeback_date: chargebackText,
  bank_date: chargebackText,
  reason_code: chargebackText,
  descriptor: wire.text("The descriptor on the payer's statement.").optional(),
  decline_reason: wire.text('The reason of a decline, with DECLINED.').optional(),
  redirect_url: wire.text('The payer’s next URL, with REDIRECT.').optional(),
  redirect_method: wire.method.optional(),
  redirect_params: wire.texts('Fields to send to redirect_url, with REDIRECT.').optional(),
  custom_data: custom,
};

const cardFields = {
  card: wire.mask.optional(),
  card_expiration_date: expiry,
  recurring_init_trans_id: firstOfChain,
  ...wire.chain,
  card_token: wire.cardToken,
  digital_wallet: wire.wallet.optional(),
  pan_type: wire.panType.optional(),
};

const cardModifications = /^(CAPTURE|VOID|CREDITVOID|RETRY|GET_|.*SCHEDULE)/;
const apmModifications = /^(CAPTURE|VOID|CREDITVOID|GET_|DEBIT2VIRTUAL_)/;
const matching = (answers: object, pattern: RegExp) => Object.keys(answers).filter((name) => pattern.test(name));

const shapes: { readonly [name in Protocol]: z.ZodType } = {
  checkout: checkoutCallback,
  s2s_card: shapeOf({
    action: startActions(cardResponses, matching(cardResponses, cardModifications)),
    ...formCallback,
    ...cardFields,
  }),
  s2s_apm: shapeOf({
    action: startActions(apmResponses, matching(apmResponses, apmModifications)),
    ...formCallback,
    commission: quote.commission.optional(),
    total_amount: quote.total_amount.optional(),
    ...presentationFields,
    // Callbacks contain no image, because they do not reach the payer.
    redirect_params: wire.texts('Fields to send to redirect_url, or qr_payload, the text of a QR code.').optional(),
  }),
};

const headers = Object.entries({
  'webhook-id': 'The ID of this callback, the same at every delivery attempt. Use it to detect repeats.',
  'webhook-timestamp':
    'The time of this delivery attempt as Unix time in seconds. Refuse a difference of more than 300 seconds.',
  'webhook-signature':
    'v1, and the base64 of HMAC-SHA256 over webhook-id + . + webhook-timestamp + . + body. The key is HMAC-SHA256 over the ' +
    'text florin callbacks with the password as its key, in bytes.',
  'Florin-Sequence':
    'Increases with each callback of a payment. Ignore callbacks with a lower value than the last one.',
  [operationHeader]:
    'The ID of the reported capture, refund, void or chargeback, the same as in its response. Absent if the callback ' +
    'reports an attempt.',
}).map(([name, description]) => ({ name, description }));

type Case = {
  summary: string;
  /** The callbacks with the same signature formula. */
  when: string;
  payment?: Partial<Payment>;
  callback?: Partial<DueCallback>;
  /** S2S APM: the action that created the payment. */
  begun?: 'SALE' | 'CREDIT2VIRTUAL';
};

const refunded: Partial<DueCallback> = { type: 'refund', amountMinor: 2000n };
const cases: { readonly [name in Protocol]: readonly Case[] } = {
  checkout: [
    { summary: 'Paid', when: 'Every callback' },
    { summary: 'Partially refunded', when: 'Every callback', callback: refunded },
  ],
  s2s_card: [
    { summary: 'Paid', when: 'All others' },
    { summary: 'Partially refunded', when: 'All others', callback: refunded },
    {
      summary: 'Paid out',
      when: 'CREDIT2CARD, and payments without a payer’s e-mail',
      payment: { operation: 'credit' },
      callback: { type: 'credit' },
    },
  ],
  s2s_apm: [
    {
      summary: 'Paid',
      when: 'All others: every field that it has except hash, as here, in the order of their names',
      payment: { method: 'papara', card: null, customData: { basket: '7' } },
      begun: 'SALE',
    },
    {
      summary: 'Paid out',
      when: 'CREDIT2VIRTUAL and CREDIT2CRYPTO',
      payment: { operation: 'credit', method: 'kora', card: null },
      callback: { type: 'credit' },
      begun: 'CREDIT2VIRTUAL',
    },
    {
      summary: 'Paid in a cryptocurrency',
      when: 'SALE with a cryptocurrency method',
      payment: { method: 'crypto-btg', card: null },
      begun: 'SALE',
    },
  ],
};

function exampleOf(protocol: Protocol, each: Case) {
  const { summary, when } = each;
  const subject = subjectOf(protocol, each);
  const { hash: signature, ...fields } = callbackFields(subject);
  const { recipe, values } = callbackSignature(fields, subject.payment);
  // Checkout has the order number in two fields; the contract signs order_number.
  const signed = protocol === 'checkout' ? { ...fields, order_id: undefined } : fields;
  const formula = formulaText(layOut(recipe, { ...values, password: demoMerchant.password }), namesIn(signed));
  // Production shows no signatures with the demo merchant's password.
  const value: FormFields = { ...fields, hash: env.appEnv === 'sandbox' ? signature : 'YOUR-HASH' };
  return { example: { summary, value }, formula: { when, formula } };
}

const at = new Date('2026-11-20T16:50:00Z');
const attempt = {
  id: '019a8f5c-41b7-7e0a-8c3d-2b9f6a1d5e70',
  kind: 'sale',
  attemptId: null,
  providerData: {},
  createdAt: at,
};
const refund = { ...attempt, id: '019a8f61-7a20-7b14-9f0e-51c3d2a4b6e8', kind: 'refund', attemptId: attempt.id };

// Only the members that callbacks read.
function subjectOf(protocol: Protocol, { payment, callback, begun: createdBy }: Partial<Case>): CallbackSubject {
  const paid = {
    id: '019a8f5c-3d0e-7c41-9a52-6f1e0b7d2c88',
    protocol,
    operation: 'purchase',
    customData: null,
    payee: {},
    orderNumber: 'order-1001',
    orderAmount: '84.50',
    amountMinor: 8450n,
    currency: 'EUR',
    description: 'Two coffee cups',
    payer: { name: 'Ana Petrović', email: 'ana@example.com' },
    card: { first6: '411111', last4: '1111', expMonth: 5, expYear: 2038 },
    parameters: createdBy === undefined ? {} : actionParameter(createdBy),
    ...payment,
  } as unknown as Payment;
  const sent = {
    type: 'sale',
    outcome: 'success',
    orderState: 'settled',
    amountMinor: paid.amountMinor,
    transactionId: attempt.id,
    createdAt: at,
    ...callback,
  } as DueCallback;
  const movement = (callback?.type === 'refund' ? refund : attempt) as unknown as Transaction;
  const { password } = demoMerchant;
  const mapping = { digest: 'md5', callbackFields: [] };
  const caller = { key: { password }, merchant: { name: 'Orme Ceramics' }, mapping } as unknown;
  return {
    payment: paid,
    attempt: attempt as unknown as Transaction,
    movement,
    callback: sent,
    caller: caller as CallbackSubject['caller'],
  };
}

/** Returns the webhook of a protocol and adds its schema to `schemas`. */
export function callbackOf(protocol: Protocol, schemas: { [name: string]: Schema }) {
  const described = cases[protocol].map((each) => exampleOf(protocol, each));
  const body = { $ref: '#/components/schemas/callback' };
  schemas.callback = responseSchema(shapes[protocol]);
  const examples = described.map(({ example }) => example);
  const formulas = uniqueFormulas(described.map(({ formula }) => formula));
  const callback: Callback = { summary: 'A change of a payment.', body, headers, examples, formulas };
  const examplesByName = examples.map((example, index) => [`callback-${index + 1}`, example]);
  return {
    operationId: 'callback',
    summary: callback.summary,
    description: `To ${protocol === 'checkout' ? 'notification_url' : 'callback_url'} of the request, or else to the default address of the merchant. More fields may come later.`,
    parameters: headers.map((header) => ({
      ...header,
      in: 'header',
      required: header.name !== operationHeader,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: { 'application/x-www-form-urlencoded': { schema: body, examples: Object.fromEntries(examplesByName) } },
    },
    responses: {
      '2XX': {
        description: 'Received. The usual body is OK; ERROR counts as received too and is shown in the dashboard.',
        content: { 'text/plain': { schema: { type: 'string' }, example: 'OK' } },
      },
      default: {
        description: `Not received, as is no response within 10 seconds. The callback is sent again, up to ${retrySeconds.length} times.`,
      },
    },
    'x-callback': callback,
  };
}

/** Returns the callback reference of operations whose request has this field. */
export function callbacksTo(field: string, operations: readonly Operation[], schemas: { [name: string]: Schema }) {
  const hasField = operations.some(({ request }) => {
    const { properties = {} } = schemas[request.$ref.replace('#/components/schemas/', '')] ?? {};
    return properties[field] !== undefined;
  });
  if (!hasField) return {};
  return { callbacks: { callback: { [`{$request.body#/${field}}`]: { $ref: '#/webhooks/callback' } } } };
}
