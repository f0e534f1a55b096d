// Statements of the sandbox provider's operations. Every change names the version it read, so that of two concurrent
// changes one wins; inserts rely on the unique key, so that no call moves money twice.
import { randomUUID } from 'node:crypto';
import { rowSet, statement } from '../../db';
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
  select :id::uuid, :account, :key, :kind, :originalId::uuid, :fingerprint, :operation, :method, :orderNumber,
  :descriptor, :currency, :amountMinor::bigint, :status, :cardMask, :scenario::jsonb, :facts::jsonb, :decline::jsonb,
  :firstAnswer::jsonb, :returnUrl, :notifyUrl, :capturedMinor::bigint, :capturedAt::timestamptz, :dueAt::timestamptz,
  :createdAt::timestamptz`;

function insertValues(made: NewOperation) {
  const taken = made.kind === 'payment' && made.status === 'approved';
  return {
    id: made.id,
    account: made.account,
    key: made.key,
    kind: made.kind,
    originalId: made.originalId ?? null,
    fingerprint: made.fingerprint,
    operation: made.operation ?? null,
    method: made.method ?? null,
    orderNumber: made.orderNumber ?? '',
    descriptor: made.descriptor ?? '',
    currency: made.currency,
    amountMinor: made.amountMinor,
    status: made.status,
    cardMask: made.cardMask ?? null,
    scenario: JSON.stringify(made.scenario ?? {}),
    facts: JSON.stringify(made.facts ?? {}),
    decline: made.decline ? JSON.stringify(made.decline) : null,
    firstAnswer: JSON.stringify(made.firstAnswer),
    returnUrl: made.returnUrl ?? null,
    notifyUrl: made.notifyUrl ?? null,
    capturedMinor: taken ? made.amountMinor : 0n,
    capturedAt: taken ? made.createdAt : null,
    dueAt: made.dueAt ?? null,
    createdAt: made.createdAt,
  };
}

type InsertParams = ReturnType<typeof insertValues>;

/** The columns of an operation that change. */
const changes = rowSet(
  'changes',
  `id uuid, version int, status text, facts jsonb, decline jsonb, wrongCodes int, capturedMinor bigint,
  capturedAt timestamptz, refundedMinor bigint, voidedAt timestamptz, dueAt timestamptz, scenario jsonb,
  amountMinor bigint`,
);

// The rows of `c` are the operations with the versions that the changes were decided on.
const changesSql = `c as materialized (select * from ${changes.from})`;
const changedSql = (condition = '') => `update sim_operations set status = c.status, facts = c.facts,
  decline = c.decline, wrong_codes = c.wrong_codes, captured_minor = c.captured_minor, captured_at = c.captured_at,
  refunded_minor = c.refunded_minor, voided_at = c.voided_at, due_at = c.due_at, scenario = c.scenario,
  amount_minor = c.amount_minor, version = sim_operations.version + 1
  from c where sim_operations.id = c.id and sim_operations.version = c.version ${condition}`;

const encodeChanges = (all: readonly [Operation, Change][]) =>
  changes.encode(all.map(([read, change]) => ({ ...read, ...change, id: read.id, version: read.version })));

const notifications = rowSet(
  'notifications',
  `id uuid, messageId uuid, body jsonb, dueAt timestamptz, createdAt timestamptz`,
);

// The notifications of a change; `moved` is the changed row.
const notifiedSql = `notified as (
  insert into sim_notifications (id, operation_id, message_id, body, due_at, created_at)
  select notifications.id, moved.id, message_id, body, due_at, created_at from moved, ${notifications.from}
   where moved.notify_url is not null)`;

const encodeNotifications = (all: readonly Notification[]) =>
  notifications.encode(
    all.map(({ messageId, body, at, dueAt }) => ({ id: randomUUID(), messageId, body, dueAt, createdAt: at })),
  );

const operationByKey = statement<{ account: string; key: string }, Operation>(
  'sim-by-key',
  `select ${columns} from sim_operations where account = :account and key = :key`,
);

/** The operation by key; null if this account has none. */
export async function findByKey(account: string, key: string): Promise<Operation | null> {
  const [row] = await operationByKey({ account, key });
  return row ?? null;
}

const operationById = statement<{ id: string }, Operation>(
  'sim-by-id',
  `select ${columns} from sim_operations where id = :id`,
);

/** The operation by the provider's own id, as in the bank's and wallet's pages; null for any other text. */
export async function findById(id: string): Promise<Operation | null> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return null;
  const [row] = await operationById({ id });
  return row ?? null;
}

const operationByReference = statement<{ key: string }, Operation>(
  'sim-by-reference',
  `select ${columns} from sim_operations where key = :key and kind in ('payment', 'payout')
    order by created_at desc limit 1`,
);

/** The payment or payout by key in any account: keys are random and unique. */
export async function findByReference(key: string): Promise<Operation | null> {
  const [row] = await operationByReference({ key });
  return row ?? null;
}

const latestByStatus = statement<{ statuses: readonly string[]; count: number }, Operation>(
  'sim-latest',
  `select ${columns} from sim_operations where kind in ('payment', 'payout') and status = any(:statuses)
    and fingerprint <> '' order by created_at desc limit :count`,
);

/** The latest payments and payouts in some states, newest first. */
export async function findLatest(statuses: readonly string[], count: number): Promise<Operation[]> {
  return await latestByStatus({ statuses, count });
}

const dueOperations = statement<{ now: Date }, Operation>(
  'sim-due',
  `select ${columns} from sim_operations where due_at <= :now order by due_at limit 100`,
);

/** Operations due to complete by themselves. */
export async function findDue(now: Date): Promise<Operation[]> {
  return await dueOperations({ now });
}

const countPayments = statement<{ orderNumber: string; since: Date }, { count: bigint }>(
  'sim-attempts',
  `select count(*) as count from sim_operations
    where order_number = :orderNumber and kind = 'payment' and created_at > :since`,
);

/** The number of this order's payments of the last hour over all accounts: a cascade uses several. */
export async function countAttempts(orderNumber: string, now: Date): Promise<number> {
  const since = new Date(now.getTime() - 3_600_000);
  const [row] = await countPayments({ orderNumber, since });
  return Number(row?.count ?? 0);
}

const addCall = statement<{ id: string }>('sim-call', 'update sim_operations set calls = calls + 1 where id = :id');

/** Counts a repeated call. */
export async function countCall(read: Operation): Promise<void> {
  await addCall({ id: read.id });
}

const latestByOrder = statement<{ orderNumber: string }, Operation>(
  'sim-latest-of',
  `select ${columns} from sim_operations where order_number = :orderNumber and kind in ('payment', 'payout')
    order by created_at desc, id desc limit 1`,
);

/** The latest payment or payout of an order; null if there is none. */
export async function findLatestOf(orderNumber: string): Promise<Operation | null> {
  const [row] = await latestByOrder({ orderNumber });
  return row ?? null;
}

const insertOnly = statement<InsertParams>('sim-insert-only', inserted);
const insertWithFault = statement<InsertParams, Fault>(
  'sim-insert',
  `with struck as (${claimFault(':orderNumber', ':kind')}),
    written as (${inserted} where not exists (select 1 from struck where not carried_out))
    select ${faultColumns} from struck`,
);

/**
 * Inserts a payment or payout unless its key exists (`repeat`), and takes its scheduled fault. A fault before execution
 * leaves nothing written. `undisturbed`: no fault is taken.
 */
export async function insertOperation(
  made: NewOperation,
  undisturbed: boolean,
): Promise<{ fault: Fault | null } | 'repeat'> {
  if (undisturbed) {
    const rows = await unlessRepeated(() => insertOnly(insertValues(made)));
    return rows === 'repeat' ? rows : { fault: null };
  }
  const rows = await unlessRepeated(() => insertWithFault(insertValues(made)));
  return rows === 'repeat' ? rows : { fault: rows[0] ?? null };
}

type ChangeParams = { changes: string; notifications: string };

const insertFollowing = statement<InsertParams & ChangeParams, { id: string }>(
  'sim-modification-insert',
  `with ${changesSql}, moved as (${changedSql()} returning sim_operations.id, notify_url), ${notifiedSql}
    ${inserted} from moved returning id`,
);

/**
 * Inserts a modification with its effect on the payment. `stale`: the payment has changed since it was read, nothing
 * was written; `repeat`: the key exists. The gateway gets `notices` of the payment.
 */
export async function insertModification(
  payment: Operation,
  change: Change | null,
  made: NewOperation,
  notices: readonly Notification[] = [],
): Promise<'done' | 'stale' | 'repeat'> {
  const params = { changes: encodeChanges([[payment, change ?? {}]]), notifications: encodeNotifications(notices) };
  const rows = await unlessRepeated(() => insertFollowing({ ...insertValues(made), ...params }));
  if (rows === 'repeat') return rows;
  return rows.length === 1 ? 'done' : 'stale';
}

const changeOne = statement<ChangeParams, { id: string }>(
  'sim-operation-update',
  `with ${changesSql}, moved as (${changedSql()} returning sim_operations.id, notify_url), ${notifiedSql}
    select id from moved`,
);

/** Changes an operation; false if it has changed since it was read. The gateway gets `notices` of it. */
export async function updateOperation(
  read: Operation,
  change: Change,
  notices: readonly Notification[] = [],
): Promise<boolean> {
  const params = { changes: encodeChanges([[read, change]]), notifications: encodeNotifications(notices) };
  return (await changeOne(params)).length === 1;
}

const changeBoth = statement<ChangeParams & { id: string }, { id: string }>(
  'sim-modification-finish',
  `with ${changesSql}, held as (
      select o.id from sim_operations o join c on o.id = c.id and o.version = c.version for update of o),
    changed as (${changedSql('and (select count(*) from held) = 2')} returning sim_operations.id, notify_url),
    moved as (select * from changed where id = :id::uuid), ${notifiedSql}
    select id from moved`,
);

/**
 * Completes a modification with its effect on the payment: both, or neither if one of them has changed since it was
 * read. The gateway gets `notices` of the modification.
 */
export async function finishModification(
  modification: [Operation, Change],
  payment: [Operation, Change],
  notices: readonly Notification[],
): Promise<boolean> {
  const params = { changes: encodeChanges([modification, payment]), notifications: encodeNotifications(notices) };
  return (await changeBoth({ ...params, id: modification[0].id })).length === 1;
}

const operationsByOrder = statement<{ orderNumber: string }, Operation & { originalKey: string | null }>(
  'sim-by-order',
  `select ${columns},
    (select p.key from sim_operations p where p.id = o.original_id) as "originalKey"
    from sim_operations o where order_number = :orderNumber order by created_at, id`,
);

/** All operations of an order, oldest first, with the key of their payment. */
export async function findByOrder(orderNumber: string): Promise<(Operation & { originalKey: string | null })[]> {
  return await operationsByOrder({ orderNumber });
}

async function unlessRepeated<T>(write: () => Promise<T>): Promise<T | 'repeat'> {
  try {
    return await write();
  } catch (err) {
    if ((err as { code?: string }).code === '23505') return 'repeat';
    throw err;
  }
}
