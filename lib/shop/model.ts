// What the demo shop sells, what its order form accepts and what its pages show. Pure, because the form in the browser
// and the server check an order by the same schema.
import { z } from 'zod';
import { findLocale } from '../core/locales';
import { amountFault } from './amounts';

/** A thing to buy; the amount and the currency are only where the form starts. */
export type Item = { id: string; name: string; amount: string; currency: string };

/** Currencies with two, none and three decimals, so that each kind is a click away. */
export const items: readonly Item[] = [
  { id: 'bowls', name: 'Two stoneware bowls', amount: '84.50', currency: 'EUR' },
  { id: 'shoes', name: 'Trail shoes, size 42', amount: '129.00', currency: 'USD' },
  { id: 'notebook', name: 'Notebook, dotted paper', amount: '1200', currency: 'JPY' },
  { id: 'kettle', name: 'Gooseneck kettle', amount: '24.750', currency: 'KWD' },
];

export const currencies = ['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'PLN', 'RSD', 'JPY', 'KWD'] as const;

// The policy of the pages forbids to make code out of text, which zod would try in a browser.
if (typeof document !== 'undefined') z.config({ jitless: true });

const form = z.object({
  item: z.enum(items.map((item) => item.id) as [string, ...string[]], { error: 'Choose one of the items.' }),
  amount: z.string({ error: 'Enter an amount.' }).trim().min(1, 'Enter an amount.').max(20, 'Enter a shorter amount.'),
  currency: z.enum(currencies, { error: 'Choose one of the currencies.' }),
  auth: z.boolean({ error: 'This is either true or false.' }).default(false),
  recurring_init: z.boolean({ error: 'This is either true or false.' }).default(false),
  req_token: z.boolean({ error: 'This is either true or false.' }).default(false),
  language: z
    .string({ error: 'Choose one of the languages.' })
    .refine((code) => code === '' || findLocale(code) !== null, 'Choose one of the languages.')
    .default(''),
});

/** The order form. Faults are sentences for whoever fills it in. `language` is empty for the browser's own. */
export const orderForm = form.superRefine((order, context) => {
  const fault = amountFault(order.amount, order.currency, order.auth || order.recurring_init);
  if (fault) context.addIssue({ code: 'custom', path: ['amount'], message: fault });
});

export type OrderFormInput = z.input<typeof orderForm>;
export type OrderForm = z.output<typeof orderForm>;

/** The three things that can be done with a payment afterwards. */
export const actions = ['refund', 'capture', 'void'] as const;
export type Action = (typeof actions)[number];

/** The four ways back from the payment page. */
export const doors = ['success', 'cancel', 'error', 'expiry'] as const;
export type Door = (typeof doors)[number];

/** A request that the shop's server made. Both bodies are JSON text with the secrets shortened. */
export type CallStep = {
  kind: 'call';
  name: 'session' | 'status' | Action;
  path: string;
  request: string;
  /** Null where there was no answer. */
  status: number | null;
  response: string;
  durationMs: number;
};

/** A callback that came. */
export type CallbackStep = {
  kind: 'callback';
  /** The hash is right and the order is the shop's. */
  hashValid: boolean;
  /** The webhook-signature header is right, which covers the whole body. */
  headerValid: boolean;
  /** The same webhook-id has come before. */
  repeat: boolean;
  sequence: number | null;
  /** From the moment that the field `date` names (whole seconds) until it came; null where there is none. */
  delaySeconds: number | null;
  headers: [name: string, value: string][];
  fields: [name: string, value: string][];
};

/** The payer's way back. */
export type ReturnStep = {
  kind: 'return';
  door: Door;
  genuine: boolean;
  fields: [name: string, value: string][];
};

export type StepData = CallStep | CallbackStep | ReturnStep;

/** `at` is ISO 8601. */
export type Step = StepData & { id: string; at: string };

/** An order with everything that has happened to it, oldest first. */
export type OrderView = {
  id: string;
  number: string;
  description: string;
  amount: string;
  currency: string;
  authorizeOnly: boolean;
  language: string | null;
  createdAt: string;
  /** Where the payer pays; null when the session was refused. */
  pageUrl: string | null;
  paymentId: string | null;
  /** order_status, as far as the shop knows. */
  state: string | null;
  /** Decimal texts; what is left can be captured or refunded. */
  held: string;
  captured: string;
  refunded: string;
  left: string;
  actions: Action[];
  steps: Step[];
  /** Changes with the view. */
  version: string;
};

/** Decides what a state allows (contract, States and transitions). */
export function actionsOf(state: string | null, leftMinor: bigint, refundedMinor: bigint): Action[] {
  if (state === 'pending') return ['capture', 'void'];
  if (state !== 'settled') return [];
  if (leftMinor <= 0n) return [];
  return refundedMinor > 0n ? ['refund'] : ['refund', 'void'];
}
