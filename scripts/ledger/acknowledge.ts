// The work of `florin ledger acknowledge`, on the process's settings.
export { now } from '../../lib/db/clock.ts';
export { closeDatabase } from '../../lib/db/index.ts';
export { acknowledgeDay } from '../../lib/operations/ledger/acknowledge.ts';
