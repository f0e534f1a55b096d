// What a callback of each protocol says. Its fields are described here and its examples are made by the functions that make
// real ones; the tests over HTTP hold every callback that they catch against these schemas, so that neither side drifts.
import { z } from 'zod';
import {
  type CallbackSubject,
  callbackResults,
  callbackSignature,
  checkoutFields,
  type DueCallback,
  formCallbackFields,
  modificationActions,
} from '../callbacks';
import { env } from '../config';
import { demoMerchant } from '../core/demo';
import type { Formula } from '../core/openapi';
import type { Payment, Protocol, Transaction } from '../core/payment';
import { layOut } from '../core/signatures';
import type { FormFields } from '../http';
import { actionParameter, operationHeader } from '../protocols';
import {
  cardToken,
  chain,
  checkoutState,
  formState,
  mappingFields,
  mask,
  method,
  money,
  operationId,
  panType,
  paymentId,
  text,
  transId,
  uniqueValues,
  uuid,
  wallet,
  wireDate,
} from './common-schemas';
import { formulaText } from './formula';
import { apmResponses, cardResponses, presentationFields, quote } from './responses';

const payer = text('Data of the payer, if known.').optional();
const payee = text('Data of the recipient, if known.').optional();
const hash = text('The signature.', 'd2f1c0a98b7e6f5d4c3b2a1908f7e6d5c4b3a291');
const custom = z.unknown().meta({ description: 'The value of the request, unchanged.' }).optional();
const expiry = text('MM/YYYY.', '05/2038').optional();
const firstOfChain = uuid('The transaction of the initial payment.').optional();
const named = (prefix: string, names: string, schema: z.ZodType) =>
  Object.fromEntries(names.split(' ').map((name) => [`${prefix}_${name}`, schema]));

/** The fields of a callback, in the order of their importance, behind them what a mapping may add, and the signature. */
const callbackOf = (own: z.ZodRawShape) => z.strictObject({ ...own, ...without(own), hash });

const without = (own: object) => Object.fromEntries(Object.entries(mappingFields).filter(([name]) => !(name in own)));

const checkoutCallback = callbackOf({
  id: paymentId,
  payment_id: paymentId,
  trans_id: transId,
  operation_id: operationId.optional(),
  order_id: text('Your order number.', 'order-1001'),
  order_number: text('Your order number.', 'order-1001'),
  order_amount: money('The amount of the reported operation: of a partial refund, that part.'),
  order_currency: text('ISO 4217.', 'EUR'),
  order_description: text('As sent.', 'Two coffee cups'),
  order_status: checkoutState,
  type: z
    .enum([
      ...(['sale', 'capture', 'recurring', 'debit', 'credit', 'transfer', '3ds', 'redirect', 'init'] as const),
      ...(['refund', 'reversal', 'void', 'chargeback'] as const),
    ])
    .meta({ description: 'The reported operation. Read it together with status.' }),
  status: z
    .enum(['success', 'fail', 'waiting', 'undefined'])
    .meta({ description: 'The outcome. success alone is not final: see order_status.' }),
  reason: text('The reason of a failure, with fail only.').optional(),
  date: wireDate('The time of the operation, UTC.'),
  ...named('customer', 'name email ip country state city address', payer),
  card: mask.optional(),
  card_expiration_date: expiry,
  card_token: cardToken,
  payee_card: text('First six and last four digits of the recipient’s card.').optional(),
  ...named('payee', 'first_name last_name middle_name email phone phone_country_code birth_date birth_day', payee),
  ...named('payee', 'country state city district address house_number zip', payee),
  recurring_init_trans_id: firstOfChain,
  ...chain,
  ...named('crypto', 'network address', text('The destination of a cryptocurrency payment.').optional()),
  digital_wallet: wallet.optional(),
  pan_type: panType.optional(),
  custom_data: custom,
});

