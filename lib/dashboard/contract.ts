// Data of the dashboard's pages, the same for server rendering and JSON. Amounts are text in the currency's decimals
// and times are ISO texts in UTC, so pages compute nothing.

export type { Right } from '../auth';

/** The signed-in user as the pages show it. */
export type SignedInUser = {
  name: string;
  email: string;
  roleName: string;
  /** The user's merchant; null for users who manage all merchants. */
  merchantName: string | null;
};

/** One row of the list. `status` is one of the contract's ten words. */
export type PaymentRow = {
  id: string;
  /** Increases with every change; an action names the version that the user saw. */
  version: number;
  amount: string;
  currency: string;
  status: string;
  /** Secondary text beside the status: a decline's reason or a refunded amount. */
  remark: string | null;
  orderNumber: string;
  description: string;
  /** `Visa`, with the card's last four digits; null before the first attempt. */
  method: { name: string; last4: string | null } | null;
  payer: string | null;
  country: string | null;
  merchantName: string;
  /** The MID of the latest attempt. */
  midName: string | null;
  /** `Checkout, purchase`. */
  channel: string;
  captured: string;
  refunded: string;
  transId: string | null;
  createdAt: string;
  settledAt: string | null;
  /** The maximum amount that this user can capture or refund now; absent if none. */
  capture?: string;
  refund?: string;
};

/** The number of payments that a filter finds; `more` if the count stopped early. */
export type PaymentCount = { count: number; more: boolean };

/** The choices of the list's filters that depend on the user. */
export type PaymentChoices = {
  /** Empty for a user of one merchant. */
  merchants: { id: string; name: string }[];
  mids: { id: string; name: string; merchantName: string }[];
  methods: { id: string; name: string }[];
  currencies: string[];
};

/** A saved view: a list's filters and columns under a name; empty columns mean the default. */
export type SavedView = { id: string; name: string; query: string; columns: string[] };

export type PaymentList = {
  rows: PaymentRow[];
  /** Keys of the adjacent pages for the address bar; null at either end. */
  newer: string | null;
  older: string | null;
};

export type Fact = {
  name: string;
  value: string;
  /** Identifiers use the mono font and can be copied. */
  code?: boolean;
  mail?: boolean;
  quiet?: boolean;
  /** The value is an ISO text, shown in the user's time zone. */
  time?: boolean;
  /** A link within the dashboard. */
  href?: string;
};

export type FactGroup = { title: string; facts: Fact[] };

export type EventKind = 'request' | 'payer' | 'routing' | '3ds' | 'provider' | 'state' | 'callback' | 'dashboard';

/** One delivery attempt of a callback. */
export type CallbackAttempt = {
  at: string;
  /** `ok`: received. `error`: received, but answered ERROR. `fail`: to be retried, or failed. */
  result: 'ok' | 'error' | 'fail';
  /** The HTTP status, or the error that prevented one. */
  what: string;
  /** The beginning of the response. */
  answer: string | null;
  durationMs: number;
};

/** One entry of the timeline. */
export type TimelineEvent = {
  id: string;
  kind: EventKind;
  at: string;
  title: string;
  detail: string | null;
  who: string | null;
  /** The status whose shape replaces an icon. */
  status?: string;
  tag?: { text: string; tone: 'ok' | 'bad' | 'warn' | 'plain' };
  facts?: Fact[];
  tries?: CallbackAttempt[];
  /** The selected and skipped accounts, in order. */
  routing?: { mid: string; why: string; taken: boolean }[];
  /** Link to details. */
  href?: string;
  /** The callback that can be resent. */
  resend?: string;
};

/** The allowed actions on a payment with their maximum amounts; absent if the state or the role forbids them. */
export type Actions = {
  capture?: { most: string };
  refund?: { most: string; partial: boolean };
  void?: { kind: 'void' | 'release'; amount: string };
};

export type PaymentPage = {
  id: string;
  /** Increases with every change; an action names the version that the user saw. */
  version: number;
  amount: string;
  currency: string;
  status: string;
  reason: string | null;
  orderNumber: string;
  description: string;
  createdAt: string;
  merchantName: string;
  /** The recipient of a refund, as `Visa •••• 4242 of Lena Hoffmann`. */
  paidWith: string | null;
  sums: { name: string; amount: string; sign: '→' | '−' | '=' | null; quiet: boolean }[];
  /** The amounts that the dialogs compute with. */
  refunded: string;
  refundable: string;
  actions: Actions;
  /** Why an expected action is missing. */
  notes: string[];
  /** Open differences from the provider's report, one sentence each. */
  unresolved: string[];
  /** Where callbacks of this payment go; null without a callback URL. */
  callbackHost: string | null;
  groups: FactGroup[];
  /** The MID whose provider can be asked for the status; null if not possible or not allowed. */
  asks: string | null;
  /** The latest callback that can be resent; null without one. */
  resend: string | null;
  customData: string | null;
  events: TimelineEvent[];
  /** An operation is in progress, so the page polls. */
  moving: boolean;
};

/** A change that another user saved while a form was open. */
export type Conflict = {
  /** Null if no existing user made it. */
  by: string | null;
  at: string;
  changes: { name: string; before: string | null; after: string | null }[];
};

/** The body of an error answer. `fields` names the invalid fields of a form. */
export type Failure = {
  error: {
    message: string;
    reference?: string;
    fields?: Record<string, string>;
    /** The user must confirm their identity and then repeat the request. */
    confirm?: true;
    /** The object has changed since the user opened it. */
    conflict?: Conflict;
  };
};
