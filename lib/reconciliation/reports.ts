/** Imported settlement reports: their state, and their lines while they are being stored. */
import { type RowOf, rowSet, statement } from '../db/index.ts';
import { otherTypes } from './entries.ts';
import type { LineError } from './lines.ts';
import { unhurried } from './unhurried.ts';

/** The states of a report, in their order; `refused` may be imported again. */
export type ReportState = 'staging' | 'refused' | 'read' | 'matched';

export type Report = {
  id: string;
  midId: string;
  merchantId: string;
  name: string;
  state: ReportState;
  mappingVersion: number;
  lines: number;
  bad: number;
  errors: LineError[];
  /** `YYYY-MM-DD`; null before the report is read, and without lines. */
  periodFrom: string | null;
  periodTo: string | null;
  importedBy: string;
  createdAt: Date;
  matchedAt: Date | null;
};

/** A report in a list, without its errors, which can be many. */
export type ListedReport = Omit<Report, 'errors'>;

export const listedColumns = `r.id, r.mid_id as "midId", r.merchant_id as "merchantId", r.name, r.state,
  r.mapping_version as "mappingVersion", r.lines, r.bad, r.period_from as "periodFrom", r.period_to as "periodTo",
  r.imported_by as "importedBy", r.created_at as "createdAt", r.matched_at as "matchedAt"`;

const reportColumns = `${listedColumns}, r.errors`;

type NewReport = Pick<Report, 'id' | 'midId' | 'name' | 'mappingVersion' | 'importedBy'> & {
  digest: Buffer;
  now: Date;
};

const insertReport = statement<NewReport>(
  'insert-settlement-report',
  `insert into settlement_reports (id, mid_id, merchant_id, name, digest, mapping_version, imported_by, created_at)
   select :id::uuid, m.id, m.merchant_id, :name::text, :digest::bytea, :mappingVersion::int, :importedBy::text,
          :now::timestamptz
     from mids m where m.id = :midId::uuid
       on conflict (mid_id, digest) do nothing`,
);

const byDigest = statement<{ midId: string; digest: Buffer }, Report>(
  'settlement-report-by-digest',
  `select ${reportColumns} from settlement_reports r where r.mid_id = :midId::uuid and r.digest = :digest::bytea`,
);

/** The report of a file: a new one, or the one that the file was imported as before. Null without such a MID. */
export async function openReport(report: NewReport): Promise<Report | null> {
  await insertReport(report);
  return (await byDigest(report))[0] ?? null;
}

const findById = statement<{ id: string; scope: string | null }, Report>(
  'settlement-report',
  `select ${reportColumns} from settlement_reports r
    where r.id = :id::uuid and (:scope::uuid is null or r.merchant_id = :scope::uuid)`,
);

/** A report of the merchant `scope`, or of any with null; null if there is none. */
export const findReport = async (id: string, scope: string | null): Promise<Report | null> =>
  (await findById({ id, scope }))[0] ?? null;

const restart = statement<{ id: string; mappingVersion: number; by: string }, { id: string }>(
  'restart-settlement-report',
  `update settlement_reports set state = 'staging', bad = 0, errors = '[]', mapping_version = :mappingVersion::int,
          imported_by = :by::text
    where id = :id::uuid and (state = 'refused' or (state = 'staging' and mapping_version <> :mappingVersion::int))
   returning id`,
);

const deleteSome = statement<Pick<Report, 'id' | 'mappingVersion' | 'state'> & { most: number }, { number: number }>(
  'delete-settlement-lines',
  `delete from settlement_lines where id in (
     select l.id from settlement_lines l join settlement_reports r on r.id = l.report_id
      where l.report_id = :id::uuid and r.state = :state::text and r.mapping_version = :mappingVersion::int limit :most::int)
   returning number`,
);

/** Deletes the lines of a report while it is in this state with this mapping, some at a time. */
export async function deleteLines(report: Pick<Report, 'id' | 'mappingVersion' | 'state'>): Promise<void> {
  const most = 5_000;
  while ((await deleteSome({ ...report, most })).length === most);
}

/**
 * Begins a report again whose lines were refused, or were read with another mapping. The lines of the other mapping are deleted
 * after no process can store any more of them.
 */
export async function restartReport(report: Pick<Report, 'id' | 'mappingVersion'> & { by: string }): Promise<void> {
  if ((await restart(report)).length > 0) await deleteLines({ ...report, state: 'staging' });
}

const lineList =
  `id uuid, number int, type text, reference text, providerReference text, arn text, rrn text, batch text,
  currency text, grossMinor bigint, feeMinor bigint, netMinor bigint, day date` as const;
export type StagedLine = RowOf<typeof lineList>;
const lineSet = rowSet<typeof lineList>('i', lineList);

