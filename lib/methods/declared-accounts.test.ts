import { expect, test } from 'vitest';
import { accountShape, parametersForLater } from './declared-accounts.ts';

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
  expect(accountShape(path)?.test('4111 1111-1111 1111')).toBe(true);
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
  expect(accountShape(path)).toBeUndefined();
});

test.each([
  ['GB82 WEST-1234', true],
  ['+49 (151) 1234.5678', true],
  ['12.345.678/0001-95', true],
  ['Please charge my card: 4111111111111111', false],
  ['4111111111111111, cvv 123', false],
  ['4111111111111111 '.repeat(4), false],
])('a number that may be any text has the shape of one: %s', (value, isNumber) => {
  expect(accountShape('card.shipping.trackingNumber')?.test(value)).toBe(isNumber);
});

test('a later charge has the parameters of the first without codes, card numbers and what is bound to the first', () => {
  const kept = { 'kora:asked': ['phone'] };
  const card = { descriptor: 'MUG', payer_identity_id: '4111111111111111' };
  const stored = {
    ...kept,
    'card:sealed': 'QUJD4111111111111111',
    card: { ...card, card_cvv2: '789', pan: '4111111111111111' },
  };
  expect(parametersForLater(stored)).toEqual({ ...kept, card: { ...card, pan: '411111******1111' } });
});
