// What the dashboard's pages are given, by the server's first rendering and by its JSON alike. Amounts are text in the
// currency's own decimals and times are ISO texts in UTC: nothing here has to be computed with.

/** Who has signed in, as the pages show it. */
export type SignedInUser = {
  name: string;
  email: string;
  roleName: string;
  /** The merchant that the person belongs to; null for those who look after all of them. */
  merchantName: string | null;
};

/** One row of the list. `status` is one of the contract's ten words. */
export type PaymentRow = {
  id: string;
  /** Grows with every change; an action names the one that it was decided on. */
  version: number;
  amount: string;
  currency: string;
  status: string;
  /** What stands beside the status in quiet ink: a decline's reason, a refunded part. */
  remark: string | null;
  orderNumber: string;
  description: string;
  /** `Visa`, with the card's last four digits; null before anything was tried. */
  method: { name: string; last4: string | null } | null;
  payer: string | null;
  country: string | null;
  merchantName: string;
  /** The account that the payment was last tried at. */
  midName: string | null;
  /** `Checkout, purchase`. */
  channel: string;
  captured: string;
  refunded: string;
  transId: string | null;
  createdAt: string;
  settledAt: string | null;
  /** The most that can be captured or given back now, by this person; absent where nothing can. */
  capture?: string;
  refund?: string;
};

/** How many payments a filter finds; `more` where they are not counted to the end. */
export type PaymentCount = { count: number; more: boolean };

/** What the list can be filtered by, as far as it depends on who asks. */
export type PaymentChoices = {
  /** Empty for somebody who sees one merchant only. */
  merchants: { id: string; name: string }[];
  mids: { id: string; name: string; merchantName: string }[];
  methods: { id: string; name: string }[];
  currencies: string[];
};

/** Filters of a list under a name, with the columns that go with them; empty for the usual ones. */
export type SavedView = { id: string; name: string; query: string; columns: string[] };

export type PaymentList = {
  rows: PaymentRow[];
  /** Keys of the neighbouring pages, for the address bar; null at either end. */
  newer: string | null;
  older: string | null;
};

export type Fact = {
  name: string;
  value: string;
  /** Identifiers are set in mono and can be copied. */
  code?: boolean;
  mail?: boolean;
  quiet?: boolean;
  /** The value is an ISO text, to be read in the person's zone. */
  time?: boolean;
  /** Where the value leads within the dashboard. */
  href?: string;
};

export type FactGroup = { title: string; facts: Fact[] };

export type EventKind = 'request' | 'payer' | 'routing' | '3ds' | 'provider' | 'state' | 'callback' | 'dashboard';

/** One try to deliver a callback. */
export type CallbackAttempt = {
  at: string;
  /** `ok`: received. `error`: received, though the answer says ERROR. `fail`: to be tried again, or given up. */
  result: 'ok' | 'error' | 'fail';
  /** The HTTP status, or what went wrong before there was one. */
  what: string;
  /** The beginning of the answer. */
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
  /** The status whose shape stands in place of an icon. */
  status?: string;
  tag?: { text: string; tone: 'ok' | 'bad' | 'warn' | 'plain' };
  facts?: Fact[];
  tries?: CallbackAttempt[];
  /** The accounts that were taken or passed over, in order. */
  routing?: { mid: string; why: string; taken: boolean }[];
  /** Where more of it stands. */
  href?: string;
  /** The callback that can be sent again. */
  resend?: string;
};

/** What may be done with a payment now, with the largest amounts; absent is what its state or the role forbids. */
export type Actions = {
  capture?: { most: string };
  refund?: { most: string; partial: boolean };
  void?: { kind: 'void' | 'release'; amount: string };
};

export type PaymentPage = {
  id: string;
  /** Grows with every change; an action names the one that it was decided on. */
  version: number;
  amount: string;
  currency: string;
  status: string;
  reason: string | null;
  orderNumber: string;
  description: string;
  createdAt: string;
  merchantName: string;
  /** Whom a refund goes to, as `Visa •••• 4242 of Lena Hoffmann`. */
  paidWith: string | null;
  sums: { name: string; amount: string; sign: '→' | '−' | '=' | null; quiet: boolean }[];
  /** The sums that the dialogs compute with. */
  refunded: string;
  refundable: string;
  actions: Actions;
  /** Why an action that one might expect is missing. */
  notes: string[];
  /** Differences from what the provider reports that are open, a sentence each. */
  unresolved: string[];
  /** Where callbacks of this payment go; null when nobody has named an address. */
  callbackHost: string | null;
  groups: FactGroup[];
  /** The account whose provider can be asked how the payment stands; null where nobody can, or may. */
  asks: string | null;
  /** The latest callback that can be sent again; null where none can. */
  resend: string | null;
  customData: string | null;
  events: TimelineEvent[];
  /** Something is still on its way, so the page looks again soon. */
  moving: boolean;
};

/** What a refused request is answered with. `fields` names the faulty fields of a form. */
export type Failure = {
  error: {
    message: string;
    reference?: string;
    fields?: Record<string, string>;
    /** The person has to prove once more who they are; then the same request is answered. */
    confirm?: true;
  };
};