const insertLines = statement<{ report: string; mappingVersion: number; i: string }>(
  'insert-settlement-lines',
  `insert into settlement_lines (id, report_id, number, mid_id, type, reference, provider_reference, arn, rrn, batch, currency,
                                 gross_minor, fee_minor, net_minor, day, likeness)
   select i.id, r.id, i.number, r.mid_id, i.type, i.reference, i.provider_reference, i.arn, i.rrn, i.batch, i.currency,
          i.gross_minor, i.fee_minor, i.net_minor, i.day,
          -- A line without an amount books nothing, and repeats nothing.
          case when i.type in ${otherTypes} and (i.gross_minor <> 0 or i.net_minor <> 0) then
            md5(jsonb_build_array(i.type, i.day, i.currency, i.gross_minor, i.fee_minor, i.reference, i.provider_reference, i.batch)::text) end
     from ${lineSet.from}, settlement_reports r
    where r.id = :report::uuid and r.state = 'staging' and r.mapping_version = :mappingVersion::int
      for share of r
       on conflict (report_id, number) do nothing`,
);

/** Stores lines; those that an interrupted import has stored already remain. */
export async function stageLines(report: string, mappingVersion: number, lines: StagedLine[]): Promise<void> {
  if (lines.length > 0) await insertLines({ report, mappingVersion, i: lineSet.encode(lines) });
}

type Read = Pick<Report, 'id' | 'mappingVersion'> & { count: number; now: Date; dueAt: Date };

const setRead = statement<Read, { id: string }>(
  'read-settlement-report',
  `with done as (
     update settlement_reports r
        set state = 'read', lines = s.lines, period_from = s.first, period_to = s.last, read_at = :now::timestamptz,
            due_at = :dueAt::timestamptz
       from (select count(*)::int as lines, min(day) as first, max(day) as last
               from settlement_lines where report_id = :id::uuid) s
      where r.id = :id::uuid and r.state = 'staging' and r.mapping_version = :mappingVersion::int and s.lines = :count::int
     returning r.id, r.mid_id),
   known as (
     insert into settlement_progress (mid_id, due_at) select mid_id, :now::timestamptz from done on conflict do nothing)
   select id from done`,
);

/**
 * All `count` lines are stored: from now on they count, and from `dueAt` on the job may match them. False if another import of
 * the file has begun again meanwhile.
 */
export const markRead = async (read: Read): Promise<boolean> =>
  (await unhurried('byIndex', (run) => setRead(read, run))).length === 1;

const setRefused = statement<Pick<Report, 'id' | 'mappingVersion' | 'bad'> & { errors: string }, { id: string }>(
  'refuse-settlement-report',
  `update settlement_reports set state = 'refused', bad = :bad::int, errors = :errors::jsonb
    where id = :id::uuid and state in ('staging', 'refused') and mapping_version = :mappingVersion::int
   returning id`,
);

/** Refuses the report because of its bad lines: their number, and the first of them. False if it is read with another mapping. */
export const markRefused = async (
  refused: Pick<Report, 'id' | 'mappingVersion' | 'bad'>,
  errors: LineError[],
): Promise<boolean> => (await setRefused({ ...refused, errors: JSON.stringify(errors) })).length === 1;

/** No other process begins to match the report before `dueAt`. */
export const renewReport = statement<{ id: string; dueAt: Date }>(
  'renew-settlement-report',
  `update settlement_reports set due_at = :dueAt::timestamptz where id = :id::uuid and state = 'read'`,
);

/** Takes a report that is read and that no process matches, until `dueAt`. */
export const claimReport = statement<{ now: Date; dueAt: Date }, Report>(
  'claim-settlement-report',
  `update settlement_reports r set due_at = :dueAt::timestamptz
    where r.id = (select id from settlement_reports where state = 'read' and due_at <= :now::timestamptz
                   order by due_at limit 1 for update skip locked)
   returning ${reportColumns}`,
);

export const markMatched = statement<{ id: string; now: Date }>(
  'matched-settlement-report',
  `update settlement_reports set state = 'matched', matched_at = :now::timestamptz, due_at = null where id = :id::uuid and state = 'read'`,
);

const readLastNumber = statement<{ report: string }, { last: number }>(
  'last-settlement-line',
  'select coalesce(max(number), 0) as last from settlement_lines where report_id = :report::uuid',
);

/** The number of the last line of a report. */
export const lastNumberOf = async (report: string): Promise<number> => (await readLastNumber({ report }))[0]?.last ?? 0;

const readResults = statement<{ report: string }, { result: string; count: number }>(
  'settlement-results',
  `select result, count(*)::int as count from settlement_lines where report_id = :report::uuid and result is not null
    group by result order by result`,
);

/** How many lines of a report have each result. */
export const resultsOf = async (report: string): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await unhurried('byIndex', (run) => readResults({ report }, run))).map(({ result, count }) => [result, count]),
  );
