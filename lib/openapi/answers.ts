// What each operation answers and what it refuses, by its name. The answers are built by hand where they are given; the
// schemas here are strict, and the tests over HTTP hold every answer of theirs against them, so that neither side drifts.
import { z } from 'zod';
import type { ErrorKey } from '../core/errors';
import { checkoutStatus } from '../protocols/shared/record';
import {
  cardToken,
  chain,
  checkoutState,
  formState,
  mask,
  method,
  money,
  operationId,
  panType,
  paymentId,
  switched,
  text,
  transId,
  uuid,
  wallet,
  wireDate,
  wordsOf,
} from './vocabulary';

/** An operation as far as its schema does not tell it. */
export type Told = { answer: z.ZodType; refuses: readonly ErrorKey[] };

const order = z.strictObject({
  number: text('As sent.', 'order-1001'),
  amount: money('As sent.'),
  currency: text('ISO 4217.', 'EUR'),
  description: text('As sent.', 'Two coffee cups'),
});
const movement = z.enum(['SUCCESS', 'FAIL', 'WAITING', 'UNDEFINED']).meta({
  description: 'The outcome, as far as it is known.',
  examples: ['SUCCESS'],
});
const reason = text('Why it was declined.').optional();
const accepted = z.strictObject({
  payment_id: paymentId,
  result: z.literal('accepted').describe('Taken. The outcome comes by callback.'),
});

const refundable = money('What can still be refunded.');
const operation = z.strictObject({
  operation_id: operationId,
  type: z.enum(['capture', 'refund', 'void', 'reversal', 'chargeback']).meta({ examples: ['refund'] }),
  status: z.enum(['success', 'fail', 'waiting']),
  amount: money('What moved, or was to move.'),
  date: wireDate('When, UTC.'),
  reason,
});

const link = z.strictObject({
  redirect_url: text('Where the payer pays.', 'https://pay.example/pay/eyJwIjoi').meta({ format: 'uri' }),
  redirect_method: z.literal('GET'),
});
const token = z.strictObject({ token: text('What the page with hosted fields works with.', 'eyJwIjoiMDE5YThmNWMi') });

const statusObject = z.strictObject({
  ...switched,
  payment_id: paymentId,
  date: wireDate('When the state was reached, UTC.'),
  status: checkoutState,
  reason,
  ...chain,
  card_token: cardToken,
  digital_wallet: wallet.optional(),
  order,
  customer: z.strictObject({
    name: text('The payer, as far as known.', 'Ana Petrović').optional(),
    email: text('The payer, as far as known.', 'ana@example.com').optional(),
  }),
  operations: z.array(operation).describe('Captures, refunds, voids and chargebacks, oldest first.').optional(),
  refundable_amount: refundable.optional(),
});

const processing = z.strictObject({
  result: z.enum(['success', 'decline', 'redirect', 'waiting', 'undefined']).describe('Where the page goes on.'),
  public_id: paymentId,
  redirect_url: text('Where the payer goes next, with redirect.').optional(),
  redirect_method: method.optional(),
  redirect_params: z.record(z.string(), z.string()).describe('Fields to send there.').optional(),
  decline_message: text("A sentence for the payer, in the page's language.").optional(),
  return_url_query_params: z.strictObject({
    payment_id: paymentId,
    trans_id: transId.optional(),
    order_id: text('As sent.', 'order-1001'),
    hash: text('The signature of a return address.', 'd2f1c0a98b7e6f5d4c3b2a1908f7e6d5c4b3a291'),
    payment_method: text('Where the protocol mapping has it on.').optional(),
    brand: text('Where the protocol mapping has it on.').optional(),
  }),
});

/** A wallet's own request is the wallet's to describe. */
const opaque = z.record(z.string(), z.unknown());
const wallets = z.strictObject({
  wallets: z.array(
    z.union([
      z.strictObject({ id: z.literal('applepay'), label: text('For a button.', 'Apple Pay'), request: opaque }),
      z.strictObject({
        id: z.literal('googlepay'),
        label: text('For a button.', 'Google Pay'),
        methods: z.array(opaque),
        details: opaque,
      }),
    ]),
  ),
});

