// A payment and its rows for tests of the dashboard.
import type { CallbackHistory } from '../../callbacks/queue.ts';
import { payment, transaction } from '../../core/payment.test-data.ts';
import type { Payment, Transaction } from '../../core/payment.ts';

export const settledAt = new Date('2026-11-20T12:51:08.000Z');

/** A settled Checkout sale of 129.00 EUR by card, with changes. */
export function paymentWith(changes: Partial<Payment> = {}): Payment {
  return payment({
    id: '0193ac5e-77d1-7000-8000-000000000001',
    merchantId: '0193ac5e-77d1-7000-8000-00000000000a',
    keyId: '0193ac5e-77d1-7000-8000-00000000000b',
    state: 'settled',
    version: 3,
    current: false,
    orderNumber: 'NK-20418',
    orderAmount: '129.00',
    amountMinor: 12900n,
    description: 'Trail shoes',
    settledMinor: 12900n,
    payer: { name: 'Lena Hoffmann', email: 'lena@example.com' },
    notificationUrl: 'https://shop.example/callback',
    attemptId: 'attempt',
    attempts: 1,
    method: 'card',
    card: { id: 'c', first6: '424242', last4: '4242', brand: 'visa', expMonth: 8, expYear: 2029, holder: null },
    createdAt: new Date('2026-11-20T12:50:22.000Z'),
    updatedAt: settledAt,
    settledAt,
    ...changes,
  });
}

/** The attempt of that payment, approved, with changes. */
export function transactionWith(changes: Partial<Transaction> = {}): Transaction {
  return transaction({
    id: 'attempt',
    paymentId: '0193ac5e-77d1-7000-8000-000000000001',
    status: 'success',
    amountMinor: 12900n,
    midId: 'mid',
    createdAt: new Date('2026-11-20T12:50:59.000Z'),
    finishedAt: settledAt,
    ...changes,
  });
}

/** The callback of its settlement, delivered at the first attempt, with changes. */
export function callbackWith(changes: Partial<CallbackHistory> = {}): CallbackHistory {
  return {
    id: 'callback',
    transactionId: 'attempt',
    sequence: 3,
    outcome: 'success',
    type: 'sale',
    orderState: 'settled',
    state: 'delivered',
    url: 'https://shop.example/callback?secret=1',
    dueAt: null,
    createdAt: settledAt,
    attempts: [{ at: settledAt, durationMs: 12, httpStatus: 200, error: null, answer: 'OK' }],
    ...changes,
  };
}
