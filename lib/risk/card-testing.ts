/**
 * The defence against card testing at the door of an attempt. Ends of attempts are counted by card number, payer's address,
 * BIN and merchant in counts that the processes share (lib/risk/sliding-counter.ts), so that an honest sale pays a few additions and
 * one keyed hash for it; what a merchant's declines usually are is asked of the database only while they are suspiciously
 * many. Counted are numbers that a payer has typed: not kept cards, wallets, payouts, or charges without a payer. An attempt
 * that is stopped is not counted, so that every stop ends by itself.
 */

import { env } from '../config';
import type { CardData } from '../connectors';
import {
  type AttemptCounts,
  blockText,
  type CardTestingBlock,
  findCardTestingBlock,
  isDefenceActive,
  isUnderSuspicion,
  type TestingLimits,
} from '../core/card-testing';
import type { Payment, Transaction } from '../core/payment';
import type { Decline } from '../core/provider-data';
import { networkOf, slidingCount } from '../core/rate-limits';
import { attemptKindsSql, query } from '../db';
import { log, metrics } from '../telemetry';
import { linkHmac } from '../vault';
import { addCounts, addCountsAfterBad, getSlidingCounter, readCounts } from './sliding-counter';

/** What an attempt is counted under. */
export type CardTestingKeys = { merchantId: string; card: string; address: string | null; bin: string };

/** What the merchant is told of an attempt that was stopped: the contract's own words, which tell a tester nothing. */
export const testingDecline: Decline = {
  code: 'card_testing',
  reason: 'Declined by processing',
  class: 'bank',
  soft: false,
};

const checkedOperations: readonly Payment['operation'][] = ['purchase', 'debit', 'transfer'];

/** What to count an attempt under; null for one that is none of a card tester's. `address` is the payer's. */
export async function cardTestingKeys(
  { operation, merchantId, payer }: Payment,
  means: object,
  address: string | undefined,
): Promise<CardTestingKeys | null> {
  if (env.cardTesting === null || !checkedOperations.includes(operation) || !hasTypedNumber(means)) return null;
  const from = address ?? payer.ip;
  return {
    merchantId,
    // Keyed, and by the number alone: who guesses dates and codes tries one card.
    card: `card ${(await linkHmac(`card testing ${means.number}`)).toString('base64url')}`,
    address: from === undefined ? null : `address ${networkOf(from)}`,
    bin: `bin ${merchantId} ${means.number.slice(0, 6)}`,
  };
}

const hasTypedNumber = (means: object): means is CardData => 'number' in means;

/** Why an attempt is not sent to anybody, as a sentence; null where it may go out. */
export async function cardTestingBlock(watched: CardTestingKeys, payment: Payment, now: Date): Promise<string | null> {
  const limits = env.cardTesting;
  if (limits === null) return null;
  const { merchantId, address } = watched;
  const stop = findCardTestingBlock(
    {
      session: payment.declines,
      card: attemptCounts(watched.card, limits),
      address: address === null ? null : attemptCounts(address, limits),
      bin: attemptCounts(watched.bin, limits),
      strict: await isMerchantDefended(merchantId, limits, now),
    },
    limits,
  );
  if (!stop) return null;
  metrics.cardTesting.inc({ by: stop.by });
  alertOnce(merchantId, stop.by, limits, { payment: payment.id, declines: Math.round(stop.declines) });
  return blockText(stop, limits);
}

/** Counts what became of an attempt. An acquirer that could not be reached, or a payer who gave up, says nothing of a card. */
export function countAttemptResult(
  { card, address, bin, merchantId }: CardTestingKeys,
  { status, declineClass }: Transaction,
): void {
  const limits = env.cardTesting;
  if (limits === null) return;
  const says = declineClass === 'bank' || declineClass === 'funds' || declineClass === 'data';
  const end = { hits: 1, bad: status === 'fail' && says ? 1 : 0 };
  const nowMs = Date.now();
  const add = (key: string, tellFrom: number) => addCounts(counterOf(limits), key, end, { bad: tellFrom }, nowMs);
  // Nearly every card is tried once and pays.
  addCountsAfterBad(counterOf(limits), card, end, { bad: 1 }, nowMs);
  if (address !== null) add(address, 1);
  add(bin, 2);
  add(merchantKey(merchantId), 5);
}

