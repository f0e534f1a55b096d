// What is wrong with a wallet's settings. They are the operator's and not the payer's, so this says what to mend.

/** The part of a wallet's settings that cannot be used, and why, in words for the person who enters them. */
export class WalletKeyError extends Error {
  readonly part: 'certificate' | 'privateKey' | 'roots';

  constructor(part: WalletKeyError['part'], message: string) {
    super(message);
    this.name = 'WalletKeyError';
    this.part = part;
  }
}
