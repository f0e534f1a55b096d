// No value that a payer holds authorises a merchant's request (protocol.md 1). The hash on success_url and cancel_url
// covers texts without separators, so it also matches other requests whose values concatenate to the same text.
import { randomUUID } from 'node:crypto';
import { visitorAs } from '../support/dashboard.ts';
import { copyPayment, sql } from '../support/database-rows.ts';
import { type Changes, type Merchant, newOrderNumber } from '../support/merchant.ts';
import { cards, formTo, returnLinkOf, type Screen, startPayer } from '../support/payer.ts';
import { callbacksOf, idOf, pay } from '../support/payment-flows.ts';
import { type Order, signNotice } from '../support/signatures.ts';
import { expect, test } from '../support/test.ts';

const rejected = { result: 'ERROR', error_message: 'Hash is not valid' };
const piano = { amount: '5000.00', currency: 'USD', description: 'A grand piano' };

/** The values in the address that the payer reaches after Cancel. */
async function cancelledPayment(shop: Merchant, changes: Partial<Order> = piano) {
  const { url, order } = await shop.open({ order: changes });
  const payer = startPayer(shop.baseUrl);
  const screen = await payer.submit(formTo(await payer.visit(url), '/cancel'));
  const query = new URL(redirectTarget(screen)).searchParams;
  return { order, id: query.get('payment_id') ?? '', hash: query.get('hash') ?? '' };
}

const idForms = [
  ['unchanged', (id: string) => id],
  ['in upper case', (id: string) => id.toUpperCase()],
] as const;

const textForms = [
  (text: string) => text,
  (text: string) => text.toUpperCase(),
  // The ligature ﬀ, whose upper case is FF.
  (text: string) => text.replace('ff', '\ufb00'),
];

function redirectTarget(screen: Screen): string {
  if (screen.outside) return screen.url;
  return returnLinkOf(screen)?.href ?? '';
}

