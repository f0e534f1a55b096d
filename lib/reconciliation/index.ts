// Settlement reports of providers: import, matching with the ledger, and the differences that users decide.
// Owns settlement_mappings, settlement_limits, settlement_reports, settlement_lines and settlement_differences, and posts
// fees, bank payouts and adjustments to ledger_entries.
// May import the rooms before it: core to payments.

export {
  approve,
  type Difference,
  differenceColumns,
  explain,
  findDifference,
  findLimits,
  type Resolution,
  reject,
  resolveDifference,
  saveLimits,
} from './differences.ts';
export { ImportRefusal, importReport } from './import.ts';
export { findMapping, mappingSchema, saveMapping } from './mapping.ts';
export { matchMissingLines } from './match-again.ts';
export { findReport, type Report, reportColumns, resultsOf } from './reports.ts';
