// Settlement reports of providers: import, matching with the ledger, and the differences that users decide.
// Owns settlement_mappings, settlement_limits, settlement_reports, settlement_lines, settlement_differences and
// settlement_progress, and posts fees, bank payouts and adjustments to ledger_entries.
// May import the rooms before it: core to payments.

export {
  approve,
  type Difference,
  differenceColumns,
  explain,
  findDifference,
  findLimits,
  isAdjustable,
  type Resolution,
  reject,
  resolveDifference,
  type Seen,
  saveLimits,
} from './differences.ts';
export { ImportRefusal, importReport, receiveReport, reportNameOf } from './import.ts';
export { findMapping, mappingSchema, saveMapping } from './mapping.ts';
export { reconcileDue } from './match-again.ts';
export { findReport, type ListedReport, listedColumns, resultsOf } from './reports.ts';
