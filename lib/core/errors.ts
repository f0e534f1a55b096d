// All API errors of the three protocols in one table: code, HTTP status, message. An error is thrown where it is
// detected and rendered in one place; a decline is not an API error.

import { maskCardNumbers } from './card-text.ts';

/** One row: the wire's error_code, the HTTP status, the wire's error_message. */
export type ErrorRow = { readonly code: number; readonly http: number; readonly message: string };

const row = (code: number, message: string, http = 400): ErrorRow => ({ code, http, message });

/** The errors of interface.md (Errors) and of protocol.md (section 8). Rows marked own are Florin's additions. */
export const errors = {
  // Signature, shape and access.
  hashNotValid: row(100000, 'Hash is not valid'),
  requestDataInvalid: row(100000, 'Request data is invalid.'),
  duplicatePayment: row(100000, 'order_id: Duplicate payment.'),
  amountNotPositive: row(100000, 'amount: This value should be greater than 0.'),
  notUuid: row(100000, 'This is not a valid UUID.'),
  parameterDeprecated: row(100000, 'Parameter is deprecated.'),
  sizeOutOfRange: row(100000, 'size should be within 1..100'),
  ipNotAllowed: row(100000, 'Request from this ip is not allowed.'),

  // Modifications and lookups; the code of a missing entity depends on the entity.
  refundNotAllowed: row(100000, 'Refund is not allowed'),
  voidNotAllowed: row(100000, 'Void is not allowed.'),
  paymentNotFound: row(100000, 'Payment not found.'),
  scheduleNotFound: row(100000, 'Schedule not found'),
  scheduleInUse: row(100000, 'Schedule is in use.'), // own
  incorrectTransaction: row(100000, 'Incorrect transaction'),
  sessionInUse: row(100000, 'Session is in use.'), // own: session/update after a payment attempt
  paymentMissing: row(101000, 'Payment does not exist.'),
  orderMissing: row(101000, 'Order does not exist.'),
  transactionMissing: row(101000, 'Transaction does not exist.'),

  // Protocol and routing.
  actionUnknown: row(0, 'Route or parameters is not supported', 404),
  mappingMissing: row(204002, 'Enabled merchant mappings or MIDs not found.'),
  typeNotSupported: row(204003, 'Payment type not supported.'),
  methodNotSupported: row(204004, 'Payment method not supported.'),
  actionNotSupported: row(204005, 'Payment action not supported'),
  brandNotSupported: row(204006, 'Payment system/brand not supported.'),
  midDailyLimit: row(204007, 'Day MID limit is not set or exceeded.'),
  mappingDailyLimit: row(204008, 'Day merchant mapping limit is not set or exceeded.'),
  typeNotFound: row(204009, 'Payment type not found.'),
  methodNotFound: row(204010, 'Payment method not found.'),
  brandNotFound: row(204011, 'Payment system/brand not found.'),
  currencyNotFound: row(204012, 'Payment currency not found.'),
  actionNotFound: row(204013, 'Payment action not found.'),
  midMonthlyLimit: row(204014, 'Month MID limit is exceeded.'),
  mappingWeeklyLimit: row(204015, 'Week merchant mapping limit is exceeded.'),

  // Card tokens.
  cardTokenNotFound: row(205005, 'Card token is invalid or not found.'),
  cardTokenExpired: row(205006, 'Card token is expired.'),
  cardTokenNotAccessible: row(205007, 'Card token is not accessible.'),

  // Transitions that the payment's state or amount does not allow.
  followUpPaymentNotFound: row(208001, 'Payment not found.'),
  notInThreeDS: row(208002, 'Not acceptable to request the 3ds for payment not in 3ds status.'),
  captureNotPending: row(208003, 'Not acceptable to request the capture for payment not in pending status.'),
  captureAboveHeld: row(208004, 'Not acceptable to request the capture for amount bigger than auth amount.'),
  refundNotSettled: row(208005, 'refund requires a settled payment'),
  refundAboveRemaining: row(208006, 'Not acceptable to request the refund for amount bigger than payment amount.'),
  reversalAboveAmount: row(208008, 'Not acceptable to request the reversal for amount bigger than payment amount.'),
  reversalPartial: row(208009, 'Not acceptable to request the reversal for partial amount.'),
  chargebackAboveAmount: row(208010, 'Not acceptable to request the chargeback for amount bigger than payment amount.'),
  refundInPortalOnly: row(210002, 'Refund via API is not supported. Only from the connector admin portal.'),

  // Keys and tokens.
  useTestKey: row(220002, 'Use merchant test key.'),
  duplicateRequest: row(400, 'Duplicate request.'),
  keyReused: row(400, 'Duplicate request.', 409), // own: an Idempotency-Key with other values
  tokenNotValid: row(401, 'Token is not valid.', 401),
  tooManyRequests: row(429, 'Too many requests.', 429), // own: with Retry-After
  tooBusy: row(503, 'The service is busy.', 503), // own: with Retry-After
  clockWrong: row(503, 'The service takes no new payments: its clock is wrong.', 503), // own: with Retry-After
} as const satisfies Record<string, ErrorRow>;

export type ErrorKey = keyof typeof errors;

