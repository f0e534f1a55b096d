/**
 * Imports a settlement report: the file is read once for its digest and once for its lines, which are stored without effect.
 * One statement makes them count after all are read; then they are matched. Each step can be repeated after a process was
 * killed, by importing the file again.
 */
import { isUuid, newId } from '../core/ids.ts';
import { now } from '../db/clock.ts';
import { inspect, type Open } from './encoding.ts';
import type { LineError } from './lines.ts';
import { findMapping, type Mapping } from './mapping.ts';
import { matchMissing, matchReport } from './matching.ts';
import { compareBatches, findMissingAtProvider } from './missing.ts';
import {
  deleteLines,
  findReport,
  lastNumberOf,
  markMatched,
  markRead,
  markRefused,
  openReport,
  type Report,
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

const linesPerStatement = 2_000;
const errorsMax = 1_000;
const dayMs = 86_400_000;

/** Imports a report. A repeat with the same file completes an interrupted import, and otherwise changes nothing. */
export async function importReport({ midId, name, open, by }: ImportRequest): Promise<ImportResult> {
  if (!isUuid(midId)) throw noMid();
  const { settings, version } = await findMapping(midId);
  const inspected = await inspect(open, settings.encoding);
  const opened = { id: newId(), midId, name: name.slice(0, 200), mappingVersion: version, importedBy: by };
  let report = await openReport({ ...opened, digest: inspected.digest, now: now() });
  if (!report) throw noMid();
  if (report.state === 'matched') {
    await explainLater(report, settings);
    return { kind: 'known', report };
  }
  if (report.state !== 'read') {
    if (report.state === 'refused' || report.mappingVersion !== version) {
      await deleteLines(report.id);
      await restartReport({ id: report.id, mappingVersion: version, by });
      report = { ...report, mappingVersion: version };
    }
    const errors = await stage(report, readRows(open, inspected, settings, latestDay()));
    if (errors !== null) {
      await markRefused(report.id, errors.count, errors.first);
      await deleteLines(report.id);
      return { kind: 'refused', report: await reread(report) };
    }
  }
  await complete(await reread(report), settings);
  return { kind: 'imported', report: await reread(report) };
}

// A provider may be a day ahead of UTC.
const latestDay = () => new Date(now().getTime() + dayMs).toISOString().slice(0, 10);

async function reread({ id }: Report): Promise<Report> {
  const found = await findReport(id, null);
  if (!found) throw new Error('the report was removed meanwhile');
  return found;
}

/** Stores the lines; once one cannot be read, the others are only checked. Returns the errors, null without any. */
async function stage(report: Report, rows: ReturnType<typeof readRows>) {
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
  for await (const row of rows) {
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
  if (!(await markRead(report, lines, now())) && (await reread(report)).state === 'staging') {
    throw new ImportRefusal('The file is being imported with another mapping. Import it again.');
  }
  return null;
}

/** Matches a report that is read, and everything that it may explain. */
async function complete(report: Report, mapping: Mapping): Promise<void> {
  const { id, midId, merchantId } = report;
  if (report.state !== 'read') return;
  await matchReport({ report, mapping, lastNumber: await lastNumberOf(id) }, now);
  await compareBatches({ mid: midId, report: id, merchant: merchantId, now: now() });
  await markMatched({ id, now: now() });
  await explainLater(report, mapping);
}

/** Matches what was missing here again, and searches what is missing at the provider. */
async function explainLater({ midId, merchantId }: Report, mapping: Mapping): Promise<void> {
  await matchMissing(midId, merchantId, mapping, now());
  const { toleranceDays, timeZone } = mapping;
  await findMissingAtProvider({ mid: midId, toleranceDays, timeZone, now: now() });
}