/** What admission refuses (admission.ts). */
const admission = [
  ...(['mappingMissing', 'actionNotSupported', 'currencyNotFound', 'typeNotSupported', 'amountNotPositive'] as const),
  ...(['methodNotFound', 'methodNotSupported', 'midDailyLimit', 'mappingDailyLimit'] as const),
  ...(['midMonthlyLimit', 'mappingWeeklyLimit'] as const),
] satisfies ErrorKey[];
const tokens = ['cardTokenNotFound', 'cardTokenExpired', 'cardTokenNotAccessible'] satisfies ErrorKey[];
const repeats = ['duplicatePayment', 'duplicateRequest'] satisfies ErrorKey[];
const opening = [...admission, ...tokens, 'scheduleNotFound', 'duplicatePayment'] satisfies ErrorKey[];
const paying = [...admission, ...tokens, ...repeats] satisfies ErrorKey[];
const capturing = [
  'captureNotPending',
  'captureAboveHeld',
  'amountNotPositive',
  'duplicateRequest',
  'keyReused',
] satisfies ErrorKey[];
const refunding = [
  ...(['refundNotSettled', 'refundNotAllowed', 'refundInPortalOnly', 'refundAboveRemaining'] as const),
  ...(['reversalAboveAmount', 'reversalPartial', 'amountNotPositive', 'duplicateRequest', 'keyReused'] as const),
] satisfies ErrorKey[];
const voiding = ['voidNotAllowed', 'duplicateRequest', 'keyReused'] satisfies ErrorKey[];
const retrying = ['actionNotSupported', 'duplicateRequest'] satisfies ErrorKey[];
const processingRefusals = [
  ...(['actionNotSupported', 'methodNotSupported', 'cardTokenNotFound', 'mappingMissing'] as const),
  ...repeats,
] satisfies ErrorKey[];

/** The addresses of Checkout. */
export const checkoutAnswers: { readonly [path: string]: Told } = {
  '/api/v1/session': { answer: link, refuses: opening },
  '/api/v1/session/token': { answer: token, refuses: opening },
  '/api/v1/session/update': { answer: z.union([link, token]), refuses: [...opening, 'sessionInUse'] },
  '/api/v1/payment/status': { answer: z.union([statusObject, z.array(statusObject)]), refuses: ['sizeOutOfRange'] },
  '/api/v1/payment/refund': { answer: accepted.extend({ operation_id: operationId }), refuses: refunding },
  '/api/v1/payment/capture': {
    answer: z.strictObject({
      payment_id: paymentId,
      status: checkoutState,
      trans_status: movement,
      date: wireDate('When, UTC.'),
      reason,
      operation_id: operationId,
    }),
    refuses: capturing,
  },
  '/api/v1/payment/void': {
    answer: z.strictObject({
      payment_id: paymentId,
      status: checkoutState.meta({ examples: ['void'] }),
      payment_status: checkoutState.meta({ examples: ['void'] }),
      trans_status: movement,
      date: wireDate('When, UTC.'),
      reason,
      operation_id: operationId,
      order,
    }),
    refuses: voiding,
  },
  '/api/v1/payment/retry': { answer: accepted, refuses: retrying },
  '/api/v1/payment/recurring': {
    answer: z.strictObject({
      status: z.enum([...wordsOf(checkoutStatus), 'declined']).meta({
        description: 'The state of the payment; a decline is spelled declined here.',
        examples: ['settled'],
      }),
      reason,
      payment_id: paymentId,
      date: wireDate('When, UTC.'),
      schedule_id: chain.schedule_id,
      first_recurring_date: chain.first_recurring_date,
      order,
    }),
    refuses: [...paying, 'scheduleNotFound'],
  },
  '/api/v1/payment/card/credit': { answer: accepted, refuses: paying },
  '/api/v1/card_token/remove': {
    answer: z.strictObject({ card_token: text('As sent.', '6f1e0b7d2c8841b79a523d0e'), result: z.literal('removed') }),
    refuses: tokens,
  },
  '/api/v1/processing/purchase/card': { answer: processing, refuses: processingRefusals },
  '/api/v1/processing/debit/card': { answer: processing, refuses: processingRefusals },
  '/api/v1/processing/wallets': { answer: wallets, refuses: [] },
  '/api/v1/processing/wallets/applepay': {
    answer: z.strictObject({
      merchant_session: opaque.nullable().describe("Apple's own; null where Apple gives none."),
    }),
    refuses: ['methodNotSupported'],
  },
};

const result = z.enum(['SUCCESS', 'DECLINED', 'REDIRECT', 'UNDEFINED']).meta({ examples: ['SUCCESS'] });
const known = (action: string) => ({ action: z.literal(action) });
const payment = { status: formState, order_id: text('As sent.', 'order-1001'), trans_id: transId };
const declined = text('Why, where the result is DECLINED.').optional();
const redirectParams = z.record(z.string(), z.string()).describe('Fields to send there.');
const listedParams = z
  .array(z.strictObject({ name: z.string(), value: z.string() }))
  .describe('The same as a list, at /v2/post.');

