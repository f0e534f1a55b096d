// The money path: creation, attempts, modifications, synchronisation with providers, transitions, unresolved items.
// Owns payments, sessions, transactions, recurring_chains, unresolved, provider_notifications and used_wallet_tokens.
// May import the rooms before it: core to routing.
export { type Chain, acceptAsync, findChain, findChainByToken, payDirect, payExisting, paySubsequent } from './attempt/direct';
export { type CardInstrument, type PayInput, type PayResult, type PaymentInstrument, notPayableReason, pay } from './attempt/execute';
export { missingPayerFields } from './attempt/missing-payer-fields';
export { previouslyAskedFields } from './attempt/payer-parameters';
export { type ActionAccount, type AvailableActions, type RefusalReason, isCancelling, readAvailableActions } from './available-actions';
export { quoteOf, quoteParameters } from './commission-quote';
export { type PaymentInput, type SessionFields, createPayment } from './create';
export { capture, idempotencyKeyHeader, refund, release, retryPayment, voidPayment } from './modifications';
export { processDueNotifications, processNotification, storeNotification } from './notifications';
export { submitPayerReply } from './payer-reply';
export { type PendingCard, storePendingCard, takePendingCard } from './pending-cards';
export { pollDue } from './poll';
export { findByIdempotencyKey, findByOrder, findPayment, findPaymentWithTransaction, findSession, kindOfId, lastAttempt, transactionsOf, versionsOf } from './queries';
export { type PaymentMessage, type PaymentRequest, type RelatedRecords, findRelatedRecords, messagesOf, relatedMax, requestsOf } from './related';
export { resolveDueItems, resolveManually } from './resolve-unresolved';
export { paymentColumns, sessionColumns, toPayment, toSession, toTransaction, transactionColumns } from './rows';
export { type SessionChanges, type SessionInput, cancelSession, createLinkToken, createSession, isExpired, updateSession, verifyLinkToken } from './sessions';
export { cancelAttempt, handlePayerReturn, handleProviderNotification, pollTransaction } from './sync';
export { type Unresolved, type UnresolvedKind, findUnresolved, toUnresolved, unresolvedColumns, unresolvedKinds, unresolvedOf } from './unresolved';
export { claimWalletToken, claimWalletTokenForAttempt, deleteExpiredClaims } from './wallet-claims';
