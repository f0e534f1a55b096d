// Wallets with hosted fields over HTTP: the wallet request data for the page, and the payment request with a wallet
// token in place of the card (interface.md, Digital wallet token fields; Hosted Payment Fields).

import { createHash } from 'node:crypto';
import { sql, whileUnwritable } from '../support/database-rows.ts';
import { collect, createSessionToken, type FieldsSession, processCard } from '../support/hosted-fields-requests.ts';
import type { Changes, Merchant } from '../support/merchant.ts';
import { callbacksOf, expectCallbacks } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';
import { rowsOf } from '../support/text-table.ts';
import { appleToken, googleToken } from '../support/wallets.ts';

const methods = ['googlepay', 'applepay', 'card'];

const open = (shop: Merchant, changes: Changes = {}): Promise<FieldsSession> =>
  createSessionToken(shop, { methods, ...changes });

const list = (shop: Merchant, token: string, changes: Changes = {}) =>
  shop.post('/api/v1/processing/wallets', changes, { token });

/** Pays with a wallet token; `changes` override its fields. */
function payWith(shop: Merchant, token: string, wallet: string, paid: string, changes: Changes = {}) {
  const body = { digital_wallet: wallet, payment_token: paid, ...changes };
  return shop.post('/api/v1/processing/purchase/card', body, { token });
}

const rejectedToken = [{ error_code: 100000, error_message: 'payment_token: This value is not valid.' }];

test('the page receives the wallet request data, and no secret', async ({ as }) => {
  const shop = as('walletButtons');
  const { token } = await open(shop);
  const { status, body } = await list(shop, token, { selected_language: 'de' });
  expect(status).toBe(200);
  expect(body.wallets).toMatchObject([
    {
      id: 'applepay',
      label: 'Mit Apple Pay bezahlen',
      request: { countryCode: 'NL', currencyCode: 'EUR', total: { label: 'Test shop', amount: '84.50' } },
    },
    {
      id: 'googlepay',
      label: 'Mit Google Pay bezahlen',
      methods: [{ supportedMethods: 'https://google.com/pay', data: { environment: 'TEST' } }],
      details: { total: { amount: { currency: 'EUR', value: '84.50' } } },
    },
  ]);
  expect(JSON.stringify(body)).not.toMatch(/PRIVATE|CERTIFICATE|merchantIdentity|keys/);
});

test('only a session that names wallets offers them, and only where they can pay', async ({ as, shop }) => {
  const wallets = async (merchant: Merchant, changes: Changes) =>
    (await list(merchant, (await createSessionToken(merchant, changes)).token)).body.wallets.map(
      ({ id }: { id: string }) => id,
    );
  expect(await wallets(as('walletButtons'), {})).toEqual([]);
  expect(await wallets(as('walletButtons'), { methods: ['card', 'googlepay'] })).toEqual(['googlepay']);
  expect(await wallets(as('walletTokensPassedOn'), { methods })).toEqual(['applepay', 'googlepay']);
  expect(await wallets(as('walletTokensPassedOn'), { methods, auth: true })).toEqual([]);
  expect(await wallets(as('walletsNotTaken'), { methods })).toEqual([]);
  expect(await wallets(shop, { methods })).toEqual([]);
});

test('an invalid session token is answered with 401', async ({ as }) => {
  const shop = as('walletButtons');
  const body = { validation_url: 'https://apple-pay-gateway.apple.com/paymentservices/startSession', domain: 'a.test' };
  for (const token of ['', 'none']) {
    expect((await list(shop, token)).status).toBe(401);
    expect((await shop.post('/api/v1/processing/wallets/applepay', body, { token })).status).toBe(401);
    expect((await payWith(shop, token, 'applepay', appleToken())).status).toBe(401);
  }
});

test('any origin may send the request, as browsers do', async ({ florin }) => {
  for (const path of ['/api/v1/processing/wallets', '/api/v1/processing/wallets/applepay']) {
    const answer = await fetch(florin + path, { method: 'OPTIONS' });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-headers')).toContain('Token');
  }
});

