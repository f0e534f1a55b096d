// The only error class of this package. Its texts come from the server or from this package, never from a request, so
// that no key, password or signature can get into it.

/** The codes of errors that are not the server's. */
export type FaultCode = 'argument' | 'network' | 'timeout' | 'aborted' | 'answer';

export type FlorinErrorDetails = {
  /** HTTP status of the response; null without one. */
  status?: number | null;
  /** The errors of each field, by names such as `order.amount`. Errors without a field have an empty name. */
  fields?: Readonly<Record<string, readonly string[]>>;
  /** The key of a refund or a void. */
  idempotencyKey?: string | undefined;
};

/**
 * A failed call. `code` is the contract's number if the server rejected the call (interface.md, Errors), else a word:
 * `argument` (wrong use of this package), `network`, `timeout`, `aborted` (by the caller's signal) or `answer` (not a
 * response of the protocol). After `network`, `timeout` and `aborted` the server may have processed the call: repeat a
 * refund or a void under the error's `idempotencyKey`, which moves the money once; check the status before repeating
 * any other call.
 */
export class FlorinError extends Error {
  readonly code: number | FaultCode;
  readonly status: number | null;
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly idempotencyKey: string | undefined;

  constructor(
    code: number | FaultCode,
    message: string,
    { status = null, fields = {}, idempotencyKey }: FlorinErrorDetails = {},
  ) {
    super(message);
    this.name = 'FlorinError';
    this.code = code;
    this.status = status;
    this.fields = fields;
    this.idempotencyKey = idempotencyKey;
  }
}

/** Throws the error of a wrong use of this package. */
export function throwArgumentError(message: string): never {
  throw new FlorinError('argument', message);
}

/** The error of a rejected call: `{ result, error_code, error_message, errors }`; other bodies give the code `answer`. */
export function apiErrorOf(status: number, answer: unknown): FlorinError {
  const { error_code: code, error_message: message, errors } = asObject(answer) ?? {};
  const number = typeof code === 'string' && /^\d{1,9}$/.test(code) ? Number(code) : code;
  if (typeof number !== 'number' || typeof message !== 'string') {
    return new FlorinError('answer', `The server answered with HTTP ${status} and no error of the protocol.`, {
      status,
    });
  }
  return new FlorinError(number, message, { status, fields: fieldsOf(errors) });
}

/** The value as an object with members; null for any other value, including lists. */
export function asObject(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
}

// Each entry reads `order.amount: This value should not be blank.`
function fieldsOf(errors: unknown): Record<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const entry of Array.isArray(errors) ? errors : []) {
    const line = asObject(entry)?.error_message;
    if (typeof line !== 'string') continue;
    const [, path = '', text = line] = /^([\w.[\]-]+): (.+)$/s.exec(line) ?? [];
    fields.set(path, [...(fields.get(path) ?? []), text]);
  }
  return Object.fromEntries(fields);
}
