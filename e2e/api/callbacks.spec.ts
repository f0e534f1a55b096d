// The contents and the delivery of callbacks (interface.md, Events; protocol.md 7). The project `clock` tests the retry
// schedule over hours and the pause of an address that never responds.
import { createHmac } from 'node:crypto';
import { cardFields } from '../support/card-merchant.ts';
import { makeMerchant, makeMid } from '../support/created-merchants.ts';
import { visitorAs } from '../support/dashboard.ts';
import { changeMapping, mappingOf } from '../support/mappings.ts';
import { merchantClient, newOrderNumber } from '../support/merchant.ts';
import { defaultAddress } from '../support/merchants.ts';
import { cards, startPayer } from '../support/payer.ts';
import { authorise, callbacksOf, expectCallbacks, pay, statusOf, untilStatus } from '../support/payment-flows.ts';
import { messagesOf, startShopServer } from '../support/shop-server.ts';
import { isSignedWebhook } from '../support/signatures.ts';
import { expect, test } from '../support/test.ts';

const customer = { name: 'Ana Petrović', email: 'ana@example.com', ip: '203.0.113.9', birth_date: '1990-02-28' };
const billing = {
  country: 'US',
  state: 'CA',
  city: 'Los Angeles',
  district: 'Downtown',
  address: '1 Main Street',
  house_number: '17b',
  zip: '90001',
  phone: '+12135550100',
  phone_country_code: '1',
};

test('has the contents of the contract', async ({ shop }) => {
  const { id, order } = await pay(shop, cards.settled, { customer, billing_address: billing });
  const [message] = await expectCallbacks(shop, order, ['success sale settled']);
  const fields = message?.fields ?? {};
  expect(fields).toMatchObject({
    id,
    payment_id: id,
    order_id: order.number,
    order_number: order.number,
    order_amount: order.amount,
    order_currency: order.currency,
    order_description: order.description,
    order_status: 'settled',
    type: 'sale',
    status: 'success',
    customer_name: customer.name,
    customer_email: customer.email,
    customer_ip: customer.ip,
    customer_country: 'US',
    customer_state: 'CA',
    customer_city: 'Los Angeles',
    customer_address: '1 Main Street',
    card: '411111****1111',
    card_expiration_date: '01/2038',
  });
  expect(fields.trans_id).toMatch(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
  expect(fields.date).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);
  for (const absent of ['reason', 'payer_email', 'eci', 'browser_user_agent', 'initiator']) {
    expect(fields, absent).not.toHaveProperty(absent);
  }
  expect(message?.body).not.toContain('4111111111111111');
  expect(message?.body).not.toContain('cvv');
});

test('adds the fields that the mapping requires, hashed with its digest', async ({ as }) => {
  const shop = as('additions');
  const { id, order } = await pay(shop, cards.challenge, { customer, billing_address: billing });
  const messages = await expectCallbacks(shop, order, ['success 3ds 3ds', 'success sale settled']);
  const fields = messages[1]?.fields ?? {};
  expect(fields).toMatchObject({
    payer_first_name: 'Ana',
    payer_last_name: 'Petrović',
    payer_birth_date: '1990-02-28',
    payer_address: '1 Main Street',
    payer_house_number: '17b',
    payer_phone_country_code: '1',
    payer_country: 'US',
    payer_state: 'CA',
    payer_city: 'Los Angeles',
    payer_district: 'Downtown',
    payer_zip: '90001',
    payer_email: 'ana@example.com',
    payer_phone: '+12135550100',
    payer_ip: '203.0.113.9',
    transStatus: 'Y',
    eci: '05',
    authenticationFlow: 'challenge',
    browser_user_agent: expect.stringContaining('TestPayer'),
    browser_accept_headers: expect.stringContaining('text/html'),
    brand: expect.stringMatching(/^visa$/i),
    ARN: expect.stringMatching(/^\d{23}$/),
    RRN: expect.stringMatching(/^\d{12}$/),
    checkout_payment_method: 'card',
    card: '411111****1111',
  });
  for (const name of ['threeDSServerTransID', 'dsTransID', 'acsTransID', 'protocolVersion', 'browser_language']) {
    expect(fields[name], name).toBeTruthy();
  }
  expect(Object.keys(fields).filter((name) => name.startsWith('extended_data['))).not.toEqual([]);
  const status = await statusOf(shop, id);
  expect(status).toMatchObject({
    card: '411111****1111',
    card_expiration_date: '05/2038',
    payer_email: 'ana@example.com',
  });
});

test('an unknown ARN is empty in a callback and absent from a status', async ({ as }) => {
  const shop = as('additions');
  const { id, order } = await pay(shop, cards.declined);
  const [message] = await expectCallbacks(shop, order, ['fail sale decline']);
  expect(message?.fields.ARN).toBe('');
  expect(await statusOf(shop, id)).not.toHaveProperty('ARN');
});

