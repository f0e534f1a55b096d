/**
 * Imports a settlement report: the file is read once for its digest and once for its lines, which are stored without effect.
 * One statement makes them count after all are read; then they are matched. Each step can be repeated after a process was
 * killed, by importing the file again.
 */
import { beginningOf, maskCardNumbers } from '../core/card-text.ts';
import { isUuid, newId } from '../core/ids.ts';
import { now } from '../db/clock.ts';
import { compareBatches } from './batches.ts';
import { hashed, type Inspected, inspect, type Open } from './encoding.ts';
import type { LineError } from './lines.ts';
import { findMapping, type Mapping, type StoredMapping } from './mapping.ts';
import { matchMissing, matchReport } from './matching.ts';
import { closeExplainedMissing, findMissingAtProvider } from './missing.ts';
import {
  deleteLines,
  findReport,
  lastNumberOf,
  markMatched,
  markRead,
  markRefused,
  openReport,
  type Report,
  renewReport,
  restartReport,
  type StagedLine,
  stageLines,
} from './reports.ts';
import { readRows } from './rows.ts';

/** `known`: the file was imported before. `refused`: lines cannot be read, and nothing was imported. */
export type ImportResult = { kind: 'imported' | 'known' | 'refused'; report: Report };

export type ImportRequest = {
  midId: string;
  /** The name of the file. */
  name: string;
  /** Opens the file; called twice. */
  open: Open;
  /** `user:ID` or `command`. */
  by: string;
};

/** A reason for which a file is not imported at all. */
export class ImportRefusal extends Error {}

const noMid = () => new ImportRefusal('There is no such MID.');
const otherMapping = () => new ImportRefusal('The file is being imported with another mapping. Import it again.');

const linesPerStatement = 2_000;
const errorsMax = 1_000;
const dayMs = 86_400_000;
/** Above the time of the longest statement of matching. */
const leaseMs = 6 * 60_000;

/** Until when no other process begins to match a report that this one matches. */
export const leaseEnd = () => new Date(now().getTime() + leaseMs);

/** The name of a file as it is stored and logged. */
export const reportNameOf = (name: string): string => beginningOf(maskCardNumbers(name), 200);

/**
 * Imports a report and matches it. A repeat with the same file completes an interrupted import, and otherwise changes nothing.
 * Throws {@link ImportRefusal}.
 */
export async function importReport(request: ImportRequest): Promise<ImportResult> {
  const mapping = await mappingOf(request);
  const { settings } = mapping;
  const received = await receive(request, mapping, leaseEnd());
  const { report } = received;
  if (received.kind === 'refused') return received;
  if (report.state === 'matched') {
    await explainLater(report, settings);
    return received;
  }
  await complete(report, settings);
  const completed = await reread(report);
  if (completed.state !== 'matched') throw new ImportRefusal('The report is not matched yet. Import it again.');
  return { kind: 'imported', report: completed };
}

/**
 * Stores a report, or refuses it because of its lines; the job matches it afterwards. A file that is stored already is known.
 * Throws {@link ImportRefusal}.
 */
export async function receiveReport(request: ImportRequest): Promise<ImportResult> {
  return receive(request, await mappingOf(request), now());
}

async function mappingOf({ midId }: ImportRequest): Promise<StoredMapping> {
  if (!isUuid(midId)) throw noMid();
  return findMapping(midId);
}

async function receive(
  { midId, name, open, by }: ImportRequest,
  { settings, version }: StoredMapping,
  dueAt: Date,
): Promise<ImportResult> {
  const inspected = await inspect(open, settings.encoding);
  const opened = { id: newId(), midId, name: reportNameOf(name), mappingVersion: version, importedBy: by };
  const report = await openReport({ ...opened, digest: inspected.digest, now: now() });
  if (!report) throw noMid();
  if (report.state === 'matched' || report.state === 'read') return { kind: 'known', report };
  const read = { id: report.id, mappingVersion: version };
  if (report.state === 'refused' || report.mappingVersion !== version) await restartReport({ ...read, by });
  const errors = await stage({ ...read, dueAt }, open, inspected, settings);
  if (errors === null) return { kind: 'imported', report: await reread(report) };
  if (!(await markRefused({ ...read, bad: errors.count }, errors.first))) throw otherMapping();
  await deleteLines({ ...read, state: 'refused' });
  return { kind: 'refused', report: await reread(report) };
}

// A provider may be a day ahead of UTC.
const latestDay = () => new Date(now().getTime() + dayMs).toISOString().slice(0, 10);

async function reread({ id }: Pick<Report, 'id'>): Promise<Report> {
  const found = await findReport(id, null);
  if (!found) throw new Error('the report was removed meanwhile');
  return found;
}

type Staged = Pick<Report, 'id' | 'mappingVersion'> & { dueAt: Date };

/** Stores the lines; once one cannot be read, the others are only checked. Returns the errors, null without any. */
async function stage(report: Staged, open: Open, inspected: Inspected, settings: Mapping) {
  const again = hashed(open);
  const first: LineError[] = [];
  let [count, lines] = [0, 0];
  let batch: StagedLine[] = [];
  // The database stores lines while the next ones are read.
  let storing: Promise<void> = Promise.resolve();
  const store = async () => {
    await storing;
    storing = stageLines(report.id, report.mappingVersion, batch);
    storing.catch(() => {});
    batch = [];
  };
  for await (const row of readRows(again.open, inspected, settings, latestDay())) {
    if ('errors' in row) {
      count += 1;
      first.push(...row.errors.slice(0, errorsMax - first.length));
      batch = [];
    } else if (count === 0) {
      lines += 1;
      batch.push({ id: newId(), number: row.number, ...row.line });
      if (batch.length === linesPerStatement) await store();
    }
  }
  await store();
  await storing;
  if (count > 0) return { count, first };
  if (!again.digest().equals(inspected.digest)) {
    await deleteLines({ ...report, state: 'staging' });
    throw new ImportRefusal('The file was changed while it was read. Import it again.');
  }
  const isRead = await markRead({ ...report, count: lines, now: now() });
  if (!isRead && (await reread(report)).state === 'staging') throw otherMapping();
  return null;
}

/** Matches a report that is read, and everything that it may explain. */
export async function complete(report: Report, mapping: Mapping): Promise<void> {
  const { id, midId, merchantId } = report;
  if (report.state !== 'read') return;
  const renew = () => renewReport({ id, dueAt: leaseEnd() });
  await matchReport({ report, mapping, lastNumber: await lastNumberOf(id), renew }, now);
  await compareBatches({ mid: midId, report: id, merchant: merchantId, now: now() });
  await markMatched({ id, now: now() });
  await explainLater(report, mapping);
}

/**
 * Matches what was missing here again, and searches what is missing at the provider. Returns how many lines were matched and
 * differences found.
 */
export async function explainLater({ midId, merchantId }: Pick<Report, 'midId' | 'merchantId'>, mapping: Mapping) {
  const matched = await matchMissing(midId, merchantId, mapping, now());
  const found = await findMissingAtProvider({ mid: midId, mapping, now: now() });
  await closeExplainedMissing(midId, now());
  return matched + found;
}