test('Apple Pay pays with the card of its token, once', async ({ as, provider }) => {
  const shop = as('walletButtons');
  const { token, order } = await open(shop);
  const paid = appleToken();
  const first = await payWith(shop, token, 'applepay', paid);
  expect(first.body).toMatchObject({ result: 'success', return_url_query_params: { order_id: order.number } });
  expect(await payWith(shop, token, 'applepay', paid)).toMatchObject({ status: 200, body: first.body });
  const [callback] = await callbacksOf(shop, order, 1);
  expect(callback?.fields).toMatchObject({ digital_wallet: 'applepay', pan_type: 'dpan', status: 'success' });
  expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
  // The token is used and cannot pay again.
  const other = await open(shop);
  expect((await payWith(shop, other.token, 'applepay', paid)).body.errors).toEqual(rejectedToken);
  expect(await provider.journal(other.order.number)).toEqual([]);
});

test('five identical concurrent requests pay once and get one outcome', async ({ as, provider }) => {
  const shop = as('walletButtons');
  const { token, order } = await open(shop);
  const paid = googleToken('CRYPTOGRAM_3DS');
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => payWith(shop, token, 'googlepay', paid)));
  expect(answers.map(({ body }) => body.result)).toEqual(Array(5).fill('success'));
  expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
});

test('a repeat between the claim of a token and the mark of its call gets the outcome too', async ({
  as,
  provider,
}) => {
  const shop = as('walletButtons');
  const { token, order } = await open(shop);
  const paid = googleToken('CRYPTOGRAM_3DS');
  const pay = () => payWith(shop, token, 'googlepay', paid);
  const answers = await whileUnwritable('pending_cards', 250, () => Promise.all([pay(), pay()]));
  expect(answers.map(({ body }) => body.result)).toEqual(['success', 'success']);
  expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
});

test('without keys the token is forwarded to the provider unchanged', async ({ as, provider }) => {
  const shop = as('walletTokensPassedOn');
  const { token, order } = await open(shop);
  expect((await payWith(shop, token, 'applepay', appleToken())).body).toMatchObject({ result: 'success' });
  await expectCallbacks(shop, order, ['success sale settled']);
  expect(await provider.journal(order.number)).toMatchObject([{ operation: 'sale', status: 'approved', card: null }]);
});

test('a token whose process was killed before it paid is rejected as such, and the next press pays', async ({
  as,
  provider,
}) => {
  const shop = as('walletTokensPassedOn');
  const { token, order } = await open(shop);
  const paid = appleToken();
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  // The state after a process is killed between the claim and the attempt.
  await sql(
    `insert into used_wallet_tokens (digest, request_digest, payment_id, expires_at, created_at)
     select decode($1, 'hex'), decode($1, 'hex'), id, now() + interval '1 day', now() from payments where order_number = $2`,
    [sha256(`applepay text:${sha256(paid)}`), order.number],
  );
  const rejected = await payWith(shop, token, 'applepay', paid);
  expect([rejected.status, rejected.body.errors]).toEqual([400, rejectedToken]);
  expect(await provider.journal(order.number)).toEqual([]);
  expect((await payWith(shop, token, 'applepay', appleToken())).body.result).toBe('success');
});

test('a Google Pay card is authenticated by its bank', async ({ as }) => {
  const shop = as('walletButtons');
  const { token } = await open(shop);
  const { body } = await payWith(shop, token, 'googlepay', googleToken('PAN_ONLY', { expiry: '05/2038' }), {
    browser_info: { user_agent: 'Mozilla', color_depth: 24 },
  });
  expect(body).toMatchObject({ result: 'redirect', redirect_method: 'POST' });
});

test('after a decline another wallet or the card can pay', async ({ as, provider }) => {
  const shop = as('walletButtons');
  const { token, order } = await open(shop);
  const declined = await payWith(shop, token, 'applepay', appleToken({ expiry: '02/2038' }));
  expect(declined.body.result).toBe('decline');
  expect(declined.body.decline_message).toBeTruthy();
  await collect(shop, token);
  expect((await processCard(shop, token)).body.result).toBe('success');
  expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
});