test('custom_data is returned under bracket keys', async ({ shop }) => {
  const custom = { basket: { id: 7, lines: ['bowl', 'jug'] }, note: 'a&b=c d', flag: true, empty: '' };
  const { order } = await pay(shop, cards.settled, { custom_data: custom });
  const [message] = await callbacksOf(shop, order, 1);
  expect(message?.fields).toMatchObject({
    'custom_data[basket][id]': '7',
    'custom_data[basket][lines][0]': 'bowl',
    'custom_data[basket][lines][1]': 'jug',
    'custom_data[note]': 'a&b=c d',
    'custom_data[empty]': '',
  });
});

test('a token and a recurring token are in the callback of the payment that created them', async ({ shop }) => {
  const { id, order } = await pay(shop, cards.settled, { req_token: true, recurring_init: true });
  const [message] = await callbacksOf(shop, order, 1);
  expect(message?.fields.card_token).toMatch(/^[0-9a-f]{64}$/);
  expect(message?.fields.recurring_token).toBeTruthy();
  expect(message?.fields.recurring_init_trans_id).toBe(message?.fields.trans_id);
  const status = await statusOf(shop, id);
  expect(status.card_token).toBe(message?.fields.card_token);
  expect(status.recurring_token).toBe(message?.fields.recurring_token);
});

test('headers also sign the body', async ({ shop }) => {
  const { order } = await authorise(shop);
  await shop.capture((await callbacksOf(shop, order, 1))[0]?.fields.payment_id ?? '');
  const messages = await callbacksOf(shop, order, 2);
  // The secret is derived from the password, as the documentation says.
  const secret = createHmac('sha256', shop.credentials.password).update('florin callbacks').digest();
  for (const { headers, body } of messages) {
    expect(headers['webhook-id']).toBeTruthy();
    expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60);
    expect(isSignedWebhook(headers, body, secret)).toBe(true);
    expect(isSignedWebhook(headers, `${body}x`, secret)).toBe(false);
    expect(isSignedWebhook(headers, body, createHmac('sha256', 'x').digest())).toBe(false);
  }
  expect(messages[0]?.headers['webhook-id']).not.toBe(messages[1]?.headers['webhook-id']);
});

