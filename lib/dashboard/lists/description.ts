// How a list and its page are described as data.

/** A page of a list, with the keys of the adjacent pages for the address bar; null at either end. */
export type ListOf<Row> = {
  rows: Row[];
  newer: string | null;
  older: string | null;
  /** The total as text, if known. */
  total?: string | null;
  /** What a search without rows found among the archived payments. */
  archived?: ArchivedLine[];
};

/** A payment whose rows are in a file of `florin archive`. */
export type ArchivedLine = {
  id: string;
  orderNumber: string;
  amount: string;
  currency: string;
  status: string;
  createdAt: string;
  archivedAt: string;
  file: string;
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
  /** Only for users of several merchants. */
  manyMerchants?: boolean;
};

/** A saved filter: its query without the question mark. */
export type View = { id: string; title: string; query: string; count?: string };

/** How a cell is drawn (components/dashboard/lists/list-cells.tsx). */
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
  sample?: { title: string; text: string } | undefined;
};

/** A list's description as its page gets it. */
export type ListView = {
  /** The last part of the page's and of the route's address. */
  name: string;
  title: string;
  nouns: readonly [one: string, many: string];
  /** The label of the search field; without it there is none. */
  search?: string | undefined;
  filters: readonly FilterDef[];
  views?: readonly View[] | undefined;
  columns: readonly ColumnDef[];
  /** The column of the time turns the order: `sort=oldest`. */
  sortable: boolean;
  /** The row's link and accessible name; `{field}` is a field of the row. */
  href?: string | undefined;
  rowName?: string | undefined;
  empty: EmptyList;
  dense?: boolean | undefined;
  newsSeconds?: number | undefined;
  /** The button that creates an object, if the user may. */
  create?: { href: string; label: string } | undefined;
  manyMerchants: boolean;
  /** The demo shop of a sandbox. */
  shopUrl: string | null;
};
