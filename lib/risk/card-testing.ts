/**
 * The defence against card testing. Approved and declined attempts are counted by card number, payer's address, BIN and
 * merchant in counters that the processes share (lib/risk/rate-limits.ts), so that an attempt costs a few additions and one
 * keyed hash. An attempt is counted when it becomes final, by the process that started it, which keeps its counter keys
 * until then; while its provider call is in progress it counts for its card and address. The database is queried for a
 * merchant's usual share of declines only while there are suspiciously many. Only numbers, and security codes of
 * stored cards, that a payer has typed count: not wallets, payouts, or charges without a payer. A blocked attempt is not
 * counted, so that every block ends by itself.
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
import { processWide } from '../core/process-wide.ts';
import type { Decline } from '../core/provider-data.ts';
import { networkOf, slidingCount } from '../core/rate-limits.ts';
import { attemptKindsSql, statement } from '../db/index.ts';
import { log, metrics } from '../telemetry/index.ts';
import { fingerprintHmac } from '../vault/index.ts';
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

/** The counter keys of an attempt with a typed card; null if it is not checked. `address` is the payer's. */
export async function cardTestingKeys(
  { operation, merchantId, payer }: Payment,
  card: CardData,
  address: string | undefined,
): Promise<CardTestingKeys | null> {
  if (env.cardTesting === null || !checkedOperations.includes(operation)) return null;
  const from = address ?? payer.ip;
  return {
    merchantId,
    // A keyed hash of the number alone: guesses of dates and codes count for one card.
    card: `card ${(await fingerprintHmac(`card testing ${card.number}`)).toString('base64url')}`,
    address: from === undefined ? null : `address ${networkOf(from)}`,
    bin: `bin ${merchantId} ${card.number.slice(0, 6)}`,
  };
}

/** Why an attempt is not sent to a provider, as a sentence; null if it may be sent. */
export async function cardTestingBlock(keys: CardTestingKeys, payment: Payment, now: Date): Promise<string | null> {
  const limits = env.cardTesting;
  return limits && findBlock(keys, payment, await isMerchantDefended(keys.merchantId, limits, now), limits);
}

function findBlock(
  { merchantId, card, address, bin }: CardTestingKeys,
  payment: Payment,
  strict: boolean,
  limits: TestingLimits,
): string | null {
  const withProgress = (key: string) => ({
    ...attemptCounts(key, limits),
    inProgress: started.inProgress.get(key) ?? 0,
  });
  const block = findCardTestingBlock(
    {
      session: payment.declines,
      card: withProgress(card),
      address: address === null ? null : withProgress(address),
      bin: attemptCounts(bin, limits),
      strict,
    },
    limits,
  );
  if (!block) return null;
  metrics.cardTesting.inc({ by: block.by });
  const { by, declines, inProgress } = block;
  alertOnce(merchantId, by, limits, { payment: payment.id, declines: Math.round(declines), inProgress });
  return blockText(block, limits);
}

type Started = CardTestingKeys & { startedAtMs: number; isInProgress: boolean };

/** The started attempts that are not final, oldest first, and the attempts in progress by counter key. */
const started = processWide('startedAttempts', () => ({
  attempts: new Map<string, Started>(),
  inProgress: new Map<string, number>(),
}));
const startedMax = 100_000;
/** Longer than a payer may take at the bank's page. */
const startedMilliseconds = 2 * 3_600_000;

/**
 * Starts an attempt: its provider call is in progress until {@link endTestedCall}. False, and nothing is started, if it has
 * to be blocked: many may have been prepared at once, each before another one was in progress.
 */
export function startTestedAttempt(attemptId: string, keys: CardTestingKeys, payment: Payment): boolean {
  const limits = env.cardTesting;
  if (limits === null) return true;
  if (findBlock(keys, payment, false, limits) !== null) return false;
  const startedAtMs = Date.now();
  for (const [id, oldest] of started.attempts) {
    if (started.attempts.size < startedMax && startedAtMs - oldest.startedAtMs < startedMilliseconds) break;
    endTestedCall(id);
    started.attempts.delete(id);
  }
  started.attempts.set(attemptId, { ...keys, startedAtMs, isInProgress: true });
  addInProgress(keys, 1);
  return true;
}

/** Ends the provider call of a started attempt, whatever its result. */
export function endTestedCall(attemptId: string): void {
  const attempt = started.attempts.get(attemptId);
  if (!attempt?.isInProgress) return;
  attempt.isInProgress = false;
  addInProgress(attempt, -1);
}

function addInProgress({ card, address }: CardTestingKeys, change: 1 | -1): void {
  for (const key of address === null ? [card] : [card, address]) {
    const count = (started.inProgress.get(key) ?? 0) + change;
    if (count > 0) started.inProgress.set(key, count);
    else started.inProgress.delete(key);
  }
}

/**
 * Counts an attempt that has become final, if this process started it. An unreachable acquirer or an abandoned payment says
 * nothing about the card.
 */
export function countAttemptEnd({ id, attemptId, status, declineClass }: Transaction): void {
  // A failover continues the attempt by another transaction.
  const startedId = attemptId ?? id;
  const keys = started.attempts.get(startedId);
  const limits = env.cardTesting;
  if (!keys || limits === null || (status !== 'success' && status !== 'fail')) return;
  endTestedCall(startedId);
  started.attempts.delete(startedId);
  const isAboutCard = declineClass === 'bank' || declineClass === 'funds' || declineClass === 'data';
  if (status === 'fail' && !isAboutCard) return;
  const end = { hits: 1, bad: status === 'fail' ? 1 : 0 };
  const nowMs = Date.now();
  const add = (key: string, shareFrom: number) => addCounts(counterOf(limits), key, end, { bad: shareFrom }, nowMs);
  // Nearly every card is used once and succeeds.
  addCountsAfterBad(counterOf(limits), keys.card, end, { bad: 1 }, nowMs);
  if (keys.address !== null) add(keys.address, 1);
  add(keys.bin, 2);
  add(merchantKey(keys.merchantId), 5);
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
