/** The job that matches lines again whose transaction was missing: a payment may be approved after it was reported. */
import { statement } from '../db/index.ts';
import { findMapping } from './mapping.ts';
import { matchMissing } from './matching.ts';

const everyMs = 15 * 60_000;
let lastAt = 0;

const midsWithMissing = statement<object, { mid: string; merchant: string }>(
  'mids-with-missing-lines',
  `select distinct mid_id as mid, merchant_id as merchant from settlement_differences
    where kind = 'missing_here' and closed_at is null`,
);

/** Matches the missing lines of all MIDs, every quarter of an hour; returns how many were matched. */
export async function matchMissingLines(now: Date): Promise<number> {
  if (Math.abs(now.getTime() - lastAt) < everyMs) return 0;
  lastAt = now.getTime();
  let matched = 0;
  for (const { mid, merchant } of await midsWithMissing({})) {
    matched += await matchMissing(mid, merchant, (await findMapping(mid)).settings, now);
  }
  return matched;
}
