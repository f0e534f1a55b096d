// Data of the pages of sessions, payouts, chargebacks, tokens, recurring payments and schedules. Amounts are text in
// the currency's decimals, times are ISO texts in UTC and dates `YYYY-MM-DD`.
import type { FactGroup } from '../contract';
import type { unresolvedKindLabels } from '../unresolved/labels';

/** A page of a list, with the keys of the adjacent pages for the address bar; null at either end. */
export type ListOf<Row> = {
  rows: Row[];
  newer: string | null;
  older: string | null;
  /** The total as text, if known. */
  total?: string | null;
};

/** A choice of a filter or of a form's field. */
export type Option = { value: string; label: string; help?: string; disabled?: boolean; group?: string };

export type FilterDef = {
  /** The parameter. A `day` and an `amount` have two: `name_from` and `name_to`, or those of `params`. */
  name: string;
  label: string;
  /** `choices` are comma-separated. */
  kind: 'choice' | 'choices' | 'day' | 'amount' | 'text';
  options?: readonly Option[] | undefined;
  params?: readonly [string, string];
};

/** A saved filter: its query without the question mark. */
export type View = { id: string; title: string; query: string; count?: string };

/** How a cell is drawn (components/dashboard/lists/cells.tsx). */
export type CellKind =
  | 'text'
  | 'amount'
  | 'status'
  | 'payment'
  | 'state'
  | 'session'
  | 'method'
  | 'time'
  | 'date'
  | 'enabled'
  | 'tag'
  | 'warned'
  | 'few'
  | 'chargeback'
  | 'card'
  | 'subscribers'
  | 'unresolved'
  | 'request'
  | 'callback'
  | 'event'
  | 'next';

/** A column as data: the page draws a field of a row by its `kind`. */
export type ColumnDef = {
  id: string;
  /** The field of the row, if it is not the id. */
  field?: string | undefined;
  head: string;
  /** The default is `text`. */
  kind?: CellKind;
  /** A second, quiet field: its name. */
  remark?: string | undefined;
  /** The quiet text of an empty value; a dash by default. */
  none?: string | undefined;
  /** The texts of a field's values. */
  labels?: Readonly<Record<string, string>> | undefined;
  /** How many values of a list are named. */
  most?: number;
  /** Follows a number: `ms`. */
  unit?: string | undefined;
  align?: 'start' | 'end' | 'amount';
  width?: number | string;
  /** Its width while a row is open beside the list; a time is then without its day. */
  widthBeside?: number;
  mono?: boolean;
  hideOnPhone?: boolean;
  hideBelow?: 'md' | 'lg' | 'xl';
  sorted?: 'ascending' | 'descending' | undefined;
  /** Only for users of several merchants. */
  manyMerchants?: boolean;
  /** Left out while a row is open beside the list. */
  hideBeside?: boolean;
};

/** The page of a list without rows. Text between backticks is code. */
export type EmptyList = {
  title: string;
  texts: readonly string[];
  steps?: readonly string[];
  /** Shown in a sandbox only: steps, and a link to the demo shop. */
  sandboxSteps?: readonly string[];
  shop?: boolean;
  link?: { href: string; text: string };
  /** A sample request. */
  sample?: { title: string; text: string } | undefined;
};

/** A list's description as its page gets it. */
export type ListView = {
  name: string;
  title: string;
  nouns: readonly [one: string, many: string];
  search?: string | undefined;
  filters: readonly FilterDef[];
  views?: readonly View[] | undefined;
  columns: readonly ColumnDef[];
  href?: string | undefined;
  rowName?: string | undefined;
  empty: EmptyList;
  dense?: boolean | undefined;
  newsSeconds?: number | undefined;
  /** The button that creates an object, if the user may. */
  create?: { href: string; label: string } | undefined;
  manyMerchants: boolean;
  sandbox: boolean;
};

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
  scheduleName: string | null;
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
  /** The next charge of a running schedule. */
  runsAt: string | null;
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
  /** Completed slots of the total, and as text. */
  done: number;
  of: number;
  completed: string;
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
