// The one refusal of a wallet token. Whoever sends forged tokens must not learn which check stopped them, so all
// refusals read alike; the reason is kept beside the message for our own log and never holds a part of the token.

/** What stopped a token. */
export type RejectionReason =
  // Its form.
  | 'token-size'
  | 'token-json'
  | 'token-fields'
  | 'version'
  | 'header-fields'
  // The signature of an Apple Pay token.
  | 'signature-form'
  | 'signature-algorithm'
  | 'certificate-leaf'
  | 'certificate-intermediate'
  | 'certificate-extra'
  | 'certificate-algorithm'
  | 'chain-leaf'
  | 'chain-root'
  | 'leaf-expired'
  | 'intermediate-expired'
  | 'root-expired'
  | 'signer'
  | 'message-digest'
  | 'signature'
  | 'signing-time'
  | 'application-data'
  // The signatures of a Google Pay token.
  | 'roots-expired'
  | 'intermediate-signature'
  | 'intermediate-key'
  | 'intermediate-key-expired'
  | 'message-signature'
  | 'message-fields'
  // Its decryption.
  | 'public-key-hash'
  | 'ephemeral-key'
  | 'wrapped-key'
  | 'data-length'
  | 'decryption'
  | 'mac'
  // What it says.
  | 'payment-json'
  | 'payment-fields'
  | 'payment-type'
  | 'message-expired'
  | 'gateway-merchant'
  | 'auth-method'
  | 'unexpected';

/** A token that must not be paid with. Answer with `message` alone; `why` is for the log. */
export class WalletTokenError extends Error {
  readonly reason: RejectionReason;

  constructor(why: RejectionReason) {
    super('The wallet token is not valid.');
    this.name = 'WalletTokenError';
    this.reason = why;
  }
}

/** Refuses the token. */
export function rejectToken(why: RejectionReason): never {
  throw new WalletTokenError(why);
}

/** Runs `open`; whatever else is thrown in it refuses the token too, because its text may quote the token. */
export function rejectOnThrow<Opened>(open: () => Opened): Opened {
  try {
    return open();
  } catch (error) {
    throw error instanceof WalletTokenError ? error : new WalletTokenError('unexpected');
  }
}

/** The result of `attempt`, or a refusal for `why` when it throws or yields null. */
export function orReject<Value>(why: RejectionReason, attempt: () => Value | null): Value {
  let value: Value | null = null;
  try {
    value = attempt();
  } catch {
    // What the library says about the bytes stays out of the error.
  }
  return value ?? rejectToken(why);
}
