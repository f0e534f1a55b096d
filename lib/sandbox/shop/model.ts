// What the form of the start page accepts, and what the shop's pages show of an order. Pure, because the form in the
// browser and the server check an order by the same schema.
import { z } from 'zod';
import { amountFault } from './amounts';
import { languageField, type Way } from './basket';
import { findProduct, type PricedLine, type ShopCurrency } from './products';

/** A thing to buy; the amount and the currency are only where the form starts. */
export type Item = { id: string; name: string; amount: string; currency: string };

const item = (id: string, currency: ShopCurrency): Item => {
  const { name = '', prices } = findProduct(id) ?? {};
  return { id, name, amount: prices?.[currency] ?? '', currency };
};

/** Currencies with two, none and three decimals, so that each kind is a click away. */
export const items: readonly Item[] = [
  item('bowls', 'EUR'),
  item('shoes', 'USD'),
  item('notebook', 'JPY'),
  item('kettle', 'KWD'),
];

export const currencies = ['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'PLN', 'RSD', 'JPY', 'KWD'] as const;

const form = z.object({
  item: z.enum(items.map((item) => item.id) as [string, ...string[]], { error: 'Choose one of the items.' }),
  amount: z.string({ error: 'Enter an amount.' }).trim().min(1, 'Enter an amount.').max(20, 'Enter a shorter amount.'),
  currency: z.enum(currencies, { error: 'Choose one of the currencies.' }),
  auth: z.boolean({ error: 'This is either true or false.' }).default(false),
  recurring_init: z.boolean({ error: 'This is either true or false.' }).default(false),
  req_token: z.boolean({ error: 'This is either true or false.' }).default(false),
  language: languageField,
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

/** What can be done with a subscription: RUN_SCHEDULE runs it again, DESCHEDULE ends it, `again` charges at once. */
export const subscriptionActions = ['pause', 'run', 'deschedule', 'again'] as const;
export type SubscriptionAction = (typeof subscriptionActions)[number];

/** The four ways back from the payment page, and the one from a bank that the shop itself has sent the payer to. */
export const doors = ['success', 'cancel', 'error', 'expiry', 'bank'] as const;
export type Door = (typeof doors)[number];

/** What a request of the shop is for. */
export type CallName =
  | 'session'
  | 'token'
  | 'process'
  | 'sale'
  | 'status'
  | 'schedule'
  | 'forget'
  | Action
  | SubscriptionAction;

/** A request that the shop's server made. In both bodies keys and tokens are shortened and cards masked. */
export type CallStep = {
  kind: 'call';
  name: CallName;
  /** The address without its host, and with it. */
  path: string;
  url: string;
  headers: [name: string, value: string][];
  /** JSON, or the fields of a form, one a line. */
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
  /** It tells of a charge that a schedule has made, which is a payment of its own. */
  scheduled: boolean;
  sequence: number | null;
  /** From the moment that the field `date` names (whole seconds) until it came; null where there is none. */
  delaySeconds: number | null;
  headers: [name: string, value: string][];
  fields: [name: string, value: string][];
};

/** The payer's way back. Signed, except the one from the bank and the two where nothing is certain. */
export type ReturnStep = {
  kind: 'return';
  door: Door;
  genuine: boolean;
  fields: [name: string, value: string][];
};

export type StepData = CallStep | CallbackStep | ReturnStep;

/** `at` is ISO 8601. */
export type Step = StepData & { id: string; at: string };

/** What a callback says, in Checkout's words: those of S2S CARD are told apart by `action`. */
export type Notice = { type: string; status: string; state: string; amount: string };

const s2sTypes: Record<string, string | undefined> = {
  SALE: 'sale',
  RECURRING_SALE: 'recurring',
  CAPTURE: 'capture',
  CREDITVOID: 'refund',
  VOID: 'void',
  CHARGEBACK: 'chargeback',
};
const s2sResults: Record<string, string | undefined> = { SUCCESS: 'success', REDIRECT: 'success', DECLINED: 'fail' };

/** Reads the fields of a callback of either protocol. */
export function noticeOf(fields: readonly [string, string][]): Notice {
  const values = new Map(fields);
  const text = (name: string) => values.get(name) ?? '';
  if (!values.has('action')) {
    const [type, status, state] = [text('type'), text('status'), text('order_status')];
    return { type, status, state, amount: text('order_amount') };
  }
  const [action, result] = [text('action'), text('result')];
  const onTheWay = result === 'REDIRECT' ? text('status').toLowerCase() : undefined;
  return {
    type: onTheWay ?? s2sTypes[action] ?? action.toLowerCase(),
    status: s2sResults[result] ?? result.toLowerCase(),
    state: stateOf(text('status')),
    amount: text('amount'),
  };
}

/** A status of S2S CARD as Checkout's `order_status`. */
export function stateOf(status: string): string {
  return status === 'DECLINED' ? 'decline' : status.toLowerCase();
}

/** How the payer can go on: at another page, at the bank, by fields or by a form in the order's own page. */
export type ToPay = { kind: 'page' | 'bank'; url: string } | { kind: 'fields' | 's2s' | 'wallet' } | null;

/** What is known of a subscription; dates as YYYY-MM-DD. */
export type SubscriptionView = {
  state: 'active' | 'paused' | 'cancelled' | 'waiting';
  amount: string;
  firstDate: string | null;
  scheduleId: string;
  actions: SubscriptionAction[];
};

/** An order with everything that has happened to it, oldest first. */
export type OrderView = {
  id: string;
  number: string;
  description: string;
  lines: PricedLine[];
  amount: string;
  currency: string;
  way: Way;
  authorizeOnly: boolean;
  language: string | null;
  createdAt: string;
  toPay: ToPay;
  /** Florin knows of this order, so that its status can be asked for. */
  known: boolean;
  paymentId: string | null;
  /** order_status, as far as the shop knows. */
  state: string | null;
  /** Decimal texts; what is left can be captured or refunded. */
  held: string;
  captured: string;
  refunded: string;
  left: string;
  actions: Action[];
  subscription: SubscriptionView | null;
  /** The card that was saved with this order, masked. */
  savedCard: CardView | null;
  /** The order whose chain this one charges again, and those that charge the chain of this one. */
  parent: OrderLink | null;
  again: OrderLink[];
  steps: Step[];
  /** Changes with the view. */
  version: string;
};

export type OrderLink = { id: string; number: string };

/** A saved card as pages show it: masked, MM/YYYY. */
export type CardView = { id: string; card: string; expiry: string };

/** An order in the visitor's list. */
export type OrderRow = OrderLink & {
  description: string;
  amount: string;
  currency: string;
  way: Way;
  state: string | null;
  createdAt: string;
};

/** Decides what a state allows (contract, States and transitions). */
export function actionsOf(state: string | null, leftMinor: bigint, refundedMinor: bigint): Action[] {
  if (state === 'pending') return ['capture', 'void'];
  if (state !== 'settled') return [];
  if (leftMinor <= 0n) return [];
  return refundedMinor > 0n ? ['refund'] : ['refund', 'void'];
}
