import { expect, test } from 'vitest';
import { isDeclaredAccount, parametersForLater } from './declared-accounts.ts';

test.each([
  'card.payer_account_number',
  'card.card_exp_month',
  'card.cart.items.sku',
  'card.cart.items[0].sku',
  'card.cart.items.0.recipient.phone',
  'card.shipping.trackingNumber',
  'yapily.payee_identifications.identification',
  'axxi-pin.pin',
  'swifipay-withdrawal.ToAccountNumber',
  'kora.mobile_number',
])('%s may look like a card number', (path) => {
  expect(isDeclaredAccount(path)).toBe(true);
});

test.each([
  'card.pan',
  'card.card_cvv2',
  'card.pin',
  'card.cart.items.giftMessage',
  'card.shipping.comment',
  'card.accountNumber',
  'nothing.accountNumber',
  'papara.pan',
  '',
])('%s is a text', (path) => {
  expect(isDeclaredAccount(path)).toBe(false);
});

test('a later charge has the parameters of the first without codes and card numbers', () => {
  const kept = { 'card:sealed': 'QUJD4111111111111111', 'kora:asked': ['phone'] };
  const card = { descriptor: 'MUG', payer_identity_id: '4111111111111111' };
  const stored = { ...kept, card: { ...card, card_cvv2: '789', pan: '4111111111111111' } };
  expect(parametersForLater(stored)).toEqual({ ...kept, card: { ...card, pan: '411111******1111' } });
});
