/**
 * Stores look-ups that have to be made: a notification before it is acknowledged, and a comparison that has to be repeated.
 * A transaction has one row at most (`provider_notifications`); notifications.ts processes it.
 */
import { rowStep } from '../db/index.ts';
import { notifyJob } from '../db/notify-job.ts';

/**
 * SQL that inserts look-ups from rows `id, mid_id, at`. A row that is stored again has another number, so that an earlier
 * look-up does not remove it.
 */
export const insertLookupSql = (
  rows: string,
) => `insert into provider_notifications as n (transaction_id, mid_id, received_at, due_at)
   select id, mid_id, at, at from (${rows}) rows
   on conflict (transaction_id) do update set number = excluded.number, polls = 0, due_at = excluded.due_at
   returning transaction_id as id`;

const insertNotification = rowStep(
  'notifications-store',
  'midId uuid, versions int[], at timestamptz',
  (from) => `with t as (
     select t.id, t.mid_id, i.at from ${from} join transactions t on t.id = i.id and t.mid_id = i.mid_id
      and (i.versions is null or t.settings_version = any(i.versions))
   ), heard as (
     update transactions set heard_at = t.at from t where transactions.id = t.id and heard_at is null
   )
   ${insertLookupSql('select id, mid_id, at from t')}`,
);

/**
 * Stores an account's notification and marks its transaction as received; false where there is none. `versions`: those of the
 * account's settings to which the transaction must belong; null for any.
 */
export async function storeNotification(
  transactionId: string,
  midId: string,
  versions: readonly number[] | null,
  now: Date,
): Promise<boolean> {
  return (await insertNotification([{ id: transactionId, midId, versions, at: now }]))[0] !== null;
}

const insertLookup = rowStep('lookups-store', 'at timestamptz', (from) =>
  insertLookupSql(`select t.id, t.mid_id, i.at from ${from} join transactions t on t.id = i.id`),
);

/** Has a transaction looked up and compared again. */
export async function requestLookup(transactionId: string, now: Date): Promise<void> {
  await insertLookup([{ id: transactionId, at: now }]);
  notifyJob('notifications');
}
