// The process's PostgreSQL pool. The money path runs named prepared statements through `query`; the dashboard's reads
// use Prisma's client on the same pool, so that one limit applies to all connections.

import { setTimeout } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { env } from '../config/index.ts';
import { processWide } from '../core/process-wide.ts';
import { PrismaClient } from '../prisma/client.ts';
import { log, tracedStatement } from '../telemetry/index.ts';
import { joinWaitQueue } from './pool-wait-queue.ts';
import { runPrepared } from './prepared-statements.ts';
import { withUnknownOutcome } from './statement-outcome.ts';

// Date parameters are sent as UTC, independent of the machine's time zone.
pg.defaults.parseInputDatesAsUTC = true;

const parsers: Record<number, (text: string) => unknown> = {
  [pg.types.builtins.INT8]: BigInt,
  // A calendar day has no time zone: it remains a text YYYY-MM-DD.
  [pg.types.builtins.DATE]: (text) => text,
  [pg.types.builtins.TIMESTAMP]: (text) => new Date(`${text.replace(' ', 'T')}Z`),
};

const parserOf = (oid: number): ((text: string) => unknown) =>
  parsers[oid] ?? (pg.types.getTypeParser(oid, 'text') as (text: string) => unknown);

type Connections = { pool?: pg.Pool; replica?: pg.Pool; prisma?: PrismaClient };
const connections = processWide('db', (): Connections => ({}));

/** The pool, created at the first use. */
export function pool(): pg.Pool {
  connections.pool ??= logFailures(new MeasuredPool(optionsOf(env.databaseUrl)));
  return connections.pool;
}

/** The pool of the read replica; null without one. Its failures are noticed in time: the primary answers as well. */
export function replicaPool(): pg.Pool | null {
  if (env.databaseReplicaUrl === null) return null;
  const limits = { connectionTimeoutMillis: 1_000, query_timeout: statementMilliseconds + 1_000 };
  connections.replica ??= logFailures(new pg.Pool({ ...optionsOf(env.databaseReplicaUrl), ...limits }));
  return connections.replica;
}

// A pooler in transaction mode assigns a connection per transaction, so prepared statements and connection settings do
// not persist. The pooler sets the limits.
const isPooled = () => env.databasePooler === 'transaction';

type Connected = (err: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void;

/** Records which callers wait for a connection, in order; includes the pool's own statements. */
class MeasuredPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(connected: Connected): void;
  override connect(connected?: Connected): Promise<pg.PoolClient> | undefined {
    const leave = joinWaitQueue();
    if (!connected) return super.connect().finally(leave);
    super.connect((err, client, done) => {
      leave();
      connected(err, client, done);
    });
  }
}

const statementMilliseconds = 10_000;

function optionsOf(connectionString: string): pg.PoolConfig {
  const limits = { statement_timeout: statementMilliseconds, idle_in_transaction_session_timeout: 10_000 };
  return {
    connectionString,
    max: env.databasePoolSize,
    application_name: 'florin',
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    ...(isPooled() ? {} : limits),
    keepAlive: true,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        format === 'binary' ? pg.types.getTypeParser(oid, format as 'text') : parserOf(oid),
    } as pg.CustomTypesConfig,
  };
}

function logFailures(newPool: pg.Pool): pg.Pool {
  // The error has the whole connection as a member.
  newPool.on('error', ({ message, code }: Error & { code?: string }) =>
    log.warn({ why: message, code }, 'an idle database connection failed'),
  );
  return newPool;
}

/** Runs one statement and returns its rows. */
export type Query = <Row extends object>(name: string, text: string, values?: unknown[]) => Promise<Row[]>;

/**
 * Runs one prepared statement and returns its rows. `name` identifies `text` on every connection: one name, one text.
 * BIGINT columns come back as bigint, NUMERIC and DATE as text, timestamps as Date.
 */
export const query: Query = async (name, text, values) => runOn(pool(), name, text, values);

/** As {@link query}, on a pool or a connection. */
export async function runOn<Row extends object>(
  on: pg.Pool | pg.PoolClient,
  name: string,
  text: string,
  values: unknown[] = [],
) {
  try {
    if (isPooled()) return (await tracedStatement(name, () => on.query<Row>({ text, values }))).rows;
    return await tracedStatement(name, () => runPrepared<Row>(on, { name, text, values }, parserOf));
  } catch (err) {
    throw withUnknownOutcome(err);
  }
}

/** Runs `work` in one transaction (READ COMMITTED) and rolls back if it throws. Never wait for a provider in it. */
export async function transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
  const connection = await pool().connect();
  let broken: Error | undefined;
  try {
    await connection.query('begin');
    const done = await work((name, text, values) => runOn(connection, name, text, values));
    await connection.query('commit');
    return done;
  } catch (err) {
    await connection.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw err;
  } finally {
    connection.release(broken);
  }
}

/** Prisma's client on the same pool, for the dashboard's reads and for seeds. */
export function prisma(): PrismaClient {
  connections.prisma ??= new PrismaClient({ adapter: new PrismaPg(pool(), { disposeExternalPool: false }) });
  return connections.prisma;
}

/** Closes every connection; the next use opens a new pool. */
export async function closeDatabase(): Promise<void> {
  const { pool: openPool, replica, prisma: client } = connections;
  Object.assign(connections, { pool: undefined, replica: undefined, prisma: undefined });
  await client?.$disconnect();
  await Promise.all([openPool?.end(), replica?.end()]);
}

const maxDelayMilliseconds = 50;

/** Waits a random moment, none before the first repeat: many that met once do not meet again. */
export async function waitBeforeRetry(round: number): Promise<void> {
  if (round > 0) await setTimeout(Math.random() * Math.min(maxDelayMilliseconds, 2 ** round));
}
