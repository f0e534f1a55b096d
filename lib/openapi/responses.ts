// Response schemas and possible errors of each operation. The schemas are strict, and the API tests validate every
// response against them, so that the documents match the code that builds the responses.
import { z } from 'zod';
import type { ErrorKey } from '../core/errors.ts';
import { checkoutStatus } from '../protocols/index.ts';
import * as wire from './common-schemas.ts';

/** The parts of an operation that its request schema does not contain. */
export type ResponseSpec = { response: z.ZodType; errors: readonly ErrorKey[] };

const currency = wire.text('ISO 4217.', 'EUR');
const orderId = wire.text('As sent.', 'order-1001');
const sentToken = wire.text('As sent.', '6f1e0b7d2c8841b79a523d0e');
const when = wire.wireDate('When, UTC.');
const descriptor = wire.text("The descriptor on the payer's statement.");
const order = z.strictObject({
  number: orderId,
  amount: wire.money('As sent.'),
  currency,
  description: wire.text('As sent.', 'Two coffee cups'),
});
const movement = z
  .enum(['SUCCESS', 'FAIL', 'WAITING', 'UNDEFINED'])
  .meta({ description: 'The outcome, if it is known.', examples: ['SUCCESS'] });
const reason = wire.text('The decline reason.').optional();
const accepted = z.strictObject({
  payment_id: wire.paymentId,
  result: z.literal('accepted').describe('Accepted. A callback reports the outcome.'),
});

const refundable = wire.money('The amount that can still be refunded.');
const operation = z.strictObject({
  operation_id: wire.operationId,
  type: z.enum(['capture', 'refund', 'void', 'reversal', 'chargeback']).meta({ examples: ['refund'] }),
  status: z.enum(['success', 'fail', 'waiting']),
  amount: wire.money('The amount of the operation.'),
  date: when,
  reason,
});

const link = z.strictObject({
  redirect_url: wire.text('The URL of the payment page.', 'https://pay.example/pay/eyJwIjoi').meta({ format: 'uri' }),
  redirect_method: z.literal('GET'),
});
const token = z.strictObject({
  token: wire.text('The token for the page with hosted fields.', 'eyJwIjoiMDE5YThmNWMi'),
});

const statusObject = z.strictObject({
  ...wire.mappingFields,
  payment_id: wire.paymentId,
  date: wire.wireDate('The time of the last change of the state, UTC.'),
  status: wire.checkoutState,
  reason,
  ...wire.chain,
  card_token: wire.cardToken,
  digital_wallet: wire.wallet.optional(),
  order,
  customer: z.strictObject({
    name: wire.text('The payer, if known.', 'Ana Petrović').optional(),
    email: wire.text('The payer, if known.', 'ana@example.com').optional(),
  }),
  operations: z.array(operation).describe('Captures, refunds, voids and chargebacks, oldest first.').optional(),
  refundable_amount: refundable.optional(),
});

const processing = z.strictObject({
  result: z.enum(['success', 'decline', 'redirect', 'waiting', 'undefined']).describe('The next step of the page.'),
  public_id: wire.paymentId,
  redirect_url: wire.text('The payer’s next URL, with redirect.').optional(),
  redirect_method: wire.method.optional(),
  redirect_params: wire.texts('Fields to send to redirect_url.').optional(),
  decline_message: wire.text("A message for the payer in the page's language.").optional(),
  return_url_query_params: z.strictObject({
    payment_id: wire.paymentId,
    trans_id: wire.transId.optional(),
    order_id: orderId,
    hash: wire.text('The signature of the return URL.', 'd2f1c0a98b7e6f5d4c3b2a1908f7e6d5c4b3a291'),
    payment_method: wire.text('If the protocol mapping has it on.').optional(),
    brand: wire.text('If the protocol mapping has it on.').optional(),
  }),
});

/** Wallet objects in the wallet's own format. */
const opaque = z.record(z.string(), z.unknown());
const label = (name: string) => wire.text('The label of a button.', name);
const wallets = z.strictObject({
  wallets: z.array(
    z.union([
      z.strictObject({ id: z.literal('applepay'), label: label('Apple Pay'), request: opaque }),
      z.strictObject({
        id: z.literal('googlepay'),
        label: label('Google Pay'),
        methods: z.array(opaque),
        details: opaque,
      }),
    ]),
  ),
});

