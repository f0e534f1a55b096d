// The schemas of the shop's forms: an order of the start page, a basket, its own card form and the wallet. Pure, because
// browser and server share them.
import { z } from 'zod';
import { digitsOf, isCvv, numberError, parseExpiry } from '../../core/cards.ts';
import { findLocale } from '../../core/locales.ts';
import { isSandboxCard } from '../../core/sandbox-cards.ts';
import { amountFault, findProduct, products, quantityMax, type ShopCurrency, shopCurrencies } from './products.ts';

/** The ways to pay: hosted page, hosted fields, the shop's own form, the test wallet, a saved card. */
export const ways = ['page', 'fields', 's2s', 'wallet', 'saved'] as const;
export type Way = (typeof ways)[number];

// The pages' policy forbids eval, which zod would try in a browser.
if (typeof document !== 'undefined') z.config({ jitless: true });

const flag = z.boolean({ error: 'This is either true or false.' }).default(false);

const languageField = z
  .string({ error: 'Choose one of the languages.' })
  .refine((code) => code === '' || findLocale(code) !== null, 'Choose one of the languages.')
  .default('');

/** A product; amount and currency are the form's defaults. */
export type Item = { id: string; name: string; amount: string; currency: string };

const item = (id: string, currency: ShopCurrency): Item => {
  const { name = '', prices } = findProduct(id) ?? {};
  return { id, name, amount: prices?.[currency] ?? '', currency };
};

/** Currencies with two, no and three decimals. */
export const items: readonly Item[] = [
  item('bowls', 'EUR'),
  item('shoes', 'USD'),
  item('notebook', 'JPY'),
  item('kettle', 'KWD'),
];

export const currencies = ['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'PLN', 'RSD', 'JPY', 'KWD'] as const;

const orderFields = z.object({
  item: z.enum(items.map((item) => item.id) as [string, ...string[]], { error: 'Choose one of the items.' }),
  amount: z.string({ error: 'Enter an amount.' }).trim().min(1, 'Enter an amount.').max(20, 'Enter a shorter amount.'),
  currency: z.enum(currencies, { error: 'Choose one of the currencies.' }),
  auth: flag,
  recurring_init: flag,
  req_token: flag,
  language: languageField,
});

/** The order form of the start page. Errors are sentences for the user. An empty `language` is the browser's own. */
export const orderForm = orderFields.superRefine((order, context) => {
  const error = amountFault(order.amount, order.currency, order.auth || order.recurring_init);
  if (error) context.addIssue({ code: 'custom', path: ['amount'], message: error });
});

export type OrderFormInput = z.input<typeof orderForm>;
export type OrderForm = z.output<typeof orderForm>;

const line = z.object({
  product: z.enum(products.map(({ id }) => id) as [string, ...string[]], { error: 'The shop does not sell this.' }),
  quantity: z
    .int({ error: 'Order a whole number.' })
    .min(1, 'Order at least one.')
    .max(quantityMax, `Order at most ${quantityMax} of one thing.`),
});

const basketFields = z.object({
  lines: z
    .array(line, { error: 'The basket is empty.' })
    .min(1, 'The basket is empty.')
    .max(products.length, 'Name each product once.')
    .refine((lines) => new Set(lines.map(({ product }) => product)).size === lines.length, 'Name each product once.'),
  currency: z.enum(shopCurrencies, { error: 'Choose one of the currencies.' }),
  way: z.enum(ways, { error: 'Choose how to pay.' }),
  /** The id of a saved card. */
  card: z.string({ error: 'Choose a saved card.' }).max(64).optional(),
  save_card: flag,
  auth: flag,
  language: languageField,
});

/** The basket's form: products, currency, way to pay. Errors are sentences for the user. */
export const checkoutForm = basketFields.superRefine((order, context) => {
  const error = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
  if (order.way === 'saved' && !order.card) error('card', 'Choose a saved card.');
  if (!order.lines.some(({ product }) => findProduct(product)?.daily)) return;
  if (order.auth) error('auth', 'A subscription begins with a payment, not with a hold.');
  if (order.way === 'wallet') error('way', 'A subscription needs a card.');
});

export type CheckoutInput = z.input<typeof checkoutForm>;

const cardForm = z.object({
  number: z.string({ error: 'Enter a card number.' }).trim().max(40).transform(digitsOf),
  expiry: z.string({ error: 'Enter the expiry date.' }).trim().max(12),
  cvv: z.string({ error: 'Enter the security code.' }).trim().max(4),
});

/** The shop's own card form. It accepts test cards only, so that no real card is sent. */
export const saleForm = cardForm.superRefine(({ number, expiry, cvv }, context) => {
  const error = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
  if (numberError(number) !== null) error('number', 'Enter the whole card number.');
  else if (!isSandboxCard(number)) error('number', 'This is no test card. Never type a real one here.');
  if (!parseExpiry(expiry)) error('expiry', 'Write the date as 01/38.');
  if (!isCvv(cvv, number)) error('cvv', 'Enter the three or four digits.');
});

/** The test wallet's accounts, and the outcome of their payments. */
export const walletPeople = [
  { identifier: 'success@gmail.com', name: 'settles' },
  { identifier: 'fail@gmail.com', name: 'is declined' },
] as const;

/** The shop's own form for the wallet. */
export const walletForm = z.object({
  identifier: z.enum(
    walletPeople.map(({ identifier }) => identifier),
    { error: 'Choose one of the wallet’s people.' },
  ),
});

export type SaleInput = z.input<typeof saleForm>;
export type Sale = z.output<typeof saleForm>;
