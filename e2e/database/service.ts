// The parts of the service that the tests of this folder call. They are bundled as for a deployment.
export type { Outcome } from '../../lib/connectors';
export { newId } from '../../lib/core/ids';
export type { Payment, PaymentWithTransaction } from '../../lib/core/payment';
export { closeDatabase } from '../../lib/db';
export { findCaller, findMid } from '../../lib/merchants';
export { commitFailovers, insertAttempts } from '../../lib/payments/attempt/insert';
export { newCallback } from '../../lib/payments/attempt/outcome';
export { callProvider, newTransaction } from '../../lib/payments/attempt/provider-call';
export { createPayment, createPaymentsWithAttempts, draftPayment, type PaymentInput } from '../../lib/payments/create';
export { findPayment, findPaymentWithTransaction, findTransaction } from '../../lib/payments/queries';
export { commitTransitions, type Transition } from '../../lib/payments/transitions';
export { findToken, toStoredCard } from '../../lib/vault';
