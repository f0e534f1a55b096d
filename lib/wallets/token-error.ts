// The error of a rejected wallet token. Senders of forged tokens must not learn which check failed, so all errors have
// the same message; the reason is for the log and never contains a part of the token.

import { orNull } from './ber.ts';

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
  // Its content.
  | 'payment-json'
  | 'payment-fields'
  | 'payment-type'
  | 'message-expired'
  | 'gateway-merchant'
  | 'auth-method'
  | 'unexpected';

/** A token that must not be used. Respond with `message` only; `reason` is for the log. */
export class WalletTokenError extends Error {
  readonly reason: RejectionReason;

  constructor(why: RejectionReason) {
    super('The wallet token is not valid.');
    this.name = 'WalletTokenError';
    this.reason = why;
  }
}

/** Rejects the token. */
export function rejectToken(why: RejectionReason): never {
  throw new WalletTokenError(why);
}

/** Runs `open`; any other exception also rejects the token, because its message may quote the token. */
export function rejectOnThrow<Opened>(open: () => Opened): Opened {
  try {
    return open();
  } catch (error) {
    throw error instanceof WalletTokenError ? error : new WalletTokenError('unexpected');
  }
}

/** The result of `attempt`; rejects the token with `why` if it throws or returns null. */
export function orReject<Value>(why: RejectionReason, attempt: () => Value | null): Value {
  return orNull(attempt) ?? rejectToken(why);
}
