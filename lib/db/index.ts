// The connection pool, statements, keyset pages, the database's clock and the notification of jobs.
// Owns no tables. clock.ts, notify-job.ts and pool-wait-queue.ts are public too: they need no table.
// May import the rooms before it: core to telemetry.

export * from './collect.ts';
export * from './db.ts';
export * from './keyset.ts';
export * from './reads.ts';
export * from './statement.ts';
