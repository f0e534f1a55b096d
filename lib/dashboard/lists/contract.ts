// What the pages of sessions, payouts, chargebacks, tokens, chains and schedules are given. Amounts are text in the
// currency's own decimals, times ISO texts in UTC and dates `YYYY-MM-DD`.
import type { FactGroup } from '../contract';
import type { unresolvedKindLabels } from '../unresolved/labels';

/** A page of a list, with the keys of its neighbours for the address bar; null at either end. */
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

/** What somebody did with an object in the dashboard. */
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
  /** Methods by their identifiers, with the names that payers read. */
  offered: { id: string; name: string }[];
  /** Where the payer is led afterwards, by the contract's names. */
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
  /** Amount and currency that the operation was to move: what `approved` books. */
  requested: string;
  orderNumber: string;
  paymentId: string;
  /** What Florin does next; null where a person has to act, or nothing is left to do. */
  next: string | null;
  state: 'open' | 'closed';
  resolution: string | null;
  closedBy: string | null;
  closedAt: string | null;
  /** Whether the operation has no outcome yet, so that closing the item decides about it. */
  undecided: boolean;
  mayClose: boolean;
  merchantName: string;
  createdAt: string;
};

/** One attempt to pay. */
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
  /** The card or the account that it went to. */
  to: string | null;
  payee: string | null;
  merchantName: string;
};

export type ChargebackRow = {
  /** The transaction. */
  id: string;
  amount: string;
  currency: string;
  /** What was settled, where the bank took back less than that. */
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
  /** The card's id: the token itself stands in no address. */
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
  /** The whole token, for those who may use it. */
  token: string | null;
  removedAt: string | null;
  mayRemove: boolean;
  payments: ListOf<PaymentLine>;
  deeds: Activity[];
};

export type ChainState = 'scheduled' | 'open' | 'stopped';

export type ChainRow = {
  /** The first payment. */
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
  /** `recurring_token`, for those who may charge it. */
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
  /** Slots that are done, of how many. */
  done: number;
  of: number;
  retries: number;
  /** Why the brake stopped its last charge: early, interval or spacing. */
  braked: string | null;
  dueAt: string | null;
  stoppedAt: string | null;
  stopReason: string | null;
  createdAt: string;
};

/** The plan as a form holds it: texts by the contract's names. */
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
  /** When the first payment comes, in words. */
  first: string;
  subscriptions: number;
  /** Live subscriptions whose last charge the brake stopped. */
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

/** Dates that passed while the service was away: how many, and how many of them are charged all the same. */
export type MissedCharges = {
  slots: number;
  charged: number;
  subscriptions: number;
  /** From when they are charged, where the mapping says all. */
  from: string | null;
};

/** What a change of the plan would charge: the subscriptions that are charged next. */
export type ChangeEffect = {
  live: number;
  /** Those that end with the change. */
  ending: number;
  charges: {
    /** The payment that began the subscription. */
    id: string;
    orderNumber: string;
    payer: string | null;
    amount: string;
    currency: string;
    /** When it is charged next without the change, and with it; null where it ends. */
    before: string;
    at: string | null;
  }[];
};

/** One charge that is to come. */
export type PreviewRow = {
  /** 1 is the first payment of the schedule. */
  number: number;
  date: string;
  weekday: string;
  amount: string | null;
  total: string | null;
  note: string | null;
};

/** The next charges of one subscription, or of one that would begin on a day. */
export type Preview = {
  /** Null where nobody has subscribed: the dates are those of a payment made on `begins`. */
  subscription: string | null;
  /** Whose charges these are: order and payer. */
  label: string | null;
  begins: string;
  currency: string | null;
  rows: PreviewRow[];
  /** Whether more charges follow after these. */
  more: boolean;
  /** The twelve months that the calendar shows, as `YYYY-MM`, the days in them on which a charge falls, and today. */
  months: string[];
  days: string[];
  today: string;
  /** What a subscriber pays within those months. */
  yearly: string | null;
  /** `06:00`, in UTC: charges are made at the hour of the first payment. */
  hour: string;
  /** How often and how many hours apart a declined charge is tried again. */
  retries: { count: number; hours: number };
};
