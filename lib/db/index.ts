// The connection pool, statements, keyset pages, the database's clock and the notification of jobs.
// Owns no tables. clock.ts, notify-job.ts and pool-wait-queue.ts are public too: they need no table.
// May import the rooms before it: core to telemetry.

export {
  closeDatabase,
  pool,
  prisma,
  type Query,
  query,
  queryLarge,
  queryOnce,
  transaction,
  waitBeforeRetry,
} from './db.ts';
export {
  type AddParameter,
  type Cursor,
  fetchPage,
  keysetOrder,
  newSqlBuilder,
  type Paged,
  type PageRequest,
  type SqlBuilder,
  whereAll,
} from './keyset.ts';
export {
  attemptKindsSql,
  type EntityRow,
  entity,
  membersOf,
  type RowOf,
  rowSet,
  type Statement,
  statement,
  unprepared,
} from './statement.ts';