function charge(action: string) {
  return {
    ...known(action),
    result,
    ...payment,
    trans_date: wireDate('When, UTC.'),
    descriptor: text("What stands on the payer's statement."),
    amount: money('The amount that moved.'),
    currency: text('ISO 4217.', 'EUR'),
    ...chain,
    card_token: cardToken,
    digital_wallet: wallet.optional(),
    pan_type: panType.optional(),
    decline_reason: declined,
    redirect_url: text('Where the payer goes next, with REDIRECT.').optional(),
    redirect_method: method.optional(),
    redirect_params: z.union([redirectParams, listedParams]).optional(),
  };
}

const follow = (action: 'CAPTURE' | 'VOID') =>
  z.strictObject({
    ...known(action),
    result,
    ...payment,
    trans_date: wireDate('When, UTC.'),
    ...(action === 'CAPTURE' && {
      descriptor: text("What stands on the payer's statement.").optional(),
      amount: money('What was captured, or was to be.'),
      currency: text('ISO 4217.', 'EUR'),
    }),
    decline_reason: declined,
  });

const taken = (action: string) =>
  z.strictObject({
    ...known(action),
    result: z.literal('ACCEPTED').describe('Taken. The outcome comes by callback.'),
    order_id: payment.order_id,
    trans_id: transId,
  });

const lookup = (action: string) => ({
  ...switched,
  ...known(action),
  result: z.literal('SUCCESS'),
  ...payment,
  decline_reason: text('Why, where the payment was declined.').optional(),
  ...chain,
  digital_wallet: wallet.optional(),
});

const done = (action: string, more: z.ZodRawShape = {}) =>
  z.strictObject({
    ...known(action),
    result: z.literal('SUCCESS'),
    schedule_id: uuid('The schedule.'),
    ...more,
  });

const whole = (description: string, example: string) => text(description, example);
const scheduleInfo = done('SCHEDULE_INFO', {
  name: text('What it is called.', 'Monthly box'),
  interval_length: whole('From one payment to the next.', '1'),
  interval_unit: z.enum(['day', 'month']).meta({ examples: ['month'] }),
  day_of_month: whole('As sent.', '31').optional(),
  payments_count: whole('How many payments.', '12'),
  delays: z.null().describe('Retired.'),
  paused: z.enum(['Y', 'N']).meta({ examples: ['N'] }),
  delayed_first_payment: z.enum(['none', 'delay_by_interval', 'day_of_week', 'day_of_month']).optional(),
  first_payment_interval_length: whole('As sent.', '3').optional(),
  first_payment_interval_unit: z.enum(['day', 'month']).optional(),
  first_payment_day_of_week: whole('1 is Monday.', '1').optional(),
  first_payment_day_of_month: whole('As sent.', '1').optional(),
});

const updateSchedule = done('UPDATE_SCHEDULE', {
  preview: z.literal('Y').describe('Nothing was changed: this is what the change would charge.').optional(),
  live_subscriptions: whole('With preview: how many subscriptions the change concerns.', '3').optional(),
  ending_subscriptions: whole('With preview: how many of them end with the change.', '0').optional(),
  next_charges: z
    .array(
      z.strictObject({
        order_id: text('The order of the payment that began the subscription.', 'order-1001'),
        date: wireDate('The next charge, UTC; absent where the subscription ends.').optional(),
        date_before: wireDate('The next charge without the change, UTC.'),
        amount: money('What is charged.'),
        currency: text('ISO 4217.', 'EUR'),
      }),
    )
    .describe('With preview: the subscriptions that are charged next, up to ten.')
    .optional(),
});

const details = z.strictObject({
  ...lookup('GET_TRANS_DETAILS'),
  name: text('The payer, as far as known.').optional(),
  mail: text('The payer, as far as known.').optional(),
  ip: text('The payer, as far as known.').optional(),
  amount: money('As sent.'),
  currency: text('ISO 4217.', 'EUR'),
  card: mask.optional(),
  pan_type: panType.optional(),
  refundable_amount: refundable,
  transactions: z.array(
    z.strictObject({
      operation_id: uuid('The attempt, or the follow-up.'),
      type: z
        .enum(['3DS', 'AUTH', 'CAPTURE', 'REFUND', 'VOID', 'REVERSAL', 'CHARGEBACK', 'CREDIT', 'SALE'])
        .meta({ examples: ['SALE'] }),
      status: z.enum(['success', 'fail', 'waiting']),
      date: wireDate('When, UTC.'),
      amount: money('What moved.'),
    }),
  ),
});

const cardCharge = (action: string) => z.strictObject(charge(action));
const cardPaying = [...paying, 'scheduleNotFound'] satisfies ErrorKey[];