test.describe('delivery', () => {
  test('a failed delivery is repeated with the same id, and the next ones wait for it for a while', async ({
    shop,
    shopServer,
  }) => {
    const number = newOrderNumber();
    shopServer.answer(number, { status: 500 }, { status: 200 });
    const { order } = await authorise(shop, cards.settled, { order: { number } });
    await shopServer.waitFor(number, (all) => all.length >= 1);
    await shop.capture(await paymentIdIn(shopServer.arrived(number)));
    const all = await shopServer.waitFor(number, (deliveries) => deliveries.length >= 3, 15);
    expect(all.map(({ fields }) => fields.order_status)).toEqual(['pending', 'pending', 'settled']);
    expect(all[0]?.headers['webhook-id']).toBe(all[1]?.headers['webhook-id']);
    expect(all[0]?.body).toBe(all[1]?.body);
    const waited = ((all[1]?.receivedAt ?? 0) - (all[0]?.receivedAt ?? 0)) / 1000;
    expect(waited).toBeGreaterThan(4);
    expect(waited).toBeLessThan(9);
    await expectCallbacks(shop, order, ['success sale pending', 'success capture settled']);
  });

  test('a late delivery contains the state when it was written', async ({ shop, shopServer, florin }) => {
    const number = newOrderNumber();
    shopServer.answer(number, { status: 500 }, { status: 200 });
    const { url, order } = await shop.open({ order: { number } });
    const payer = startPayer(florin);
    await payer.pay(url, { number: '4000 0000 0000 0002', expiry: '12/30' });
    const [first] = await shopServer.waitFor(number, (all) => all.length >= 1);
    await payer.pay(url, cards.settled);
    await expectCallbacks(shop, order, ['fail sale decline', 'success sale settled'], 15);
    const repeated = shopServer.arrived(number)[1];
    expect(repeated?.body).toBe(first?.body);
    expect(repeated?.fields).toMatchObject({ card: '400000****0002', reason: 'Do not honour' });
    expect(shopServer.arrived(number)[2]?.fields.card).toBe('411111****1111');
  });

  test('a repeat of a decline does not contain the tokens of a later attempt', async ({ shop, shopServer, florin }) => {
    const number = newOrderNumber();
    shopServer.answer(number, { status: 500 }, { status: 200 });
    const { url, order } = await shop.open({ order: { number }, req_token: true, recurring_init: true });
    const payer = startPayer(florin);
    await payer.pay(url, { number: '4000 0000 0000 0002', expiry: '12/30' });
    const [first] = await shopServer.waitFor(number, (all) => all.length >= 1);
    await payer.pay(url, cards.settled);
    const [, success] = await expectCallbacks(shop, order, ['fail sale decline', 'success sale settled'], 15);
    const repeated = shopServer.arrived(number)[1];
    expect(repeated?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(repeated?.body).toBe(first?.body);
    expect(repeated?.fields).not.toHaveProperty('recurring_token');
    expect(success?.fields.recurring_token).toBeTruthy();
    expect(success?.fields.card_token).toMatch(/^[0-9a-f]{64}$/);
  });

  test('a late first delivery contains the state when the callback was written', async ({ as, florin }) => {
    const owner = await visitorAs(florin, 'merchant');
    const own = await startShopServer();
    try {
      const shop = merchantClient(florin, as('demo').credentials, own);
      const hold = (held: boolean) => owner.post('/callbacks/hold', { address: own.url, held });
      await expectCallbacks(shop, (await pay(shop)).order, ['success sale settled']);
      expect((await hold(true)).body).toEqual({ held: true });
      const { url, order } = await shop.open({ req_token: true, recurring_init: true });
      const payer = startPayer(florin);
      await payer.pay(url, { number: '4000 0000 0000 0002', expiry: '12/30' });
      await payer.pay(url, cards.settled);
      await hold(false);
      const [decline, success] = await expectCallbacks(shop, order, ['fail sale decline', 'success sale settled']);
      expect(decline?.fields).not.toHaveProperty('recurring_token');
      expect(decline?.fields).not.toHaveProperty('card_token');
      expect(decline?.fields.card).toBe('400000****0002');
      expect(success?.fields.card_token).toMatch(/^[0-9a-f]{64}$/);
    } finally {
      await own.close();
    }
  });

  test('an S2S repeat of the redirect to the bank does not contain its outcome', async ({
    cardShop,
    shopServer,
    florin,
  }) => {
    const orderId = newOrderNumber();
    let isBack = false;
    shopServer.answer(orderId, () => ({ status: isBack ? 200 : 500 }));
    const sold = await cardShop.sell({
      order_id: orderId,
      ...cardFields.challenge,
      req_token: 'Y',
      recurring_init: 'Y',
      term_url_3ds: `${shopServer.url}/back`,
    });
    const [first] = await shopServer.waitFor(orderId, (all) => all.length >= 1);
    expect(first?.fields).toMatchObject({ result: 'REDIRECT', status: '3DS' });
    const { redirect_url: bank, redirect_params: params } = sold.answer.body;
    const payer = startPayer(florin);
    const posted = { method: 'POST', body: new URLSearchParams(params).toString() };
    await payer.goOn(bank, await payer.visit(bank, posted), 'confirm');
    isBack = true;
    const all = await shopServer.waitFor(orderId, (list) => messagesOf(list).length >= 2, 50);
    const attempts = all.filter(({ headers }) => headers['webhook-id'] === first?.headers['webhook-id']);
    expect(attempts.length).toBeGreaterThan(1);
    expect(new Set(attempts.map(({ body }) => body)).size).toBe(1);
    expect(messagesOf(all)[1]?.fields).toMatchObject({ status: 'SETTLED', card_token: expect.any(String) });
  });

  test('a manual repeat has the same bytes, whatever the mapping is by then', async ({ florin, shopServer }) => {
    const manager = await visitorAs(florin, 'manager');
    const merchant = await makeMerchant(manager);
    await makeMid(manager, merchant.id);
    const shop = merchantClient(florin, merchant.credentials, shopServer);
    const { order } = await pay(shop);
    const [first] = await shopServer.waitFor(order.number, (all) => all.length >= 1);
    const { id } = await mappingOf(manager, merchant, 'checkout');
    await changeMapping(manager, id, { digest: 'sha256', callbackFields: ['payer_email', 'ARN', 'extended_data'] });
    // Settings are cached for two seconds.
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    const callback = first?.headers['webhook-id'];
    expect((await manager.post(`/callbacks/${callback}/resend`, {})).status).toBe(200);
    const [, repeated] = await shopServer.waitFor(order.number, (all) => all.length >= 2);
    expect(repeated?.headers['webhook-id']).toBe(callback);
    expect(repeated?.body).toBe(first?.body);
    const { body } = await manager.get(`/callbacks/${callback}`);
    expect(body.signature).toMatchObject({
      valid: true,
      texts: [expect.stringContaining('another attempt sends the same body')],
    });
    // Callbacks written under the new settings follow them.
    const later = await pay(merchantClient(florin, { ...merchant.credentials, digest: 'sha256' }, shopServer));
    const [other] = await shopServer.waitFor(later.order.number, (all) => all.length >= 1);
    expect(other?.fields['extended_data[merchant_name]']).toBe(merchant.name);
  });

  test('ERROR in a 2xx response counts as received', async ({ shop, shopServer }) => {
    const number = newOrderNumber();
    shopServer.answer(number, { status: 200, body: 'ERROR' });
    const { id, order } = await authorise(shop, cards.settled, { order: { number } });
    await shop.capture(id);
    await expectCallbacks(shop, order, ['success sale pending', 'success capture settled']);
    expect(shopServer.arrived(number)).toHaveLength(2);
  });

  test('a redirect is not followed and does not acknowledge', async ({ shop, shopServer }) => {
    const number = newOrderNumber();
    const elsewhere = newOrderNumber();
    shopServer.answer(
      number,
      { status: 302, headers: { location: shopServer.addressFor(elsewhere) } },
      { status: 200 },
    );
    await pay(shop, cards.settled, { order: { number } });
    const all = await shopServer.waitFor(number, (deliveries) => deliveries.length >= 2, 15);
    expect(messagesOf(all)).toHaveLength(1);
    expect(shopServer.arrived(elsewhere)).toHaveLength(0);
    expect(shopServer.visits(`/callbacks/${elsewhere}`)).toBe(0);
  });

  test('a failing address does not delay other payments', async ({ shop, shopServer }) => {
    const [bad, good] = [newOrderNumber(), newOrderNumber()];
    shopServer.answer(bad, { status: 503 });
    await pay(shop, cards.settled, { order: { number: bad } });
    const { order } = await pay(shop, cards.settled, { order: { number: good } });
    await expectCallbacks(shop, order, ['success sale settled'], 3);
  });

  test("uses the mapping's default if the request has no address", async ({ as }) => {
    const shopServer = await startShopServer(defaultAddress.port);
    try {
      const shop = as('defaultAddress');
      const { id } = await pay(shop, cards.settled, { notification_url: undefined });
      const all = await shopServer.waitFor(defaultAddress.path, (list) => list.some(({ fields }) => fields.id === id));
      expect(all.find(({ fields }) => fields.id === id)?.fields.status).toBe('success');
    } finally {
      await shopServer.close();
    }
  });

  test('prefers the address of the request to the default', async ({ as, shopServer }) => {
    const shop = as('defaultAddress');
    const { order } = await pay(shop, cards.settled);
    await expectCallbacks(shop, order, ['success sale settled']);
    expect(shopServer.arrived(order.number)).toHaveLength(1);
  });

  test('a payment without any address is processed normally', async ({ shop, shopServer }) => {
    const { id, order } = await pay(shop, cards.settled, { notification_url: undefined });
    await shop.refund(id);
    await untilStatus(shop, id, 'refund');
    expect(shopServer.arrived(order.number)).toHaveLength(0);
  });
});

test.describe('the address of a request', () => {
  test('is checked by a request that a shop answers', async ({ shop, shopServer }) => {
    const number = newOrderNumber();
    await shop.open({ order: { number } });
    expect(shopServer.arrived(number)).toHaveLength(0);
  });

  test('has one error text for every kind of failure', async ({ shop }) => {
    const texts = new Set<string>();
    for (const url of ['http://127.0.0.1:1/', 'http://no-such-host.invalid/', 'http://[::1]:1/', 'ftp://127.0.0.1/']) {
      const { status, body } = await shop.session({ notification_url: url });
      expect(status, url).toBe(400);
      texts.add(JSON.stringify(body));
    }
    expect(texts.size).toBe(1);
  });
});

test('the payer returns with the parameters that the mapping adds', async ({ as, florin }) => {
  for (const [name, card] of [
    ['returnParameters', cards.settled],
    ['returnParameters', cards.challenge],
    ['plain', cards.settled],
  ] as const) {
    const shop = as(name);
    const { screen } = await pay(shop, card);
    const html = screen.html.replaceAll('&amp;', '&');
    const link = /https?:\/\/127\.0\.0\.1:\d+\/success\?[^"']*/.exec(html)?.[0];
    const query = new URL(link ?? florin).searchParams;
    expect([...query.keys()].slice(0, 4).sort(), name).toEqual(['hash', 'order_id', 'payment_id', 'trans_id'].sort());
    expect(query.get('payment_method')).toBe(name === 'plain' ? null : 'card');
    expect(query.has('brand')).toBe(name !== 'plain');
  }
});

test('one payer, two tabs: two submissions make one payment', async ({ shop, florin, provider }) => {
  const { order, url } = await shop.open();
  const [one, two] = [startPayer(florin), startPayer(florin)];
  const [first, second] = await Promise.all([one.visit(url), two.visit(url)]);
  await Promise.all([one.payOn(first, cards.settled), two.payOn(second, cards.settled)]);
  await expectCallbacks(shop, order, ['success sale settled']);
  expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
});

async function paymentIdIn(deliveries: { fields: Record<string, string> }[]): Promise<string> {
  return deliveries[0]?.fields.payment_id ?? '';
}