test('every invalid token gets one error, and the session stays open', async ({ as, provider }) => {
  const shop = as('walletButtons');
  const { token, order } = await open(shop);
  const wrong: [string, string][] = [
    ['applepay', '{}'],
    ['applepay', appleToken({ amount: 8451 })],
    ['applepay', googleToken('CRYPTOGRAM_3DS')],
    ['googlepay', 'token'],
    ['googlepay', appleToken()],
  ];
  for (const [wallet, paid] of wrong) {
    const answer = await payWith(shop, token, wallet, paid);
    expect([answer.status, answer.body.errors]).toEqual([400, rejectedToken]);
  }
  expect(await provider.journal(order.number)).toEqual([]);
  expect((await payWith(shop, token, 'applepay', appleToken())).body.result).toBe('success');
});

// A changed value in a valid wallet request; the field with the error, and the text.
const errors = rowsOf(`
  payment_token      | -                    | payment_token      | blank
  payment_token      | 7                    | payment_token      | not valid
  payment_token      | t*20001              | payment_token      | not valid
  digital_wallet     | -                    | digital_wallet     | blank
  digital_wallet     | paypal               | digital_wallet     | not a choice
  with_hosted_fields | true                 | with_hosted_fields | not valid
  name               | 4111 1111 1111 1111  | name               | not valid
  email              | ana                  | email              | not valid
`);

const words: Record<string, string> = {
  blank: 'This value should not be blank.',
  'not valid': 'This value is not valid.',
  'not a choice': 'The value you selected is not a valid choice.',
};

for (const [path = '', cell = '', field = '', word = ''] of errors) {
  test(`rejected: ${path} = ${cell}`, async ({ as }) => {
    const shop = as('walletButtons');
    const { token } = await open(shop);
    const [, letter = '', count = '0'] = /^(\w)\*(\d+)$/.exec(cell) ?? [];
    const value = cell === '-' ? undefined : cell === '7' ? 7 : letter ? letter.repeat(Number(count)) : cell;
    const answer = await payWith(shop, token, 'applepay', appleToken(), { [path]: value });
    expect([answer.status, answer.body.errors]).toEqual([
      400,
      [{ error_code: 100000, error_message: `${field}: ${words[word]}` }],
    ]);
  });
}

test('a wallet that cannot pay here is not supported', async ({ as, shop }) => {
  const { token } = await createSessionToken(as('walletButtons'));
  expect((await payWith(shop, token, 'applepay', appleToken())).body).toMatchObject({ error_code: 204004 });
  const passed = await open(as('walletsNotTaken'));
  expect((await payWith(shop, passed.token, 'googlepay', googleToken('PAN_ONLY'))).body).toMatchObject({
    error_code: 204004,
  });
});

test("Apple's session is requested from Apple only", async ({ as }) => {
  const shop = as('walletButtons');
  const { token } = await open(shop);
  const gateway = 'http://127.0.0.1:28417/paymentservices/startSession';
  const rejected = rowsOf(`
    http://169.254.169.254/paymentservices/startSession | shop.test | validation_url: This value is not valid.
    https://evil.example/paymentservices/startSession   | shop.test | validation_url: This value is not valid.
    -                                                   | shop.test | validation_url: This value should not be blank.
    ${gateway}                                          | a b       | domain: This value is not valid.
    ${gateway}                                          | -         | domain: This value should not be blank.
  `);
  for (const [address = '', domain = '', message = ''] of rejected) {
    const body = { ...(address !== '-' && { validation_url: address }), ...(domain !== '-' && { domain }) };
    const answer = await shop.post('/api/v1/processing/wallets/applepay', body, { token });
    expect([answer.status, answer.body.errors]).toEqual([400, [{ error_code: 100000, error_message: message }]]);
  }
  const without = await createSessionToken(shop, { methods: ['card', 'googlepay'] });
  const body = { validation_url: gateway, domain: 'shop.test' };
  const answer = await shop.post('/api/v1/processing/wallets/applepay', body, { token: without.token });
  expect(answer.body).toMatchObject({ error_code: 204004 });
});
