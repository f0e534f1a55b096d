/**
 * Providers' notifications as rows. A notification is stored before it is acknowledged and its row is removed once the look-up
 * that it asks for has succeeded and was written down, so that no kill and no silent provider loses it.
 */
import { query } from '../db';
import { newConcurrencyLimiter, roundMilliseconds } from '../jobs';
import { log } from '../telemetry';
import { handleProviderNotification } from './sync';

/** Longer than a look-up takes, also where it is asked twice. What follows on it has rows and leases of its own. */
const leaseSeconds = 35;
const batch = 50;
/** What one process looks up at a time: an account whose provider hangs keeps nobody else's notifications back. */
const limiter = newConcurrencyLimiter('a notification', 500, { account: batch });

/**
 * Stores a notification of an account about one of its own transactions, and notes that the provider has received the
 * transaction. False where the account has no such transaction.
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

/** Looks a transaction up about which a notification has just been stored, unless another process does already. */
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
 * Looks up what notifications have asked for and no look-up has answered yet; returns how many there were. What takes longer
 * than `patience` milliseconds goes on in the background.
 */
export async function processDueNotifications(now: Date, patience = roundMilliseconds): Promise<number> {
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
  const pieces = rows.map(({ account, ...row }) => ({ keys: { account }, run: () => syncFromNotification(row, now) }));
  await limiter.start(pieces, patience);
  return rows.length;
}

async function syncFromNotification({ transaction_id: id, number, polls }: Claimed, now: Date): Promise<void> {
  try {
    if (await handleProviderNotification(id, now)) return await deleteNotification(id, number);
  } catch (err) {
    log.error({ err, transaction: id }, 'a notification could not be worked on');
  }
  // At once first, then ever more rarely, up to a minute: of a final transaction nothing else asks.
  const seconds = Math.min(2 * 2 ** Math.min(polls, 10), 60);
  await query(
    'notification-reschedule',
    'update provider_notifications set due_at = $3::timestamptz where transaction_id = $1::uuid and number = $2',
    [id, number, new Date(now.getTime() + seconds * 1000)],
  );
}

// A notification that came meanwhile has raised the number and is looked up by itself.
async function deleteNotification(id: string, number: number): Promise<void> {
  await query(
    'notification-done',
    'delete from provider_notifications where transaction_id = $1::uuid and number = $2',
    [id, number],
  );
}
