/** What the payer does outside the page to complete a payment. */
import type { QrScheme } from '../core/presentation.ts';

/**
 * A voucher's barcode. The bars are an SVG path of height 1; absent if its symbology cannot encode the text, or if
 * a scanner could not read them on a phone.
 */
export type Barcode = { text: string; bars?: { modules: number; path: string } };

/** The dark modules of a code as an SVG path in a view box of `size` units, without a quiet zone. */
export type CodeImage = { size: number; path: string };

/** A step that the payer takes outside the page; `expiresAt` is when the displayed data expires. */
export type PresentStep = { expiresAt?: Date } & (
  | {
      kind: 'app';
      /** Opens the app, on the phone it is on. */
      url: string;
      /** None for a link that is too long. */
      code: CodeImage | undefined;
    }
  | {
      kind: 'qr';
      scheme: QrScheme;
      code: CodeImage;
      /** GET: the code as a picture to save. */
      saveUrl: string;
      /** The payload, for schemes whose apps accept it as text too. */
      copy?: string;
      /** POST: requests a new code. */
      renewUrl?: string;
      expired: boolean;
    }
  | { kind: 'confirm' /** Masked. */; sentTo?: string }
  | {
      kind: 'details';
      rows: { name: string; value: string }[];
      /** GET: the time until which the payment can be made, for the payer's calendar; absent if it is too near. */
      calendarUrl?: string;
      /** Absent: no voucher, the data is for the payer's bank. */
      voucher?: {
        barcode: Barcode;
        /** The shops that take it, as the provider names them. */
        places?: string;
        /** GET: the voucher to print. */
        url: string;
      };
    }
  | { kind: 'message'; channel: 'email' | 'sms' /** Masked. */; to: string }
  | {
      kind: 'crypto';
      address: string;
      network: string;
      currency: string;
      /** Decimal text in the coin's units; absent: any amount. */
      amount?: string;
      memo?: string;
      code: CodeImage;
    }
  | {
      kind: 'code';
      /** Masked. */
      sentTo?: string;
      wrong: boolean;
      /** POST, with the field `code`. */
      codeUrl: string;
    }
);

export type StepOf<Kind extends PresentStep['kind']> = Extract<PresentStep, { kind: Kind }>;
