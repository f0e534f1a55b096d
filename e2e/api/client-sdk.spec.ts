// The client SDK against the server: every call, signed by the client itself, or by a merchant's server in front of
// which the client has no password.
import { type Client, FlorinError, initialize } from '../../lib/client-sdk/src/index.ts';
import { createBackend, verifyReturn } from '../../lib/client-sdk/src/server.ts';
import { type Merchant, newOrderNumber } from '../support/merchant.ts';
import { cards, startPayer } from '../support/payer.ts';
import { callbacksOf, pay } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';

/** The client of a server that has the password. */
function signing({ baseUrl, credentials }: Merchant): Client {
  const { key, password, digest } = credentials;
  return initialize({ backendUrl: baseUrl, merchantKey: key, password, digest });
}

/** The client of a page or an app, whose requests go to a merchant's server that signs and forwards them. */
function forwarded({ baseUrl, credentials }: Merchant): Client {
  const { key, password, digest } = credentials;
  const options = { florinUrl: baseUrl, merchantKey: key, password, digest };
  const handle = createBackend({ ...options, allow: ({ body }) => body });
  return initialize({
    backendUrl: 'https://shop.example/pay',
    fetch: (address, init) => handle(new Request(address, init)),
  });
}

/** A session request as a user of the SDK writes it. */
function requestOf({ shopServer }: Merchant) {
  const order = { number: newOrderNumber(), amount: '84.50', currency: 'EUR', description: 'Žute šolje, two' };
  return {
    operation: 'purchase' as const,
    methods: ['card'],
    order,
    success_url: `${shopServer.url}/success`,
    cancel_url: `${shopServer.url}/cancel`,
    notification_url: shopServer.addressFor(order.number),
    customer: { name: 'Ana Petrović', email: 'ana@example.com' },
    custom_data: { basket: '7' },
  };
}

