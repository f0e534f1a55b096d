// Data of the pages of sessions, payouts, chargebacks, tokens, recurring payments and schedules. Amounts are text in
// the currency's decimals, times are ISO texts in UTC and dates `YYYY-MM-DD`.
import type { FactGroup } from '../contract';
import type { unresolvedKindLabels } from '../unresolved/labels';

/** A page of a list, with the keys of the adjacent pages for the address bar; null at either end. */
export type ListOf<Row> = { rows: Row[]; newer: string | null; older: string | null };

/** How it was paid: `Visa` with the last four digits, or a method's name. */
export type MethodLabel = { name: string; last4: string | null };

/** A payment as one line of another object's page. `status` is one of the contract's ten words. */
export type PaymentLine = {
  id: string;
  amount: string;
  currency: string;
  status: string;
  reason: string | null;
  orderNumber: string;
  createdAt: string;
};

/** A user's action on an object. */
export type Activity = { at: string; what: string; who: string | null; detail: string | null };

export type SessionState = 'open' | 'trying' | 'paid' | 'expired' | 'cancelled';

export type SessionRow = {
  id: string;
  amount: string;
  currency: string;
  state: SessionState;
  status: string;
  orderNumber: string;
  payer: string | null;
  language: string | null;
  methods: string[];
  attempts: number;
  hostedFields: boolean;
  merchantName: string;
  createdAt: string;
  expiresAt: string;
};

export type SessionPage = SessionRow & {
  description: string;
  reason: string | null;
  cancelledAt: string | null;
  /** Methods by id, with the names that payers see. */
  offered: { id: string; name: string }[];
  /** Where the payer is redirected afterwards, by the contract's names. */
  addresses: { name: string; url: string }[];
  tries: AttemptLine[];
  groups: FactGroup[];
};

/** A difference between a provider and a payment. */
export type UnresolvedRow = {
  id: string;
  kind: keyof typeof unresolvedKindLabels;
  reason: string;
  amount: string;
  currency: string;
  /** The amount and currency of the operation: what `approved` books. */
  requested: string;
  orderNumber: string;
  paymentId: string;
  /** What Florin does next; null if a user must act or nothing remains. */
  next: string | null;
  state: 'open' | 'closed';
  resolution: string | null;
  closedBy: string | null;
  closedAt: string | null;
  /** Whether the operation has no outcome yet, so that closing the item decides it. */
  undecided: boolean;
  mayClose: boolean;
  merchantName: string;
  createdAt: string;
};

/** One attempt. */
export type AttemptLine = {
  id: string;
  at: string;
  what: string;
  method: MethodLabel | null;
  midName: string;
  outcome: { text: string; tone: 'ok' | 'bad' | 'warn' };
  detail: string | null;
};

export type PayoutRow = PaymentLine & {
  operation: 'credit' | 'transfer';
  /** The card or the account of the recipient. */
  to: string | null;
  payee: string | null;
  merchantName: string;
};

export type ChargebackRow = {
  /** The transaction. */
  id: string;
  amount: string;
  currency: string;
  /** The settled amount, if the bank took back less. */
  ofAmount: string | null;
  reasonCode: string | null;
  reason: string | null;
  orderNumber: string;
  paymentId: string;
  method: MethodLabel | null;
  payer: string | null;
  merchantName: string;
  createdAt: string;
};

export type TokenState = 'active' | 'expired' | 'removed';

export type TokenRow = {
  /** The card's id: the token itself is in no URL. */
  id: string;
  /** `a41f…09bc`. */
  masked: string;
  brand: string;
  first6: string;
  last4: string;
  /** `08/2029`; null for a card without a date. */
  expires: string | null;
  holder: string | null;
  state: TokenState;
  merchantName: string;
  createdAt: string;
};

export type TokenPage = TokenRow & {
  /** The full token, for users who may use it. */
  token: string | null;
  removedAt: string | null;
  mayRemove: boolean;
  payments: ListOf<PaymentLine>;
  deeds: Activity[];
};

export type ChainState = 'scheduled' | 'open' | 'stopped';

