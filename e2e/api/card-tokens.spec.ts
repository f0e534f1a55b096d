// Tokens of stored cards: ownership and removal.
import { newOrderNumber } from '../support/merchant.ts';
import { merchants } from '../support/merchants.ts';
import { signCheckout } from '../support/signatures.ts';
import { expect, test } from '../support/test.ts';

const without = { card_number: undefined, card_exp_month: undefined, card_exp_year: undefined };

function removal(token: string, by: keyof typeof merchants = 'plain', changes: Record<string, unknown> = {}) {
  const { key } = merchants[by];
  return { merchant_key: key, card_token: token, hash: signCheckout([token], merchants[by]), ...changes };
}

test('a removed token is invalid, and a card that is stored again gets another token', async ({ shop, cardShop }) => {
  // A separate card, so that no other test uses its token.
  const card = { card_number: '6011111111111117' };
  const first = await cardShop.sell({ ...card, req_token: 'Y', recurring_init: 'Y' });
  const token = first.answer.body.card_token;
  for (let repeat = 0; repeat < 2; repeat += 1) {
    const { status, body } = await shop.post('/api/v1/card_token/remove', removal(token));
    expect([status, body]).toEqual([200, { card_token: token, result: 'removed' }]);
  }
  const charged = await cardShop.charge('SALE', { ...without, card_token: token });
  expect([charged.status, charged.body.error_code]).toEqual([400, 205005]);
  expect((await shop.session({ card_token: token })).body.error_code).toBe(205005);
  expect((await shop.credit({ card_token: token })).body.error_code).toBe(205005);
  // The recurring agreement that began with the card has a token of its own.
  expect((await cardShop.again(first)).body.status).toBe('SETTLED');
  const stored = await cardShop.sell({ ...card, req_token: 'Y' });
  expect(stored.answer.body.card_token).toMatch(/^[0-9a-f]{64}$/);
  expect(stored.answer.body.card_token).not.toBe(token);
  const paid = await cardShop.sell({ ...without, card_token: stored.answer.body.card_token });
  expect(paid.answer.body.status).toBe('SETTLED');
});

test('tokens that cannot be removed', async ({ shop, cardShop }) => {
  const { answer } = await cardShop.sell({ req_token: 'Y' });
  const token: string = answer.body.card_token;
  const unknown = 'f'.repeat(64);
  const cases: [string, object, string][] = [
    ['another merchant’s', removal(token, 'other'), '400 205007'],
    ['nobody’s', removal(unknown), '400 205005'],
    ['a wrong hash', removal(token, 'plain', { hash: 'x' }), '400 100000'],
    ['no token', removal('', 'plain', { card_token: undefined }), '400 100000'],
    ['no text', removal(token, 'plain', { card_token: [token] }), '400 100000'],
    ['not its shape', removal('a b', 'plain'), '400 100000'],
    ['an unknown key', removal(token, 'plain', { merchant_key: newOrderNumber() }), '400 100000'],
  ];
  for (const [name, body, wanted] of cases) {
    const rejected = await shop.post('/api/v1/card_token/remove', body);
    expect(`${rejected.status} ${rejected.body.error_code}`, name).toBe(wanted);
  }
  expect((await cardShop.sell({ ...without, card_token: token })).answer.body.status).toBe('SETTLED');
});
