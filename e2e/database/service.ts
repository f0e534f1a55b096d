// The parts of the service that the tests of this folder call. They are bundled as for a deployment.
export { appendEntry, lockAuditLog } from '../../lib/auth/audit.ts';
export { checkAuditLog } from '../../lib/auth/audit-chain.ts';
export { findUser, updateUser } from '../../lib/auth/users.ts';
export type { Outcome } from '../../lib/connectors/index.ts';
export { newId } from '../../lib/core/ids.ts';
export type { Payment, PaymentWithTransaction } from '../../lib/core/payment.ts';
export { closeDatabase, transaction } from '../../lib/db/index.ts';
export { findCaller, findMid, findMidOf } from '../../lib/merchants/index.ts';
export { resolveAttempt } from '../../lib/payments/attempt/failover.ts';
export { commitFailovers, insertAttempts } from '../../lib/payments/attempt/insert.ts';
export { applyOutcome } from '../../lib/payments/attempt/outcome.ts';
export { callProvider, newTransaction } from '../../lib/payments/attempt/provider-call.ts';
export {
  createPayment,
  createPaymentsWithAttempts,
  draftPayment,
  type PaymentInput,
} from '../../lib/payments/create.ts';
export { recentSuccesses } from '../../lib/payments/method-successes.ts';
export { processDueTransaction } from '../../lib/payments/provider-sync.ts';
export {
  decidingAttempt,
  findPayment,
  findPaymentWithTransaction,
  findTransaction,
} from '../../lib/payments/queries.ts';
export { resolveManually } from '../../lib/payments/resolve-unresolved.ts';
export {
  commitTransitions,
  countRejectedCancels,
  markResent,
  newCallback,
  reschedulePolls,
  setCancelling,
  setResent,
  type Transition,
} from '../../lib/payments/transitions.ts';
export { closeUnresolved, createUnresolved, itemsOf } from '../../lib/payments/unresolved.ts';
export {
  endPaymentCall,
  findToken,
  markPaymentCall,
  removeExpiredCards,
  sessionSecret,
  storePendingCard,
  takenVersion,
  takePendingCard,
  toStoredCard,
} from '../../lib/vault/index.ts';
