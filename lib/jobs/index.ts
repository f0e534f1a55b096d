// Background work of one process: tracking for shutdown, concurrency limits, and questions to the primary process.
// Owns no tables.
// May import the rooms before it: core to db.
export { backgroundDone, runInBackground, runningWorkDone } from './background.ts';
export { newConcurrencyLimiter, roundMilliseconds } from './concurrency-limiter.ts';
export { type Answers, answerWorkers, askPrimary, isWorkerProcess } from './primary.ts';
