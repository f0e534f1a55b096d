// Health, readiness, metrics, the check of scripts on payers' pages, and that of the ledger.
// Owns ledger_days and ledger_acknowledgements.
// May import the rooms before it: core to dashboard.
export { watchClock } from './clock-check.ts';
export { DemoAccessError, refuseDemoAccess } from './demo-check.ts';
export { healthRoutes, isDraining, reportDraining } from './health.ts';
export { closeLedgerDay } from './ledger/close-day.ts';
export { metricsAnswers } from './metrics-endpoint.ts';
export { operationsRoutes } from './routes.ts';
export { watchScripts } from './script-check.ts';
