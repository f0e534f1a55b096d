// The order views of the shop's pages, and the events of an order. Pure, because browser and server share them.
import type { Way } from './form-schemas.ts';
import type { PricedLine } from './products.ts';

export const actions = ['refund', 'capture', 'void'] as const;
export type Action = (typeof actions)[number];

/** The actions of a subscription: RUN_SCHEDULE resumes it, DESCHEDULE ends it, `again` charges at once. */
export const subscriptionActions = ['pause', 'run', 'deschedule', 'again'] as const;
export type SubscriptionAction = (typeof subscriptionActions)[number];

/** The four return URLs of the payment page, and the return from a bank that the shop redirected to. */
export const doors = ['success', 'cancel', 'error', 'expiry', 'bank'] as const;
export type Door = (typeof doors)[number];

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

/** A request of the shop's server. Keys and tokens are shortened and cards masked in both bodies. */
export type CallStep = {
  kind: 'call';
  name: CallName;
  /** The address without its host, and in full. */
  path: string;
  url: string;
  headers: [name: string, value: string][];
  /** JSON, or one form field a line. */
  request: string;
  /** Null without a response. */
  status: number | null;
  response: string;
  durationMs: number;
};

export type CallbackStep = {
  kind: 'callback';
  /** The hash is valid and the order is the shop's. */
  hashValid: boolean;
  /** The webhook-signature header, which covers the whole body, is valid. */
  headerValid: boolean;
  /** A repeat of the same webhook-id. */
  repeat: boolean;
  /** It reports a scheduled charge, which is a payment of its own. */
  scheduled: boolean;
  sequence: number | null;
  /** Seconds from the field `date` to the arrival; null without a date. */
  delaySeconds: number | null;
  headers: [name: string, value: string][];
  fields: [name: string, value: string][];
};

/** The payer's return. Signed, except from the bank and the two without a certain outcome. */
export type ReturnStep = { kind: 'return'; door: Door; genuine: boolean; fields: [name: string, value: string][] };

export type StepData = CallStep | CallbackStep | ReturnStep;

/** `at` is ISO 8601. */
export type Step = StepData & { id: string; at: string };

/** A callback in Checkout's terms; those of S2S CARD are distinguished by `action`. */
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

/** Parses the fields of a callback of either protocol. */
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

/** An S2S CARD status as Checkout's `order_status`. */
export function stateOf(status: string): string {
  return status === 'DECLINED' ? 'decline' : status.toLowerCase();
}

/** The payer's next step: another page, the bank, or fields or a form in the order's page. */
export type ToPay = { kind: 'page' | 'bank'; url: string } | { kind: 'fields' | 's2s' | 'wallet' } | null;

/** A subscription; dates as YYYY-MM-DD. */
export type SubscriptionView = {
  state: 'active' | 'paused' | 'cancelled' | 'waiting';
  amount: string;
  firstDate: string | null;
  scheduleId: string;
  actions: SubscriptionAction[];
};

/** An order with all its events, oldest first. */
export type OrderView = {
  id: string;
  number: string;
  description: string;
  lines: PricedLine[];
  amount: string;
  currency: string;
  way: Way;
  authorizeOnly: boolean;
  toPay: ToPay;
  /** Florin knows this order, so its status can be requested. */
  known: boolean;
  paymentId: string | null;
  /** The last known order_status. */
  state: string | null;
  /** Decimal texts; the remaining amount can be captured or refunded. */
  held: string;
  captured: string;
  refunded: string;
  left: string;
  actions: Action[];
  subscription: SubscriptionView | null;
  /** The card saved with this order, masked. */
  savedCard: CardView | null;
  /** The order whose chain this one charges, and those that charge this one's chain. */
  parent: OrderLink | null;
  again: OrderLink[];
  steps: Step[];
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

/** The modifications that a state allows (contract, States and transitions). */
export function actionsOf(state: string | null, leftMinor: bigint, refundedMinor: bigint): Action[] {
  if (state === 'pending') return ['capture', 'void'];
  if (state !== 'settled') return [];
  if (leftMinor <= 0n) return [];
  return refundedMinor > 0n ? ['refund'] : ['refund', 'void'];
}
