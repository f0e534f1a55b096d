// The contract's table of errors, repeated here as the expectation of clients.

import { describe, expect, test } from 'vitest';
import {
  ApiError,
  type ErrorKey,
  errors,
  type FieldError,
  fieldErrorTexts,
  renderApiError,
  throwApiError,
  throwFieldErrors,
  throwTooManyRequests,
} from './errors.ts';

const contract = `
hashNotValid            100000 400 Hash is not valid
requestDataInvalid      100000 400 Request data is invalid.
duplicatePayment        100000 400 order_id: Duplicate payment.
refundNotAllowed        100000 400 Refund is not allowed
paymentNotFound         100000 400 Payment not found.
scheduleNotFound        100000 400 Schedule not found
incorrectTransaction    100000 400 Incorrect transaction
notUuid                 100000 400 This is not a valid UUID.
parameterDeprecated     100000 400 Parameter is deprecated.
ipNotAllowed            100000 400 Request from this ip is not allowed.
voidNotAllowed          100000 400 Void is not allowed.
amountNotPositive       100000 400 amount: This value should be greater than 0.
sizeOutOfRange          100000 400 size should be within 1..100
scheduleInUse           100000 400 Schedule is in use.
sessionInUse            100000 400 Session is in use.
paymentMissing          101000 400 Payment does not exist.
orderMissing            101000 400 Order does not exist.
transactionMissing      101000 400 Transaction does not exist.
actionUnknown           0      404 Route or parameters is not supported
mappingMissing          204002 400 Enabled merchant mappings or MIDs not found.
typeNotSupported        204003 400 Payment type not supported.
methodNotSupported      204004 400 Payment method not supported.
actionNotSupported      204005 400 Payment action not supported
brandNotSupported       204006 400 Payment system/brand not supported.
midDailyLimit           204007 400 Day MID limit is not set or exceeded.
mappingDailyLimit       204008 400 Day merchant mapping limit is not set or exceeded.
typeNotFound            204009 400 Payment type not found.
methodNotFound          204010 400 Payment method not found.
brandNotFound           204011 400 Payment system/brand not found.
currencyNotFound        204012 400 Payment currency not found.
actionNotFound          204013 400 Payment action not found.
midMonthlyLimit         204014 400 Month MID limit is exceeded.
mappingWeeklyLimit      204015 400 Week merchant mapping limit is exceeded.
cardTokenNotFound       205005 400 Card token is invalid or not found.
cardTokenExpired        205006 400 Card token is expired.
cardTokenNotAccessible  205007 400 Card token is not accessible.
followUpPaymentNotFound 208001 400 Payment not found.
notInThreeDS            208002 400 Not acceptable to request the 3ds for payment not in 3ds status.
captureNotPending       208003 400 Not acceptable to request the capture for payment not in pending status.
captureAboveHeld        208004 400 Not acceptable to request the capture for amount bigger than auth amount.
refundNotSettled        208005 400 refund requires a settled payment
refundAboveRemaining    208006 400 Not acceptable to request the refund for amount bigger than payment amount.
reversalAboveAmount     208008 400 Not acceptable to request the reversal for amount bigger than payment amount.
reversalPartial         208009 400 Not acceptable to request the reversal for partial amount.
chargebackAboveAmount   208010 400 Not acceptable to request the chargeback for amount bigger than payment amount.
refundInPortalOnly      210002 400 Refund via API is not supported. Only from the connector admin portal.
useTestKey              220002 400 Use merchant test key.
duplicateRequest        400    400 Duplicate request.
keyReused               400    409 Duplicate request.
tokenNotValid           401    401 Token is not valid.
tooManyRequests         429    429 Too many requests.
tooBusy                 503    503 The service is busy.
clockWrong              503    503 The service takes no new payments: its clock is wrong.
`;

const rows = contract
  .trim()
  .split('\n')
  .map((line) => {
    const [, key = '', code = '', http = '', message = ''] = /^(\S+)\s+(\d+)\s+(\d+) (.+)$/.exec(line) ?? [];
    return { key: key as ErrorKey, code: Number(code), http: Number(http), message };
  });

