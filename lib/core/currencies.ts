// The active codes of ISO 4217 (list one), as of 2026. Intl's minor units differ from ISO 4217 for several of them.
// Cryptocurrencies in which an order may be priced follow (protocol.md 3: three to six letters).

type Currency = { readonly numeric: string; readonly exponent: number };

/** By the number of decimals: each alphabetic code with its numeric code. */
const iso4217: Readonly<Record<number, string>> = {
  0: `
    BIF108 CLP152 DJF262 GNF324 ISK352 JPY392 KMF174 KRW410 PYG600 RWF646 UGX800 UYI940 VND704 VUV548 XAF950 XOF952
    XPF953`,
  2: `
    AED784 AFN971 ALL008 AMD051 AOA973 ARS032 AUD036 AWG533 AZN944 BAM977 BBD052 BDT050 BMD060 BND096 BOB068 BOV984
    BRL986 BSD044 BTN064 BWP072 BYN933 BZD084 CAD124 CDF976 CHE947 CHF756 CHW948 CNY156 COP170 COU970 CRC188 CUP192
    CVE132 CZK203 DKK208 DOP214 DZD012 EGP818 ERN232 ETB230 EUR978 FJD242 FKP238 GBP826 GEL981 GHS936 GIP292 GMD270
    GTQ320 GYD328 HKD344 HNL340 HTG332 HUF348 IDR360 ILS376 INR356 IRR364 JMD388 KES404 KGS417 KHR116 KPW408 KYD136
    KZT398 LAK418 LBP422 LKR144 LRD430 LSL426 MAD504 MDL498 MGA969 MKD807 MMK104 MNT496 MOP446 MRU929 MUR480 MVR462
    MWK454 MXN484 MXV979 MYR458 MZN943 NAD516 NGN566 NIO558 NOK578 NPR524 NZD554 PAB590 PEN604 PGK598 PHP608 PKR586
    PLN985 QAR634 RON946 RSD941 RUB643 SAR682 SBD090 SCR690 SDG938 SEK752 SGD702 SHP654 SLE925 SOS706 SRD968 SSP728
    STN930 SVC222 SYP760 SZL748 THB764 TJS972 TMT934 TOP776 TRY949 TTD780 TWD901 TZS834 UAH980 USD840 USN997 UYU858
    UZS860 VED926 VES928 WST882 XAD396 XCD951 XCG532 YER886 ZAR710 ZMW967 ZWG924`,
  3: 'BHD048 IQD368 JOD400 KWD414 LYD434 OMR512 TND788',
  4: 'CLF990 UYW927',
};

/** Every currency in which an amount can be written, by its alphabetic code in upper case and in its order. */
export const currencies: Readonly<Record<string, Currency>> = Object.fromEntries(
  Object.entries(iso4217)
    .flatMap(([exponent, codes]) =>
      Array.from(codes.matchAll(/([A-Z]{3})(\d{3})/g), ([, code = '', numeric = '']): [string, Currency] => {
        return [code, { numeric, exponent: Number(exponent) }];
      }),
    )
    .sort(([a], [b]) => (a < b ? -1 : 1)),
);

const names = new Intl.DisplayNames('en', { type: 'currency' });

/** The English name of a currency, or its code if it has none. */
export const currencyName = (code: string): string => names.of(code) ?? code;

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
