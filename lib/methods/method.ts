/**
 * What a payment method is, as a row of the catalogue (lib/methods/catalog.ts): data that the protocols, the payer's
 * page, the sandbox provider and the documentation all read. A method without special behaviour has a row and no code.
 */
import type { QrScheme } from '../core/presentation';

/**
 * What the payer goes through after the form: leaves for a page (`redirect`) or an app (`app`), confirms elsewhere
 * (`confirm`), is shown data (`details`), a code to scan (`qr`), a coin's address (`crypto`), is sent a link (`message`),
 * types a one-time code (`code`), or nothing more (`none`: the answer is final, as with payouts and vouchers).
 */
export type Experience =
  | 'card'
  | 'redirect'
  | 'app'
  | 'confirm'
  | 'details'
  | 'qr'
  | 'message'
  | 'crypto'
  | 'code'
  | 'none';

/** The glyph in the list of methods (shared by all of a kind). */
export type MethodKind = 'bank' | 'wallet' | 'app' | 'code' | 'card' | 'coin';

/** What can be done with a method on Checkout; S2S APM's actions are told by `actions`. */
export type MethodOperation = 'purchase' | 'debit' | 'credit' | 'transfer';

/** A field of the payer's own, as the page asks for it. */
export type RequiredPayerField = 'name' | 'email' | 'phone' | 'country' | 'birth_date' | 'city' | 'zip' | 'address';

/** The actions by which S2S APM starts a payment or payout. */
export type ApmAction = 'SALE' | 'CREDIT2VIRTUAL' | 'CREDIT2CRYPTO' | 'DEBIT2VIRTUAL';

export type Method = {
  /** The identifier on the wire: `methods` of Checkout, `brand` of S2S APM. */
  id: string;
  /** As payers know it; a proper name, the same in every language. */
  name: string;
  kind: MethodKind;
  experience: Experience;
  /** Where the experience is another one, by the payer's country (alpha-2). */
  experienceIn?: { readonly [country: string]: Experience };
  /** With `details`: they are a ticket to be paid in a shop and carry a barcode. */
  voucher?: true;
  /** With `qr`, and with a `redirect` or `app` that is also drawn as a code. */
  qr?: QrScheme;
  operations: readonly MethodOperation[];
  /** Empty for what S2S APM does not start (cards, and what lives in a browser only). */
  actions: readonly ApmAction[];
  /** ISO 4217, or a coin's code; absent: every currency. */
  currencies?: readonly string[];
  /** ISO 3166-1 alpha-2 of the payers that it serves; absent: everywhere. */
  countries?: readonly string[];
  /**
   * Its parameters (`parameters.<id>` of Checkout, `parameters[...]` of S2S APM), a line each:
   * `name | format | R, C or O | where`. R: demanded in the request. C: collected on the payment page when absent.
   * A: asked on the page too, where it may stay empty. O: optional. `where` narrows it to payers' countries or to
   * currencies: `BR CL CO`, `GHS`, or `not GT PA CR`; empty is everywhere. A name may have a line for each country.
   */
  parameters?: string;
  /** The same for a payout, where the method does both and a payout takes others. */
  payout?: string;
  /** What goes to the provider with every payment, whatever the request says. */
  adds?: { readonly [name: string]: string };
  /** What a parameter is when the request leaves it out. */
  defaults?: { readonly [name: string]: string };
  /**
   * What it demands of the request's own fields beyond the protocol, a line each: `name | format | R or O`, by their
   * names on S2S (`payer_phone`, `order_description`).
   */
  fields?: string;
  /** Fields of the payer's own that it cannot do without; asked on the page when the request lacks them. */
  asks?: readonly RequiredPayerField[];
  /** Minor-unit-free limits by currency, decimal text. */
  amounts?: { readonly [currency: string]: { least?: string; most?: string } };
  /**
   * The merchant account's own settings for it, a line each: `name | secret or plain | R or O | what it is | format`.
   * Without a format it is any text.
   */
  credentials?: string;
  /** The contract does not show its behaviour: the experience is our decision. */
  decided?: true;
  /** The contract names no currencies and countries: these are read from the method's name. */
  inferred?: true;
  /** What the documentation says beside it. */
  note?: string;
};
