/**
 * Processes due look-ups (due-lookups.ts), most of them of providers' notifications. A row is removed once its look-up is
 * applied, so that a crash or an unavailable provider does not lose it.
 */
import { rowStep, statement } from '../db/index.ts';
import { newConcurrencyLimiter, roundMilliseconds } from '../jobs/index.ts';
import { log } from '../telemetry/index.ts';
import { handleProviderNotification } from './provider-sync.ts';
import { longestInterval, secondsSince } from './transitions.ts';

/** Longer than two look-ups take. Operations that follow have rows and leases of their own. */
const leaseSeconds = 35;
const batch = 50;
/** Concurrent look-ups of one process, limited per account so that one slow provider does not delay the others. */
const limiter = newConcurrencyLimiter('a notification', 500, { account: batch });

type Claimed = { id: string; number: number; polls: number; receivedAt: Date };

const claimSql = `due_at = :now::timestamptz + interval '${leaseSeconds} seconds', polls = polls + 1`;
const claimedColumns = 'transaction_id as id, number, polls, received_at as "receivedAt"';

const claimOne = statement<{ transactionId: string; now: Date }, Claimed>(
  'notification-claim',
  `update provider_notifications set ${claimSql} where transaction_id = :transactionId::uuid and due_at <= :now::timestamptz
   returning ${claimedColumns}`,
);

/** Processes the notification just stored for a transaction, unless another process has claimed it. */
export async function processNotification(transactionId: string, now: Date): Promise<void> {
  const [row] = await claimOne({ transactionId, now });
  if (row) await syncFromNotification(row, now);
}

type ClaimParams = { now: Date; limit: number; busyMids: string[] };
const claimDue = statement<ClaimParams, Claimed & { account: string }>(
  'notifications-due',
  `update provider_notifications set ${claimSql}
    where transaction_id in (select transaction_id from provider_notifications
                              where due_at <= :now::timestamptz and mid_id <> all(:busyMids::uuid[])
                              order by due_at limit :limit::int for update skip locked)
   returning ${claimedColumns}, mid_id as account`,
);

/** Processes due notifications; returns how many. Work over `waitMilliseconds` continues in the background. */
export function processDueNotifications(now: Date, waitMilliseconds = roundMilliseconds): Promise<number> {
  return limiter.claim(
    batch,
    (limit) => claimDue({ now, limit, busyMids: limiter.busy('account') }),
    ({ account, ...row }) => ({ keys: { account }, run: () => syncFromNotification(row, now) }),
    waitMilliseconds,
  );
}

const reschedule = rowStep(
  'notifications-reschedule',
  'number int, dueAt timestamptz',
  (from) => `update provider_notifications n set due_at = i.due_at from ${from}
     where n.transaction_id = i.id and n.number = i.number returning i.id`,
);

/** Between look-ups without a decision: longer than any call, later as long as before; the transaction is polled besides. */
const openSeconds = { least: 15 * 60, most: 6 * 3600 };

async function syncFromNotification({ id, number, polls, receivedAt }: Claimed, now: Date): Promise<void> {
  let result: Awaited<ReturnType<typeof handleProviderNotification>> = 'again';
  try {
    result = await handleProviderNotification(id, now);
  } catch (err) {
    log.error({ err, transaction: id }, 'a notification could not be processed');
  }
  if (result === 'done') return void (await deleteProcessed([{ id, number }]));
  const age = secondsSince(receivedAt, now);
  // Final transactions are not polled otherwise: every minute in the first hour after the first notification.
  const seconds =
    result === 'open'
      ? Math.min(Math.max(age, openSeconds.least), openSeconds.most)
      : Math.min(2 ** Math.min(polls + 1, 15), longestInterval(age, 60));
  await reschedule([{ id, number, dueAt: new Date(now.getTime() + seconds * 1000) }]);
}

// A notification that arrived meanwhile has another number and keeps its row.
const deleteProcessed = rowStep(
  'notifications-done',
  'number int',
  (from) => `delete from provider_notifications n using ${from}
     where n.transaction_id = i.id and n.number = i.number returning i.id`,
);