const eligibilityErrors = [
  ...(['mappingMissing', 'actionNotSupported', 'currencyNotFound', 'typeNotSupported', 'amountNotPositive'] as const),
  ...(['methodNotFound', 'methodNotSupported', 'midDailyLimit', 'mappingDailyLimit'] as const),
  ...(['midMonthlyLimit', 'mappingWeeklyLimit'] as const),
] satisfies ErrorKey[];
const cardTokenErrors = ['cardTokenNotFound', 'cardTokenExpired', 'cardTokenNotAccessible'] satisfies ErrorKey[];
const duplicateErrors = ['duplicatePayment', 'duplicateRequest'] satisfies ErrorKey[];
const sessionErrors: ErrorKey[] = [...eligibilityErrors, ...cardTokenErrors, 'scheduleNotFound', 'duplicatePayment'];
const paymentErrors = [...eligibilityErrors, ...cardTokenErrors, ...duplicateErrors] satisfies ErrorKey[];
const modificationErrors = ['actionNotSupported', 'duplicateRequest', 'keyReused'] satisfies ErrorKey[];
const captureErrors = [
  ...(['captureNotPending', 'captureAboveHeld', 'amountNotPositive'] as const),
  ...modificationErrors,
] satisfies ErrorKey[];
const refundErrors = [
  ...(['refundNotSettled', 'refundNotAllowed', 'refundInPortalOnly', 'refundAboveRemaining'] as const),
  ...(['reversalAboveAmount', 'reversalPartial', 'amountNotPositive'] as const),
  ...modificationErrors,
] satisfies ErrorKey[];
const voidErrors = ['voidNotAllowed', ...modificationErrors] satisfies ErrorKey[];
const retryErrors = ['actionNotSupported', 'duplicateRequest'] satisfies ErrorKey[];
const processingErrors = [
  ...(['actionNotSupported', 'methodNotSupported', 'cardTokenNotFound', 'mappingMissing'] as const),
  ...duplicateErrors,
] satisfies ErrorKey[];

const modified = { trans_status: movement, date: when, reason, operation_id: wire.operationId };

export const checkoutResponses: { readonly [path: string]: ResponseSpec } = {
  '/api/v1/session': { response: link, errors: sessionErrors },
  '/api/v1/session/token': { response: token, errors: sessionErrors },
  '/api/v1/session/update': { response: z.union([link, token]), errors: [...sessionErrors, 'sessionInUse'] },
  '/api/v1/payment/status': { response: z.union([statusObject, z.array(statusObject)]), errors: ['sizeOutOfRange'] },
  '/api/v1/payment/refund': { response: accepted.extend({ operation_id: wire.operationId }), errors: refundErrors },
  '/api/v1/payment/capture': {
    response: z.strictObject({ payment_id: wire.paymentId, status: wire.checkoutState, ...modified }),
    errors: captureErrors,
  },
  '/api/v1/payment/void': {
    response: z.strictObject({
      payment_id: wire.paymentId,
      status: wire.checkoutState.meta({ examples: ['void'] }),
      payment_status: wire.checkoutState.meta({ examples: ['void'] }),
      ...modified,
      order,
    }),
    errors: voidErrors,
  },
  '/api/v1/payment/retry': { response: accepted, errors: retryErrors },
  '/api/v1/payment/recurring': {
    response: z.strictObject({
      status: z
        .enum([...wire.uniqueValues(checkoutStatus), 'declined'])
        .meta({ description: 'The state of the payment; a decline is declined here.', examples: ['settled'] }),
      reason,
      payment_id: wire.paymentId,
      date: when,
      schedule_id: wire.chain.schedule_id,
      first_recurring_date: wire.chain.first_recurring_date,
      order,
    }),
    errors: [...paymentErrors, 'scheduleNotFound'],
  },
  '/api/v1/payment/card/credit': { response: accepted, errors: paymentErrors },
  '/api/v1/card_token/remove': {
    response: z.strictObject({ card_token: sentToken, result: z.literal('removed') }),
    errors: cardTokenErrors,
  },
  '/api/v1/processing/purchase/card': { response: processing, errors: processingErrors },
  '/api/v1/processing/debit/card': { response: processing, errors: processingErrors },
  '/api/v1/processing/wallets': { response: wallets, errors: [] },
  '/api/v1/processing/wallets/applepay': {
    response: z.strictObject({
      merchant_session: opaque.nullable().describe("Apple's session object; null if Apple returns none."),
    }),
    errors: ['methodNotSupported'],
  },
};

