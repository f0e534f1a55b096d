// What each operation answers and what it refuses, by its name. The answers are built by hand where they are given; the
// schemas here are strict, and the tests over HTTP hold every answer of theirs against them, so that neither side drifts.
import { z } from 'zod';
import type { ErrorKey } from '../core/errors';
import { checkoutStatus } from '../protocols';
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

/** An operation as far as its schema does not tell it. */
export type ResponseSpec = { response: z.ZodType; errors: readonly ErrorKey[] };

const order = z.strictObject({
  number: text('As sent.', 'order-1001'),
  amount: money('As sent.'),
  currency: text('ISO 4217.', 'EUR'),
  description: text('As sent.', 'Two coffee cups'),
});
const movement = z.enum(['SUCCESS', 'FAIL', 'WAITING', 'UNDEFINED']).meta({
  description: 'The outcome, if known.',
  examples: ['SUCCESS'],
});
const reason = text('Why it was declined.').optional();
const accepted = z.strictObject({
  payment_id: paymentId,
  result: z.literal('accepted').describe('Accepted. A callback reports the outcome.'),
});

const refundable = money('The refundable amount.');
const operation = z.strictObject({
  operation_id: operationId,
  type: z.enum(['capture', 'refund', 'void', 'reversal', 'chargeback']).meta({ examples: ['refund'] }),
  status: z.enum(['success', 'fail', 'waiting']),
  amount: money('The amount of the operation.'),
  date: wireDate('When, UTC.'),
  reason,
});

const link = z.strictObject({
  redirect_url: text('The address of the payment page.', 'https://pay.example/pay/eyJwIjoi').meta({ format: 'uri' }),
  redirect_method: z.literal('GET'),
});
const token = z.strictObject({ token: text('The token for the page with hosted fields.', 'eyJwIjoiMDE5YThmNWMi') });

const statusObject = z.strictObject({
  ...mappingFields,
  payment_id: paymentId,
  date: wireDate('The time of the state, UTC.'),
  status: checkoutState,
  reason,
  ...chain,
  card_token: cardToken,
  digital_wallet: wallet.optional(),
  order,
  customer: z.strictObject({
    name: text('Data of the payer, if known.', 'Ana Petrović').optional(),
    email: text('Data of the payer, if known.', 'ana@example.com').optional(),
  }),
  operations: z.array(operation).describe('Captures, refunds, voids and chargebacks, oldest first.').optional(),
  refundable_amount: refundable.optional(),
});

