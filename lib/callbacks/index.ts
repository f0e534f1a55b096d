// Callbacks to merchants: queue, bodies per protocol, signatures, delivery and repeats.
// Owns callbacks, callback_attempts, callback_pauses, callback_addresses and callback_holds; payments/transitions inserts callbacks.
// May import the rooms before it: core to protocols.
export * from './deliver.ts';
export {
  type AttemptRecord,
  type CallbackHistory,
  callbackOf,
  callbacksOf,
  claimDue,
  type DueCallback,
  findCallback,
  hashStart,
  idleSql,
  type QueuedRow,
  queuedColumns,
  recordAttempt,
  resendCallbacks,
  retrySeconds,
  toQueuedCallback,
} from './queue.ts';
export {
  type CallbackSubject,
  callbackFields,
  callbackResults,
  callbackSecret,
  callbackSignature,
  checkoutCallbackSignature,
  formCallbackSignature,
  modificationActions,
} from './render.ts';
export { fieldsOfBody } from './stored-body.ts';
