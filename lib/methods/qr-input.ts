// What every scheme's code is made of.

import type { Money } from '../core/money';

export type QrInput = {
  amount: Money;
  orderNumber: string;
  description: string;
  merchantName: string;
  merchantCity?: string;
  /**
   * Who is paid, in the scheme's own terms: ips an account (`840-955845-10`, or its digits) or, but for RSD, an IBAN;
   * pix a key, or the address of a charge without its `https://`; promptpay a phone number (10 digits), a national or tax
   * number (13) or a biller's (15); qris an NMID; duitnow and qrph `<acquirer>/<merchant>`; upi an address (`shop@bank`).
   */
  payeeAccount: string;
  /** What comes back with the money, so that it is known which payment was paid. */
  reference: string;
};
