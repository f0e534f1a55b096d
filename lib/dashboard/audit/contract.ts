// The audit log as the server returns it. Times are ISO 8601.

/** A field of an entry. Null if the value was absent. */
export type AuditField = { name: string; before: string | null; after: string | null };

export type AuditRow = {
  id: string;
  at: string;
  /** Null if no signed-in user caused the entry: Florin itself or an unknown client. */
  actor: { id: string; name: string } | null;
  /** The action as a sentence: `Changed MID Acquira EU`. */
  what: string;
  /** The stored name of the action: `mid.change`. */
  action: string;
  subject: string;
  /** Link to the subject's page. */
  href: string | null;
  /** Shown at the right: number of fields, or the address. */
  note: string | null;
  /** Whether fields were changed rather than only listed. */
  changes: boolean;
  fields: AuditField[];
  /** Hexadecimal. */
  hash: string;
  previous: string;
};

export type AuditPage = { rows: AuditRow[]; newer: string | null; older: string | null; total: string };

/** The result of the hash chain check. */
export type HashChainState = {
  entries: number;
  since: string | null;
  checkedAt: string;
  head: string | null;
  brokenAt: { at: string; entry: string; why: 'altered' | 'missing before' } | null;
};
