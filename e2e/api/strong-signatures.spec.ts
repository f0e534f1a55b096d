// The strong signature of requests: a header that a merchant's server sends in addition to the contract's hash if its
// mapping requires it. The tests make the signature from the documentation alone.
import { createHmac } from 'node:crypto';
import { type FlorinError, initialize, type SessionRequest } from '../../lib/client-sdk/src/index.ts';
import { createBackend } from '../../lib/client-sdk/src/server.ts';
import { apmMerchant } from '../support/apm-merchant.ts';
import { cardMerchant } from '../support/card-merchant.ts';
import { makeMerchant, makeMid, merchantBody } from '../support/created-merchants.ts';
import { visitorAs } from '../support/dashboard.ts';
import { changeMapping, mappingOf } from '../support/mappings.ts';
import { type Changes, merchantClient, newOrderNumber } from '../support/merchant.ts';
import { pay, untilStatus } from '../support/payment-flows.ts';
import { pairsOf } from '../support/s2s-merchant.ts';
import type { ShopServer } from '../support/shop-server.ts';
import { signCheckout } from '../support/signatures.ts';
import { expect, test } from '../support/test.ts';

type Key = { password: string };
type SentRequest = { path: string; body: string; type: string; method?: string };

const stamp = (secondsAgo = 0) => (Date.now() / 1000 - secondsAgo).toFixed(3);

function sign({ password }: Key, timestamp: string, path: string, body: string): Record<string, string> {
  const mac = createHmac('sha256', password).update(`${timestamp}.${path}.${body}`).digest('hex');
  return { 'x-florin-timestamp': timestamp, 'x-florin-signature': `v1=${mac}` };
}

async function send(
  florin: string,
  { path, body, type, method = 'POST' }: SentRequest,
  headers: Record<string, string>,
) {
  const init = method === 'GET' ? { method } : { method, body };
  const response = await fetch(florin + path, { ...init, headers: { 'content-type': type, ...headers } });
  return { status: response.status, body: await response.json() };
}

const json = (path: string, body: object): SentRequest => ({
  path,
  body: JSON.stringify(body),
  type: 'application/json',
});
const form = (path: string, body: Changes): SentRequest => ({
  path,
  body: new URLSearchParams(pairsOf(body)).toString(),
  type: 'application/x-www-form-urlencoded',
});

/** A merchant whose mappings require the signature, and one valid request of each protocol. */
async function setUp(florin: string, shopServer: ShopServer) {
  const manager = await visitorAs(florin, 'manager');
  const merchant = await makeMerchant(manager);
  await makeMid(manager, merchant.id);
  for (const protocol of ['checkout', 's2s_card', 's2s_apm'] as const) {
    const { id } = await mappingOf(manager, merchant, protocol);
    const { values } = await changeMapping(manager, id, { signedRequests: true });
    expect(values.signedRequests).toBe(true);
  }
  const { credentials } = merchant;
  const [checkout, card, apm] = [
    merchantClient(florin, credentials, shopServer),
    cardMerchant(florin, credentials, shopServer),
    apmMerchant(florin, credentials, shopServer),
  ];
  return {
    credentials,
    checkout,
    card,
    session: () => json('/api/v1/session', checkout.signed(checkout.sessionBody())),
    sale: () => form('/s2s/card/post', card.signed(card.chargeBody('SALE'))),
    apmSale: () => form('/s2s/apm/post', apm.signed(apm.chargeBody('SALE'))),
  };
}

const fieldError = (text: string) => ({
  status: 400,
  body: {
    result: 'ERROR',
    error_code: 100000,
    error_message: 'Request data is invalid.',
    errors: [{ error_code: 100000, error_message: text }],
  },
});

test('without it, an order that exists and one that does not have the same answer', async ({ florin, shopServer }) => {
  const own = await setUp(florin, shopServer);
  const sale = own.sale();
  await send(florin, sale, sign(own.credentials, stamp(), sale.path, sale.body));
  const orderId = new URLSearchParams(sale.body).get('order_id') ?? '';
  for (const order_id of [orderId, `${orderId}x`]) {
    const question = form(sale.path, {
      action: 'GET_TRANS_STATUS_BY_ORDER',
      client_key: own.credentials.key,
      order_id,
      hash: '0'.repeat(32),
    });
    expect(await send(florin, question, {})).toEqual(fieldError('X-Florin-Timestamp: This value should not be blank.'));
  }
});