export type ChainRow = {
  /** The initial payment. */
  id: string;
  masked: string;
  amount: string;
  currency: string;
  state: ChainState;
  orderNumber: string;
  card: MethodLabel | null;
  payer: string | null;
  charges: number;
  lastChargeAt: string | null;
  schedule: { id: string; name: string; paused: boolean; dueAt: string } | null;
  merchantName: string;
  createdAt: string;
};

export type ChainPage = ChainRow & {
  /** `recurring_token`, for users who may charge it. */
  token: string | null;
  firstTransId: string;
  description: string;
  stoppedAt: string | null;
  first: PaymentLine;
  later: ListOf<PaymentLine>;
  subscriptions: SubscriptionRow[];
  groups: FactGroup[];
};

export type ScheduleState = 'running' | 'paused' | 'deleted';

export type ScheduleRow = {
  id: string;
  name: string;
  state: ScheduleState;
  /** `Every month on day 31`. */
  every: string;
  /** `12 payments`. */
  length: string;
  live: number;
  failing: number;
  nextDueAt: string | null;
  merchantName: string;
  createdAt: string;
};

export type SubscriptionRow = {
  id: string;
  scheduleId: string;
  scheduleName: string;
  chainId: string;
  orderNumber: string;
  card: MethodLabel | null;
  payer: string | null;
  amount: string;
  currency: string;
  /** Completed slots of the total. */
  done: number;
  of: number;
  retries: number;
  /** Why the spacing check skipped the last charge: early, interval or spacing. */
  braked: string | null;
  dueAt: string | null;
  stoppedAt: string | null;
  stopReason: string | null;
  createdAt: string;
};

/** The schedule as a form shows it: texts under the contract's names. */
export type PlanFields = {
  name: string;
  interval_length: string;
  interval_unit: string;
  payments_count: string;
  day_of_month: string;
  delayed_first_payment: string;
  first_payment_interval_length: string;
  first_payment_interval_unit: string;
  first_payment_day_of_week: string;
  first_payment_day_of_month: string;
};

export type SchedulePage = ScheduleRow & {
  merchantId: string;
  /** When the first payment is due, as text. */
  first: string;
  subscriptions: number;
  /** Active subscriptions whose last charge the spacing check skipped. */
  braked: number;
  missed: MissedCharges | null;
  deletedAt: string | null;
  plan: PlanFields;
  mayChange: boolean;
  preview: Preview;
  subscribers: ListOf<SubscriptionRow>;
  charges: ListOf<PaymentLine>;
  deeds: Activity[];
};

/** The number of charge dates missed while the service was down, and how many of them are still charged. */
export type MissedCharges = {
  slots: number;
  charged: number;
  subscriptions: number;
  /** From when they are charged, if the mapping charges all. */
  from: string | null;
};

/** What a change of the schedule would charge: the subscriptions with the next charges. */
export type ChangeEffect = {
  live: number;
  /** Subscriptions that end with the change. */
  ending: number;
  charges: {
    /** The initial payment of the subscription. */
    id: string;
    orderNumber: string;
    payer: string | null;
    amount: string;
    currency: string;
    /** The next charge without the change and with it; null if the subscription ends. */
    before: string;
    at: string | null;
  }[];
};

/** One upcoming charge. */
export type PreviewRow = {
  /** 1 is the first payment of the schedule. */
  number: number;
  date: string;
  weekday: string;
  amount: string | null;
  total: string | null;
  note: string | null;
};

/** The next charges of one subscription, or of one that would start on a day. */
export type Preview = {
  /** Null without a subscriber: the dates are those of a payment made on `begins`. */
  subscription: string | null;
  /** The subscription: order and payer. */
  label: string | null;
  begins: string;
  currency: string | null;
  rows: PreviewRow[];
  /** Whether more charges follow. */
  more: boolean;
  /** The twelve months of the calendar as `YYYY-MM`, the days with a charge, and today. */
  months: string[];
  days: string[];
  today: string;
  /** What a subscriber pays within those months. */
  yearly: string | null;
  /** `06:00`, in UTC: the hour of the initial payment. */
  hour: string;
  /** Number of retries of a declined charge and the hours between them. */
  retries: { count: number; hours: number };
};
