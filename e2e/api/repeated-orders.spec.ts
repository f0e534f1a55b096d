// Repeated order numbers: within 15 seconds the same request returns the same session, also for parallel requests
// (interface.md, Limits; protocol.md 8). The project `clock` tests the time after the window.
import { apiError } from '../support/api-error.ts';
import { signOrder } from '../support/signatures.ts';
import { expect, test } from '../support/test.ts';

// Races in the records of money show by chance: no test here is repeated.
test.describe.configure({ retries: 0 });

const duplicate = apiError(100000, 'order_id: Duplicate payment.');

test('the same values get the same link', async ({ shop }) => {
  const first = await shop.open();
  const again = await shop.post('/api/v1/session', first.body);
  expect(again.status).toBe(200);
  expect(again.body.redirect_url).toBe(first.url);
  expect((await shop.statusByOrder(first.order.number, '100')).body).toHaveLength(1);
});

test('unsigned values may differ in a repeat', async ({ shop, shopServer }) => {
  const first = await shop.open();
  const again = await shop.post('/api/v1/session', { ...first.body, success_url: `${shopServer.url}/elsewhere` });
  expect(again.body.redirect_url).toBe(first.url);
});

for (const [name, value] of Object.entries({ amount: '84.51', currency: 'USD', description: 'Three bowls' })) {
  test(`another ${name} under the same number is a duplicate`, async ({ shop }) => {
    const { order } = await shop.open();
    const answer = await shop.session({ order: { ...order, [name]: value } });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject(duplicate);
    expect((await shop.statusByOrder(order.number)).body.order).toEqual(order);
  });
}

test('the same amount in another notation is a duplicate, because signatures cover the text', async ({ shop }) => {
  const { order } = await shop.open({ order: { amount: '10.50' } });
  const answer = await shop.session({ order: { ...order, amount: '10.5' } });
  expect([answer.status, answer.body]).toEqual([400, expect.objectContaining(duplicate)]);
});

test('two merchants may use one number', async ({ shop, as }) => {
  const { order, url } = await shop.open();
  const other = await as('other').session({ order });
  expect(other.status).toBe(200);
  expect(other.body.redirect_url).not.toBe(url);
});

test('twenty equal requests at once open one payment', async ({ shop }) => {
  const body = shop.signed(shop.sessionBody());
  const answers = await Promise.all(Array.from({ length: 20 }, () => shop.post('/api/v1/session', body)));
  expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
  expect(new Set(answers.map((answer) => answer.body.redirect_url)).size).toBe(1);
  const { number } = body.order as { number: string };
  expect((await shop.statusByOrder(number, '100')).body).toHaveLength(1);
});

test('one of twenty different requests at once under one number succeeds', async ({ shop }) => {
  const base = shop.sessionBody();
  const { number } = base.order as { number: string };
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => {
      const order = { number, amount: `${index + 1}.00`, currency: 'EUR', description: 'Bowls' };
      return shop.post('/api/v1/session', { ...base, order, hash: signOrder(order, shop.credentials) });
    }),
  );
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  for (const answer of answers) if (answer.status !== 200) expect(answer.body).toMatchObject(duplicate);
  expect((await shop.statusByOrder(number, '100')).body).toHaveLength(1);
});

test('a rejected request leaves its order number free', async ({ shop }) => {
  const invalid = shop.signed(shop.sessionBody({ success_url: 'javascript:alert(1)' }));
  expect((await shop.post('/api/v1/session', invalid)).status).toBe(400);
  const { number } = invalid.order as { number: string };
  expect((await shop.statusByOrder(number)).body).toMatchObject({
    error_code: 101000,
    error_message: 'Order does not exist.',
  });
  expect((await shop.session({ order: invalid.order as object })).status).toBe(200);
});
