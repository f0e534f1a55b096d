// The active codes of ISO 4217 (list one), as of 2026: the package's edition of June 2024 with the amendments since.
// Intl's minor units differ from ISO 4217 for many active currencies. Cryptocurrencies in which an order may be priced
// follow (protocol.md 3: three to six letters).
import { data } from 'currency-codes';

export type Currency = { readonly numeric: string; readonly exponent: number; readonly name: string };

const withdrawn = ['ANG', 'BGN', 'CUC'];
/** Metals, units of account and codes for tests: amounts in them have no minor unit. */
const withoutMinorUnit = 'XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' ');

const added: Readonly<Record<string, Currency>> = {
  XAD: { numeric: '396', exponent: 2, name: 'Arab Accounting Dinar' },
  XCG: { numeric: '532', exponent: 2, name: 'Caribbean Guilder' },
};

const listed = data
  .filter(({ code }) => !withdrawn.includes(code) && !withoutMinorUnit.includes(code))
  .map(({ code, number: numeric, digits: exponent, currency }): [string, Currency] => {
    return [code, { numeric, exponent, name: currency.trim().replace('’', "'") }];
  });

/** Every currency in which an amount can be written, by its alphabetic code in upper case and in its order. */
export const currencies: Readonly<Record<string, Currency>> = Object.fromEntries(
  [...listed, ...Object.entries(added)].sort(([a], [b]) => (a < b ? -1 : 1)),
);

// Decimals of an order's price in the coin. Networks use more decimals (ether has 18), but at this precision a 64-bit
// column can store the whole supply of each coin.
const cryptocurrencies: Readonly<Record<string, number>> = {
  BCH: 8,
  BNB: 8,
  BTC: 8,
  BTG: 8,
  DAI: 6,
  DASH: 8,
  DOGE: 6,
  ETH: 8,
  LTC: 8,
  MATIC: 6,
  POL: 6,
  SOL: 8,
  TON: 6,
  TRX: 6,
  USDC: 6,
  USDT: 6,
  XRP: 6,
};

/** Every code in which an order may be priced: currencies and coins. */
export const currencyCodes: readonly string[] = [...Object.keys(currencies), ...Object.keys(cryptocurrencies)];

/** Whether the code is a coin's. Such an order can be paid by methods for coins only. */
export function isCryptocurrency(currency: string): boolean {
  return Object.hasOwn(cryptocurrencies, currency);
}

/** The number of decimals of the currency or coin; null for a code without one. */
export function exponentOf(currency: string): number | null {
  if (isCryptocurrency(currency)) return cryptocurrencies[currency] ?? null;
  return Object.hasOwn(currencies, currency) ? (currencies[currency]?.exponent ?? null) : null;
}
