// Errors of a wallet's settings. They are shown to the merchant's staff, not to payers, so they name the cause.

/** The invalid part of a wallet's settings, and why, as a sentence. */
export class WalletKeyError extends Error {
  readonly part: 'certificate' | 'privateKey' | 'roots';

  constructor(part: WalletKeyError['part'], message: string) {
    super(message);
    this.name = 'WalletKeyError';
    this.part = part;
  }
}
