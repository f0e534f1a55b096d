// The sandbox provider's tables. An operation changes while its row is locked, so that of two concurrent changes the
// second sees the first; inserts rely on the unique key, so that no call moves money twice.
import { randomUUID } from 'node:crypto';
import { env } from '../../config/index.ts';
import { prisma } from '../../db/index.ts';
import { Prisma, type SimOperation } from '../../prisma/client.ts';
import { type Fault, type FaultCall, takeFault } from './injected-faults.ts';
import type { Change, Notification, Operation } from './operation.ts';
import { writeAnswer } from './wire.ts';

export type Tables = Prisma.TransactionClient;

const operationOf = (row: SimOperation | null) => row as Operation | null;

/** A new operation; omitted fields are empty. Its first answer is what it is now, unless another one is named. */
export type NewOperation = Partial<Operation> &
  Pick<Operation, 'account' | 'key' | 'kind' | 'fingerprint' | 'currency' | 'amountMinor' | 'status' | 'createdAt'>;

/** An operation as it is inserted. */
export function newOperation(made: NewOperation) {
  const isTaken = made.kind === 'payment' && made.status === 'approved';
  const operation = { id: randomUUID(), decline: null, facts: {}, ...made };
  return {
    firstAnswer: writeAnswer(operation, env.baseUrl) as object,
    ...(isTaken && { capturedMinor: made.amountMinor, capturedAt: made.createdAt }),
    ...operation,
  };
}

type Inserted = ReturnType<typeof newOperation>;

/** A modification of a payment, as it is inserted. */
export function modificationOf(
  { id: originalId, account, method, orderNumber, descriptor, currency }: Operation,
  made: Omit<NewOperation, 'account' | 'currency'> & Partial<Pick<Operation, 'currency'>>,
): Inserted {
  return newOperation({ originalId, account, method, orderNumber, descriptor, currency, ...made });
}

const payments = { kind: { in: ['payment', 'payout'] } };
const latest = [{ createdAt: 'desc' }, { id: 'desc' }] as const;

/** The operation by key; null if this account has none. */
export async function findByKey(account: string, key: string, tables: Tables = prisma()): Promise<Operation | null> {
  return operationOf(await tables.simOperation.findUnique({ where: { account_key: { account, key } } }));
}

/** The operation by the provider's own id, as in the bank's and wallet's pages; null for any other text. */
export async function findById(id: string): Promise<Operation | null> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return null;
  return operationOf(await prisma().simOperation.findUnique({ where: { id } }));
}

/** The latest payment or payout with a key in any account, or of an order number; null if there is none. */
export async function findLatestBy(by: { key: string } | { orderNumber: string }): Promise<Operation | null> {
  return operationOf(await prisma().simOperation.findFirst({ where: { ...by, ...payments }, orderBy: [...latest] }));
}

/** The latest payments and payouts in some states, newest first. */
export async function findLatest(statuses: string[], take: number): Promise<Operation[]> {
  const where = { ...payments, status: { in: statuses }, fingerprint: { not: '' } };
  return (await prisma().simOperation.findMany({ where, orderBy: { createdAt: 'desc' }, take })) as Operation[];
}

/** Operations due to complete by themselves. */
export async function findDue(now: Date): Promise<Operation[]> {
  const where = { dueAt: { lte: now } };
  return (await prisma().simOperation.findMany({ where, orderBy: { dueAt: 'asc' }, take: 100 })) as Operation[];
}

/** The number of this order's payments of the last hour over all accounts: a cascade uses several. */
export function countAttempts(orderNumber: string, now: Date): Promise<number> {
  const createdAt = { gt: new Date(now.getTime() - 3_600_000) };
  return prisma().simOperation.count({ where: { orderNumber, kind: 'payment', createdAt } });
}

/** Counts a repeated call. */
export async function countCall({ id }: Operation): Promise<void> {
  await prisma().simOperation.update({ where: { id }, data: { calls: { increment: 1 } } });
}

/** All operations of an order, oldest first, with the key of their payment. */
export async function findByOrder(orderNumber: string): Promise<(Operation & { originalKey: string | null })[]> {
  const rows = await prisma().simOperation.findMany({
    where: { orderNumber },
    include: { original: { select: { key: true } } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map(({ original, ...row }) => ({ ...(row as Operation), originalKey: original?.key ?? null }));
}

// JSON columns are empty by a value of their own.
const columnsOf = <Row extends { decline?: object | null }>({ decline, ...row }: Row) =>
  ({ ...row, ...(decline !== undefined && { decline: decline ?? Prisma.DbNull }) }) as never;

const limits = { maxWait: 10_000, timeout: 10_000 };

/**
 * Inserts a payment or payout unless its key exists (`repeat`), and takes its scheduled fault. A fault before execution
 * leaves nothing written. `undisturbed`: no fault is taken.
 */
export function insertOperation(made: Inserted, undisturbed: boolean): Promise<{ fault: Fault | null } | 'repeat'> {
  const write = async (tables: Tables) => {
    const fault = undisturbed ? null : await takeFault(made.orderNumber ?? '', made.kind as FaultCall, tables);
    if (!fault || fault.carriedOut) await tables.simOperation.create({ data: columnsOf(made) });
    return { fault };
  };
  return unlessRepeated(undisturbed ? write(prisma()) : prisma().$transaction(write, limits));
}

/** Runs `work` with an operation that no other request changes meanwhile. `repeat`: it has inserted a known key. */
export function withLocked<T>(
  id: string,
  work: (operation: Operation, tables: Tables) => Promise<T>,
): Promise<T | 'repeat'> {
  return unlessRepeated(
    prisma().$transaction(async (tables) => {
      await tables.$queryRaw`select 1 from sim_operations where id = ${id}::uuid for update`;
      return work((await tables.simOperation.findUniqueOrThrow({ where: { id } })) as Operation, tables);
    }, limits),
  );
}

/** Inserts a modification with its effect on its payment, which is locked. The gateway gets `notices` of the payment. */
export async function insertModification(
  tables: Tables,
  payment: Operation,
  made: Inserted,
  change: Change | null,
  notices: readonly Notification[] = [],
): Promise<void> {
  await tables.simOperation.create({ data: columnsOf(made) });
  if (change) await updateOperation(tables, payment, change, notices);
}

/** Changes an operation that is locked, or whose payment is. The gateway gets `notices` of it. */
export async function updateOperation(
  tables: Tables,
  { id: operationId, notifyUrl }: Operation,
  change: Change,
  notices: readonly Notification[] = [],
): Promise<Operation> {
  const data = { ...(columnsOf(change) as object), version: { increment: 1 } };
  const after = await tables.simOperation.update({ where: { id: operationId }, data });
  if (notifyUrl !== null && notices.length > 0) {
    const rows = notices.map((notice) => ({ id: randomUUID(), operationId, ...notice }));
    await tables.simNotification.createMany({ data: rows });
  }
  return after as Operation;
}

async function unlessRepeated<T>(written: Promise<T>): Promise<T | 'repeat'> {
  return written.catch((err: unknown) => {
    if (err instanceof Prisma.PrismaClientKnownRequestError && err.code === 'P2002') return 'repeat';
    throw err;
  });
}
