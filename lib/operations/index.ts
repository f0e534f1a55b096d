// Health, readiness, metrics, and the check of scripts on payers' pages.
// Owns no tables.
// May import the rooms before it: core to dashboard.
export { watchClock } from './clock-check';
export { healthRoutes, isDraining, reportDraining } from './health';
export { metricsAnswers } from './metrics-endpoint';
export { operationsRoutes } from './routes';
export { watchScripts } from './script-check';
