/** The list of settlement reports, one with its errors and results, and the upload of a file. */
import { z } from 'zod';
import { may } from '../../auth/index.ts';
import { isUuid } from '../../core/ids.ts';
import { pick } from '../../core/pick.ts';
import { prisma } from '../../db/index.ts';
import { findMidSettings } from '../../merchants/index.ts';
import {
  findReport,
  ImportRefusal,
  type ListedReport,
  listedColumns,
  receiveReport,
  reportNameOf,
  resultsOf,
} from '../../reconciliation/index.ts';
import { logAction } from '../changes.ts';
import { existing, invalid, notFound, parseBody, refusal, textLine } from '../errors.ts';
import type { DashboardRequest, PageContext } from '../guard.ts';
import { created, merchant } from '../lists/columns.ts';
import { choices, days, optionsOf } from '../lists/filters.ts';
import { resource } from '../lists/resource.ts';
import { reportStateLabels } from './labels.ts';

type Row = ListedReport & { merchantName: string; midName: string };

/** The list of imported reports. */
export const reports = resource({
  name: 'reports',
  title: 'Settlement reports',
  right: 'reconciliation.read',
  nouns: ['report', 'reports'],
  search: 'File name',
  find: (text, add) =>
    `r.name ilike '%' || replace(replace(replace(${add(text)}::text, '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%'`,
  filters: [
    choices('state', 'State', optionsOf(reportStateLabels), (values, add) => `r.state = any(${add(values)}::text[])`),
    days('Imported', 'imported'),
  ],
  columns: [
    { id: 'name', head: 'File', width: '30%' },
    { id: 'midName', head: 'MID' },
    { id: 'period', head: 'Days', hideOnPhone: true },
    { id: 'lines', head: 'Lines', align: 'end', width: 100 },
    { id: 'state', head: 'State', labels: reportStateLabels, width: 132 },
    ...[merchant, created('Imported')],
  ],
  rowName: '{name}',
  empty: {
    title: 'No settlement reports',
    texts: [
      'Upload the report of a provider as CSV, or import it by `florin reconcile import`. Nothing is imported of a file with a line that cannot be read.',
    ],
  },
  source: {
    columns: `${listedColumns}, m.name as "merchantName", i.name as "midName"`,
    from: 'settlement_reports r join merchants m on m.id = r.merchant_id join mids i on i.id = r.mid_id',
    at: 'r.created_at',
    id: 'r.id',
    merchant: 'r.merchant_id',
  },
  toRow: (row: Row) => ({
    ...pick(row, 'id', 'name', 'state', 'lines', 'bad', 'midId', 'midName', 'merchantName', 'createdAt', 'matchedAt'),
    period: periodOf(row),
  }),
});

const periodOf = ({ periodFrom: from, periodTo: to }: ListedReport) => (from === to ? from : `${from} to ${to}`);

const errorsShown = 100;

/** A report with the lines that cannot be read, and the number of lines by result. */
export async function reportPage({ params, scope, viewer }: PageContext) {
  const id = params.id ?? '';
  if (!isUuid(id)) throw notFound();
  const report = existing(await findReport(id, scope));
  return {
    ...pick(report, 'id', 'name', 'state', 'lines', 'bad', 'midId', 'createdAt', 'matchedAt'),
    period: periodOf(report),
    errors: report.errors.slice(0, errorsShown),
    results: await resultsOf(id),
    mayChangeMapping: may(viewer.role, 'settings.change'),
  };
}

/** Room for about 20,000 lines; larger files are imported by the command. */
export const reportBytesMax = 2 * 1024 * 1024;

const uploadInput = z.object({
  midId: z.string('Choose a MID.').refine(isUuid, 'Choose a MID.'),
  name: textLine(200).min(1, 'The file has no name.'),
  file: z
    .base64('The file is not Base64.')
    .max(Math.ceil((reportBytesMax * 4) / 3) + 4, 'The file has more than 2 MB.'),
});

/** Stores an uploaded file, which a job matches; returns the report, also one that is refused because of its lines. */
export async function uploadAction(request: DashboardRequest) {
  const { midId, file, ...input } = parseBody(uploadInput, request.body);
  const name = reportNameOf(input.name);
  const mid = await findMidSettings(midId, request.scope);
  if (!mid) throw invalid({ midId: 'This MID does not exist.' });
  const { merchantId } = mid;
  await logAction(request, 'settlement_report.import', `mid:${mid.id}`, { merchantId, after: { name } });
  const bytes = Buffer.from(file, 'base64');
  const open = async function* () {
    yield bytes;
  };
  try {
    const { kind, report } = await receiveReport({ midId, name, open, by: `user:${request.viewer.id}` });
    return { kind, report: await reportPage({ ...request, params: { id: report.id } }) };
  } catch (thrown) {
    throw thrown instanceof ImportRefusal ? refusal(thrown.message) : thrown;
  }
}

const midsMax = 500;

/** The MIDs that the upload offers, and whether the user may upload. */
export async function uploadChoices({ scope, viewer }: PageContext) {
  const where = scope === null ? {} : { merchantId: scope };
  const select = { id: true, name: true, merchant: { select: { name: true } } };
  const mids = await prisma().mid.findMany({ where, select, orderBy: { name: 'asc' }, take: midsMax });
  const nameOf = ({ name, merchant: { name: owner } }: (typeof mids)[number]) =>
    scope === null ? `${name}, ${owner}` : name;
  return {
    mids: mids.map((mid) => ({ id: mid.id, name: nameOf(mid) })),
    mayUpload: may(viewer.role, 'reconciliation.write'),
  };
}