const result = z.enum(['SUCCESS', 'DECLINED', 'REDIRECT', 'UNDEFINED']).meta({ examples: ['SUCCESS'] });
const payment = { status: wire.formState, order_id: orderId, trans_id: wire.transId };
const declined = wire.text('The decline reason, with DECLINED.').optional();
const redirectParams = wire.texts('Fields to send to redirect_url.');
const listedParams = z
  .array(z.strictObject({ name: z.string(), value: z.string() }))
  .describe('The same as a list, at /v2/post.');

/** The responses of a protocol's actions; a row has the fields without `action`, and the errors. */
const actionResponses = (rows: { readonly [action: string]: readonly [fields: z.ZodRawShape, errors: ErrorKey[]] }) =>
  Object.fromEntries(
    Object.entries(rows).map(([action, [fields, errors]]): [string, ResponseSpec] => [
      action,
      { response: z.strictObject({ action: z.literal(action), ...fields }), errors },
    ]),
  );

const charge = {
  result,
  ...payment,
  trans_date: when,
  descriptor,
  amount: wire.money('The amount.'),
  currency,
  ...wire.chain,
  card_token: wire.cardToken,
  digital_wallet: wire.wallet.optional(),
  pan_type: wire.panType.optional(),
  decline_reason: declined,
  redirect_url: wire.text('The payer’s next URL, with REDIRECT.').optional(),
  redirect_method: wire.method.optional(),
  redirect_params: z.union([redirectParams, listedParams]).optional(),
};

const voided = { result, ...payment, trans_date: when, decline_reason: declined };
const captured = {
  result,
  ...payment,
  trans_date: when,
  descriptor: descriptor.optional(),
  amount: wire.money('The amount of the capture.'),
  currency,
  decline_reason: declined,
};

const acceptedLater = {
  result: z.literal('ACCEPTED').describe('Accepted. A callback reports the outcome.'),
  order_id: orderId,
  trans_id: wire.transId,
};

const status = {
  ...wire.mappingFields,
  result: z.literal('SUCCESS'),
  ...payment,
  decline_reason: wire.text('The decline reason of a declined payment.').optional(),
  ...wire.chain,
  digital_wallet: wire.wallet.optional(),
};

const ofSchedule = { result: z.literal('SUCCESS'), schedule_id: wire.uuid('The schedule.') };

const scheduleInfo = {
  ...ofSchedule,
  name: wire.text('The name.', 'Monthly box'),
  interval_length: wire.text('Days or months between payments.', '1'),
  interval_unit: z.enum(['day', 'month']).meta({ examples: ['month'] }),
  day_of_month: wire.text('As sent.', '31').optional(),
  payments_count: wire.text('Number of payments.', '12'),
  delays: z.null().describe('Deprecated, always null.'),
  paused: z.enum(['Y', 'N']).meta({ examples: ['N'] }),
  delayed_first_payment: z.enum(['none', 'delay_by_interval', 'day_of_week', 'day_of_month']).optional(),
  first_payment_interval_length: wire.text('As sent.', '3').optional(),
  first_payment_interval_unit: z.enum(['day', 'month']).optional(),
  first_payment_day_of_week: wire.text('1 is Monday.', '1').optional(),
  first_payment_day_of_month: wire.text('As sent.', '1').optional(),
};

const updateSchedule = {
  ...ofSchedule,
  preview: z.literal('Y').describe('A preview: nothing was changed.').optional(),
  live_subscriptions: wire.text('With preview: the number of subscriptions that the change affects.', '3').optional(),
  ending_subscriptions: wire.text('With preview: the number of subscriptions that the change ends.', '0').optional(),
  next_charges: z
    .array(
      z.strictObject({
        order_id: wire.text('The order of the initial payment of the subscription.', 'order-1001'),
        date: wire.wireDate('The next charge, UTC; absent if the subscription ends.').optional(),
        date_before: wire.wireDate('The next charge without the change, UTC.'),
        amount: wire.money('The amount of the charge.'),
        currency,
      }),
    )
    .describe('With preview: the next charges, up to ten.')
    .optional(),
};

