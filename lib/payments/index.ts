// The money path: creation, attempts, modifications, synchronisation with providers, transitions, unresolved items.
// Owns payments, sessions, transactions, recurring_chains, unresolved and provider_notifications.
// May import the rooms before it: core to routing.

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
} from './attempt/pay';
export { missingPayerFields, previouslyAskedFields } from './attempt/payer-fields';
export { type CardInstrument, notPayableReason, type PayInput, type PaymentInstrument } from './attempt/prepare';
export {
  type ActionAccount,
  type AvailableActions,
  isCancelling,
  type RefusalReason,
  readAvailableActions,
} from './available-actions';
export { createPayment, type PaymentInput, type SessionFields } from './create';
export { capture, idempotencyKeyHeader, refund, release, retryPayment, voidPayment } from './modifications';
export { processDueNotifications, processNotification, storeNotification } from './notifications';
export { paymentCallAnswers, paymentCallsEnd, runPaymentCall } from './payment-calls';
export { pollDue } from './poll-due';
export {
  cancelAttempt,
  handlePayerReturn,
  handleProviderNotification,
  pollTransaction,
  submitPayerReply,
} from './provider-sync';
export {
  findByIdempotencyKey,
  findByOrder,
  findPayment,
  findPaymentWithTransaction,
  findSession,
  kindOfId,
  lastAttempt,
  type PaymentRow,
  paymentColumns,
  type SessionRow,
  sessionColumns,
  type TransactionRow,
  toPayment,
  toSession,
  toTransaction,
  transactionColumns,
  transactionsOf,
  versionsOf,
} from './queries';
export {
  findRelatedRecords,
  messagesOf,
  type PaymentMessage,
  type PaymentRequest,
  type RelatedRecords,
  relatedMax,
  requestsOf,
} from './related-records';
export { resolveDueItems, resolveManually } from './resolve-unresolved';
export {
  cancelSession,
  createLinkToken,
  createSession,
  isExpired,
  type SessionChanges,
  type SessionInput,
  updateSession,
  verifyLinkToken,
} from './sessions';
export {
  findUnresolved,
  toUnresolved,
  type Unresolved,
  type UnresolvedRow,
  unresolvedColumns,
  unresolvedOf,
} from './unresolved';
