// What the settings of wallets choose from.

/** The maximum length of a shop's name in Apple's payment sheet. */
export const shopNameMax = 64;

/** Apple's identifiers of networks that can be recognised by card number, with their names. */
export const appleNetworks: readonly [id: string, name: string][] = [
  ['visa', 'Visa'],
  ['masterCard', 'Mastercard'],
  ['amex', 'Amex'],
  ['discover', 'Discover'],
  ['jcb', 'JCB'],
  ['maestro', 'Maestro'],
  ['chinaUnionPay', 'UnionPay'],
  ['elo', 'Elo'],
  ['mir', 'Mir'],
];

export const appleCapabilities: readonly [id: string, name: string][] = [
  ['supports3DS', '3DS'],
  ['supportsCredit', 'Credit'],
  ['supportsDebit', 'Debit'],
  ['supportsEMV', 'EMV'],
];

export const googleNetworks = ['MASTERCARD', 'VISA', 'AMEX', 'DISCOVER', 'JCB'] as const;
export const googleAuthMethods = ['CRYPTOGRAM_3DS', 'PAN_ONLY'] as const;
