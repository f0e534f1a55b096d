// Log, metrics, traces, request ids, and the client of a request.
// Owns no tables.
// May import: core, methods, wallets, config.
export { currentClient, withClient } from './client.ts';
export { log, scrubText, scrubValue, scrubWire } from './log.ts';
export { metrics } from './metrics.ts';
export { currentRequestId, requestIdOf, withRequestId } from './request-id.ts';
export { startTracing, tracedCall, tracedRequest, tracedStatement, traceHeaders } from './tracing.ts';