const merchantKey = (merchantId: string) => `merchant ${merchantId}`;
const counterOf = ({ minutes }: TestingLimits) => getSlidingCounter('testing', minutes * 60);

function attemptCounts(key: string, limits: TestingLimits): AttemptCounts {
  const { hits, bad } = readCounts(counterOf(limits), key, Date.now());
  return { attempts: slidingCount(hits), declines: slidingCount(bad) };
}

/** Whether a merchant is under attack as a whole: many declines, far above what is usual there. */
async function isMerchantDefended(merchantId: string, limits: TestingLimits, now: Date): Promise<boolean> {
  const ends = attemptCounts(merchantKey(merchantId), limits);
  const stands =
    isUnderSuspicion(ends, limits) &&
    isDefenceActive(ends, await baselineDeclineShare(merchantId, limits, now), limits);
  if (stands) {
    const [declines, attempts] = [Math.round(ends.declines), Math.round(ends.attempts)];
    if (alertOnce(merchantId, 'merchant', limits, { declines, attempts })) metrics.cardTesting.inc({ by: 'merchant' });
  }
  return stands;
}

const alerted = new Map<string, number>();
const alertedMax = 10_000;

/** One line per merchant, cause and stretch of time: an attack is one event, not thousands. */
function alertOnce(
  merchant: string,
  by: CardTestingBlock['by'] | 'merchant',
  { minutes }: TestingLimits,
  more: object,
): boolean {
  const name = `${merchant} ${by}`;
  const nowMs = Date.now();
  if ((alerted.get(name) ?? 0) > nowMs) return false;
  if (alerted.size >= alertedMax) alerted.clear();
  alerted.set(name, nowMs + minutes * 60_000);
  const what = by === 'merchant' ? 'the defence of a merchant against card testing stands' : 'card testing is stopped';
  log.error({ merchant, by, ...more }, `ALERT: ${what}`);
  return true;
}

// A sample per account, walked backwards along its index, of the month before the counts begin. Payouts and charges of chains
// type no card.
const baselineSql = `
select count(*)::int as attempts, count(*) filter (where status = 'fail')::int as declines
  from mids m cross join lateral (
    select t.status from transactions t
     where t.mid_id = m.id and t.created_at < $2::timestamptz and t.created_at > $2::timestamptz - interval '30 days'
       and t.kind in ${attemptKindsSql('credit', 'recurring')} and t.status in ('success', 'fail')
       and t.decline_code is distinct from $3
     order by t.created_at desc limit 500) t
 where m.merchant_id = $1`;

/** Fewer attempts than these are no usual. */
const sampleLeast = 50;
const baselineSeconds = 60;
const baselines = new Map<string, { until: number; share: Promise<number | null> }>();

/** The share of declines among the merchant's attempts before; null where there were too few to say. */
function baselineDeclineShare(merchantId: string, { minutes }: TestingLimits, now: Date): Promise<number | null> {
  const known = baselines.get(merchantId);
  if (known && known.until > Date.now()) return known.share;
  const before = new Date(now.getTime() - 2 * minutes * 60_000);
  const share = query<{ attempts: number; declines: number }>('card-testing-baseline', baselineSql, [
    merchantId,
    before,
    testingDecline.code,
  ]).then(([row]) => (row && row.attempts >= sampleLeast ? row.declines / row.attempts : null));
  share.catch(() => baselines.delete(merchantId));
  if (baselines.size >= alertedMax) baselines.clear();
  baselines.set(merchantId, { until: Date.now() + baselineSeconds * 1000, share });
  return share;
}
