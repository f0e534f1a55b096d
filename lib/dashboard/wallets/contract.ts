// Data of the wallet pages. It contains no private key and no part of one. Times are ISO 8601.
import type { z } from 'zod';
import type { Answer } from '../guard.ts';
import type { validationAction } from './apple.ts';
import type { appleValues, googleValues } from './values.ts';
import type { walletPage, walletsPage } from './view.ts';

export type WalletName = WalletView['kind'];

/** The certificates of Apple Pay: one for token encryption, one that identifies the server to Apple. */
export type CertificateSlot = keyof AppleView['requests'];

/** A country with its English name. */
export type CountryChoice = { code: string; name: string };

export * from './options.ts';

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