const startActions = (answers: typeof cardResponses, followed: readonly string[]) =>
  z
    .enum([
      ...Object.keys(answers).filter((name) => !followed.includes(name)),
      ...uniqueValues(modificationActions),
    ] as [string])
    .meta({ description: 'The reported action. A refund or a void is CREDITVOID, a dispute CHARGEBACK.' });

const chargebackText = text('Data of a dispute, if the provider reports it.').optional();

const formCallback = {
  result: z.enum([...uniqueValues(callbackResults), 'REDIRECT']).meta({
    description: 'The outcome. WAITING, UNDEFINED and REDIRECT are not final.',
    examples: ['SUCCESS'],
  }),
  status: formState,
  order_id: text('Your order number.', 'order-1001'),
  trans_id: transId,
  trans_date: wireDate('The time of the operation, UTC.').optional(),
  creditvoid_date: wireDate('The time of the refund, UTC; with CREDITVOID instead of trans_date.').optional(),
  amount: money('The amount of the reported operation: of a partial refund, that part.'),
  currency: text('ISO 4217.', 'EUR').optional(),
  chargeback_date: chargebackText,
  bank_date: chargebackText,
  reason_code: chargebackText,
  descriptor: text("The text on the payer's statement.").optional(),
  decline_reason: text('The reason, if the result is DECLINED.').optional(),
  redirect_url: text('The address of the redirect, with REDIRECT.').optional(),
  redirect_method: method.optional(),
  redirect_params: z.record(z.string(), z.string()).describe('Fields of the redirect, with REDIRECT.').optional(),
  custom_data: custom,
};

const cardFields = {
  card: mask.optional(),
  card_expiration_date: expiry,
  recurring_init_trans_id: firstOfChain,
  ...chain,
  card_token: cardToken,
  digital_wallet: wallet.optional(),
  pan_type: panType.optional(),
};

const cardModifications = /^(CAPTURE|VOID|CREDITVOID|RETRY|GET_|.*SCHEDULE)/;
const apmModifications = /^(CAPTURE|VOID|CREDITVOID|GET_|DEBIT2VIRTUAL_)/;
const matching = (answers: object, pattern: RegExp) => Object.keys(answers).filter((name) => pattern.test(name));

const schemas: { readonly [name in Protocol]: z.ZodType } = {
  checkout: checkoutCallback,
  s2s_card: callbackOf({
    action: startActions(cardResponses, matching(cardResponses, cardModifications)),
    ...formCallback,
    ...cardFields,
  }),
  s2s_apm: callbackOf({
    action: startActions(apmResponses, matching(apmResponses, apmModifications)),
    ...formCallback,
    commission: quote.commission.optional(),
    total_amount: quote.total_amount.optional(),
    ...presentationFields,
    // A callback reaches no payer, so that it has no picture.
    redirect_params: z
      .record(z.string(), z.string())
      .describe('Fields of the redirect; or qr_payload, the content of a QR code.')
      .optional(),
  }),
};

/** The headers beside the contract's own `hash`, with what each says. */
export const callbackHeaders: { readonly [name: string]: string } = {
  'webhook-id': 'The id of the callback, the same at every attempt: store it, because a callback can arrive twice.',
  'webhook-timestamp': 'The Unix time of this attempt in seconds. Reject a difference of more than 300.',
  'webhook-signature':
    'v1, and the base64 of HMAC-SHA256 over webhook-id + . + webhook-timestamp + . + body. The key is HMAC-SHA256 over the ' +
    'text florin callbacks with the password as its key, in bytes.',
  'Florin-Sequence': 'Grows with each callback of a payment: ignore smaller numbers than the largest you have.',
  [operationHeader]:
    'The id of the reported capture, refund, void or chargeback, the same as in its response. Absent in callbacks about ' +
    'an attempt.',
};

/** A callback as it is told: an example, and by which formula it is signed. */
export type CallbackExample = { summary: string; value: { readonly [name: string]: unknown }; formula: Formula };

