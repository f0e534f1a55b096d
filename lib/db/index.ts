// The connection pool, statements, keyset pages, the database's clock and the notification of jobs.
// Owns no tables. clock.ts, notify-job.ts and pool-wait-queue.ts are public too: they need no table.
// May import the rooms before it: core to telemetry.
export { attemptKindsSql } from './attempt-kinds';
export { type Query, closeDatabase, pool, prisma, query, queryLarge, queryOnce, transaction } from './db';
export { type AddParameter, type Cursor, type PageRequest, type Paged, type SqlBuilder, fetchPage, keysetOrder, newSqlBuilder, whereAll } from './keyset';
export { waitBeforeRetry } from './retry-delay';
