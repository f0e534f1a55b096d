// Data of the dashboard's pages, the same for server rendering and JSON. Amounts are text in the currency's decimals
// and times are ISO texts in UTC, so pages compute nothing.

import type { paymentPage } from './payments/payment';
import type { paymentCount, paymentList } from './payments/payments';
import type { viewsOf } from './payments/views';

export type { Right } from '../auth';

/** What a page or an action gives, for an object that exists. */
export type Answer<Run extends (...given: never[]) => unknown> = NonNullable<Awaited<ReturnType<Run>>>;

/** The signed-in user as the pages show it. */
export type SignedInUser = {
  name: string;
  email: string;
  roleName: string;
  /** The user's merchant; null for users who manage all merchants. */
  merchantName: string | null;
};

export type PaymentList = Answer<typeof paymentList>;

/** One row of the list. `status` is one of the contract's ten words. */
export type PaymentRow = PaymentList['rows'][number];

/** The number of payments that a filter finds; `more` if the count stopped early. */
export type PaymentCount = Answer<typeof paymentCount>;

/** A saved view: a list's filters and columns under a name; empty columns mean the default. */
export type SavedView = Answer<typeof viewsOf>['views'][number];

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

export type PaymentPage = Answer<typeof paymentPage>;

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