/** The schema of the callbacks of a protocol. */
export const callbackSchema = (protocol: Protocol): z.ZodType => schemas[protocol];

type Case = {
  summary: string;
  /** Which callbacks are signed like this one. */
  when: string;
  payment?: Partial<Payment>;
  callback?: Partial<DueCallback>;
  /** Of S2S APM: the action that the payment began with. */
  begun?: 'SALE' | 'CREDIT2VIRTUAL';
};

const refunded: Partial<DueCallback> = { type: 'refund', amountMinor: 2000n };
const cases: { readonly [name in Protocol]: readonly Case[] } = {
  checkout: [
    { summary: 'Paid', when: 'Every callback' },
    { summary: 'A partial refund', when: 'Every callback', callback: refunded },
  ],
  s2s_card: [
    { summary: 'Paid', when: 'All except those below' },
    { summary: 'A partial refund', when: 'All except those below', callback: refunded },
    {
      summary: 'Paid out',
      when: 'CREDIT2CARD, and payers without an e-mail',
      payment: { operation: 'credit' },
      callback: { type: 'credit' },
    },
  ],
  s2s_apm: [
    {
      summary: 'Paid',
      when: 'All except those below: every field except hash, in the order of their names',
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
      when: 'SALE with a cryptocurrency',
      payment: { method: 'crypto-btg', card: null },
      begun: 'SALE',
    },
  ],
};

/** Callbacks as examples, one at least for each way to sign them. */
export const callbackExamples = (protocol: Protocol): CallbackExample[] =>
  cases[protocol].map((each) => callbackExampleOf(protocol, each));

function callbackExampleOf(protocol: Protocol, { summary, when, ...more }: Case): CallbackExample {
  const subject = subjectOf(protocol, more);
  const made = protocol === 'checkout' ? checkoutFields(subject) : formCallbackFields(subject);
  const { hash: signature, ...fields } = made;
  const { recipe, values } = callbackSignature(fields, subject.payment);
  // Two fields of Checkout hold the order's number; the contract signs the one that is called so.
  const named = protocol === 'checkout' ? { ...fields, order_id: undefined } : fields;
  const formula = formulaText(layOut(recipe, { ...values, password: demoMerchant.password }), named);
  // Production signs nothing with the demo merchant's password.
  const value = { ...fields, hash: env.appEnv === 'sandbox' ? signature : 'YOUR-HASH' };
  return { summary, value: value as FormFields, formula: { when, formula } };
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

// As far as a callback reads them.
function subjectOf(protocol: Protocol, { payment, callback, begun }: Omit<Case, 'summary' | 'when'>): CallbackSubject {
  const paid = {
    ...{ id: '019a8f5c-3d0e-7c41-9a52-6f1e0b7d2c88', protocol, operation: 'purchase', customData: null, payee: {} },
    ...{ orderNumber: 'order-1001', orderAmount: '84.50', amountMinor: 8450n, currency: 'EUR' },
    ...{ description: 'Two coffee cups', payer: { name: 'Ana Petrović', email: 'ana@example.com' } },
    card: { first6: '411111', last4: '1111', expMonth: 5, expYear: 2038 },
    parameters: begun === undefined ? {} : actionParameter(begun),
    ...payment,
  } as unknown as Payment;
  const sent = {
    ...{ type: 'sale', outcome: 'success', orderState: 'settled', amountMinor: paid.amountMinor },
    ...{ transactionId: attempt.id, createdAt: at },
    ...callback,
  } as DueCallback;
  const movement = (callback?.type === 'refund' ? refund : attempt) as unknown as Transaction;
  const key = { password: demoMerchant.password };
  const caller = {
    key,
    merchant: { name: 'Orme Ceramics' },
    mapping: { digest: 'md5', callbackFields: [] },
  } as unknown as CallbackSubject['caller'];
  return { payment: paid, attempt: attempt as unknown as Transaction, movement, callback: sent, caller };
}
