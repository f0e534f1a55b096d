// Log, metrics, traces and request ids.
// Owns no tables.
// May import: core, methods, wallets, config.
export { log, scrubText, scrubValue, scrubWire } from './log.ts';
export { metrics } from './metrics.ts';
export { currentRequestId, requestIdOf, withRequestId } from './request-id.ts';
export { startTracing, tracedCall, tracedRequest, tracedStatement, traceHeaders } from './tracing.ts';
