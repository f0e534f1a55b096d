// A payout that is retried, hours later or at another account: the provider gets every value of the first attempt,
// including the number of the paying account, and no other party ever does (interface.md, CREDIT2CARD parameter sets).
import { payoutCard } from '../support/card-merchant.ts';
import { newOrderNumber } from '../support/merchant.ts';
import { startPayer } from '../support/payer.ts';
import { callbacksOf, pay } from '../support/payment-flows.ts';
import { expectS2sCallbacks } from '../support/s2s-flows.ts';
import { expect, test } from '../support/test.ts';
import { startTestProvider, type TestProvider } from '../support/test-provider.ts';

const secret = '4111111111111111';
const parameters = { payer_account_number: secret, payer_nationality: 'RS', expiry: '08/2031' };

// All tests share one port and therefore one worker.
test.describe.configure({ mode: 'default' });

let bank: TestProvider;
test.beforeAll(async () => {
  bank = await startTestProvider();
});
test.afterAll(() => bank.close());

const ordersAtProvider = (order: string) =>
  bank
    .arrived(order)
    .map(({ account, path, body }) => ({
      at: account + path,
      card: body.payee_card.number,
      date: `${body.payee_card.exp_month}/${body.payee_card.exp_year}`,
      pays: body.parameters.payer_account_number,
      from: body.parameters.payer_nationality,
      descriptor: body.descriptor,
    }));

const expectedOrder = (at: string) => ({
  at,
  card: payoutCard,
  date: '08/2031',
  pays: secret,
  from: 'RS',
  descriptor: 'Test Own provider',
});

test('by RETRY', async ({ cardAs }) => {
  const shop = cardAs('ownProvider');
  const order_id = newOrderNumber();
  bank.says(order_id, 'a', 'refused');
  const { body } = await shop.payout({ order_id, parameters });
  expect(body.status).toBe('DECLINED');
  bank.says(order_id, 'a', 'approved');
  const sold = { transId: body.trans_id, card: payoutCard.slice(0, 6) + payoutCard.slice(-4) };
  expect((await shop.follow('RETRY', sold)).body.result).toBe('ACCEPTED');
  const messages = await expectS2sCallbacks(shop, { orderId: order_id, email: undefined }, [
    'CREDIT2CARD DECLINED DECLINED',
    'CREDIT2CARD SUCCESS SETTLED',
  ]);
  expect(ordersAtProvider(order_id)).toEqual([expectedOrder('a/payouts'), expectedOrder('a/payouts')]);
  for (const message of messages) expect(message.body).not.toContain(secret);
});

test("payer's texts: a provider with shorter limits gets them truncated, and callbacks contain them in full", async ({
  as,
}) => {
  const shop = as('shortTexts');
  const number = newOrderNumber();
  bank.says(number, 'a', 'approved');
  const [name, city] = ['𝒳'.repeat(100), `${'Llanfair'.repeat(5)}, Ynys Môn`];
  const address = { country: 'GB', city, zip: 'LL61 5UJ' };
  const { order } = await pay(shop, undefined, { order: { number }, customer: { name }, billing_address: address });
  const email = 'ana@example.com';
  expect(bank.arrived(number)[0]?.body.payer).toMatchObject({
    name: '𝒳'.repeat(20),
    city: city.slice(0, 20),
    zip: 'LL61 5UJ',
    email,
  });
  const [message] = await callbacksOf(shop, order, 1);
  expect([message?.fields.customer_name, message?.fields.customer_city]).toEqual([name, city]);
});

for (const [name, first] of [
  ['at once', 'declined'],
  ['after an answer that came late', 'processing'],
] as const) {
  test(`by failover, ${name}`, async ({ cardAs }) => {
    const shop = cardAs('ownProvider');
    const order_id = newOrderNumber();
    bank.says(order_id, 'a', first);
    bank.says(order_id, 'b', 'approved');
    const { body } = await shop.payout({ order_id, parameters });
    const late = first === 'processing';
    expect(body.status).toBe(late ? 'PREPARE' : 'SETTLED');
    bank.says(order_id, 'a', 'declined');
    const waiting = late ? ['CREDIT2CARD WAITING PREPARE'] : [];
    const all = [...waiting, 'CREDIT2CARD SUCCESS SETTLED'];
    await expectS2sCallbacks(shop, { orderId: order_id, email: undefined }, all);
    expect(ordersAtProvider(order_id)).toEqual([expectedOrder('a/payouts'), expectedOrder('b/payouts')]);
  });
}

test('with the typed expiry date for a stored card, however late', async ({ as, florin }) => {
  const shop = as('ownProvider');
  const begin = newOrderNumber();
  bank.says(begin, 'a', 'approved');
  const paid = { operation: 'credit', req_token: true, order: { number: begin } };
  const { order: first } = await pay(shop, { number: payoutCard, expiry: '08/31' }, paid);
  const card_token = (await callbacksOf(shop, first, 1))[0]?.fields.card_token;
  const number = newOrderNumber();
  bank.says(number, 'a', 'processing');
  bank.says(number, 'b', 'approved');
  const { url, order } = await shop.open({ operation: 'credit', card_token, order: { number } });
  const payer = startPayer(florin);
  const screen = await payer.visit(url);
  const form = screen.forms.find((each) => each.controls.some(({ name }) => name === 'saved_card'));
  if (!form) throw new Error('no form');
  await payer.submit(form, { card_expiry: '09/32' });
  bank.says(number, 'a', 'declined');
  const messages = await callbacksOf(shop, order, 2);
  expect(messages.at(-1)?.fields).toMatchObject({ order_status: 'settled', card_token, payee_card: '460154****6519' });
  expect(ordersAtProvider(number).map(({ at, date }) => `${at} ${date}`)).toEqual([
    'a/payouts 09/2032',
    'b/payouts 09/2032',
  ]);
});
