/**
 * The mobile money operators of kora's payouts (interface.md, kora payout): slug, name for payers, currency, country, minimum and
 * maximum of one payout. The parameters' choices and the amount check use this table.
 */

import { linesOf } from './lines.ts';

const table = `
  mtn-gh       | MTN MoMo           | GHS | GH | 1    | 50000
  airtel-gh    | AirtelTigo         | GHS | GH | 1    | 50000
  tigo-gh      | Tigo Cash          | GHS | GH | 1    | 50000
  vodafone-gh  | Vodafone Cash      | GHS | GH | 1    | 50000
  safaricom-ke | M-PESA (Safaricom) | KES | KE | 10   | 150000
  airtel-ke    | Airtel Money       | KES | KE | 10   | 150000
  equitel-ke   | Equitel            | KES | KE | 10   | 100000
  t-kash-ke    | T-Kash             | KES | KE | 50   | 200000
  telcom-ke    | Telkom             | KES | KE | 50   | 200000
  mtn-ci       | MTN MoMo           | XOF | CI | 2    | 2000000
  orange-ci    | Orange Money       | XOF | CI | 2    | 2000000
  moov-ci      | Moov Money         | XOF | CI | 2    | 2000000
  wave-ci      | Wave               | XOF | CI | 2    | 2000000
  mtn-cm       | MTN MoMo           | XAF | CM | 2    | 1000000
  orange-cm    | Orange Money       | XAF | CM | 2    | 500000
  vodacom-tz   | M-Pesa (Vodacom)   | TZS | TZ | 1000 | 30000
  airtel-tz    | Airtel Money       | TZS | TZ | 1000 | 30000
  tigo-tz      | Tigo Pesa          | TZS | TZ | 1000 | 30000
  halopesa-tz  | HaloPesa           | TZS | TZ | 1000 | 30000
  vodafone-eg  | Vodafone Cash      | EGP | EG | 1    | 30000
  orange-eg    | Orange Cash        | EGP | EG | 1    | 30000
  etisalat-eg  | Etisalat Cash      | EGP | EG | 1    | 30000
  aman-eg      | Aman               | EGP | EG | 1    | 30000`;

/** Every operator in the contract's order. */
export const operators = linesOf(table, ['slug', 'name', 'currency', 'country', 'least', 'most']);

/** The parameters of a payout: the operators of the payment's currency, and a number of their country. */
export const payoutParameters: string = [...new Set(operators.map(({ currency }) => currency))]
  .flatMap((currency) => {
    const own = operators.filter((operator) => operator.currency === currency);
    return [
      `mobile_money_operator | one ${own.map(({ slug }) => slug).join(' ')} | C | ${currency}`,
      `mobile_number | msisdn ${own[0]?.country} | C | ${currency}`,
    ];
  })
  .concat('customer_email | email | C', 'customer_name | text 255 | O')
  .join('\n');
