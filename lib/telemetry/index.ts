// Log, metrics, traces and request ids.
// Owns no tables.
// May import: core, methods, wallets, config.
export { log, scrubText, scrubValue, scrubWire } from './log';
export { metrics } from './metrics';
export { currentRequestId, requestIdOf, withRequestId } from './request-id';
export { startTracing, tracedCall, tracedRequest, tracedStatement, traceHeaders } from './tracing';
