/**
 * The defence against card testing. Finished attempts are counted by card number, payer's address, BIN and merchant in
 * counters that the processes share (lib/risk/rate-limits.ts), so that an attempt costs a few additions and one
 * keyed hash. The database is queried for a merchant's usual share of declines only while there are suspiciously many.
 * Only numbers typed by a payer count: not stored cards, wallets, payouts, or charges without a payer. A blocked
 * attempt is not counted, so that every block ends by itself.
 */

import { env } from '../config/index.ts';
import type { CardData } from '../connectors/index.ts';
import {
  type AttemptCounts,
  blockText,
  type CardTestingBlock,
  findCardTestingBlock,
  isDefenceActive,
  isUnderSuspicion,
  type TestingLimits,
} from '../core/card-testing.ts';
import type { Payment, Transaction } from '../core/payment.ts';
import type { Decline } from '../core/provider-data.ts';
import { networkOf, slidingCount } from '../core/rate-limits.ts';
import { attemptKindsSql, statement } from '../db/index.ts';
import { log, metrics } from '../telemetry/index.ts';
import { linkHmac } from '../vault/index.ts';
import { addCounts, addCountsAfterBad, getSlidingCounter, readCounts } from './rate-limits.ts';

/** The counter keys of an attempt. */
export type CardTestingKeys = { merchantId: string; card: string; address: string | null; bin: string };

/** The decline of a blocked attempt: the contract's generic text, which reveals nothing to the tester. */
export const testingDecline: Decline = {
  code: 'card_testing',
  reason: 'Declined by processing',
  class: 'bank',
  soft: false,
};

const checkedOperations: readonly Payment['operation'][] = ['purchase', 'debit', 'transfer'];

/** The counter keys of an attempt; null if it is not checked. `address` is the payer's. */
export async function cardTestingKeys(
  { operation, merchantId, payer }: Payment,
  instrument: object,
  address: string | undefined,
): Promise<CardTestingKeys | null> {
  if (env.cardTesting === null || !checkedOperations.includes(operation) || !hasTypedNumber(instrument)) return null;
  const from = address ?? payer.ip;
  return {
    merchantId,
    // A keyed hash of the number alone: guesses of dates and codes count for one card.
    card: `card ${(await linkHmac(`card testing ${instrument.number}`)).toString('base64url')}`,
    address: from === undefined ? null : `address ${networkOf(from)}`,
    bin: `bin ${merchantId} ${instrument.number.slice(0, 6)}`,
  };
}

const hasTypedNumber = (instrument: object): instrument is CardData => 'number' in instrument;

/** Why an attempt is not sent to a provider, as a sentence; null if it may be sent. */
export async function cardTestingBlock(keys: CardTestingKeys, payment: Payment, now: Date): Promise<string | null> {
  const limits = env.cardTesting;
  if (limits === null) return null;
  const { merchantId, address } = keys;
  const block = findCardTestingBlock(
    {
      session: payment.declines,
      card: attemptCounts(keys.card, limits),
      address: address === null ? null : attemptCounts(address, limits),
      bin: attemptCounts(keys.bin, limits),
      strict: await isMerchantDefended(merchantId, limits, now),
    },
    limits,
  );
  if (!block) return null;
  metrics.cardTesting.inc({ by: block.by });
  alertOnce(merchantId, block.by, limits, { payment: payment.id, declines: Math.round(block.declines) });
  return blockText(block, limits);
}

/** Counts the outcome of an attempt. An unreachable acquirer or an abandoned payment says nothing about the card. */
export function countAttemptResult(
  { card, address, bin, merchantId }: CardTestingKeys,
  { status, declineClass }: Transaction,
): void {
  const limits = env.cardTesting;
  if (limits === null) return;
  const isAboutCard = declineClass === 'bank' || declineClass === 'funds' || declineClass === 'data';
  const end = { hits: 1, bad: status === 'fail' && isAboutCard ? 1 : 0 };
  const nowMs = Date.now();
  const add = (key: string, shareFrom: number) => addCounts(counterOf(limits), key, end, { bad: shareFrom }, nowMs);
  // Nearly every card is used once and succeeds.
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

/** Whether a merchant's defence is active: many declines, far above its usual share. */
async function isMerchantDefended(merchantId: string, limits: TestingLimits, now: Date): Promise<boolean> {
  const ends = attemptCounts(merchantKey(merchantId), limits);
  const active =
    isUnderSuspicion(ends, limits) &&
    isDefenceActive(ends, await baselineDeclineShare(merchantId, limits, now), limits);
  if (active) {
    const [declines, attempts] = [Math.round(ends.declines), Math.round(ends.attempts)];
    if (alertOnce(merchantId, 'merchant', limits, { declines, attempts })) metrics.cardTesting.inc({ by: 'merchant' });
  }
  return active;
}

const alerted = new Map<string, number>();
const alertedMax = 10_000;

/** One log line per merchant, cause and period: an attack is one event. */
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
  const what = by === 'merchant' ? 'the card testing defence of a merchant is active' : 'card testing is blocked';
  log.error({ merchant, by, ...more }, `ALERT: ${what}`);
  return true;
}

// A sample per MID, read backwards along its index, of the month before the counted period.
const baselineOf = statement<
  { merchantId: string; before: Date; blockedCode: string },
  { attempts: number; declines: number }
>(
  'card-testing-baseline',
  `select count(*)::int as attempts, count(*) filter (where status = 'fail')::int as declines
  from mids m cross join lateral (
    select t.status from transactions t
     where t.mid_id = m.id and t.created_at < :before::timestamptz and t.created_at > :before::timestamptz - interval '30 days'
       and t.kind in ${attemptKindsSql('credit', 'recurring')} and t.status in ('success', 'fail')
       and t.decline_code is distinct from :blockedCode
     order by t.created_at desc limit 500) t
 where m.merchant_id = :merchantId`,
);

/** With fewer attempts the usual share is unknown. */
const sampleLeast = 50;
const baselineSeconds = 60;
const baselines = new Map<string, { until: number; share: Promise<number | null> }>();

/** The merchant's share of declines before; null if there were too few attempts. */
function baselineDeclineShare(merchantId: string, { minutes }: TestingLimits, now: Date): Promise<number | null> {
  const cached = baselines.get(merchantId);
  if (cached && cached.until > Date.now()) return cached.share;
  const before = new Date(now.getTime() - 2 * minutes * 60_000);
  const share = baselineOf({ merchantId, before, blockedCode: testingDecline.code }).then(([row]) =>
    row && row.attempts >= sampleLeast ? row.declines / row.attempts : null,
  );
  share.catch(() => baselines.delete(merchantId));
  if (baselines.size >= alertedMax) baselines.clear();
  baselines.set(merchantId, { until: Date.now() + baselineSeconds * 1000, share });
  return share;
}
