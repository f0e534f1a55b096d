// Copies of rows that the service has made: creating ten thousand schedules or twenty thousand callbacks by requests
// takes longer than the measurement.

import type { ClientBase } from 'pg';

const far = `now() + interval '1 day'`;
// Version 4 digits, because ids derive from ids and malformed ones are rejected.
const idFrom = (kind: string, column: string) =>
  `overlay(overlay(md5('${kind}' || made.${column} || i) placing '4' from 13) placing '8' from 17)::uuid`;
const idOf = (kind: string) => idFrom(kind, 'id');

// The columns that differ: SQL over the copy's number `i` and the row `made`. Ids derive from the ids of the row, so
// that copies reference one another.
const differences: Record<string, Record<string, string>> = {
  payments: {
    id: idOf('payment'),
    order_number: `made.order_number || '-' || i`,
    attempt_id: idFrom('transaction', 'attempt_id'),
  },
  transactions: { id: idOf('transaction'), payment_id: idFrom('payment', 'payment_id'), due_at: 'null' },
};

type Copies = { table: string; where: string; count: number; changes?: Record<string, string> };

/** Inserts copies of rows of a table. The client is a superuser's. */
export async function copyRows(database: ClientBase, { table, where, count, changes }: Copies) {
  const pairs = Object.entries({ ...differences[table], ...changes }).map(([name, sql]) => `'${name}', ${sql}`);
  await database.query('set session_replication_role = replica');
  await database.query(
    `insert into ${table} select (jsonb_populate_record(made, jsonb_build_object(${pairs.join(', ')}))).*
       from ${table} made, generate_series(1, ${count}) i where ${where}`,
  );
  await database.query('set session_replication_role = origin');
}

/** Copies a sale with its callback, due tomorrow; each copy's callback goes to another address. */
export async function copyCallbacks(
  database: ClientBase,
  { transId, addresses, count }: { transId: string; addresses: string[]; count: number },
) {
  const { rows } = await database.query('select payment_id from transactions where id = $1', [transId]);
  const paymentId: string = rows[0].payment_id;
  const address = `('{${addresses.join(',')}}'::text[])[1 + i % ${addresses.length}]`;
  await copyRows(database, { table: 'payments', where: `id = '${paymentId}'`, count });
  await copyRows(database, { table: 'transactions', where: `id = '${transId}'`, count });
  const waiting = { state: `'waiting'`, attempts: '0', due_at: far, claimed_at: 'null', delivered_at: 'null' };
  const changes = {
    id: idOf('callback'),
    payment_id: idFrom('payment', 'payment_id'),
    transaction_id: idFrom('transaction', 'transaction_id'),
    address,
    url: `${address} || '/callbacks'`,
    ...waiting,
  };
  await copyRows(database, { table: 'callbacks', where: `transaction_id = '${transId}'`, count, changes });
  await database.query('analyze payments, transactions, callbacks');
}

/** Copies a subscription with its chain, initial sale and card; each copy was due yesterday. */
export async function copySubscriptions(
  database: ClientBase,
  { transId, count }: { transId: string; count: number },
): Promise<string> {
  const { rows } = await database.query(
    `select c.token, c.payment_id, c.card_id from recurring_chains c where c.first_trans_id = $1`,
    [transId],
  );
  const { token, payment_id: paymentId, card_id: cardId } = rows[0];
  const cardCopy = idFrom('card', 'card_id');
  const paymentCopy = idFrom('payment', 'payment_id');
  const fingerprint = `'\\x' || encode(sha256((made.id::text || i)::bytea), 'hex')`;
  const chain = (of: string) => `${of} || '-' || i`;
  const copy = (table: string, where: string, changes: Record<string, string>) =>
    copyRows(database, { table, where, count, changes });
  await copy('cards', `id = '${cardId}'`, { id: idOf('card'), fingerprint });
  await copy('payments', `id = '${paymentId}'`, { card_id: cardCopy, recurring_token: chain('made.recurring_token') });
  await copy('transactions', `id = '${transId}'`, { card_id: cardCopy });
  await copy('recurring_chains', `token = '${token}'`, {
    token: chain('made.token'),
    payment_id: paymentCopy,
    first_trans_id: idFrom('transaction', 'first_trans_id'),
    card_id: cardCopy,
  });
  await copy('subscriptions', `chain_token = '${token}'`, {
    id: idOf('subscription'),
    chain_token: chain('made.chain_token'),
    payment_id: `case when made.payment_id is not null then ${paymentCopy} end`,
    first_date: `current_date - 1`,
    first_day: `extract(day from current_date - 1)`,
    due_at: far,
  });
  await database.query('analyze cards, payments, transactions, recurring_chains, subscriptions');
  return token;
}
