// florin audit check: verifies the chain of the audit log under the key of this deployment, and compares the log with anchors
// that left the service before.
import { readFileSync } from 'node:fs';
import { completeSettings } from '../project.ts';
import { defineCommand, UsageError } from './command.ts';

export const auditCheck = defineCommand({
  usage: `florin audit check [--anchors FILE] [--anchor ENTRY:HASH]
    --anchors FILE         exported security events or anchors, one JSON object a line; - reads standard input
    --anchor ENTRY:HASH    an entry and its hash in hexadecimal, as the dashboard copies it
Ends with 1 if an entry was changed, is missing or differs from an anchor.`,
  options: { anchors: { type: 'string' }, anchor: { type: 'string' } },
  run: async ({ anchors: file, anchor }) => {
    const typed = anchor === undefined ? null : /^(\d{1,18}):([0-9a-f]{64})$/i.exec(anchor);
    if (anchor !== undefined && !typed)
      throw new UsageError('--anchor is the number of an entry, a colon and its hash.');
    const lines = file === undefined ? null : readFileSync(file === '-' ? 0 : file, 'utf8');
    const end = await completeSettings(2);
    const { checkAuditLog, readAnchors, closeDatabase } = await import('../audit/check.ts');
    try {
      const exported = lines === null ? [] : readAnchors(lines);
      if (lines !== null && exported.length === 0) throw new UsageError('The file of --anchors has no anchor.');
      const [, last = '', hash = ''] = typed ?? [];
      const own = typed ? [{ last: BigInt(last), head: Buffer.from(hash, 'hex').toString('base64url') }] : [];
      return printCheck(await checkAuditLog([...exported, ...own]), exported.length + own.length);
    } finally {
      await closeDatabase();
      await end();
    }
  },
});

type Check = Awaited<ReturnType<typeof import('../audit/check.ts')['checkAuditLog']>>;

function printCheck(check: Check, given: number): number {
  const { entries, keyedSince, last, brokenAt, broken, lost, cutAt, anchors, unverified } = check;
  console.log(
    `${entries} entries, ${keyedSince ? `with a keyed hash since ${keyedSince.toISOString()}` : 'none with a keyed hash'}.`,
  );
  if (lost)
    console.log(
      `The key of ${lost.entries} entries before ${lost.until.toISOString()} was lost: their order is verified, their content only where --anchors has their events.`,
    );
  if (given > 0) console.log(`${anchors} of ${given} anchors agree with the log.`);
  if (unverified > 0)
    console.log(`Of these, ${unverified} cannot be verified as anchors of this service, because their key was lost.`);
  if (brokenAt) {
    const { id, at, why } = brokenAt;
    console.log(`Entry ${id} of ${at.toISOString()} is broken: ${reasons[why]}. Broken entries: ${broken}.`);
  }
  if (cutAt)
    console.log(`Entries are missing at the end: ${cutAt.by} had entry ${cutAt.id}, the last one is ${last?.id ?? 0}.`);
  if (brokenAt || cutAt) return 1;
  const head = last && Buffer.from(last.head, 'base64url').toString('hex');
  console.log(last ? `The chain is intact. Its last entry is ${last.id}:${head}` : 'The log is empty.');
  return 0;
}

const reasons: Record<NonNullable<Check['brokenAt']>['why'], string> = {
  altered: 'its hash does not match its content',
  'missing before': 'the entry before it was changed or removed',
  'without key': 'it has no keyed hash, but an earlier entry has one',
  'unknown key': 'its key is not that of this deployment',
  'older key': 'its key had been replaced',
  'other than its anchor': 'it differs from its anchor',
};