test('is required over all three protocols, and an error names its header', async ({ florin, shopServer }) => {
  const own = await setUp(florin, shopServer);
  for (const make of [own.session, own.sale]) {
    const request = make();
    expect(await send(florin, request, {})).toEqual(fieldError('X-Florin-Timestamp: This value should not be blank.'));
    const at = stamp();
    const good = sign(own.credentials, at, request.path, request.body);
    const wrong = fieldError('X-Florin-Signature: This value is not valid.');
    expect(await send(florin, request, { 'x-florin-timestamp': at })).toEqual(
      fieldError('X-Florin-Signature: This value should not be blank.'),
    );
    expect(await send(florin, { ...request, body: `${request.body} ` }, good)).toEqual(wrong);
    expect(await send(florin, request, { ...good, 'x-florin-timestamp': stamp(1) })).toEqual(wrong);
    expect(await send(florin, request, sign({ password: 'another' }, at, request.path, request.body))).toEqual(wrong);
    expect(await send(florin, request, sign(own.credentials, at, '/api/v1/payment/void', request.body))).toEqual(wrong);
    expect(await send(florin, request, sign(own.credentials, stamp(400), request.path, request.body))).toEqual(
      fieldError('X-Florin-Timestamp: This value is more than 300 seconds from now.'),
    );
    const accepted = await send(florin, request, good);
    expect([accepted.status, accepted.body.error_message]).toEqual([200, undefined]);
  }
  const apm = own.apmSale();
  expect((await send(florin, apm, {})).body.errors[0].error_message).toMatch(/^X-Florin-Timestamp/);
  const signed = await send(florin, apm, sign(own.credentials, stamp(), apm.path, apm.body));
  expect(JSON.stringify(signed.body)).not.toContain('X-Florin');
});

test('is accepted once; the same request under a new time is a repeat as before', async ({ florin, shopServer }) => {
  const { credentials, sale } = await setUp(florin, shopServer);
  const request = sale();
  const first = sign(credentials, stamp(), request.path, request.body);
  const paid = await send(florin, request, first);
  expect(paid.body).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
  expect(await send(florin, request, first)).toEqual(fieldError('X-Florin-Signature: This value was used before.'));
  const again = await send(florin, request, sign(credentials, stamp(), request.path, request.body));
  expect(again.body.trans_id).toBe(paid.body.trans_id);
});

test('of many at once is accepted once', async ({ florin, shopServer }) => {
  const { credentials, session } = await setUp(florin, shopServer);
  const request = session();
  const headers = sign(credentials, stamp(), request.path, request.body);
  const answers = await Promise.all(Array.from({ length: 8 }, () => send(florin, request, headers)));
  expect(answers.filter(({ status }) => status === 200).length).toBe(1);
});

test('of a GET covers the query', async ({ florin, shopServer }) => {
  const { credentials, card } = await setUp(florin, shopServer);
  const hash = createHmac('sha256', 'x').update('x').digest('hex');
  const query = new URLSearchParams({ action: 'SCHEDULE_INFO', client_key: credentials.key, schedule_id: 'x', hash });
  const path = `/s2s/card/post?${query}`;
  const request = { path, body: '', type: 'text/plain', method: 'GET' };
  const unsigned = await send(florin, request, {});
  expect(unsigned.body.errors[0].error_message).toMatch(/^X-Florin-Timestamp/);
  const signed = await send(florin, request, sign(credentials, stamp(), '/s2s/card/post', query.toString()));
  expect(signed.body.error_message).toBe('This is not a valid UUID.');
  expect(card.baseUrl).toBe(florin);
});

