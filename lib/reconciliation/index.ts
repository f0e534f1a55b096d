// Settlement reports of providers: import, matching with the ledger, and the differences that users decide.
// Owns settlement_mappings, settlement_limits, settlement_reports, settlement_lines and settlement_differences, and posts
// fees, bank payouts and adjustments to ledger_entries.
// May import the rooms before it: core to payments.

export {
  approve,
  type Difference,
  type DifferenceKind,
  differenceColumns,
  differenceKinds,
  explain,
  findDifference,
  findLimits,
  type Limit,
  type Resolution,
  reject,
  resolveDifference,
  saveLimits,
} from './differences.ts';
export { ImportRefusal, type ImportResult, importReport } from './import.ts';
export type { LineError } from './lines.ts';
export {
  contractMapping,
  findMapping,
  type LineField,
  type LineType,
  lineFields,
  lineTypes,
  type Mapping,
  mappingSchema,
  type StoredMapping,
  saveMapping,
} from './mapping.ts';
export { matchMissingLines } from './match-again.ts';
export { findReport, type Report, type ReportState, reportColumns, resultsOf } from './reports.ts';