async function failureOf(work: Promise<unknown>): Promise<FlorinError> {
  const error = await work.then(
    () => new Error('The call did not fail.'),
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(FlorinError);
  return error as FlorinError;
}

const variants = [
  ['signed by the client', 'plain', signing],
  ['signed by the client, with SHA-256', 'additions', signing],
  ["signed by the merchant's server", 'plain', forwarded],
  ["signed by the merchant's server, with SHA-256", 'additions', forwarded],
] as const;

for (const [name, merchant, clientOf] of variants) {
  test(`${name}: a payment is created, paid, read and refunded`, async ({ as }) => {
    const shop = as(merchant);
    const client = clientOf(shop);
    const request = requestOf(shop);
    const { redirectUrl, redirectMethod } = await client.fetchPaymentUrl(request);
    expect(redirectMethod).toBe('GET');

    const screen = await startPayer(shop.baseUrl).pay(redirectUrl, cards.settled);
    expect(screen.status).toBe(200);
    const status = await client.checkStatus({ orderId: request.order.number });
    expect(status).toMatchObject({ status: 'settled', order: request.order });
    const { payment_id: paymentId } = status;
    expect(await client.checkStatus({ paymentId })).toEqual(status);
    expect(await client.checkStatus({ orderId: request.order.number, size: 1 })).toEqual([status]);
    const [paid] = await callbacksOf(shop, request.order, 1);
    expect(paid?.fields['custom_data[basket]']).toBe('7');

    const part = await client.refundPayment({ paymentId, amount: '4.50' }, { idempotencyKey: 'return-1' });
    expect(part).toEqual({
      payment_id: paymentId,
      result: 'accepted',
      operation_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(await client.refundPayment({ paymentId, amount: '4.50' }, { idempotencyKey: 'return-1' })).toEqual(part);
    const other = { paymentId, amount: '5.00' };
    expect(await failureOf(client.refundPayment(other, { idempotencyKey: 'return-1' }))).toMatchObject({
      code: 400,
      status: 409,
      fields: { 'Idempotency-Key': ['This value was used with other values.'] },
    });
    const rest = await client.refundPayment({ paymentId });
    await expect.poll(async () => (await client.checkStatus({ paymentId })).status).toBe('refund');
    expect(await client.checkStatus({ paymentId, operations: true })).toMatchObject({
      operations: [
        { operation_id: part.operation_id, type: 'refund', status: 'success', amount: '4.50' },
        { operation_id: rest.operation_id, type: 'refund', status: 'success', amount: '80.00' },
      ],
      refundable_amount: '0.00',
    });
  });

  test(`${name}: a payment is voided`, async ({ as }) => {
    const shop = as(merchant);
    const client = clientOf(shop);
    const request = requestOf(shop);
    const { redirectUrl } = await client.fetchPaymentUrl(request);
    await startPayer(shop.baseUrl).pay(redirectUrl, cards.settled);
    const { payment_id: paymentId } = await client.checkStatus({ orderId: request.order.number });
    expect(await client.voidPayment({ paymentId })).toMatchObject({
      payment_id: paymentId,
      status: 'void',
      payment_status: 'void',
      trans_status: 'SUCCESS',
      order: request.order,
    });
  });

  test(`${name}: API errors are typed`, async ({ as }) => {
    const shop = as(merchant);
    const client = clientOf(shop);
    const request = requestOf(shop);
    const faulty = { ...request, order: { ...request.order, amount: '84,50', currency: '' } };
    expect(await failureOf(client.fetchPaymentUrl(faulty))).toMatchObject({
      code: 100000,
      status: 400,
      message: 'Request data is invalid.',
      fields: { 'order.amount': [expect.any(String)], 'order.currency': [expect.any(String)] },
    });
    const paymentId = '00000000-0000-4000-8000-000000000000';
    expect(await failureOf(client.checkStatus({ paymentId }))).toMatchObject({ code: 101000 });
    expect(await failureOf(client.checkStatus({ orderId: newOrderNumber() }))).toMatchObject({ code: 101000 });
    expect(await failureOf(client.checkStatus({ orderId: 'o', size: 101 }))).toMatchObject({
      message: 'size should be within 1..100',
    });
    expect(await failureOf(client.voidPayment({ paymentId }))).toMatchObject({ code: 100000 });
    await client.fetchPaymentUrl(request);
    const { payment_id: unpaid } = await client.checkStatus({ orderId: request.order.number });
    expect(await failureOf(client.refundPayment({ paymentId: unpaid }))).toMatchObject({ code: 208005, status: 400 });
  });
}

test('a refund whose answer is lost is repeated under its key, and made once', async ({ shop, provider }) => {
  const { id, order } = await pay(shop);
  const { key, password } = shop.credentials;
  let lost = 0;
  const client = initialize({
    backendUrl: shop.baseUrl,
    merchantKey: key,
    password,
    fetch: async (address, init) => {
      const answer = await fetch(address, init);
      if (lost++ === 0) throw new TypeError('The connection was reset.');
      return answer;
    },
  });
  expect(await client.refundPayment({ paymentId: id, amount: '5.00' })).toMatchObject({ result: 'accepted' });
  expect(lost).toBe(2);
  await callbacksOf(shop, order, 2);
  expect(await provider.moved(order.number)).toEqual(['sale 84.50', 'refund 5.00']);
});

test('a wrong password is rejected, and no error contains it', async ({ shop }) => {
  const { key } = shop.credentials;
  const password = 'a-password-that-nobody-has';
  const client = initialize({ backendUrl: shop.baseUrl, merchantKey: key, password });
  const error = await failureOf(client.fetchPaymentUrl(requestOf(shop)));
  expect(error).toMatchObject({ code: 100000, message: 'Hash is not valid' });
  expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain(password);
});

test("a merchant's server verifies the payer's return", async ({ shop }) => {
  const client = signing(shop);
  const request = requestOf(shop);
  const { redirectUrl } = await client.fetchPaymentUrl(request);
  const screen = await startPayer(shop.baseUrl).pay(redirectUrl, cards.settled);
  const [, link = ''] = /href="([^"]*\/success\?[^"]*)"/.exec(screen.html) ?? [];
  const { searchParams } = new URL(link.replaceAll('&amp;', '&'));
  expect(searchParams.get('order_id')).toBe(request.order.number);
  expect(verifyReturn(searchParams, request.order, shop.credentials)).toBe(true);
  expect(verifyReturn(searchParams, { ...request.order, amount: '8.45' }, shop.credentials)).toBe(false);
});
