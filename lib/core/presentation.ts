// What a payer is shown, or told, so that they can finish a payment somewhere else: the closed set of next steps that a
// provider may answer with and that the hosted page knows how to draw.

/** Which payload a code carries, by the scheme whose apps read it. `text` is a provider's own. */
export type QrScheme = 'ips' | 'pix' | 'promptpay' | 'qris' | 'duitnow' | 'qrph' | 'upi' | 'text';

/** One line of payment data. Known names are translated (`details.<name>` of the messages), others shown as they are. */
export type DetailRow = { name: string; value: string };

/** Times are ISO 8601. `expiresAt` is when the thing shown stops working; absent where it does not. */
export type Presentation =
  /** A link that an app on the payer's phone opens; on a desktop it is drawn as a code. */
  | { kind: 'app'; url: string; expiresAt?: string }
  /** A code to be scanned. `renewable`: a new one may be asked for when it has expired. */
  | { kind: 'qr'; scheme: QrScheme; payload: string; expiresAt?: string; renewable?: boolean }
  /** The payer confirms in an app or on a phone. `sentTo` is the masked address of the request. */
  | { kind: 'confirm'; sentTo?: string; expiresAt?: string }
  /** Data that the payer pays with at their bank or in a shop. `barcode`: a ticket with it can be downloaded. */
  | { kind: 'details'; rows: DetailRow[]; barcode?: string; expiresAt?: string }
  /** A link that is sent to the payer. `url` leads to the provider; whoever shows a page tells only where it was sent. */
  | { kind: 'message'; channel: 'email' | 'sms'; url: string; expiresAt?: string }
  /** An address to send coins to. `amount` is decimal text in the coin's own units; absent where any amount will do. */
  | {
      kind: 'crypto';
      address: string;
      network: string;
      currency: string;
      amount?: string;
      memo?: string;
      expiresAt?: string;
    }
  /** A one-time code that the payer has received is to be typed in. `wrong`: the last one was not right. */
  | { kind: 'code'; sentTo?: string; wrong?: boolean; expiresAt?: string };

/** What a payer answers to a presentation: the code that they were sent, or the wish for a new QR code. */
export type PayerReply = { code: string } | { renew: true };
