/**
 * Reads that a replica may answer (DATABASE_REPLICA_URL): lists, exports and statuses. A connection to the replica is used
 * once it has replayed what the primary had committed when the read began, so that a read never contradicts an earlier
 * response. If the replica is too far behind, or fails, the primary answers.
 */
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { env } from '../config/index.ts';
import { processWide } from '../core/process-wide.ts';
import { inTurn, newTurns } from '../core/turns.ts';
import { log } from '../telemetry/index.ts';
import { pool, type Query, query, replicaPool, runOn } from './db.ts';
import { bindSql } from './named-parameters.ts';

/** How long a read waits for the replica to catch up. */
const waitMilliseconds = 100;
/** The time limit of a question for the replica's position. */
const positionMilliseconds = 1_000;
/** For this long after a failure, or after a wait that was too short, the primary answers. */
const restMilliseconds = 5_000;
/** The error of a statement that exceeds its time limit: the primary would not be faster. */
const statementTimeout = '57014';

const state = processWide('replica', () => ({ restsUntil: 0 }));
const turns = processWide('readTurns', newTurns);

/** Repeats `ask` for its callers, one at a time: those that call while it runs share the next answer, asked for after the call. */
export function sharedNext<T>(ask: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  const begin = () => {
    next = null;
    return ask();
  };
  return () => {
    if (next === null) {
      next = underWay.then(begin, begin);
      underWay = next;
    }
    return next;
  };
}

/** The position that the primary has committed to. */
const primaryPosition = sharedNext(async () => {
  const [row] = await query<{ lsn: string }>('wal-flushed', 'select pg_current_wal_flush_lsn()::text as lsn');
  return row?.lsn ?? '';
});

/** Whether the server of this connection has replayed up to the position, or does so in time. */
async function reaches(connection: pg.PoolClient, position: string): Promise<boolean> {
  const until = performance.now() + waitMilliseconds;
  const sql = 'select coalesce(pg_last_wal_replay_lsn() >= :position::pg_lsn, false) as reached';
  const question = { ...bindSql(sql, { position }), query_timeout: positionMilliseconds };
  for (let pause = 1; ; pause *= 2) {
    const { rows } = await connection.query<{ reached: boolean }>(question);
    if (rows[0]?.reached) return true;
    if (performance.now() + pause > until) return false;
    await setTimeout(pause);
  }
}

type Run<T> = (connection: pg.PoolClient) => Promise<T>;

/** Runs a read on a connection, which is closed if it fails: its state is then unknown. */
async function onConnection<T>(on: pg.Pool, run: Run<T>): Promise<T> {
  const connection = await on.connect();
  let failure: Error | undefined;
  try {
    return await run(connection);
  } catch (err) {
    failure = err as Error;
    throw err;
  } finally {
    connection.release(failure);
  }
}

/** Runs a read at the replica, or at the primary. */
async function read<T>(run: Run<T>): Promise<T> {
  const replica = replicaPool();
  if (replica && performance.now() >= state.restsUntil) {
    const position = await primaryPosition();
    try {
      return await onConnection(replica, async (connection) => {
        if (await reaches(connection, position)) return run(connection);
        throw new Error('it has not replayed what the primary has committed');
      });
    } catch (err) {
      const { message, code } = err as Error & { code?: string };
      if (code === statementTimeout) throw err;
      state.restsUntil = performance.now() + restMilliseconds;
      log.warn({ why: message, code }, 'the read replica is not used for some seconds');
    }
  }
  return onConnection(pool(), run);
}

/** Reads of many rows use a quarter of the connections at most, so that payments always find one. */
const readInTurn = <T>(run: Run<T>) =>
  inTurn(turns, Math.max(1, Math.floor(env.databasePoolSize / 4)), () => read(run));

/** Runs one prepared statement that only reads, as {@link query} does. */
export const queryReplica: Query = (name, text, values) => read((connection) => runOn(connection, name, text, values));

/**
 * Runs one statement with named parameters that is planned for its values, and returns its rows. For reads whose best
 * plan depends on the values: an index scan for a rare status, a scan in list order for a common one.
 */
export async function queryOnce<Row extends object>(sql: string, params: object = {}): Promise<Row[]> {
  return readInTurn(async (connection) => (await connection.query<Row>(bindSql(sql, params))).rows);
}

/** As {@link queryOnce}, for very many rows: planned for indexes in memory, and with more working memory. */
export async function queryLarge<Row extends object>(sql: string, params: object = {}): Promise<Row[]> {
  const begin = "begin read only; set local random_page_cost = 1.1; set local work_mem = '32MB'";
  return readInTurn(async (connection) => {
    await connection.query(begin);
    const { rows } = await connection.query<Row>(bindSql(sql, params));
    await connection.query('commit');
    return rows;
  });
}
