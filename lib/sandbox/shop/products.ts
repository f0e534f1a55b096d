// Defines the demo shop's products and prices baskets. Each currency has its own prices. Without the schema library, so
// that a page that only needs an amount does not load it.
import { exponentOf } from '../../core/currencies.ts';
import { formatAmount, parseAmount } from '../../core/money.ts';

export const shopCurrencies = ['EUR', 'USD', 'GBP', 'JPY', 'KWD'] as const;
export type ShopCurrency = (typeof shopCurrencies)[number];

/** The maximum quantity of a product in an order. */
export const quantityMax = 20;

/** The number of charges of a subscription after its first payment. */
export const deliveries = 7;

/** A product; a `daily` one is a subscription that is sent and charged every day. */
export type Product = {
  id: string;
  name: string;
  note: string;
  prices: Readonly<Record<ShopCurrency, string>>;
  daily: boolean;
};

function product(id: string, name: string, note: string, prices: string, daily = false): Product {
  const each = prices.split(' ');
  const byCurrency = Object.fromEntries(shopCurrencies.map((currency, at) => [currency, each[at] ?? '']));
  return { id, name, note, prices: byCurrency as Record<ShopCurrency, string>, daily };
}

export const products: readonly Product[] = [
  product('bowls', 'Two stoneware bowls', 'Thrown by hand, oat glaze', '84.50 92.00 72.00 13800 28.250'),
  product('kettle', 'Gooseneck kettle', 'Steel, one litre', '74.00 81.00 64.00 12400 24.750'),
  product('notebook', 'Notebook, dotted paper', '192 pages, sewn', '7.50 8.00 6.50 1200 2.450'),
  product('bread', 'Sourdough loaf', 'Baked and sent daily for a week', '6.50 7.00 5.50 1100 2.100', true),
  product('lamp', 'Reading lamp', 'Brushed brass, warm light', '58.00 63.00 49.50 9600 19.500'),
  product('shoes', 'Trail shoes, size 42', 'For mud and for roots', '119.00 129.00 99.00 19800 39.500'),
];

/** The product with this id; null if unknown. */
export function findProduct(id: string): Product | null {
  return products.find((each) => each.id === id) ?? null;
}

export type BasketLine = { product: string; quantity: number };

/** A basket line in an order; `amount` is that of the whole line. */
export type PricedLine = { name: string; quantity: number; amount: string };

/** The price of a basket. `daily` is the price of its subscriptions a day; null without any. */
export type Quote = { lines: PricedLine[]; total: string; daily: string | null; description: string };

/** Prices a basket. Products are known and quantities whole; prices never come from a browser. */
export function quoteOf(basket: readonly BasketLine[], currency: ShopCurrency): Quote {
  let totalMinor = 0n;
  let dailyMinor = 0n;
  const lines: PricedLine[] = [];
  for (const { product: id, quantity } of basket) {
    const row = findProduct(id);
    if (!row) continue;
    const minor = minorOf(row.prices[currency], currency) * BigInt(quantity);
    totalMinor += minor;
    if (row.daily) dailyMinor += minor;
    lines.push({ name: row.name, quantity, amount: formatAmount(minor, currency) });
  }
  const names = lines.map(({ name, quantity }) => (quantity === 1 ? name : `${quantity} × ${name}`));
  return {
    lines,
    total: formatAmount(totalMinor, currency),
    daily: dailyMinor > 0n ? formatAmount(dailyMinor, currency) : null,
    description: names.join('; '),
  };
}

/** The minor units of a price; 0 for an invalid amount. */
export function minorOf(text: string, currency: string): bigint {
  const parsed = parseAmount(text, currency);
  return parsed.ok ? parsed.minor : 0n;
}

/** Whole units; larger amounts are typos. */
const unitsMax = 10_000n;

/** The error of an amount, as a sentence; null if it is valid. */
export function amountFault(amount: string, currency: string, zeroAllowed: boolean): string | null {
  const parsed = parseAmount(amount, currency);
  const exponent = exponentOf(currency) ?? 2;
  if (!parsed.ok) {
    if (parsed.fault === 'decimals') return `${currency} has ${exponent === 0 ? 'no' : exponent} decimals.`;
    return `Write the amount as ${formatAmount(8450n, currency)}.`;
  }
  if (parsed.minor > unitsMax * 10n ** BigInt(exponent)) return 'The shop sells nothing above 10,000.';
  if (parsed.minor === 0n && !zeroAllowed) return 'Only an authorisation or a first recurring payment may be zero.';
  return null;
}

/** An amount as the payment page shows it in English: `€1,249.00`. Amounts are texts, never numbers. */
export function shownAmount(amount: string, currency: string): string {
  // The user of an order form may be typing; coins have no symbols.
  if (!/^\d+(\.\d+)?$/.test(amount) || !/^[A-Z]{3}$/.test(currency)) return `${amount} ${currency}`;
  const digits = amount.split('.')[1]?.length ?? 0;
  const format = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  return new Intl.NumberFormat('en-GB', format).format(amount as Intl.StringNumericLiteral);
}
