// The database of the server under test: statements on a test's own rows, every row as text, for tests of what must not be
// stored, and a locked row, for tests of a slow database.
import { Client } from 'pg';
import { serverSettings } from './vault.ts';

async function connected(url = serverSettings().DATABASE_URL): Promise<Client> {
  const client = new Client(url);
  await client.connect();
  return client;
}

/** Calls `work` with a connection to that database, or to another one. */
export async function onConnection<T>(work: (client: Client) => Promise<T>, url?: string): Promise<T> {
  const client = await connected(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Runs one statement; returns its rows as JSON, so that dates are texts. Throws the database's message. */
// biome-ignore lint/suspicious/noExplicitAny: the caller's statement decides the shape of the rows.
export function sql(text: string, values: unknown[] = []): Promise<any[]> {
  return onConnection(async (client) => JSON.parse(JSON.stringify((await client.query(text, values)).rows)));
}

/** A condition that is true: what its statement inserts is posted to no ledger, so that it can be deleted again. */
export const isUnposted = "set_config('session_replication_role', 'replica', true) = 'replica'";

/** All rows of all tables, one per line; bytes are hexadecimal. */
export function allRows(): Promise<string> {
  return onConnection(async (client) => {
    const tables = await client.query("select tablename from pg_tables where schemaname = 'public'");
    const lines: string[] = [];
    for (const { tablename } of tables.rows) {
      const { rows } = await client.query(`select row_to_json(t)::text as line from "${tablename}" t`);
      for (const { line } of rows) lines.push(line);
    }
    return lines.join('\n');
  });
}

/** Locks a payment's row like a slow statement. Resolves once it is locked, with the function that releases it. */
export async function lockRow(paymentId: string): Promise<() => Promise<void>> {
  const client = await connected();
  await client.query('begin');
  await client.query('select 1 from payments where id = $1 for update', [paymentId]);
  return () => client.end();
}

/** Locks the unresolved items of an order, calls `begin`, and unlocks them when `count` statements wait to close one. */
export async function closeAtOnce(order: string, count: number, begin: () => Promise<unknown>): Promise<void> {
  const client = await connected();
  await client.query('begin');
  const items = 'select u.id from unresolved u join payments p on p.id = u.payment_id where p.order_number = $1';
  await client.query(`${items} for update of u`, [order]);
  await begin();
  // On another connection: a transaction reads the activity once.
  const isWaiting = "wait_event_type = 'Lock' and query like '%update unresolved set closed_at%'";
  const waiting = () => sql(`select 1 from pg_stat_activity where ${isWaiting}`);
  for (let left = 100; left > 0 && (await waiting()).length < count; left -= 1) await pause(25);
  await client.end();
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Copies a payment under another id and order number, to test ids that rarely occur. */
export function copyPayment(paymentId: string, fresh: string, order: string): Promise<void> {
  return onConnection(async (client) => {
    await client.query('create temporary table copied as select * from payments where id = $1', [paymentId]);
    await client.query('update copied set id = $1, order_number = $2', [fresh, order]);
    const { rowCount } = await client.query('insert into payments select * from copied');
    if (rowCount !== 1) throw new Error(`payment ${paymentId} was not copied`);
  });
}

/** Calls `begin` while no row of a table can be written; releases the table after `milliseconds`. */
export async function whileUnwritable<T>(table: string, milliseconds: number, begin: () => Promise<T>): Promise<T> {
  const client = await connected();
  try {
    await client.query(`begin; lock table ${table} in share mode`);
    const begun = begin();
    await pause(milliseconds);
    await client.query('commit');
    return await begun;
  } finally {
    await client.end();
  }
}

/**
 * Takes a lock of the service, calls `begin`, and calls `meanwhile` with a connection when statements wait for the lock;
 * then commits. Returns what `begin` gives.
 */
export async function whileLocked<T>(
  lock: 'florin.audit' | 'florin.users',
  begin: () => Promise<T>,
  meanwhile: (client: Client) => Promise<unknown>,
): Promise<T> {
  const client = await connected();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock(hashtext($1))', [lock]);
    const begun = begin();
    const waiting = `select w.pid from pg_locks w join pg_locks h using (locktype, classid, objid, objsubid)
      where h.pid = $1 and locktype = 'advisory' and not w.granted order by w.pid`;
    const { rows } = await client.query('select pg_backend_pid() as pid');
    // Statements of other tests wait too: the one that was begun is among them once no more arrive.
    let known = '';
    // Prisma ends transactions that wait for 5 s.
    const until = performance.now() + 3000;
    for (let same = 0; same < 20 && performance.now() < until; ) {
      const found = JSON.stringify(await sql(waiting, [rows[0].pid]));
      same = found === known && found !== '[]' ? same + 1 : 0;
      known = found;
      await pause(25);
    }
    await meanwhile(client);
    await client.query('commit');
    return await begun;
  } finally {
    await client.end();
  }
}
