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

const payer = text('The payer, as far as known.').optional();
const payee = text('Whom a payout or a transfer goes to, as far as known.').optional();
const hash = text('The signature.', 'd2f1c0a98b7e6f5d4c3b2a1908f7e6d5c4b3a291');
const custom = z.unknown().meta({ description: 'What the request carried, unchanged.' }).optional();
const expiry = text('MM/YYYY.', '05/2038').optional();
const firstOfChain = uuid('The first payment of the chain, by its transaction.').optional();
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
  order_amount: money('What this callback is about: of a partial refund, that part.'),
  order_currency: text('ISO 4217.', 'EUR'),
  order_description: text('As sent.', 'Two coffee cups'),
  order_status: checkoutState,
  type: z
    .enum([
      ...(['sale', 'capture', 'recurring', 'debit', 'credit', 'transfer', '3ds', 'redirect', 'init'] as const),
      ...(['refund', 'reversal', 'void', 'chargeback'] as const),
    ])
    .meta({ description: 'What has happened. Read it together with status.' }),
  status: z
    .enum(['success', 'fail', 'waiting', 'undefined'])
    .meta({ description: 'How it ended. A success alone is not the end: see order_status.' }),
  reason: text('Why it failed, with fail only.').optional(),
  date: wireDate('When it happened, UTC.'),
  ...named('customer', 'name email ip country state city address', payer),
  card: mask.optional(),
  card_expiration_date: expiry,
  card_token: cardToken,
  payee_card: text('First six and last four digits of the card that the money goes to.').optional(),
  ...named('payee', 'first_name last_name middle_name email phone phone_country_code birth_date birth_day', payee),
  ...named('payee', 'country state city district address house_number zip', payee),
  recurring_init_trans_id: firstOfChain,
  ...chain,
  ...named('crypto', 'network address', text('Of a payment in coins: where it goes.').optional()),
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
    .meta({ description: 'The action that is reported. A refund or a release is CREDITVOID, a dispute CHARGEBACK.' });

const chargebackText = text('Of a dispute, as far as the provider tells it.').optional();

const formCallback = {
  result: z.enum([...uniqueValues(callbackResults), 'REDIRECT']).meta({
    description: 'How it ended. WAITING, UNDEFINED and REDIRECT are not the end.',
    examples: ['SUCCESS'],
  }),
  status: formState,
  order_id: text('Your order number.', 'order-1001'),
  trans_id: transId,
  trans_date: wireDate('When it happened, UTC.').optional(),
  creditvoid_date: wireDate('When the money went back, UTC; with CREDITVOID in place of trans_date.').optional(),
  amount: money('What this callback is about: of a partial refund, that part.'),
  currency: text('ISO 4217.', 'EUR').optional(),
  chargeback_date: chargebackText,
  bank_date: chargebackText,
  reason_code: chargebackText,
  descriptor: text("What stands on the payer's statement.").optional(),
  decline_reason: text('Why, where the result is DECLINED.').optional(),
  redirect_url: text('Where the payer goes next, with REDIRECT.').optional(),
  redirect_method: method.optional(),
  redirect_params: z.record(z.string(), z.string()).describe('Fields to send there, with REDIRECT.').optional(),
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
      .describe('Fields to send there; or qr_payload, the text of a code.')
      .optional(),
  }),
};

/** The headers beside the contract's own `hash`, with what each says. */
export const callbackHeaders: { readonly [name: string]: string } = {
  'webhook-id': 'The same at every attempt to deliver this callback: remember it, since one may come twice.',
  'webhook-timestamp': 'When this attempt was made, Unix time in seconds. Refuse what is more than 300 away from now.',
  'webhook-signature':
    'v1, and the base64 of HMAC-SHA256 over webhook-id + . + webhook-timestamp + . + body. The key is HMAC-SHA256 over the ' +
    'text florin callbacks with the password as its key, in bytes.',
  'Florin-Sequence': 'Grows with each callback of a payment: ignore what is older than what you know.',
  [operationHeader]:
    'The id of the capture, refund, void or chargeback that the callback reports, the same as in its answer. Absent where ' +
    'the callback reports an attempt to pay.',
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
    { summary: 'A part was given back', when: 'Every callback', callback: refunded },
  ],
  s2s_card: [
    { summary: 'Paid', when: 'All but those below' },
    { summary: 'A part was given back', when: 'All but those below', callback: refunded },
    {
      summary: 'Paid out',
      when: 'Of CREDIT2CARD, and where the payer has no e-mail',
      payment: { operation: 'credit' },
      callback: { type: 'credit' },
    },
  ],
  s2s_apm: [
    {
      summary: 'Paid',
      when: 'All but those below: every field that it has except hash, as here, in the order of their names',
      payment: { method: 'papara', card: null, customData: { basket: '7' } },
      begun: 'SALE',
    },
    {
      summary: 'Paid out',
      when: 'Of CREDIT2VIRTUAL and CREDIT2CRYPTO',
      payment: { operation: 'credit', method: 'kora', card: null },
      callback: { type: 'credit' },
      begun: 'CREDIT2VIRTUAL',
    },
    {
      summary: 'Paid in coins',
      when: 'Of SALE by a method of coins',
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
