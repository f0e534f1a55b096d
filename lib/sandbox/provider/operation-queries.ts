// Statements of the sandbox provider's operations. Every change names the version it read, so that of two concurrent
// changes one wins; inserts rely on the unique key, so that no call moves money twice.
import { randomUUID } from 'node:crypto';
import { query } from '../../db';
import { claimFault, type Fault, faultColumns } from './injected-faults';
import type { Change, NewOperation, Notification, Operation } from './operation-row';

const columns = `id, account, key, kind, original_id as "originalId", fingerprint, operation, method,
  order_number as "orderNumber", descriptor, currency, amount_minor as "amountMinor", status, card_mask as "cardMask",
  scenario, facts, decline, first_answer as "firstAnswer", return_url as "returnUrl", notify_url as "notifyUrl",
  wrong_codes as "wrongCodes", version, calls, captured_minor as "capturedMinor", captured_at as "capturedAt",
  refunded_minor as "refundedMinor", voided_at as "voidedAt", due_at as "dueAt", created_at as "createdAt"`;

const inserted = `insert into sim_operations (id, account, key, kind, original_id, fingerprint, operation, method,
  order_number, descriptor, currency, amount_minor, status, card_mask, scenario, facts, decline, first_answer,
  return_url, notify_url, captured_minor, captured_at, due_at, created_at)
  select $1::uuid, $2, $3, $4, $5::uuid, $6, $7, $8, $9, $10, $11, $12::bigint, $13, $14, $15::jsonb, $16::jsonb,
  $17::jsonb, $18::jsonb, $19, $20, $21::bigint, $22::timestamptz, $23::timestamptz, $24::timestamptz`;

function insertValues(made: NewOperation): unknown[] {
  const taken = made.kind === 'payment' && made.status === 'approved';
  return [
    made.id,
    made.account,
    made.key,
    made.kind,
    made.originalId ?? null,
    made.fingerprint,
    made.operation ?? null,
    made.method ?? null,
    made.orderNumber ?? '',
    made.descriptor ?? '',
    made.currency,
    made.amountMinor,
    made.status,
    made.cardMask ?? null,
    JSON.stringify(made.scenario ?? {}),
    JSON.stringify(made.facts ?? {}),
    made.decline ? JSON.stringify(made.decline) : null,
    JSON.stringify(made.firstAnswer),
    made.returnUrl ?? null,
    made.notifyUrl ?? null,
    taken ? made.amountMinor : 0n,
    taken ? made.createdAt : null,
    made.dueAt ?? null,
    made.createdAt,
  ];
}

// $1 and $2 are the operation and the version that the change was decided on.
const changed = `update sim_operations set status = $3, facts = $4::jsonb, decline = $5::jsonb, wrong_codes = $6,
  captured_minor = $7::bigint, captured_at = $8::timestamptz, refunded_minor = $9::bigint,
  voided_at = $10::timestamptz, due_at = $11::timestamptz, scenario = $12::jsonb, amount_minor = $13::bigint,
  version = version + 1
  where id = $1::uuid and version = $2`;
const changedValues = 13;

function changeValues(read: Operation, change: Change): unknown[] {
  const next = { ...read, ...change };
  return [
    read.id,
    read.version,
    next.status,
    JSON.stringify(next.facts),
    next.decline ? JSON.stringify(next.decline) : null,
    next.wrongCodes,
    next.capturedMinor,
    next.capturedAt,
    next.refundedMinor,
    next.voidedAt,
    next.dueAt,
    JSON.stringify(next.scenario),
    next.amountMinor,
  ];
}

/** Shifts the parameters of an SQL text by `count`. */
const after = (count: number, sql: string) => sql.replace(/\$(\d+)/g, (_, place) => `$${Number(place) + count}`);

// The notifications of a change; `moved` is the changed row, the parameter comes from `notificationValues`.
const notificationRows = (parameter: string) => `insert into sim_notifications
    (id, operation_id, message_id, body, due_at, created_at)
  select t.id, moved.id, t.message_id, t.body, t.due_at, t.created_at
  from moved, jsonb_to_recordset(${parameter}::jsonb)
    as t(id uuid, message_id uuid, body jsonb, due_at timestamptz, created_at timestamptz)
  where moved.notify_url is not null`;

/** The operation by key; null if this account has none. */
export async function findByKey(account: string, key: string): Promise<Operation | null> {
  const text = `select ${columns} from sim_operations where account = $1 and key = $2`;
  const [row] = await query<Operation>('sim-by-key', text, [account, key]);
  return row ?? null;
}

/** The operation by the provider's own id, as in the bank's and wallet's pages; null for any other text. */
export async function findById(id: string): Promise<Operation | null> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return null;
  const [row] = await query<Operation>('sim-by-id', `select ${columns} from sim_operations where id = $1`, [id]);
  return row ?? null;
}

/** The payment or payout by key in any account: keys are random and unique. */
export async function findByReference(key: string): Promise<Operation | null> {
  const text = `select ${columns} from sim_operations where key = $1 and kind in ('payment', 'payout')
    order by created_at desc limit 1`;
  const [row] = await query<Operation>('sim-by-reference', text, [key]);
  return row ?? null;
}

/** The latest payments and payouts in some states, newest first. */
export async function findLatest(statuses: readonly string[], count: number): Promise<Operation[]> {
  const text = `select ${columns} from sim_operations where kind in ('payment', 'payout') and status = any($1)
    and fingerprint <> '' order by created_at desc limit $2`;
  return await query<Operation>('sim-latest', text, [statuses, count]);
}

