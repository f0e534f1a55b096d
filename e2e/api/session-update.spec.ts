// PUT /api/v1/session/update: a session can change until its first attempt, with a valid hash (protocol.md 2).

import type { Changes, Merchant, Opened } from '../support/merchant.ts';
import { cards, startPayer } from '../support/payer.ts';
import { pay } from '../support/payment-flows.ts';
import { signOrder } from '../support/signatures.ts';
import { expect, test } from '../support/test.ts';
import { parseCell, rowsOf } from '../support/text-table.ts';

/** Signed over the updated order. */
function update(shop: Merchant, { token, order }: Opened, changes: Changes) {
  const after = { ...order, ...(changes.order as object | undefined) };
  return shop.update(token, { ...changes, hash: signOrder(after, shop.credentials) });
}

test('changes only the members of the request', async ({ shop, shopServer, florin, provider }) => {
  const opened = await shop.open();
  const answer = await update(shop, opened, {
    order: { amount: '99.00', description: 'Three stoneware bowls' },
    success_url: `${shopServer.url}/thanks`,
  });
  expect(answer.status).toBe(200);
  const { body } = await shop.statusByOrder(opened.order.number);
  expect(body.order).toEqual({ ...opened.order, amount: '99.00', description: 'Three stoneware bowls' });
  expect(body.customer).toEqual({ name: 'Ana Petrović', email: 'ana@example.com' });
  const screen = await startPayer(florin).pay(opened.url, cards.settled);
  expect(screen.html).toContain(`${shopServer.url}/thanks?`);
  expect(await provider.moved(opened.order.number)).toEqual(['sale 99.00']);
  const [message] = await shopServer.waitFor(opened.order.number, (all) => all.length > 0);
  expect(message?.fields.hash).toBeTruthy();
  expect(message?.fields.order_amount).toBe('99.00');
});

test('requires the hash for members that a payer cannot type on the page', async ({ shop }) => {
  const opened = await shop.open();
  for (const changes of [
    { order: { amount: '0.01' } },
    { success_url: 'https://example.com/' },
    { session_expiry: 720 },
  ]) {
    for (const hash of [undefined, '', 'wrong', signOrder(opened.order, { ...shop.credentials, password: 'x' })]) {
      const answer = await shop.update(opened.token, { ...changes, hash });
      expect([answer.status, answer.body.error_message], JSON.stringify(changes)).toEqual([400, 'Hash is not valid']);
    }
  }
  expect((await shop.statusByOrder(opened.order.number)).body.order).toEqual(opened.order);
});

test('requires a session token', async ({ shop }) => {
  const { token, order } = await shop.open();
  const forged = [
    '',
    'x',
    token.slice(0, -1),
    `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
    `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`,
    `${token}A`,
    'A'.repeat(43),
  ];
  for (const each of forged) {
    const answer = await shop.update(each, { customer: { name: 'Eve Mallory' } });
    expect([answer.status, answer.body.result, answer.body.error_message]).toEqual([
      401,
      'ERROR',
      'Token is not valid.',
    ]);
  }
  expect((await shop.statusByOrder(order.number)).body.customer.name).toBe('Ana Petrović');
});

const rejections = rowsOf(`
  order                | {"number": "another"}     | order.number
  order                | {"amount": "1e3"}         | order.amount
  order                | {"amount": "1.001"}       | order.amount
  order                | {"description": "d"}      | order.description
  success_url          | javascript:alert(1)       | success_url
  url_target           | _new                      | url_target
  session_expiry       | 721                       | session_expiry
  notification_url     | http://127.0.0.1:1/       | notification_url
  operation            | debit                     | operation
  auth                 | true                      | auth
  recurring_init       | true                      | recurring_init
`);

for (const [member = '', cell = '', path = ''] of rejections) {
  test(`${member} cannot become ${cell}`, async ({ shop }) => {
    const opened = await shop.open();
    const answer = await update(shop, opened, { [member]: parseCell(cell) });
    expect(answer.status).toBe(400);
    const errors = JSON.stringify(answer.body.errors ?? answer.body);
    expect(errors).toContain(`${path}: `);
    expect((await shop.statusByOrder(opened.order.number)).body.order).toEqual(opened.order);
  });
}

test('is rejected after the first attempt, even a declined one', async ({ shop }) => {
  for (const card of [cards.declined, cards.settled, cards.challenge]) {
    const { opened, order } = await pay(shop, card, {}, 'stay');
    const answer = await update(shop, opened, { order: { amount: '1.00' } });
    expect([answer.status, answer.body.error_message]).toEqual([400, 'Session is in use.']);
    expect((await shop.statusByOrder(order.number)).body.order).toEqual(order);
  }
});

test('a form that shows the old amount pays nothing, and shows the new one', async ({ shop, florin, provider }) => {
  const opened = await shop.open();
  const payer = startPayer(florin);
  const old = await payer.visit(opened.url);
  expect((await update(shop, opened, { order: { amount: '99.00' } })).status).toBe(200);
  const current = await payer.payOn(old, cards.settled);
  expect(await provider.moved(opened.order.number)).toEqual([]);
  expect(current.html).toContain('99.00');
  await payer.payOn(current, cards.settled);
  expect(await provider.moved(opened.order.number)).toEqual(['sale 99.00']);
});
