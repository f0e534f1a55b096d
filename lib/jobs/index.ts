// Background work of one process: tracking for shutdown, and concurrency limits.
// Owns no tables.
// May import the rooms before it: core to db.
export { backgroundDone, runInBackground } from './background';
export { newConcurrencyLimiter, roundMilliseconds } from './concurrency-limiter';