test('is checked if it is sent without being required', async ({ florin, shop }) => {
  const request = json('/api/v1/session', shop.signed(shop.sessionBody()));
  const wrong = await send(florin, request, sign({ password: 'another' }, stamp(), request.path, request.body));
  expect(wrong).toEqual(fieldError('X-Florin-Signature: This value is not valid.'));
  const right = await send(florin, request, sign(shop.credentials, stamp(), request.path, request.body));
  expect(right.status).toBe(200);
});

test('the client SDK sends it, and so does its backend', async ({ florin, shopServer }) => {
  const { credentials, checkout } = await setUp(florin, shopServer);
  const { key: merchantKey, password } = credentials;
  const body = checkout.sessionBody() as SessionRequest;
  const strong = { merchantKey, password, strongSignature: true };
  const backend = createBackend({ ...strong, florinUrl: florin, allow: ({ body }) => body });
  const clients = [
    initialize({ ...strong, backendUrl: florin }),
    initialize({ backendUrl: 'https://shop.example', fetch: (address, init) => backend(new Request(address, init)) }),
  ];
  for (const client of clients) {
    const order = { ...body.order, number: newOrderNumber() };
    const { redirectUrl } = await client.fetchPaymentUrl({ ...body, order });
    expect(redirectUrl).toContain('/pay/');
    // The same bytes again, at once: each request has its own signature.
    await Promise.all(Array.from({ length: 5 }, () => client.checkStatus({ orderId: order.number })));
  }
  const weak = initialize({ backendUrl: florin, merchantKey, password });
  const apiError = await weak.checkStatus({ orderId: 'any' }).catch((error: FlorinError) => error);
  expect(apiError).toMatchObject({ code: 100000, status: 400 });
});

