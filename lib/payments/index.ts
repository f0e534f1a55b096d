// The money path: creation, attempts, modifications, synchronisation with providers, transitions, unresolved items.
// Owns payments, sessions, agreements, transactions, recurring_chains, unresolved and provider_notifications.
// May import the rooms before it: core to routing.

export { agreementsOf, type RecordedAgreement, recordAgreement } from './agreements.ts';
export {
  acceptAsync,
  type Chain,
  findChain,
  findChainByToken,
  type PayResult,
  pay,
  payDirect,
  payExisting,
  paySubsequent,
} from './attempt/pay.ts';
export { missingPayerFields, previouslyAskedFields } from './attempt/payer-fields.ts';
export { type CardInstrument, notPayableReason, type PayInput, type PaymentInstrument } from './attempt/prepare.ts';
export {
  type ActionAccount,
  type AvailableActions,
  isCancelling,
  type RefusalReason,
  readAvailableActions,
} from './available-actions.ts';
export {
  createPayment,
  findRepeated,
  isRejectedByClock,
  type PaymentInput,
  type RequestIdentity,
  type SessionFields,
} from './create.ts';
export { storeNotification } from './due-lookups.ts';
export { recentSuccesses } from './method-successes.ts';
export { capture, idempotencyKeyHeader, refund, release, retryPayment, voidPayment } from './modifications.ts';
export * from './notifications.ts';
export * from './payment-calls.ts';
export { pollDue } from './poll-due.ts';
export {
  cancelAttempt,
  handlePayerReturn,
  handleProviderNotification,
  payerLeftReason,
  pollTransaction,
  submitPayerReply,
} from './provider-sync.ts';
export {
  findByIdempotencyKey,
  findByOrder,
  findPayment,
  findPaymentWithTransaction,
  findSession,
  kindOfId,
  lastAttempt,
  latestTransactionsOf,
  type PaymentRow,
  paymentColumns,
  type SessionRow,
  sessionColumns,
  statusReads,
  type TransactionRow,
  toPayment,
  toSession,
  toTransaction,
  transactionColumns,
  transactionsOf,
  versionsOf,
} from './queries.ts';
export * from './related-records.ts';
export { resolveDueItems, resolveManually } from './resolve-unresolved.ts';
export * from './sessions.ts';
export {
  findUnresolved,
  reasonText,
  toUnresolved,
  type Unresolved,
  type UnresolvedRow,
  unresolvedColumns,
  unresolvedOf,
} from './unresolved.ts';
