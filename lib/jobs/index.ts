// Background work of one process: what a stopping process waits for, and fair shares of concurrency.
// Owns no tables.
// May import the rooms before it: core to db.
export { backgroundDone, runInBackground } from './background';
export { newConcurrencyLimiter, roundMilliseconds } from './concurrency-limiter';
