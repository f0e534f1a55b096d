// Data of the wallet pages. It contains no private key and no part of one. Times are ISO 8601.
import type { z } from 'zod';
import type { Answer } from '../contract';
import type { validationAction } from './apple';
import type { appleValues, googleValues } from './values';
import type { walletPage, walletsPage } from './view';

export type WalletName = WalletView['kind'];

/** The certificates of Apple Pay: one for token encryption, one that identifies the server to Apple. */
export type CertificateSlot = 'processing' | 'identity';

/** A country with its English name. */
export type CountryChoice = { code: string; name: string };

/** The maximum length of a shop's name in Apple's payment sheet. */
export const shopNameMax = 64;

export type AppleValues = z.output<typeof appleValues>;
export type GoogleValues = z.output<typeof googleValues>;

export type WalletView = Answer<typeof walletPage>;
export type AppleView = Extract<WalletView, { kind: 'applepay' }>;
export type GoogleView = Extract<WalletView, { kind: 'googlepay' }>;
export type CertificateView = AppleView['processing'][number];
export type RequestView = NonNullable<AppleView['requests'][CertificateSlot]>;
export type DomainView = AppleView['domains'][number];
export type KeyView = GoogleView['keys'][number];
export type AccountView = WalletView['accounts'][number];

/** A merchant's wallets, and the other merchants in scope. */
export type WalletsPage = Answer<typeof walletsPage>;
export type MerchantChoice = WalletsPage['merchants'][number];

/** The result of a session request to Apple, as a payment page makes it. */
export type ValidationAnswer = Answer<typeof validationAction>;

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