test.describe('the hash of a return address', () => {
  for (const [name, read] of idForms) {
    test(`opens no session and makes no payout, the id ${name}`, async ({ shop, provider }) => {
      const { order, id, hash } = await cancelledPayment(shop);
      const number = read(id) + order.number;
      const address = { notification_url: shop.shopServer.addressFor(order.number) };
      for (const operation of ['credit', 'transfer', 'purchase', 'debit']) {
        const body = { ...shop.sessionBody({ ...address, operation, order: { ...order, number } }), hash };
        expect((await shop.post('/api/v1/session', body)).body, operation).toMatchObject(rejected);
      }
      const fields = shop.sessionBody({
        ...address,
        order: { ...order, number },
        return_url: `${shop.shopServer.url}/back`,
      });
      expect((await shop.post('/api/v1/session/token', { ...fields, hash })).body).toMatchObject(rejected);
      const credit = { order_id: number, order_amount: order.amount, order_currency: order.currency };
      const flat = { ...credit, order_description: order.description, card_token: randomUUID() };
      const paid = { ...shop.creditBody(flat), hash };
      expect((await shop.post('/api/v1/payment/card/credit', paid)).body).toMatchObject(rejected);
      expect(await provider.journal(number)).toEqual([]);
    });

    test(`is no hash of any other request, the id ${name}`, async ({ shop }) => {
      const { order, id, hash } = await cancelledPayment(shop);
      const rest = order.number + order.amount + order.currency + order.description;
      const key = shop.credentials.key;
      const whole = read(id) + rest;
      const requests: [string, Changes][] = [
        ['payment/status', { payment_id: whole }],
        ['payment/status', { order_id: whole }],
        ['payment/void', { payment_id: whole }],
        ['payment/retry', { payment_id: whole }],
        ['payment/refund', { payment_id: whole }],
        ['payment/refund', { payment_id: read(id), amount: rest }],
        ['payment/capture', { payment_id: read(id), amount: rest }],
        [
          'payment/recurring',
          {
            recurring_init_trans_id: read(id),
            recurring_token: order.number.slice(0, -1),
            order: {
              number: order.number.slice(-1),
              amount: order.amount,
              description: order.currency + order.description,
            },
          },
        ],
      ];
      for (const [path, body] of requests) {
        const answer = await shop.post(`/api/v1/${path}`, { merchant_key: key, ...body, hash });
        expect(answer.body, path).toMatchObject(rejected);
      }
      const { token } = await shop.open();
      const update = await shop.update(token, { order: { ...order, number: read(id) + order.number }, hash });
      expect(update.body).toMatchObject(rejected);
    });
  }

  test('removes no card token', async ({ shop }) => {
    const plain = { amount: '500', currency: 'JPY', description: 'Gift' };
    const { order, id, hash } = await cancelledPayment(shop, plain);
    for (const read of [id, id.toUpperCase()]) {
      const token = read + order.number + order.amount + order.currency + order.description;
      const body = { merchant_key: shop.credentials.key, card_token: token, hash };
      expect((await shop.post('/api/v1/card_token/remove', body)).body).toMatchObject(rejected);
    }
  });

  // A digit and three letters inside the id can be read as an amount and a currency.
  for (const [currency, tail] of [
    ['CAD', '6cad4ff4'],
    ['AED', '9aedff1c'],
  ] as const) {
    test(`opens no session of ${currency} whose code occurs inside the payment's id`, async ({ shop }) => {
      const { order } = await shop.open({ order: piano });
      const number = newOrderNumber();
      const id = `${randomUUID().slice(0, 28)}${tail}`;
      await copyPayment(await idOf(shop, order.number), id, number);
      const hash = signNotice(id, { ...order, number }, shop.credentials);
      const behind = `${tail.slice(4)}${number}${order.amount}${order.currency}${order.description}`;
      for (const text of textForms) {
        const forged = { number: text(id.slice(0, 28)), amount: tail.slice(0, 1), currency, description: text(behind) };
        for (const operation of ['credit', 'purchase']) {
          const body = { ...shop.sessionBody({ operation, order: forged }), hash };
          expect((await shop.post('/api/v1/session', body)).body, operation).toMatchObject(rejected);
        }
        const fields = shop.sessionBody({ order: forged, return_url: `${shop.shopServer.url}/back` });
        expect((await shop.post('/api/v1/session/token', { ...fields, hash })).body).toMatchObject(rejected);
        const flat = shop.creditBody({
          order_id: forged.number,
          order_amount: forged.amount,
          order_currency: currency,
          order_description: forged.description,
          card_token: randomUUID(),
        });
        expect((await shop.post('/api/v1/payment/card/credit', { ...flat, hash })).body).toMatchObject(rejected);
      }
    });
  }

  test('opens no session and makes no payout after the payment was archived', async ({ shop }) => {
    const number = newOrderNumber();
    const id = randomUUID();
    await sql(
      `insert into archived_payments (id, merchant_id, order_number, holds_order, state, currency, amount_minor, created_at, archived_at, file)
       select $1, k.merchant_id, '', false, 'settled', 'USD', 500000, now() - interval '600 days', now(), 'file' from merchant_keys k where k.key = $2`,
      [id, shop.credentials.key],
    );
    const hash = signNotice(id, { ...piano, number }, shop.credentials);
    for (const operation of ['credit', 'purchase']) {
      const body = { ...shop.sessionBody({ operation, order: { ...piano, number: id + number } }), hash };
      expect((await shop.post('/api/v1/session', body)).body, operation).toMatchObject(rejected);
    }
  });

  test('leaves merchant-signed values alone: UUIDs as order numbers, and ids of other merchants', async ({
    shop,
    as,
  }) => {
    const { id } = await cancelledPayment(as('other'));
    for (const number of [randomUUID(), `${randomUUID()}-2`, id]) {
      expect((await shop.session({ order: { number } })).status, number).toBe(200);
      expect((await shop.statusByOrder(number)).status).toBe(200);
    }
  });

  test('is explained by the hash debugger', async ({ florin, shop }) => {
    const { order, id, hash } = await cancelledPayment(shop);
    const text = JSON.stringify({ ...shop.sessionBody({ order: { ...order, number: id + order.number } }), hash });
    const manager = await visitorAs(florin, 'manager');
    const { body } = await manager.post('/hash-debugger', { protocol: 'checkout', action: '/api/v1/session', text });
    expect(body.said.title).toBe('The payer can obtain this hash');
  });
});

test.describe('the hash of a callback', () => {
  test('is known to the payer, too: without the webhook headers the verifier warns', async ({ florin, shop }) => {
    const { order, id, hash } = await cancelledPayment(shop);
    const made = {
      id,
      payment_id: id,
      order_number: order.number,
      order_amount: order.amount,
      order_currency: order.currency,
      order_description: order.description,
      order_status: 'settled',
      type: 'sale',
      status: 'success',
      hash,
    };
    const manager = await visitorAs(florin, 'manager');
    const { body } = await manager.post('/callback-verifier', { body: new URLSearchParams(made).toString() });
    expect(body).toMatchObject({ explanation: { right: true }, webhook: { right: false } });
    expect(body.webhook.title).toBe('The webhook headers are required to prove a payment');
    expect(body.webhook.text).toMatch(/The payer knows this hash.* does not cover the status.* webhook-signature/);
    // A callback that Florin sent, with its headers, verifies.
    const paid = await pay(shop, cards.settled);
    const [sent] = await callbacksOf(shop, paid.order, 1);
    const headers = Object.entries(sent?.headers ?? {}).map((pair) => pair.join(': '));
    const proved = await manager.post('/callback-verifier', { body: sent?.body, headers: headers.join('\n') });
    expect(proved.body).toMatchObject({ explanation: { right: true }, webhook: { right: true } });
  });

  test('is not enough, according to the documentation of receivers', async ({ florin }) => {
    for (const page of ['guide/callbacks', 'reference/signatures', 'guide/going-live', 'guide/quickstart']) {
      const text = await (await fetch(`${florin}/docs/${page}.md`)).text();
      expect(text.replaceAll(/\s+/g, ' '), page).toMatch(/payer knows/i);
      expect(text, page).toContain('webhook-signature');
    }
  });
});
