/**
 * The defence against card testing. Approved and declined attempts are counted by card number, payer's address, BIN and
 * merchant in counters that the processes share (lib/risk/rate-limits.ts), so that an attempt costs a few additions and one
 * keyed hash. An attempt is counted when it becomes final, by the process whose commit ended it: its keys are stored with
 * it until then. While its provider call is in progress it counts for its card and address, in the process that calls. The
 * database is queried for a merchant's usual share of declines only while there are suspiciously many. Only numbers, and
 * security codes of stored cards, that a payer has typed count: not wallets, payouts, or charges without a payer. A blocked
 * attempt is not counted, so that every block ends by itself.
 */

import { env } from '../config/index.ts';
import type { CardData } from '../connectors/index.ts';
import {
  type AttemptCounts,
  blockText,
  type CardTestingBlock,
  type CardTestingKeys,
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

/** The decline of a blocked attempt: the contract's generic text, which reveals nothing to the tester. */
export const testingDecline: Decline = {
  code: 'card_testing',
  reason: 'Declined by processing',
  class: 'bank',
  soft: false,
};

const checkedOperations: readonly Payment['operation'][] = ['purchase', 'debit', 'transfer'];

/**
 * The counter keys of an attempt with a typed card; null if it is not checked. `address`: the payer's, where the payer's browser
 * sent the request. An address that the merchant names counts for this merchant alone: with made-up ones it could stop the
 * payers of others.
 */
export async function cardTestingKeys(
  { operation, merchantId, payer }: Payment,
  card: CardData,
  address: string | undefined,
): Promise<CardTestingKeys | null> {
  if (env.cardTesting === null || !checkedOperations.includes(operation)) return null;
  const named = payer.ip === undefined ? null : `${networkOf(payer.ip)} of ${merchantId}`;
  return {
    card: (await fingerprintHmac(`card testing ${card.number}`)).toString('base64url'),
    address: address === undefined ? named : networkOf(address),
    bin: card.number.slice(0, 6),
  };
}

/** Why an attempt is not sent to a provider, as a sentence; null if it may be sent. */
export async function cardTestingBlock(keys: CardTestingKeys, payment: Payment, now: Date): Promise<string | null> {
  const limits = env.cardTesting;
  return limits && findBlock(keys, payment, await isMerchantDefended(payment.merchantId, limits, now), limits);
}

function findBlock(
  keys: CardTestingKeys,
  { id: paymentId, merchantId, declines: session }: Payment,
  strict: boolean,
  limits: TestingLimits,
): string | null {
  const { card, address, bin } = counterKeys(keys, merchantId);
  const withProgress = (key: string) => ({ ...attemptCounts(key, limits), inProgress: inProgress.get(key) ?? 0 });
  const block = findCardTestingBlock(
    {
      session,
      card: withProgress(card),
      address: address === null ? null : withProgress(address),
      bin: attemptCounts(bin, limits),
      strict,
    },
    limits,
  );
  if (!block) return null;
  metrics.cardTesting.inc({ by: block.by });
  const { by, declines } = block;
  alertOnce(merchantId, by, limits, {
    payment: paymentId,
    declines: Math.round(declines),
    inProgress: block.inProgress,
  });
  return blockText(block, limits);
}

/** The attempts in progress in this process, by counter key. */
const inProgress = processWide('attemptsInProgress', () => new Map<string, number>());

/**
 * Starts an attempt's provider call, which is in progress until {@link endTestedCall}. False, and nothing is started, if
 * the attempt has to be blocked: many may have been prepared at once, each before another one was in progress.
 */
export function startTestedCall(keys: CardTestingKeys, payment: Payment): boolean {
  const limits = env.cardTesting;
  if (limits !== null && findBlock(keys, payment, false, limits) !== null) return false;
  addInProgress(keys, 1);
  return true;
}

/** Ends a started provider call, whatever its result. */
export const endTestedCall = (keys: CardTestingKeys): void => addInProgress(keys, -1);

function addInProgress(keys: CardTestingKeys, change: 1 | -1): void {
  const { card, address } = counterKeys(keys, '');
  for (const key of address === null ? [card] : [card, address]) {
    const count = (inProgress.get(key) ?? 0) + change;
    if (count > 0) inProgress.set(key, count);
    else inProgress.delete(key);
  }
}

/**
 * Counts an attempt that has become final. A blocked one did not reach a provider; an unreachable acquirer or an abandoned
 * payment says nothing about the card.
 */
export function countAttemptEnd(
  { merchantId }: Pick<Payment, 'merchantId'>,
  { testingKeys, status, declineClass, declineCode }: Transaction,
): void {
  const limits = env.cardTesting;
  if (!testingKeys || limits === null || (status !== 'success' && status !== 'fail')) return;
  const isAboutCard = declineClass === 'bank' || declineClass === 'funds' || declineClass === 'data';
  if (status === 'fail' && (!isAboutCard || declineCode === testingDecline.code)) return;
  const end = { hits: 1, bad: status === 'fail' ? 1 : 0 };
  const nowMs = Date.now();
  const add = (key: string, shareFrom: number) => addCounts(counterOf(limits), key, end, { bad: shareFrom }, nowMs);
  const { card, address, bin } = counterKeys(testingKeys, merchantId);
  // Nearly every card is used once and succeeds.
  addCountsAfterBad(counterOf(limits), card, end, { bad: 1 }, nowMs);
  if (address !== null) add(address, 1);
  add(bin, 2);
  add(merchantKey(merchantId), 5);
}

const counterKeys = ({ card, address, bin }: CardTestingKeys, merchantId: string) => ({
  card: `card ${card}`,
  address: address === null ? null : `address ${address}`,
  bin: `bin ${merchantId} ${bin}`,
});

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
