import { expect, test } from 'vitest';
import type { Payment } from '../../core/payment.ts';
import { paymentWith } from './payment.test-data.ts';
import { moneyLine } from './payment.ts';

const lineOf = (changes: Partial<Payment>) =>
  moneyLine(paymentWith({ amountMinor: 56000n, ...changes }))
    .map(({ name, amount, sign }) => `${sign ?? ''} ${name} ${amount}`.trim())
    .join(' ');

const captured = { state: 'settled', settledMinor: 56000n } as const;

test.each<[string, Partial<Payment>, string]>([
  ['declined', { state: 'declined', settledMinor: 0n }, ''],
  ['an authorisation', { state: 'pending', settledMinor: 0n }, 'Authorised 560.00 = Can be captured 560.00'],
  [
    'refunded in part',
    { ...captured, refundedMinor: 1000n },
    'Authorised 560.00 → Captured 560.00 − Refunded 10.00 = Can be refunded 550.00',
  ],
  [
    'disputed',
    { ...captured, state: 'chargeback', chargedBackMinor: 56000n },
    'Authorised 560.00 → Captured 560.00 − Refunded 0.00 − Disputed 560.00 = Can be refunded 0.00',
  ],
  ['a payout', { ...captured, operation: 'credit' }, 'Paid out 560.00'],
])('the money line of %s', (_, changes, wanted) => {
  expect(lineOf(changes)).toBe(wanted);
});
