/**
 * How often payers of a merchant recently succeeded with each method, for the order of the list. One read of the latest
 * transactions of its MIDs by their index, kept for minutes; a failure of the read changes nothing but the order.
 */
import { processWide } from '../core/process-wide.ts';
import { statement } from '../db/index.ts';
import { log } from '../telemetry/index.ts';

/** Transactions that are read of each MID. */
const readMax = 500;

/** With fewer successes than this, a few payers would decide the order. */
const successesMin = 50;

const keptMinutes = 10;
const keptMax = 1000;

type Successes = ReadonlyMap<string, number>;

const countSuccesses = statement<{ mids: readonly string[]; readMax: number }, { method: string; successes: number }>(
  'method-successes',
  `SELECT recent.method, count(*)::int AS successes
   FROM unnest(:mids::uuid[]) AS mid (id)
   CROSS JOIN LATERAL (
     SELECT method, kind, status FROM transactions
     WHERE mid_id = mid.id ORDER BY created_at DESC LIMIT :readMax
   ) AS recent
   WHERE recent.status = 'success' AND recent.kind IN ('sale', 'authorize', 'debit')
   GROUP BY recent.method`,
);

const cache = processWide('method-successes', () => new Map<string, { until: number; value: Promise<Successes> }>());

/** The recent successful payments by method; empty for a merchant with too few. */
export function recentSuccesses(merchantId: string, mids: readonly { id: string }[], now: Date): Promise<Successes> {
  const known = cache.get(merchantId);
  if (known && known.until > now.getTime()) return known.value;
  if (cache.size >= keptMax) cache.clear();
  const value = readSuccesses(mids.map(({ id }) => id));
  cache.set(merchantId, { until: now.getTime() + keptMinutes * 60_000, value });
  return value;
}

async function readSuccesses(mids: readonly string[]): Promise<Successes> {
  try {
    const rows = await countSuccesses({ mids, readMax });
    const total = rows.reduce((sum, { successes }) => sum + successes, 0);
    return new Map(total < successesMin ? [] : rows.map(({ method, successes }) => [method, successes]));
  } catch (err) {
    log.warn({ err }, 'the order of the methods is without past payments');
    return new Map();
  }
}