function caught(run: () => never): ApiError {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

describe('the table', () => {
  test('has these rows and no other', () => {
    expect(Object.keys(errors).sort()).toEqual(rows.map((row) => row.key).sort());
  });

  test.each(rows)('$code $message', ({ key, code, http, message }) => {
    const { status, body } = renderApiError(caught(() => throwApiError(key)));
    expect(status).toBe(http);
    expect(body).toMatchObject({ result: 'ERROR', error_code: code, error_message: message });
  });
});

describe('refuse', () => {
  test('a request over the limit contains the seconds to wait', () => {
    expect(renderApiError(caught(() => throwTooManyRequests(17))).headers).toEqual([['retry-after', '17']]);
    expect(renderApiError(caught(() => throwApiError('hashNotValid'))).headers).toEqual([]);
  });

  test('a row without a field repeats itself in the list', () => {
    expect(renderApiError(caught(() => throwApiError('captureNotPending'))).body).toEqual({
      result: 'ERROR',
      error_code: 208003,
      error_message: 'Not acceptable to request the capture for payment not in pending status.',
      errors: [
        {
          error_code: 208003,
          error_message: 'Not acceptable to request the capture for payment not in pending status.',
        },
      ],
    });
  });

  test('a row whose message names a field is also listed', () => {
    expect(renderApiError(caught(() => throwApiError('duplicatePayment'))).body).toEqual({
      result: 'ERROR',
      error_code: 100000,
      error_message: 'order_id: Duplicate payment.',
      errors: [{ error_code: 100000, error_message: 'order_id: Duplicate payment.' }],
    });
  });

  test('the caller may pass field errors', () => {
    const faults = [{ path: 'schedule_id', text: errors.notUuid.message }];
    expect(renderApiError(caught(() => throwApiError('notUuid', faults))).body).toEqual({
      result: 'ERROR',
      error_code: 100000,
      error_message: 'This is not a valid UUID.',
      errors: [{ error_code: 100000, error_message: 'schedule_id: This is not a valid UUID.' }],
    });
  });

  test('the thrown value is an Error with its row', () => {
    const refusal = caught(() => throwApiError('tokenNotValid'));
    expect(refusal).toBeInstanceOf(Error);
    expect(refusal).toMatchObject({ name: 'ApiError', key: 'tokenNotValid', code: 401, http: 401 });
    expect(refusal.errors).toBeUndefined();
  });
});

describe('throwFieldErrors', () => {
  const rendered = (fieldErrors: FieldError[]) => renderApiError(caught(() => throwFieldErrors(fieldErrors)));

  test('lists every field error, in order', () => {
    expect(
      rendered([
        { path: 'order.number', text: fieldErrorTexts.blank },
        { path: 'success_url', text: fieldErrorTexts.notUrl },
        { path: 'operation', text: fieldErrorTexts.notChoice },
        { path: 'order.amount', text: fieldErrorTexts.notValid },
      ]),
    ).toEqual({
      status: 400,
      headers: [],
      body: {
        result: 'ERROR',
        error_code: 100000,
        error_message: 'Request data is invalid.',
        errors: [
          { error_code: 100000, error_message: 'order.number: This value should not be blank.' },
          { error_code: 100000, error_message: 'success_url: This value is not a valid URL.' },
          { error_code: 100000, error_message: 'operation: The value you selected is not a valid choice.' },
          { error_code: 100000, error_message: 'order.amount: This value is not valid.' },
        ],
      },
    });
  });

  test('a zero amount alone gets the message of the contract', () => {
    expect(rendered([{ path: 'amount', text: fieldErrorTexts.positive }]).body).toEqual({
      result: 'ERROR',
      error_code: 100000,
      error_message: 'amount: This value should be greater than 0.',
      errors: [{ error_code: 100000, error_message: 'amount: This value should be greater than 0.' }],
    });
  });

  test('with another field error it is one of the list', () => {
    const { body } = rendered([
      { path: 'amount', text: fieldErrorTexts.positive },
      { path: 'hash', text: fieldErrorTexts.blank },
    ]);
    expect(body.error_message).toBe('Request data is invalid.');
    expect(body.errors).toHaveLength(2);
  });

  test('an error of the whole body has no path', () => {
    expect(rendered([{ path: '', text: fieldErrorTexts.notValid }]).body.errors).toEqual([
      { error_code: 100000, error_message: 'This value is not valid.' },
    ]);
  });

  test('a path may equal a name of Object.prototype', () => {
    expect(rendered([{ path: 'constructor', text: fieldErrorTexts.blank }]).body.errors).toEqual([
      { error_code: 100000, error_message: 'constructor: This value should not be blank.' },
    ]);
  });
});
