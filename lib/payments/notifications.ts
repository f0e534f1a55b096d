/**
 * Stores and processes providers' notifications. A notification is stored before it is acknowledged, and its row is
 * removed once its look-up is applied, so that a crash or an unavailable provider does not lose it.
 */
import { query } from '../db';
import { newConcurrencyLimiter, roundMilliseconds } from '../jobs';
import { log } from '../telemetry';
import { handleProviderNotification } from './provider-sync';

/** Longer than two look-ups take. Operations that follow have rows and leases of their own. */
const leaseSeconds = 35;
const batch = 50;
/** Concurrent look-ups of one process, limited per account so that one slow provider does not delay the others. */
const limiter = newConcurrencyLimiter('a notification', 500, { account: batch });

/**
 * Stores a notification of an account about one of its transactions, and marks the transaction as received by the
 * provider. False where the account has no such transaction.
 */
export async function storeNotification(transactionId: string, midId: string, now: Date): Promise<boolean> {
  const rows = await query(
    'notification-store',
    `with t as (
       select id, mid_id from transactions where id = $1::uuid and mid_id = $2::uuid
     ), heard as (
       update transactions set heard_at = $3::timestamptz from t where transactions.id = t.id and heard_at is null
     )
     insert into provider_notifications as n (transaction_id, mid_id, received_at, due_at)
     select id, mid_id, $3::timestamptz, $3::timestamptz from t
     on conflict (transaction_id) do update set number = n.number + 1, polls = 0, due_at = excluded.due_at
     returning transaction_id`,
    [transactionId, midId, now],
  );
  return rows.length > 0;
}

type Claimed = { transaction_id: string; number: number; polls: number };

const claimSql = `due_at = $1::timestamptz + interval '${leaseSeconds} seconds', polls = polls + 1`;

/** Processes the notification just stored for a transaction, unless another process has claimed it. */
export async function processNotification(transactionId: string, now: Date): Promise<void> {
  const [row] = await query<Claimed>(
    'notification-claim',
    `update provider_notifications set ${claimSql} where transaction_id = $2::uuid and due_at <= $1::timestamptz
     returning transaction_id, number, polls`,
    [now, transactionId],
  );
  if (row) await syncFromNotification(row, now);
}

/**
 * Claims and processes the notifications that are due; returns how many there were. Work that takes longer than
 * `waitMilliseconds` continues in the background.
 */
export async function processDueNotifications(now: Date, waitMilliseconds = roundMilliseconds): Promise<number> {
  const limit = Math.min(batch, limiter.free());
  if (limit === 0) return 0;
  const rows = await query<Claimed & { account: string }>(
    'notifications-due',
    `update provider_notifications set ${claimSql}
      where transaction_id in (select transaction_id from provider_notifications
                                where due_at <= $1::timestamptz and mid_id <> all($2::uuid[])
                                order by due_at limit $3::int for update skip locked)
     returning transaction_id, number, polls, mid_id as account`,
    [now, limiter.busy('account'), limit],
  );
  const tasks = rows.map(({ account, ...row }) => ({ keys: { account }, run: () => syncFromNotification(row, now) }));
  await limiter.start(tasks, waitMilliseconds);
  return rows.length;
}

async function syncFromNotification({ transaction_id: id, number, polls }: Claimed, now: Date): Promise<void> {
  try {
    if (await handleProviderNotification(id, now)) return await deleteNotification(id, number);
  } catch (err) {
    log.error({ err, transaction: id }, 'a notification could not be processed');
  }
  // Exponential backoff up to a minute: final transactions are not polled otherwise.
  const seconds = Math.min(2 * 2 ** Math.min(polls, 10), 60);
  await query(
    'notification-reschedule',
    'update provider_notifications set due_at = $3::timestamptz where transaction_id = $1::uuid and number = $2',
    [id, number, new Date(now.getTime() + seconds * 1000)],
  );
}

// A notification that arrived meanwhile has raised the number and keeps its row.
async function deleteNotification(id: string, number: number): Promise<void> {
  await query(
    'notification-done',
    'delete from provider_notifications where transaction_id = $1::uuid and number = $2',
    [id, number],
  );
}
