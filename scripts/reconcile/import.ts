// The work of `florin reconcile import` and `florin reconcile mapping`, on the process's settings.
import { z } from 'zod';
import { audit } from '../../lib/auth/index.ts';
import { isUuid } from '../../lib/core/ids.ts';
import { now } from '../../lib/db/clock.ts';
import { closeDatabase, prisma } from '../../lib/db/index.ts';
import {
  findMapping,
  ImportRefusal,
  importReport,
  mappingSchema,
  reportNameOf,
  resultsOf,
  saveMapping,
} from '../../lib/reconciliation/index.ts';

export { closeDatabase };

type Options = Parameters<typeof importReport>[0];

/** The result of an import, with the number of lines by result. Throws an Error for a file that is not imported at all. */
export async function importFile(options: Options) {
  const { merchantId } = await existingMid(options.midId);
  const entry = {
    actor: 'command',
    action: 'settlement_report.import' as const,
    subject: `mid:${options.midId}`,
    merchantId,
  };
  await audit({ ...entry, after: { name: reportNameOf(options.name) } }, now());
  try {
    const { kind, report } = await importReport(options);
    return { kind, report, results: await resultsOf(report.id) };
  } catch (thrown) {
    throw thrown instanceof ImportRefusal ? new Error(thrown.message) : thrown;
  }
}

async function existingMid(id: string) {
  const found = isUuid(id) ? await prisma().mid.findUnique({ where: { id } }) : null;
  if (!found) throw new Error('There is no such MID.');
  return found;
}

const shownMax = 100;

/** The lines that the command prints. */
export function importText({ kind, report, results }: Awaited<ReturnType<typeof importFile>>): string[] {
  if (kind === 'refused') {
    const shown = report.errors.slice(0, shownMax);
    return [
      ...shown.map(({ line, field, message }) => `line ${line}, ${field}: ${message}`),
      ...(report.errors.length > shown.length ? ['...'] : []),
      `${report.bad === 1 ? 'A line' : `${report.bad} lines`} cannot be read. Nothing was imported.`,
    ];
  }
  const head = kind === 'known' ? 'was imported before' : 'is imported';
  return [
    `The report ${head}: ${report.lines} lines, ${report.periodFrom ?? '-'} to ${report.periodTo ?? '-'}.`,
    ...Object.entries(results).map(([result, count]) => `${result.padEnd(18)} ${count}`),
  ];
}

/** The mapping as JSON. */
export async function printMapping(midId: string): Promise<string> {
  await existingMid(midId);
  return JSON.stringify((await findMapping(midId)).settings, null, 2);
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new Error('The mapping is not JSON.');
  }
}

/** Sets the mapping from JSON. Throws an Error that names what is wrong with it. */
export async function setMapping(midId: string, json: string): Promise<void> {
  const { merchantId } = await existingMid(midId);
  const read = mappingSchema.safeParse(parseJson(json));
  if (!read.success) throw new Error(z.prettifyError(read.error));
  const { settings: before, version } = await findMapping(midId);
  const entry = { actor: 'command', action: 'settlement_mapping.change' as const, subject: `mid:${midId}`, merchantId };
  await audit({ ...entry, before, after: read.data }, now());
  if (!(await saveMapping(midId, version, read.data, now()))) throw new Error('The mapping was changed meanwhile.');
}
