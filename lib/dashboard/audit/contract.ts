// The audit log as it comes from the server. Times are ISO 8601.

/** A field that an entry names. Null is what there was not. */
export type AuditField = { name: string; before: string | null; after: string | null };

export type AuditRow = {
  id: string;
  at: string;
  /** Null for what nobody who has signed in did: Florin itself, or a stranger. */
  actor: { id: string; name: string } | null;
  /** What was done, as a sentence: `Changed MID Acquira EU`. */
  what: string;
  /** Contract words of the same: `mid.change`. */
  action: string;
  subject: string;
  /** Where what it was done to can be seen. */
  href: string | null;
  /** Said at the right: how many fields, from where. */
  note: string | null;
  /** Whether fields were changed, rather than only named. */
  changes: boolean;
  fields: AuditField[];
  /** Hexadecimal. */
  hash: string;
  previous: string;
};

export type AuditPage = { rows: AuditRow[]; newer: string | null; older: string | null; total: string };

/** How the chain stands. */
export type HashChainState = {
  entries: number;
  since: string | null;
  checkedAt: string;
  head: string | null;
  brokenAt: { at: string; entry: string; why: 'altered' | 'missing before' } | null;
};

export type AuditChoices = { actors: { id: string; name: string }[] };
