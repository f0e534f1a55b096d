// Data of the pages of sessions, payouts, chargebacks, tokens, recurring payments and schedules. Amounts are text in
// the currency's decimals, times are ISO texts in UTC and dates `YYYY-MM-DD`.
import type { Answer } from '../contract';
import type { chainPage } from '../recurring/chains';
import type { scheduleRow } from '../recurring/schedule-list';
import type { changeEffect, schedulePage, subscriptionRow } from '../recurring/schedules';
import type { sessionPage } from '../sessions/sessions';
import type { tokenPage } from '../tokens/tokens';
import type { toRow as unresolvedRow } from '../unresolved/list';
import type { activitiesOf, paymentLine } from './rows';

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

/** A payment as one line of another object's page. */
export type PaymentLine = ReturnType<typeof paymentLine>;

/** A user's action on an object. */
export type Activity = Answer<typeof activitiesOf>[number];

export type SessionPage = Answer<typeof sessionPage>;
export type SessionState = SessionPage['state'];
export type AttemptLine = SessionPage['tries'][number];

export type UnresolvedRow = ReturnType<typeof unresolvedRow>;

export type TokenPage = Answer<typeof tokenPage>;
export type TokenState = TokenPage['state'];

export type ChainPage = Answer<typeof chainPage>;
export type ChainState = ChainPage['state'];

export type SchedulePage = Answer<typeof schedulePage>;
export type ScheduleRow = ReturnType<typeof scheduleRow>;
export type ScheduleState = ScheduleRow['state'];
export type SubscriptionRow = ReturnType<typeof subscriptionRow>;

/** The schedule as a form shows it: texts under the contract's names. */
export type PlanFields = SchedulePage['plan'];

/** The number of charge dates missed while the service was down. */
export type MissedCharges = NonNullable<SchedulePage['missed']>;

/** What a change of the schedule would charge: the subscriptions with the next charges. */
export type ChangeEffect = Answer<typeof changeEffect>;

/** The next charges of one subscription, or of one that would start on a day. */
export type Preview = SchedulePage['preview'];