const details = {
  ...status,
  name: wire.text('The payer, if known.').optional(),
  mail: wire.text('The payer, if known.').optional(),
  ip: wire.text('The payer, if known.').optional(),
  amount: wire.money('As sent.'),
  currency,
  card: wire.mask.optional(),
  pan_type: wire.panType.optional(),
  refundable_amount: refundable,
  transactions: z.array(
    z.strictObject({
      operation_id: wire.uuid('The attempt or operation.'),
      type: z
        .enum(['3DS', 'AUTH', 'CAPTURE', 'REFUND', 'VOID', 'REVERSAL', 'CHARGEBACK', 'CREDIT', 'SALE'])
        .meta({ examples: ['SALE'] }),
      status: z.enum(['success', 'fail', 'waiting']),
      date: when,
      amount: wire.money('The amount.'),
    }),
  ),
};

const cardPaymentErrors = [...paymentErrors, 'scheduleNotFound'] satisfies ErrorKey[];

export const cardResponses = actionResponses({
  SALE: [charge, cardPaymentErrors],
  DEBIT: [charge, cardPaymentErrors],
  RECURRING_SALE: [charge, paymentErrors],
  RECURRING_DEBIT: [charge, paymentErrors],
  CARD2CARD: [charge, cardPaymentErrors],
  CREDIT2CARD: [charge, paymentErrors],
  CAPTURE: [captured, captureErrors],
  VOID: [voided, voidErrors],
  CREDITVOID: [acceptedLater, refundErrors],
  RETRY: [acceptedLater, retryErrors],
  GET_TRANS_STATUS: [status, []],
  GET_TRANS_DETAILS: [details, []],
  GET_TRANS_STATUS_BY_ORDER: [status, []],
  CREATE_SCHEDULE: [ofSchedule, ['parameterDeprecated']],
  UPDATE_SCHEDULE: [updateSchedule, ['parameterDeprecated']],
  DELETE_SCHEDULE: [ofSchedule, ['scheduleInUse']],
  PAUSE_SCHEDULE: [ofSchedule, []],
  RUN_SCHEDULE: [ofSchedule, []],
  SCHEDULE_INFO: [scheduleInfo, []],
  DESCHEDULE: [{ ...ofSchedule, recurring_token: sentToken }, ['incorrectTransaction']],
});

/** The quote of a debit. */
export const quote = {
  commission: wire.money('The commission of a debit.').meta({ examples: ['1.69'] }),
  total_amount: wire.money('The total that the payer pays.').meta({ examples: ['86.19'] }),
};

/** Fields of S2S APM that the merchant shows to the payer, because there is no payment page. */
export const presentationFields = {
  redirect_params: wire
    .texts('Fields to send to redirect_url, or qr_code, a PNG in Base64, with qr_payload, its text.')
    .optional(),
  crypto_address: wire.text('The address to pay to.').optional(),
  crypto_network: wire.text('The network of the cryptocurrency.').optional(),
  crypto_currency: wire.text('The cryptocurrency.').optional(),
  crypto_amount: wire.text('The amount in the cryptocurrency.').optional(),
  crypto_memo: wire.text('The memo to send with the payment.').optional(),
  payment_data: wire.texts('Payment details for the payer, line by line.').optional(),
  sent_to: wire.text('The recipient of a link, a code or a request.').optional(),
  expires_at: wire.text('The expiry of the payment details, ISO 8601.').optional(),
  auth_method: wire.text("The provider's authentication method.").optional(),
  message: wire.text("The provider's message to the payer.").optional(),
};

const apmCharge = { ...charge, descriptor: descriptor.optional(), ...presentationFields };
const quotedCharge = { ...charge, descriptor: descriptor.optional(), ...quote, ...presentationFields };
const calculated = {
  result: z.literal('SUCCESS'),
  ...payment,
  status: z.literal('PREPARE'),
  trans_date: when,
  currency,
  amount: wire.money('The amount of the order.'),
  ...quote,
};

export const apmResponses = actionResponses({
  SALE: [apmCharge, paymentErrors],
  CAPTURE: [captured, captureErrors],
  CREDITVOID: [acceptedLater, refundErrors],
  VOID: [voided, voidErrors],
  GET_TRANS_STATUS: [status, []],
  CREDIT2VIRTUAL: [apmCharge, paymentErrors],
  CREDIT2CRYPTO: [apmCharge, paymentErrors],
  DEBIT2VIRTUAL: [quotedCharge, paymentErrors],
  DEBIT2VIRTUAL_CALC: [calculated, paymentErrors],
  DEBIT2VIRTUAL_COMPLETE: [quotedCharge, paymentErrors],
});
