// The input of every scheme's code.

import type { Money } from '../core/money.ts';

export type QrInput = {
  amount: Money;
  orderNumber: string;
  description: string;
  merchantName: string;
  merchantCity?: string;
  /**
   * The payee in the scheme's terms: ips an account (`840-955845-10`, or its digits) or, except for RSD, an IBAN; pix a
   * key, or the address of a charge without its `https://`; promptpay a phone number (10 digits), a national or tax
   * number (13) or a biller's (15); qris an NMID; duitnow and qrph `<acquirer>/<merchant>`; upi an address
   * (`shop@bank`).
   */
  payeeAccount: string;
  /** The reference that arrives with the money and identifies the payment. */
  reference: string;
};