test.describe('payouts of a new merchant', () => {
  const names = [
    'session credit',
    'session transfer',
    'card/credit',
    'action CREDIT2CARD',
    'action CARD2CARD',
    'action CREDIT2VIRTUAL',
    'action CREDIT2CRYPTO',
  ];

  /** A merchant created in the dashboard, with a payout account, and one request of each kind that pays out. */
  async function newMerchant(florin: string, shopServer: ShopServer, changes: object = {}) {
    const manager = await visitorAs(florin, 'manager');
    const merchant = await makeMerchant(manager, changes);
    await makeMid(manager, merchant.id);
    const { credentials } = merchant;
    const checkout = merchantClient(florin, credentials, shopServer);
    const card = cardMerchant(florin, credentials, shopServer);
    const apm = apmMerchant(florin, credentials, shopServer);
    const makers: Record<string, () => SentRequest> = {
      'session credit': () => json('/api/v1/session', checkout.signed(checkout.sessionBody({ operation: 'credit' }))),
      'session transfer': () =>
        json('/api/v1/session', checkout.signed(checkout.sessionBody({ operation: 'transfer' }))),
      'card/credit': () => json('/api/v1/payment/card/credit', checkout.creditBody({ card_token: 'f'.repeat(64) })),
      'action CREDIT2CARD': () => form('/s2s/card/post', card.payoutBody()),
      'action CARD2CARD': () => form('/s2s/card/post', card.signed(card.chargeBody('CARD2CARD'))),
      'action CREDIT2VIRTUAL': () => form('/s2s/apm/post', apm.creditBody()),
      'action CREDIT2CRYPTO': () => form('/s2s/apm/post', apm.creditBody({}, 'CREDIT2CRYPTO')),
    };
    const setAll = async (values: object) => {
      for (const protocol of ['checkout', 's2s_card', 's2s_apm'] as const) {
        await changeMapping(manager, (await mappingOf(manager, merchant, protocol)).id, values);
      }
    };
    return { manager, merchant, credentials, checkout, makers, setAll };
  }

  const needed = fieldError('X-Florin-Signature: A payout needs this header, or an IP allowlist of the mapping.');
  /** True if a request passed the signature check; later checks (an unknown token or method) may still reject it. */
  const passesCheck = (answer: { body: unknown }) => !JSON.stringify(answer.body).includes('X-Florin-Signature');

  for (const name of names) {
    test(`${name} needs the strong signature or an allowlist, until its mapping allows unsigned payouts`, async ({
      florin,
      shopServer,
    }) => {
      const { makers, credentials, setAll, checkout } = await newMerchant(florin, shopServer);
      const make = makers[name] as () => SentRequest;
      expect(await send(florin, make(), {})).toEqual(needed);
      const request = make();
      const strong = sign(credentials, stamp(), request.path, request.body);
      expect(passesCheck(await send(florin, request, strong))).toBe(true);
      // The hash is checked first: a request without the password does not learn what is missing.
      const forged = make();
      const body = forged.body.replace(/(hash(?:=|":"))[0-9a-f]{8}/, '$100000000');
      expect(JSON.stringify((await send(florin, { ...forged, body }, {})).body)).toContain('Hash is not valid');
      expect((await checkout.session()).status, 'a sale needs neither').toBe(200);
      await setAll({ ipAllowlist: ['127.0.0.0/8', '::1'] });
      expect(passesCheck(await send(florin, make(), {}))).toBe(true);
      await setAll({ ipAllowlist: [], openPayouts: true });
      expect(passesCheck(await send(florin, make(), {}))).toBe(true);
    });
  }

  test('a session that pays out can be updated with the strong signature alone', async ({ florin, shopServer }) => {
    const { makers, credentials, checkout } = await newMerchant(florin, shopServer);
    const request = (makers['session credit'] as () => SentRequest)();
    const { body } = await send(florin, request, sign(credentials, stamp(), request.path, request.body));
    const token = String(body.redirect_url).split('/').at(-1) ?? '';
    const { order } = JSON.parse(request.body);
    const { hash } = checkout.signed({ order: { ...order, amount: '9000.00' } }) as { hash: string };
    const more = { order: { amount: '9000.00' }, hash };
    const path = '/api/v1/session/update';
    const update = { ...json(path, more), method: 'PUT' };
    expect(await send(florin, update, { token })).toEqual(needed);
    const strong = sign(credentials, stamp(), path, update.body);
    expect((await send(florin, update, { token, ...strong })).status).toBe(200);
    const own = { ...json(path, { customer: { email: 'payee@example.com' } }), method: 'PUT' };
    expect((await send(florin, own, { token })).status).toBe(200);
  });

  test('a declined payout can be retried with the strong signature alone', async ({ florin, shopServer }) => {
    const { credentials, checkout, setAll } = await newMerchant(florin, shopServer);
    await setAll({ openPayouts: true });
    const card = cardMerchant(florin, credentials, shopServer);
    const { body } = await card.payout({ card_number: '4000000000009995' });
    expect(body.result).toBe('DECLINED');
    const paid = await pay(checkout, { number: '4000000000009995', expiry: '01/38' }, { operation: 'credit' });
    await untilStatus(checkout, paid.id, 'decline');
    await setAll({ openPayouts: false });

    const makers = [
      () => form('/s2s/card/post', card.followBody('RETRY', { transId: body.trans_id, card: '4000009995' })),
      () =>
        json('/api/v1/payment/retry', {
          merchant_key: credentials.key,
          payment_id: paid.id,
          hash: signCheckout([paid.id], credentials),
        }),
    ];
    for (const make of makers) {
      expect(await send(florin, make(), {})).toEqual(needed);
      const request = make();
      const strong = sign(credentials, stamp(), request.path, request.body);
      expect((await send(florin, request, strong)).body).toMatchObject({ result: expect.stringMatching(/accepted/i) });
    }
  });

  test('its mappings begin as it integrates, and without unsigned payouts', async ({ florin, shopServer }) => {
    for (const [integration, signedRequests] of [
      ['own_code', true],
      ['shop_plugin', false],
    ] as const) {
      const { manager, merchant } = await newMerchant(florin, shopServer, { integration });
      for (const protocol of ['checkout', 's2s_card', 's2s_apm'] as const) {
        const { values } = await mappingOf(manager, merchant, protocol);
        expect(values).toMatchObject({ signedRequests, openPayouts: false });
      }
    }
    const manager = await visitorAs(florin, 'manager');
    const answer = await manager.post('/merchants', merchantBody({ integration: '' }));
    expect([answer.status, answer.body.error.fields.integration]).toEqual([400, 'Choose the integration type.']);
  });
});
