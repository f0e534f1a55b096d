/** Reads the audit log by page and filter. */
import { prisma, statement, unprepared } from '../db/index.ts';
import { type AuditOrigin, type AuditRecord, audit } from './audit.ts';

/** An entry with the names of its actor and its subject, if both still exist. */
export type ListedAuditRecord = AuditRecord &
  AuditOrigin & {
    id: bigint;
    actorName: string | null;
    subjectName: string | null;
    previous: Uint8Array;
    hash: Uint8Array;
  };

/** Null disables a filter. `merchantId`: only entries of this merchant. */
type AuditFilter = {
  merchantId: string | null;
  /** As `user:0193...`. */
  actor: string | null;
  /** Complete actions, or prefixes that end with a dot. */
  actions: string[] | null;
  /** Complete actions, in addition to {@link actions}. */
  kindActions: string[] | null;
  results: string[] | null;
  /** The address that acted. */
  source: string | null;
  subject: string | null;
  from: Date | null;
  until: Date | null;
  /** A part of a user's name, of an action, a subject, a field or a value. */
  search: string | null;
  /** The merchant of the user who reads; null for users who manage every merchant. */
  reader: string | null;
};

/** The name of a subject, as an SQL expression on its row. */
const subjectNames: Record<string, string> = {
  user: 'name from users where id',
  merchant: 'name from merchants where id',
  mid: 'name from mids where id',
  schedule: 'name from schedules where id',
  theme: 'name from themes where id',
  payment: 'order_number from payments where id',
  mapping: "m.name || ', ' || p.protocol from protocol_mappings p join merchants m on m.id = p.merchant_id where p.id",
  wallet: "m.name || ', ' || w.kind from wallets w join merchants m on m.id = w.merchant_id where w.id",
};

// Only subjects in the form of an id are looked up: a cast error of one entry would fail the whole page.
const nameSql = `case when a.subject ~ '^[a-z_]+:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then case split_part(a.subject, ':', 1)
  ${Object.entries(subjectNames)
    .map(([kind, sql]) => `when '${kind}' then (select ${sql} = split_part(a.subject, ':', 2)::uuid)`)
    .join(' ')} end end`;

const actorSql = `case when a.actor like 'user:%' then (select name from users where id = substr(a.actor, 6)::uuid) end`;

/** A condition that applies unless its parameter is null; reads are planned for the values, without the others. */
const unlessNull = (parameter: string, condition: string) => `(:${parameter} is null or ${condition})`;

// An email is matched for those to whom the list of users shows it: not of administrators for a merchant's users.
const userMatches = `name ilike :search
  or (email ilike :search and (:merchantId::uuid is null or merchant_id = :merchantId::uuid))`;

// Without what the page hides (lib/dashboard/audit): a search that found it would reveal it.
const shownSql = (values: 'a.before' | 'a.after') =>
  `(case when :reader::uuid is not null and a.action = 'person.role' and ${values} ->> 'merchant' <> :reader::uuid::text
         then ${values} - 'merchant' else ${values} end)::text`;

const matches = [
  unlessNull('merchantId::uuid', 'a.merchant_id = :merchantId::uuid'),
  unlessNull('actor::text', 'a.actor = :actor::text'),
  unlessNull('actions::text[]', 'a.action = any(:actions::text[]) or a.action ^@ any(:actions::text[])'),
  unlessNull('kindActions::text[]', 'a.action = any(:kindActions::text[])'),
  unlessNull('results::text[]', 'a.result = any(:results::text[])'),
  unlessNull('source::text', 'a.source = :source::text'),
  unlessNull('subject::text', 'a.subject = :subject::text'),
  unlessNull('from::timestamptz', 'a.at >= :from::timestamptz'),
  unlessNull('until::timestamptz', 'a.at < :until::timestamptz'),
  unlessNull(
    'search::text',
    `a.action ilike :search or a.subject ilike :search
      or ${shownSql('a.before')} ilike :search or ${shownSql('a.after')} ilike :search
      or a.actor in (select 'user:' || id from users where ${userMatches})
      or a.subject in (select 'user:' || id from users where ${userMatches})
      or a.subject in (select 'mid:' || id from mids where name ilike :search)
      or a.subject in (select 'merchant:' || id from merchants where name ilike :search)`,
  ),
].join(' and ');