const processing = z.strictObject({
  result: z.enum(['success', 'decline', 'redirect', 'waiting', 'undefined']).describe('The outcome of the call.'),
  public_id: paymentId,
  redirect_url: text('The address of the redirect, with redirect.').optional(),
  redirect_method: method.optional(),
  redirect_params: z.record(z.string(), z.string()).describe('Fields of the redirect.').optional(),
  decline_message: text("A sentence for the payer, in the page's language.").optional(),
  return_url_query_params: z.strictObject({
    payment_id: paymentId,
    trans_id: transId.optional(),
    order_id: text('As sent.', 'order-1001'),
    hash: text('The signature of a return address.', 'd2f1c0a98b7e6f5d4c3b2a1908f7e6d5c4b3a291'),
    payment_method: text('Sent where the protocol mapping enables it.').optional(),
    brand: text('Sent where the protocol mapping enables it.').optional(),
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
const eligibilityErrors = [
  ...(['mappingMissing', 'actionNotSupported', 'currencyNotFound', 'typeNotSupported', 'amountNotPositive'] as const),
  ...(['methodNotFound', 'methodNotSupported', 'midDailyLimit', 'mappingDailyLimit'] as const),
  ...(['midMonthlyLimit', 'mappingWeeklyLimit'] as const),
] satisfies ErrorKey[];
const cardTokenErrors = ['cardTokenNotFound', 'cardTokenExpired', 'cardTokenNotAccessible'] satisfies ErrorKey[];
const duplicateErrors = ['duplicatePayment', 'duplicateRequest'] satisfies ErrorKey[];
const sessionErrors = [
  ...eligibilityErrors,
  ...cardTokenErrors,
  'scheduleNotFound',
  'duplicatePayment',
] satisfies ErrorKey[];
const paymentErrors = [...eligibilityErrors, ...cardTokenErrors, ...duplicateErrors] satisfies ErrorKey[];
const captureErrors = [
  'captureNotPending',
  'captureAboveHeld',
  'amountNotPositive',
  'duplicateRequest',
  'keyReused',
] satisfies ErrorKey[];
const refundErrors = [
  ...(['refundNotSettled', 'refundNotAllowed', 'refundInPortalOnly', 'refundAboveRemaining'] as const),
  ...(['reversalAboveAmount', 'reversalPartial', 'amountNotPositive', 'duplicateRequest', 'keyReused'] as const),
] satisfies ErrorKey[];
const voidErrors = ['voidNotAllowed', 'duplicateRequest', 'keyReused'] satisfies ErrorKey[];
const retryErrors = ['actionNotSupported', 'duplicateRequest'] satisfies ErrorKey[];
const processingErrors = [
  ...(['actionNotSupported', 'methodNotSupported', 'cardTokenNotFound', 'mappingMissing'] as const),
  ...duplicateErrors,
] satisfies ErrorKey[];

/** The addresses of Checkout. */
export const checkoutResponses: { readonly [path: string]: ResponseSpec } = {
  '/api/v1/session': { response: link, errors: sessionErrors },
  '/api/v1/session/token': { response: token, errors: sessionErrors },
  '/api/v1/session/update': { response: z.union([link, token]), errors: [...sessionErrors, 'sessionInUse'] },
  '/api/v1/payment/status': { response: z.union([statusObject, z.array(statusObject)]), errors: ['sizeOutOfRange'] },
  '/api/v1/payment/refund': { response: accepted.extend({ operation_id: operationId }), errors: refundErrors },
  '/api/v1/payment/capture': {
    response: z.strictObject({
      payment_id: paymentId,
      status: checkoutState,
      trans_status: movement,
      date: wireDate('When, UTC.'),
      reason,
      operation_id: operationId,
    }),
    errors: captureErrors,
  },
  '/api/v1/payment/void': {
    response: z.strictObject({
      payment_id: paymentId,
      status: checkoutState.meta({ examples: ['void'] }),
      payment_status: checkoutState.meta({ examples: ['void'] }),
      trans_status: movement,
      date: wireDate('When, UTC.'),
      reason,
      operation_id: operationId,
      order,
    }),
    errors: voidErrors,
  },
  '/api/v1/payment/retry': { response: accepted, errors: retryErrors },
  '/api/v1/payment/recurring': {
    response: z.strictObject({
      status: z.enum([...uniqueValues(checkoutStatus), 'declined']).meta({
        description: 'The state of the payment; a decline is declined here.',
        examples: ['settled'],
      }),
      reason,
      payment_id: paymentId,
      date: wireDate('When, UTC.'),
      schedule_id: chain.schedule_id,
      first_recurring_date: chain.first_recurring_date,
      order,
    }),
    errors: [...paymentErrors, 'scheduleNotFound'],
  },
  '/api/v1/payment/card/credit': { response: accepted, errors: paymentErrors },
  '/api/v1/card_token/remove': {
    response: z.strictObject({
      card_token: text('As sent.', '6f1e0b7d2c8841b79a523d0e'),
      result: z.literal('removed'),
    }),
    errors: cardTokenErrors,
  },
  '/api/v1/processing/purchase/card': { response: processing, errors: processingErrors },
  '/api/v1/processing/debit/card': { response: processing, errors: processingErrors },
  '/api/v1/processing/wallets': { response: wallets, errors: [] },
  '/api/v1/processing/wallets/applepay': {
    response: z.strictObject({
      merchant_session: opaque.nullable().describe("Apple's own; null where Apple gives none."),
    }),
    errors: ['methodNotSupported'],
  },
};

const result = z.enum(['SUCCESS', 'DECLINED', 'REDIRECT', 'UNDEFINED']).meta({ examples: ['SUCCESS'] });
const known = (action: string) => ({ action: z.literal(action) });
const payment = { status: formState, order_id: text('As sent.', 'order-1001'), trans_id: transId };
const declined = text('The reason, if the result is DECLINED.').optional();
const redirectParams = z.record(z.string(), z.string()).describe('Fields of the redirect.');
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
    amount: money('The moved amount.'),
    currency: text('ISO 4217.', 'EUR'),
    ...chain,
    card_token: cardToken,
    digital_wallet: wallet.optional(),
    pan_type: panType.optional(),
    decline_reason: declined,
    redirect_url: text('The address of the redirect, with REDIRECT.').optional(),
    redirect_method: method.optional(),
    redirect_params: z.union([redirectParams, listedParams]).optional(),
  };
}

const modificationResponse = (action: 'CAPTURE' | 'VOID') =>
  z.strictObject({
    ...known(action),
    result,
    ...payment,
    trans_date: wireDate('When, UTC.'),
    ...(action === 'CAPTURE' && {
      descriptor: text("What stands on the payer's statement.").optional(),
      amount: money('The amount of the capture.'),
      currency: text('ISO 4217.', 'EUR'),
    }),
    decline_reason: declined,
  });

const acceptedResponse = (action: string) =>
  z.strictObject({
    ...known(action),
    result: z.literal('ACCEPTED').describe('Accepted. A callback reports the outcome.'),
    order_id: payment.order_id,
    trans_id: transId,
  });

const lookup = (action: string) => ({
  ...mappingFields,
  ...known(action),
  result: z.literal('SUCCESS'),
  ...payment,
  decline_reason: text('The reason, if the payment was declined.').optional(),
  ...chain,
  digital_wallet: wallet.optional(),
});

const successResponse = (action: string, more: z.ZodRawShape = {}) =>
  z.strictObject({
    ...known(action),
    result: z.literal('SUCCESS'),
    schedule_id: uuid('The schedule.'),
    ...more,
  });

const whole = (description: string, example: string) => text(description, example);
const scheduleInfo = successResponse('SCHEDULE_INFO', {
  name: text('What it is called.', 'Monthly box'),
  interval_length: whole('The interval between payments.', '1'),
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

const updateSchedule = successResponse('UPDATE_SCHEDULE', {
  preview: z.literal('Y').describe('Nothing was changed: the response is the effect of the change.').optional(),
  live_subscriptions: whole('With preview: the number of affected subscriptions.', '3').optional(),
  ending_subscriptions: whole('With preview: the number of them that end.', '0').optional(),
  next_charges: z
    .array(
      z.strictObject({
        order_id: text('The order number of the initial payment.', 'order-1001'),
        date: wireDate('The next charge, UTC; absent if the subscription ends.').optional(),
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
  name: text('Data of the payer, if known.').optional(),
  mail: text('Data of the payer, if known.').optional(),
  ip: text('Data of the payer, if known.').optional(),
  amount: money('As sent.'),
  currency: text('ISO 4217.', 'EUR'),
  card: mask.optional(),
  pan_type: panType.optional(),
  refundable_amount: refundable,
  transactions: z.array(
    z.strictObject({
      operation_id: uuid('The attempt, or the operation.'),
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
const cardPaymentErrors = [...paymentErrors, 'scheduleNotFound'] satisfies ErrorKey[];

/** The actions of S2S CARD. */
export const cardResponses: { readonly [action: string]: ResponseSpec } = {
  SALE: { response: cardCharge('SALE'), errors: cardPaymentErrors },
  DEBIT: { response: cardCharge('DEBIT'), errors: cardPaymentErrors },
  RECURRING_SALE: { response: cardCharge('RECURRING_SALE'), errors: paymentErrors },
  RECURRING_DEBIT: { response: cardCharge('RECURRING_DEBIT'), errors: paymentErrors },
  CARD2CARD: { response: cardCharge('CARD2CARD'), errors: cardPaymentErrors },
  CREDIT2CARD: { response: cardCharge('CREDIT2CARD'), errors: paymentErrors },
  CAPTURE: { response: modificationResponse('CAPTURE'), errors: captureErrors },
  VOID: { response: modificationResponse('VOID'), errors: voidErrors },
  CREDITVOID: { response: acceptedResponse('CREDITVOID'), errors: refundErrors },
  RETRY: { response: acceptedResponse('RETRY'), errors: retryErrors },
  GET_TRANS_STATUS: { response: z.strictObject(lookup('GET_TRANS_STATUS')), errors: [] },
  GET_TRANS_DETAILS: { response: details, errors: [] },
  GET_TRANS_STATUS_BY_ORDER: { response: z.strictObject(lookup('GET_TRANS_STATUS_BY_ORDER')), errors: [] },
  CREATE_SCHEDULE: { response: successResponse('CREATE_SCHEDULE'), errors: ['parameterDeprecated'] },
  UPDATE_SCHEDULE: { response: updateSchedule, errors: ['parameterDeprecated'] },
  DELETE_SCHEDULE: { response: successResponse('DELETE_SCHEDULE'), errors: ['scheduleInUse'] },
  PAUSE_SCHEDULE: { response: successResponse('PAUSE_SCHEDULE'), errors: [] },
  RUN_SCHEDULE: { response: successResponse('RUN_SCHEDULE'), errors: [] },
  SCHEDULE_INFO: { response: scheduleInfo, errors: [] },
  DESCHEDULE: {
    response: successResponse('DESCHEDULE', { recurring_token: text('As sent.', '6f1e0b7d2c8841b79a523d0e') }),
    errors: ['incorrectTransaction'],
  },
};

/** What a debit costs its payer. */
export const quote = {
  commission: money('Of a debit.').meta({ examples: ['1.69'] }),
  total_amount: money('The amount that the payer pays.').meta({ examples: ['86.19'] }),
};

/** What S2S APM tells besides: what the merchant shows to the payer, since there is no page of ours. */
export const presentationFields = {
  redirect_params: z
    .record(z.string(), z.string())
    .describe('Fields of the redirect; or qr_code, a PNG in Base64, with qr_payload, its content.')
    .optional(),
  crypto_address: text('Where the coins go.').optional(),
  crypto_network: text('Of the coins.').optional(),
  crypto_currency: text('Of the coins.').optional(),
  crypto_amount: text('In coins.').optional(),
  crypto_memo: text('To be sent along.').optional(),
  payment_data: z.record(z.string(), z.string()).describe('The payment data for the payer, line by line.').optional(),
  sent_to: text('The recipient of a link, a code or a request.').optional(),
  expires_at: text('The end of validity, ISO 8601.').optional(),
  auth_method: text("The provider's word.").optional(),
  message: text("The provider's word to the payer.").optional(),
};

const apmCharge = (action: string, withQuote = false) =>
  z.strictObject({
    ...charge(action),
    descriptor: text("What stands on the payer's statement.").optional(),
    ...(withQuote ? quote : {}),
    ...presentationFields,
  });

/** The actions of S2S APM. */
export const apmResponses: { readonly [action: string]: ResponseSpec } = {
  SALE: { response: apmCharge('SALE'), errors: paymentErrors },
  CAPTURE: { response: modificationResponse('CAPTURE'), errors: captureErrors },
  CREDITVOID: { response: acceptedResponse('CREDITVOID'), errors: refundErrors },
  VOID: { response: modificationResponse('VOID'), errors: voidErrors },
  GET_TRANS_STATUS: { response: z.strictObject(lookup('GET_TRANS_STATUS')), errors: [] },
  CREDIT2VIRTUAL: { response: apmCharge('CREDIT2VIRTUAL'), errors: paymentErrors },
  CREDIT2CRYPTO: { response: apmCharge('CREDIT2CRYPTO'), errors: paymentErrors },
  DEBIT2VIRTUAL: { response: apmCharge('DEBIT2VIRTUAL', true), errors: paymentErrors },
  DEBIT2VIRTUAL_CALC: {
    response: z.strictObject({
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
    errors: paymentErrors,
  },
  DEBIT2VIRTUAL_COMPLETE: { response: apmCharge('DEBIT2VIRTUAL_COMPLETE', true), errors: paymentErrors },
};
