// Instructions with which a payer finishes a payment elsewhere: the closed set of next steps that a provider may return
// and the hosted page can render.

/** The payload format of a code, by the scheme whose apps read it. `text` is provider-specific. */
export type QrScheme = 'ips' | 'pix' | 'promptpay' | 'qris' | 'duitnow' | 'qrph' | 'upi' | 'text';

/** A QR code holds no more bytes at the error correction M of pages. */
export const qrBytesMax = 2331;

/** One row of payment data. Known names are translated (`details.<name>`), others are shown unchanged. */
export type DetailRow = { name: string; value: string };

/** How a barcode is drawn. `itf`, Interleaved 2 of 5, encodes an even number of digits. */
export type Symbology = 'code128' | 'itf';

/** Times are ISO 8601. `expiresAt` is when the instruction expires; absent if it does not. */
export type Presentation =
  /** A link that opens an app on the payer's phone; shown as a code on a desktop. */
  | { kind: 'app'; url: string; expiresAt?: string }
  /** A code to scan. `renewable`: a new one may be requested after it has expired. */
  | { kind: 'qr'; scheme: QrScheme; payload: string; expiresAt?: string; renewable?: boolean }
  /** The payer confirms in an app or on a phone. `sentTo` is the masked address of the request. */
  | { kind: 'confirm'; sentTo?: string; expiresAt?: string }
  /**
   * Data for a payment at the payer's bank or in a shop. `barcode`: a voucher with it can be downloaded; its `symbology`
   * is Code 128 by default.
   */
  | { kind: 'details'; rows: DetailRow[]; barcode?: string; symbology?: Symbology; expiresAt?: string }
  /** A link that is sent to the payer. `url` leads to the provider; pages show only where it was sent. */
  | { kind: 'message'; channel: 'email' | 'sms'; url: string; expiresAt?: string }
  /** An address to which the payer sends coins. `amount` is decimal text; absent if any amount is accepted. */
  | {
      kind: 'crypto';
      address: string;
      network: string;
      currency: string;
      amount?: string;
      memo?: string;
      expiresAt?: string;
    }
  /** The payer must type a one-time code that they received. `wrong`: the previous code was wrong. */
  | { kind: 'code'; sentTo?: string; wrong?: boolean; expiresAt?: string };

/**
 * A presentation as transactions and callbacks have it. `masked`: it had a card number, which is masked; the whole one is
 * stored encrypted until the transaction is final.
 */
export type StoredPresentation = Presentation & { masked?: true };

/** The payer's reply to an instruction: the one-time code, or the request for a new QR code. */
export type PayerReply = { code: string } | { renew: true };
