// The step that completes a payment after the form is submitted: one case per kind of step.
import type { QrScheme } from '../core/presentation';

/** The dark modules of a code as an SVG path in a view box of `size` units, without a quiet zone. */
export type CodeImage = { size: number; path: string };

/** A step that the payer takes outside the page; `expiresAt` is when the displayed data expires. */
export type PresentStep = { expiresAt?: Date } & (
  | { kind: 'app' /** Opens the app, on the phone it is on. */; url: string; code: CodeImage }
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
      /** GET: a voucher to print or to show at the counter. */
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
