// What a payer does to pay once the form is sent, as data for its screen: one case per kind of next step.
import type { QrScheme } from '../core/presentation';

/** The dark modules of a code as an SVG path in a view box of `size` units, without a quiet zone. */
export type CodeImage = { size: number; path: string };

/** What a payer does now, outside the page, to pay; `expiresAt` is when the thing shown stops working. */
export type PresentStep = { expiresAt?: Date } & (
  | { kind: 'app' /** Opens the app, on the phone it is on. */; url: string; code: CodeImage }
  | {
      kind: 'qr';
      scheme: QrScheme;
      code: CodeImage;
      /** GET: the code as a picture to be saved. */
      saveUrl: string;
      /** The payload, for schemes whose apps take it as text too. */
      copy?: string;
      /** POST: asks for a new code. */
      renewUrl?: string;
      expired: boolean;
    }
  | { kind: 'confirm' /** Masked. */; sentTo?: string }
  | {
      kind: 'details';
      rows: { name: string; value: string }[];
      /** GET: a ticket to print or to show at the counter. */
      voucherUrl?: string;
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

/** A step of one kind. */
export type StepOf<Kind extends PresentStep['kind']> = Extract<PresentStep, { kind: Kind }>;
