/**
 * A payment method as a row of the catalogue (lib/methods/catalog.ts): data that the protocols, the payment page, the
 * sandbox provider and the documentation read. A method without special behaviour has a row and no code.
 */
import type { QrScheme } from '../core/presentation.ts';

/**
 * The payer's experience after the form: redirected to a page (`redirect`) or an app (`app`), confirms elsewhere
 * (`confirm`), sees payment data (`details`), scans a code (`qr`), pays to a coin's address (`crypto`), receives a link
 * (`message`), types a one-time code (`code`), or nothing more (`none`: the response is final, as with payouts and
 * vouchers).
 */
export const experiences = [
  ...(['card', 'redirect', 'app', 'confirm', 'details', 'qr', 'message', 'crypto', 'code', 'none'] as const),
] as const;
export type Experience = (typeof experiences)[number];

/** The icon in the list of methods, shared by all of a kind. */
export type MethodKind = 'bank' | 'wallet' | 'app' | 'code' | 'card' | 'coin';

/** The operations of a method on Checkout; `actions` lists those of S2S APM. */
export type MethodOperation = 'purchase' | 'debit' | 'credit' | 'transfer';

/** A payer field that the page asks for. */
export type RequiredPayerField = 'name' | 'email' | 'phone' | 'country' | 'birth_date' | 'city' | 'zip' | 'address';

/** The S2S APM actions that start a payment or payout. */
export type ApmAction = 'SALE' | 'CREDIT2VIRTUAL' | 'CREDIT2CRYPTO' | 'DEBIT2VIRTUAL';

export type Method = {
  /** The identifier on the wire: `methods` of Checkout, `brand` of S2S APM. */
  id: string;
  /** The name that payers know; a proper name, the same in every language. */
  name: string;
  kind: MethodKind;
  experience: Experience;
  /** Exceptions of the experience, by the payer's country (alpha-2). */
  experienceIn?: { readonly [country: string]: Experience };
  /** With `details`: a voucher with a barcode, to be paid in a shop. */
  voucher?: true;
  /** With `qr`, and with a `redirect` or `app` that is also shown as a code. */
  qr?: QrScheme;
  operations: readonly MethodOperation[];
  /** Empty if S2S APM cannot start it (cards, and methods that need a browser). */
  actions: readonly ApmAction[];
  /** ISO 4217, or a coin's code; absent: every currency. */
  currencies?: readonly string[];
  /** ISO 3166-1 alpha-2 of the supported payers; absent: everywhere. */
  countries?: readonly string[];
  /**
   * Its parameters (`parameters.<id>` of Checkout, `parameters[...]` of S2S APM), one line each: `name | format | R, C,
   * A or O | where`. R: required in the request. C: collected on the payment page if absent. A: also collected there,
   * but may be empty. O: optional. `where` limits it to payers' countries or to currencies: `BR CL CO`, `GHS`, or `not
   * GT PA CR`; empty is everywhere. A name may have a line for each country.
   */
  parameters?: string;
  /** The same for a payout, if a payout has other parameters. */
  payout?: string;
  /** Parameters that are sent to the provider with every payment. */
  adds?: { readonly [name: string]: string };
  /** Default values of parameters. */
  defaults?: { readonly [name: string]: string };
  /**
   * Its requirements on the request's own fields beyond the protocol, one line each: `name | format | R or O`, by their
   * S2S names (`payer_phone`, `order_description`).
   */
  fields?: string;
  /** Payer fields that it requires; the page asks for those that the request lacks. */
  asks?: readonly RequiredPayerField[];
  /** Limits by currency, as decimal text. */
  amounts?: { readonly [currency: string]: { least?: string; most?: string } };
  /** The MID's settings for it, one line each: `name | secret or plain | R or O | description | format`. */
  credentials?: string;
  /** The contract does not define its behaviour: the experience is Florin's decision. */
  decided?: true;
  /** The contract lists no currencies and countries: these are inferred from the method's name. */
  inferred?: true;
  /** A remark for the documentation. */
  note?: string;
};
