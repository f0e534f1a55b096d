// The one error of this package. It is made of the server's own words or of ours, never of a request, so that no key,
// password or signature can get into it.

/** What went wrong where there was no refusal by the server. */
export type FaultCode = 'argument' | 'network' | 'timeout' | 'aborted' | 'answer';

export type FlorinErrorDetails = {
  /** HTTP status of the answer; null where there was none. */
  status?: number | null;
  /** What is wrong with which field, as `order.amount`. What concerns no field stands under an empty name. */
  fields?: Readonly<Record<string, readonly string[]>>;
  /** The key that a refund or a void was sent under. */
  idempotencyKey?: string | undefined;
};

/**
 * A call that failed. `code` is the contract's number where the server refused (interface.md, Errors), else a word:
 * `argument` (this package was called wrongly), `network`, `timeout`, `aborted` (by the caller's signal) or `answer`
 * (something that is no answer of the protocol). After `network`, `timeout` and `aborted` the server may have done what
 * it was asked: send a refund or a void again under the error's `idempotencyKey`, which moves the money once; look the
 * payment up before anything else is asked again.
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

/** Fails because of how this package was called. */
export function throwArgumentError(message: string): never {
  throw new FlorinError('argument', message);
}

/** The error of a refusal: `{ result, error_code, error_message, errors }`; anything else is a fault of code `answer`. */
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

/** The value as an object with members; null for anything else, lists included. */
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
