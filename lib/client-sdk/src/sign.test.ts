import { createHash } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { hashOfReturn, signatureHeaders, signRequest } from './sign.ts';

const hex = (algorithm: string, text: string) => createHash(algorithm).update(text, 'utf8').digest('hex');

/** The contract's formula with Node's own hashes: each row writes out the values in upper case. */
const formula = (digest: 'md5' | 'sha256', input: string) => hex('sha1', hex(digest, input));

const order = { number: 'order-1', amount: '84.50', currency: 'EUR', description: 'Two coffee cups' };
const by = { merchantKey: 'key-1', password: 'f3b1c5d7' };
const shown = 'Žute šolje, 茶, 🫖';

const rows = [
  ['session', { order }, 'ORDER-184.50EURTWO COFFEE CUPSF3B1C5D7'],
  ['session', { order: { ...order, description: shown } }, 'ORDER-184.50EURŽUTE šOLJE, 茶, 🫖F3B1C5D7'],
  ['session', { order: { ...order, description: 'ß ı é a\u0308' } }, 'ORDER-184.50EURß ı é A\u0308F3B1C5D7'],
  ['status', { payment_id: 'pay-9' }, 'PAY-9F3B1C5D7'],
  ['status', { order_id: 'order-1' }, 'ORDER-1F3B1C5D7'],
  ['status', { order_id: 'order-1', size: '5' }, 'ORDER-1F3B1C5D7'],
  ['status', { payment_id: 'pay-9', order_id: 'order-1' }, 'PAY-9F3B1C5D7'],
  ['refund', { payment_id: 'pay-9', amount: '1.50' }, 'PAY-91.50F3B1C5D7'],
  ['refund', { payment_id: 'pay-9' }, 'PAY-9F3B1C5D7'],
  ['void', { payment_id: 'pay-9', amount: '1.50' }, 'PAY-9F3B1C5D7'],
] as const;

for (const digest of ['md5', 'sha256'] as const) {
  test.each(rows)(`${digest}: %s of %j signs %s`, (operation, body, input) => {
    const signed = signRequest(operation, body, { ...by, digest });
    expect(signed).toEqual({ ...body, merchant_key: 'key-1', hash: formula(digest, input) });
  });
}

test('a published session hash', () => {
  const password = 'f3b1c5d79e2a4b6c8d0e1f2a3b4c5d6e';
  // printf '%s' ORDER-184.50EURTWO COFFEE CUPSF3B1C5D79E2A4B6C8D0E1F2A3B4C5D6E | md5sum | cut -c1-32 | tr -d '\n' | sha1sum
  expect(signRequest('session', { order }, { merchantKey: 'key-1', password }).hash).toBe(
    'ecc90d70fb00e2ea535b0f010070d3f921b23794',
  );
});

test('long inputs cross the block size of every hash', () => {
  for (const length of [0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 1000]) {
    const description = 'x'.repeat(length);
    const { hash } = signRequest('session', { order: { ...order, description } }, by);
    expect(hash).toBe(formula('md5', `ORDER-184.50EUR${'X'.repeat(length)}F3B1C5D7`));
  }
});

test('a return address is signed over payment and order', () => {
  expect(hashOfReturn('pay-9', order, by)).toBe(formula('md5', 'PAY-9ORDER-184.50EURTWO COFFEE CUPSF3B1C5D7'));
});

test('the caller’s key never replaces the configured one', () => {
  expect(signRequest('void', { payment_id: 'pay-9', merchant_key: 'other', hash: 'forged' }, by)).toEqual({
    payment_id: 'pay-9',
    merchant_key: 'key-1',
    hash: formula('md5', 'PAY-9F3B1C5D7'),
  });
});

test.each([
  ['session', { order: { ...order, amount: 84.5 } }, 'order.amount must be a text.'],
  ['session', { order: { ...order, number: 7 } }, 'order.number must be a text.'],
  ['refund', { payment_id: 'pay-9', amount: 1 }, 'amount must be a text.'],
  ['status', { order_id: 12 }, 'order_id must be a text.'],
] as const)('%s of %j is rejected: %s', (operation, body, message) => {
  expect(() => signRequest(operation, body, by)).toThrow(expect.objectContaining({ code: 'argument', message }));
});

test('a thousand strong signatures of one body within a millisecond are all different', () => {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(1_790_000_000_123);
  const by = { password: 'a password', strongSignature: true };
  const all = Array.from({ length: 1000 }, () => signatureHeaders(by, 'https://pay.example.com/api/v1/session', '{}'));
  clock.mockRestore();
  expect(new Set(all.map((headers) => headers['x-florin-signature'])).size).toBe(1000);
});