/** The actions of S2S CARD. */
export const cardAnswers: { readonly [action: string]: Told } = {
  SALE: { answer: cardCharge('SALE'), refuses: cardPaying },
  DEBIT: { answer: cardCharge('DEBIT'), refuses: cardPaying },
  RECURRING_SALE: { answer: cardCharge('RECURRING_SALE'), refuses: paying },
  RECURRING_DEBIT: { answer: cardCharge('RECURRING_DEBIT'), refuses: paying },
  CARD2CARD: { answer: cardCharge('CARD2CARD'), refuses: cardPaying },
  CREDIT2CARD: { answer: cardCharge('CREDIT2CARD'), refuses: paying },
  CAPTURE: { answer: follow('CAPTURE'), refuses: capturing },
  VOID: { answer: follow('VOID'), refuses: voiding },
  CREDITVOID: { answer: taken('CREDITVOID'), refuses: refunding },
  RETRY: { answer: taken('RETRY'), refuses: retrying },
  GET_TRANS_STATUS: { answer: z.strictObject(lookup('GET_TRANS_STATUS')), refuses: [] },
  GET_TRANS_DETAILS: { answer: details, refuses: [] },
  GET_TRANS_STATUS_BY_ORDER: { answer: z.strictObject(lookup('GET_TRANS_STATUS_BY_ORDER')), refuses: [] },
  CREATE_SCHEDULE: { answer: done('CREATE_SCHEDULE'), refuses: ['parameterDeprecated'] },
  UPDATE_SCHEDULE: { answer: updateSchedule, refuses: ['parameterDeprecated'] },
  DELETE_SCHEDULE: { answer: done('DELETE_SCHEDULE'), refuses: ['scheduleInUse'] },
  PAUSE_SCHEDULE: { answer: done('PAUSE_SCHEDULE'), refuses: [] },
  RUN_SCHEDULE: { answer: done('RUN_SCHEDULE'), refuses: [] },
  SCHEDULE_INFO: { answer: scheduleInfo, refuses: [] },
  DESCHEDULE: {
    answer: done('DESCHEDULE', { recurring_token: text('As sent.', '6f1e0b7d2c8841b79a523d0e') }),
    refuses: ['incorrectTransaction'],
  },
};

/** What a debit costs its payer. */
export const quote = {
  commission: money('Of a debit.').meta({ examples: ['1.69'] }),
  total_amount: money('What is taken of the payer.').meta({ examples: ['86.19'] }),
};

/** What S2S APM tells besides: what the merchant shows to the payer, since there is no page of ours. */
export const shown = {
  redirect_params: z
    .record(z.string(), z.string())
    .describe('Fields to send there; or qr_code, a PNG in Base64, with qr_payload, its text.')
    .optional(),
  crypto_address: text('Where the coins go.').optional(),
  crypto_network: text('Of the coins.').optional(),
  crypto_currency: text('Of the coins.').optional(),
  crypto_amount: text('In coins.').optional(),
  crypto_memo: text('To be sent along.').optional(),
  payment_data: z.record(z.string(), z.string()).describe('What the payer pays with, line by line.').optional(),
  sent_to: text('Where a link, a code or a request was sent.').optional(),
  expires_at: text('When what is shown ends, ISO 8601.').optional(),
  auth_method: text("The provider's word.").optional(),
  message: text("The provider's word to the payer.").optional(),
};

const apmCharge = (action: string, withQuote = false) =>
  z.strictObject({
    ...charge(action),
    descriptor: text("What stands on the payer's statement.").optional(),
    ...(withQuote ? quote : {}),
    ...shown,
  });

/** The actions of S2S APM. */
export const apmAnswers: { readonly [action: string]: Told } = {
  SALE: { answer: apmCharge('SALE'), refuses: paying },
  CAPTURE: { answer: follow('CAPTURE'), refuses: capturing },
  CREDITVOID: { answer: taken('CREDITVOID'), refuses: refunding },
  VOID: { answer: follow('VOID'), refuses: voiding },
  GET_TRANS_STATUS: { answer: z.strictObject(lookup('GET_TRANS_STATUS')), refuses: [] },
  CREDIT2VIRTUAL: { answer: apmCharge('CREDIT2VIRTUAL'), refuses: paying },
  CREDIT2CRYPTO: { answer: apmCharge('CREDIT2CRYPTO'), refuses: paying },
  DEBIT2VIRTUAL: { answer: apmCharge('DEBIT2VIRTUAL', true), refuses: paying },
  DEBIT2VIRTUAL_CALC: {
    answer: z.strictObject({
      ...known('DEBIT2VIRTUAL_CALC'),
      result: z.literal('SUCCESS'),
      status: z.literal('PREPARE'),
      order_id: payment.order_id,
      trans_id: transId,
      trans_date: wireDate('When, UTC.'),
      currency: text('ISO 4217.', 'EUR'),
      amount: money('Of the order.'),
      ...quote,
    }),
    refuses: paying,
  },
  DEBIT2VIRTUAL_COMPLETE: { answer: apmCharge('DEBIT2VIRTUAL_COMPLETE', true), refuses: paying },
};