const withPattern = ({ search, ...filter }: AuditFilter): AuditFilter => ({
  ...filter,
  search: search === null ? null : `%${search.replace(/[\\%_]/g, '\\$&')}%`,
});

/** The position of a page: the newest entries, those before an id, or those after one. */
type AuditCursor = { below?: bigint | undefined; above?: bigint | undefined };

const listedColumns = `a.id, a.at, a.actor, a.action, a.subject, a.before, a.after, a.previous, a.hash, a.result, a.source,
  a.user_agent as "userAgent", a.merchant_id as "merchantId", a.key_id as "keyId",
  ${actorSql} as "actorName", ${nameSql} as "subjectName"`;

const listIn = (direction: 'asc' | 'desc') =>
  unprepared<AuditFilter & { below: bigint | null; above: bigint | null; limit: number }, ListedAuditRecord>(
    `select ${listedColumns} from audit_entries a
      where ${matches} and ${unlessNull('below::bigint', 'a.id < :below::bigint')}
        and ${unlessNull('above::bigint', 'a.id > :above::bigint')}
      order by a.id ${direction} limit :limit::int`,
  );
const lists = { up: listIn('asc'), down: listIn('desc') };

/** Entries, newest first, at most `size`, and whether there are more in the requested direction. */
export async function listAuditRecords(
  filter: AuditFilter,
  { below, above }: AuditCursor,
  size: number,
): Promise<{ rows: ListedAuditRecord[]; more: boolean }> {
  const upwards = below === undefined && above !== undefined;
  const place = { below: below ?? null, above: upwards ? above : null, limit: size + 1 };
  const rows = await (upwards ? lists.up : lists.down)({ ...withPattern(filter), ...place });
  const page = rows.slice(0, size);
  return { rows: upwards ? page.reverse() : page, more: rows.length > size };
}

/** More entries are not counted: each is read for it. */
export const auditCountMax = 1_000;

const countFound = unprepared<AuditFilter, { n: number }>(
  `select count(*)::int as n from (select 1 from audit_entries a where ${matches} limit ${auditCountMax + 1}) found`,
);

/** The number of entries that a filter finds, at most {@link auditCountMax} + 1. */
export async function countAuditRecords(filter: AuditFilter): Promise<number> {
  const [row] = await countFound(withPattern(filter));
  return row?.n ?? 0;
}

const readingMinutes = 15;

/** Logs that a user reads the log (PCI DSS 10.2.1.3), once in a quarter of an hour: pages are read again by themselves. */
export async function auditReading(userId: string, merchantId: string | null, now: Date): Promise<void> {
  const entry = { actor: `user:${userId}`, action: 'audit_log.read', subject: 'audit_log', merchantId } as const;
  const at = { gt: new Date(now.getTime() - readingMinutes * 60_000) };
  const { actor, action } = entry;
  const read = await prisma().auditEntry.findFirst({ where: { actor, action, merchantId, at }, select: { id: true } });
  if (!read) await audit(entry, now);
}

const recentActors = statement<{ merchantId: string | null }, { id: string; name: string }>(
  'audit-actors',
  `select u.id, u.name from users u
    where exists (select 1 from audit_entries a where a.actor = 'user:' || u.id
                     and (:merchantId::uuid is null or a.merchant_id = :merchantId::uuid))
    order by lower(u.name), u.id limit 500`,
);

/** The recent actors of one merchant's entries, or of all, for the filter. */
export function listAuditActors(merchantId: string | null): Promise<{ id: string; name: string }[]> {
  return recentActors({ merchantId });
}

const entriesAfterId = statement<{ last: bigint; limit: number }, ListedAuditRecord>(
  'audit-after',
  `select ${listedColumns} from audit_entries a where a.id > :last::bigint order by a.id limit :limit::int`,
);

/** The entries after the one with the id `last`, oldest first, at most `limit`. */
export function auditRecordsAfter(last: bigint, limit: number): Promise<ListedAuditRecord[]> {
  return entriesAfterId({ last, limit });
}