/** The texts of field errors (protocol.md section 8). A wrong length is `notValid`. */
export const fieldErrorTexts = {
  blank: 'This value should not be blank.',
  positive: 'This value should be greater than 0.',
  notValid: 'This value is not valid.',
  notUrl: 'This value is not a valid URL.',
  notChoice: 'The value you selected is not a valid choice.',
} as const;

/** An invalid field: its path as the caller wrote it (`order.amount`), and the error. */
export type FieldError = { path: string; text: string };

/** A rejected request. Thrown anywhere, rendered once at the edge by renderApiError(). */
export class ApiError extends Error {
  readonly key: ErrorKey;
  readonly code: number;
  readonly http: number;
  readonly errors?: FieldError[];
  /** Seconds until a retry may succeed, for the header Retry-After. */
  readonly retryAfterSeconds?: number;

  constructor(key: ErrorKey, fieldErrors?: FieldError[], retryAfterSeconds?: number) {
    // The message is about the request. Capturing a stack trace would cost more than the rest of the error.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(errors[key].message);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'ApiError';
    this.key = key;
    this.code = errors[key].code;
    this.http = errors[key].http;
    if (fieldErrors && fieldErrors.length > 0) this.errors = fieldErrors;
    if (retryAfterSeconds !== undefined) this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Rejects the request with a row of the table; `fieldErrors` names the invalid fields, if any. */
export function throwApiError(key: ErrorKey, fieldErrors?: FieldError[]): never {
  throw new ApiError(key, fieldErrors ?? fieldErrorsOf(key));
}

/** Rejects a request over the rate limit; the next is accepted after `seconds`. */
export function throwTooManyRequests(seconds: number): never {
  throw new ApiError('tooManyRequests', undefined, seconds);
}

/** Rejects a request because this process is overloaded. */
export function throwTooBusy(): never {
  throw new ApiError('tooBusy', undefined, 1);
}

/** Rejects a new payment while this process's clock is wrong; another process may accept it. */
export function throwClockWrong(): never {
  throw new ApiError('clockWrong', undefined, 5);
}

/** An error names at most so many fields, because a request can have thousands of wrong ones. */
export const fieldErrorsMax = 100;

/**
 * Rejects a request because of its fields and lists them, up to {@link fieldErrorsMax}. A single field error that has its
 * own row in the contract gets that row: by its text (`This is not a valid UUID.`), or by the last name of its path and
 * its text (`order.amount` or `order_amount` with `amount: This value should be greater than 0.`).
 */
export function throwFieldErrors(given: FieldError[]): never {
  // A name that a client chose can be a card number.
  const fieldErrors = given.slice(0, fieldErrorsMax).map((each) => ({ ...each, path: maskCardNumbers(each.path) }));
  const [only, ...others] = fieldErrors;
  let key: ErrorKey | undefined;
  if (only && others.length === 0) {
    const name = only.path.slice(only.path.lastIndexOf('.') + 1);
    // The form protocols and the flat requests call an order's amount order_amount.
    const names = [name, name.replace(/^order_/, '')];
    key = [only.text, ...names.map((each) => `${each}: ${only.text}`)].map((line) => messages.get(line)).find(Boolean);
  }
  throw new ApiError(key ?? 'requestDataInvalid', fieldErrors);
}

/** The wire's body of an API error (interface.md, Errors). `errors` is never empty (protocol.md 8). */
export type ErrorBody = {
  result: 'ERROR';
  error_code: number;
  error_message: string;
  errors: { error_code: number; error_message: string }[];
};

/** The body of an error. It always has `errors`, because shop plugins treat a response without them as a success. */
export function errorBody(code: number, message: string, fieldErrors: readonly FieldError[] = []): ErrorBody {
  const list = fieldErrors.map((fieldError) => ({
    error_code: errors.requestDataInvalid.code as number,
    error_message: fieldErrorLine(fieldError),
  }));
  const own = { error_code: code, error_message: message };
  return { result: 'ERROR', ...own, errors: list.length > 0 ? list : [own] };
}

/** The HTTP status, the headers and the body of an API error. */
export function renderApiError(error: ApiError): { status: number; headers: [string, string][]; body: ErrorBody } {
  const body = errorBody(error.code, error.message, error.errors);
  const { retryAfterSeconds: seconds } = error;
  return { status: error.http, headers: seconds === undefined ? [] : [['retry-after', String(seconds)]], body };
}

const errorKeys = Object.keys(errors) as ErrorKey[];

/** The rows that a single faulty field may have as its own, by their messages. */
const messages = new Map<string, ErrorKey>();
for (const key of errorKeys) {
  if (errors[key].code === errors.requestDataInvalid.code) messages.set(errors[key].message, key);
}

function fieldErrorLine(fieldError: FieldError): string {
  return fieldError.path === '' ? fieldError.text : `${fieldError.path}: ${fieldError.text}`;
}

// A row whose message names a field is also listed as a field error, because clients read the list.
function fieldErrorsOf(key: ErrorKey): FieldError[] | undefined {
  const named = /^([a-z_.]+): (.+)$/.exec(errors[key].message);
  return named ? [{ path: named[1] as string, text: named[2] as string }] : undefined;
}
