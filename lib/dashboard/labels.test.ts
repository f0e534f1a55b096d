import { expect, test } from 'vitest';
import { methodLabel } from './labels.ts';
import { paymentWith } from './payments/payment.test-data.ts';

test.each([
  ['ppro-sofort', 'Sofort'],
  ['blik', 'BLIK'],
  ['a-method-of-an-earlier-release', 'a-method-of-an-earlier-release'],
])('the method %s is called %s', (method, name) => {
  expect(methodLabel(paymentWith({ card: null, digitalWallet: null, method }))).toEqual({ name, last4: null });
});

test('a card of a wallet has the name of the wallet', () => {
  const payment = paymentWith({ digitalWallet: 'applepay', method: 'card' });
  expect(methodLabel(payment)).toEqual({ name: 'Apple Pay', last4: payment.card?.last4 });
});