/** Operations due to complete by themselves. */
export async function findDue(now: Date): Promise<Operation[]> {
  const text = `select ${columns} from sim_operations where due_at <= $1 order by due_at limit 100`;
  return await query<Operation>('sim-due', text, [now]);
}

/** The number of this order's payments of the last hour over all accounts: a cascade uses several. */
export async function countAttempts(orderNumber: string, now: Date): Promise<number> {
  const text = `select count(*) as count from sim_operations
    where order_number = $1 and kind = 'payment' and created_at > $2`;
  const since = new Date(now.getTime() - 3_600_000);
  const [row] = await query<{ count: bigint }>('sim-attempts', text, [orderNumber, since]);
  return Number(row?.count ?? 0);
}

/** Counts a repeated call. */
export async function countCall(read: Operation): Promise<void> {
  await query('sim-call', 'update sim_operations set calls = calls + 1 where id = $1', [read.id]);
}

/** The latest payment or payout of an order; null if there is none. */
export async function findLatestOf(orderNumber: string): Promise<Operation | null> {
  const text = `select ${columns} from sim_operations where order_number = $1 and kind in ('payment', 'payout')
    order by created_at desc, id desc limit 1`;
  const [row] = await query<Operation>('sim-latest-of', text, [orderNumber]);
  return row ?? null;
}

/**
 * Inserts a payment or payout unless its key exists (`repeat`), and takes its scheduled fault. A fault before execution
 * leaves nothing written. `undisturbed`: no fault is taken.
 */
export async function insertOperation(
  made: NewOperation,
  undisturbed: boolean,
): Promise<{ fault: Fault | null } | 'repeat'> {
  if (undisturbed) {
    const rows = await unlessRepeated(() => query('sim-insert-only', inserted, insertValues(made)));
    return rows === 'repeat' ? rows : { fault: null };
  }
  const text = `with struck as (${claimFault('$9', '$4')}),
    written as (${inserted} where not exists (select 1 from struck where not carried_out))
    select ${faultColumns} from struck`;
  const rows = await unlessRepeated(() => query<Fault>('sim-insert', text, insertValues(made)));
  return rows === 'repeat' ? rows : { fault: rows[0] ?? null };
}

/**
 * Inserts a modification with its effect on the payment. `stale`: the payment has changed since it was read, nothing
 * was written; `repeat`: the key exists. The gateway gets `notifications` of the payment.
 */
export async function insertModification(
  payment: Operation,
  change: Change | null,
  made: NewOperation,
  notifications: readonly Notification[] = [],
): Promise<'done' | 'stale' | 'repeat'> {
  const madeValues = insertValues(made);
  const text = `with moved as (${changed} returning id, notify_url),
    notified as (${notificationRows(`$${changedValues + madeValues.length + 1}`)})
    ${after(changedValues, inserted)} from moved returning id`;
  const values = [...changeValues(payment, change ?? {}), ...madeValues, notificationValues(notifications)];
  const rows = await unlessRepeated(() => query<{ id: string }>('sim-modification-insert', text, values));
  if (rows === 'repeat') return rows;
  return rows.length === 1 ? 'done' : 'stale';
}

/** Changes an operation; false if it has changed since it was read. The gateway gets `notifications` of it. */
export async function updateOperation(
  read: Operation,
  change: Change,
  notifications: readonly Notification[] = [],
): Promise<boolean> {
  const text = `with moved as (${changed} returning id, notify_url),
    notified as (${notificationRows(`$${changedValues + 1}`)})
    select id from moved`;
  const rows = await query<{ id: string }>('sim-operation-update', text, [
    ...changeValues(read, change),
    notificationValues(notifications),
  ]);
  return rows.length === 1;
}

/**
 * Completes a modification with its effect on the payment: both, or neither if one of them has changed since it was
 * read. The gateway gets `notifications` of the modification.
 */
export async function finishModification(
  [follow, change]: [Operation, Change],
  [payment, effect]: [Operation, Change],
  notifications: readonly Notification[],
): Promise<boolean> {
  const isReady = 'and (select count(*) from held) = 2';
  const text = `with held as (select id from sim_operations
      where (id = $1::uuid and version = $2) or (id = $${changedValues + 1}::uuid and version = $${changedValues + 2})
      for update),
    moved as (${changed} ${isReady} returning id, notify_url),
    payment as (${after(changedValues, changed)} ${isReady}),
    notified as (${notificationRows(`$${2 * changedValues + 1}`)})
    select id from moved`;
  const values = [...changeValues(follow, change), ...changeValues(payment, effect), notificationValues(notifications)];
  return (await query('sim-modification-finish', text, values)).length === 1;
}

function notificationValues(notifications: readonly Notification[]): string {
  const rows = notifications.map(({ messageId, body, at, dueAt }) => ({
    id: randomUUID(),
    message_id: messageId,
    body: body ?? null,
    due_at: dueAt,
    created_at: at,
  }));
  return JSON.stringify(rows);
}

/** All operations of an order, oldest first, with the key of their payment. */
export async function findByOrder(orderNumber: string): Promise<(Operation & { originalKey: string | null })[]> {
  const text = `select ${columns},
    (select p.key from sim_operations p where p.id = o.original_id) as "originalKey"
    from sim_operations o where order_number = $1 order by created_at, id`;
  return await query<Operation & { originalKey: string | null }>('sim-by-order', text, [orderNumber]);
}

async function unlessRepeated<T>(write: () => Promise<T>): Promise<T | 'repeat'> {
  try {
    return await write();
  } catch (err) {
    if ((err as { code?: string }).code === '23505') return 'repeat';
    throw err;
  }
}
