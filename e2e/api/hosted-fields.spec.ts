// Hosted fields over HTTP: every rule of the token and the payment call (interface.md, Hosted Payment Fields;
// protocol.md 4). The browser tests are in e2e/pages/hosted-fields.

import {
  collect,
  createSessionToken,
  payBody,
  payFields,
  processCard,
  typed,
} from '../support/hosted-fields-requests.ts';
import { changed, type Merchant } from '../support/merchant.ts';
import { cards } from '../support/payer.ts';
import { callbacksOf, expectCallbacks, idOf, pay, statusOf, untilStatus } from '../support/payment-flows.ts';
import { isSignedCallback, signNotice } from '../support/signatures.ts';
import { expect, test } from '../support/test.ts';
import { atPath, parseCell, rowsOf } from '../support/text-table.ts';

// Races in the records of money show by chance: no test here is repeated.
test.describe.configure({ retries: 0 });

const messages: Record<string, string> = {
  blank: 'This value should not be blank.',
  'not valid': 'This value is not valid.',
  'not a choice': 'The value you selected is not a valid choice.',
};

// One wrong field each: its value, the path of the error and the text.
const rejections = rowsOf(`
  name                          | -            | name                          | blank
  name                          | ""           | name                          | blank
  name                          | n*256        | name                          | not valid
  name                          | 7            | name                          | not valid
  name                          | 4111 1111 1111 1111 | name                   | not valid
  with_hosted_fields            | -            | with_hosted_fields            | blank
  with_hosted_fields            | ""           | with_hosted_fields            | blank
  with_hosted_fields            | false        | with_hosted_fields            | not valid
  with_hosted_fields            | N            | with_hosted_fields            | not valid
  with_hosted_fields            | 0            | with_hosted_fields            | not valid
  email                         | ana          | email                         | not valid
  email                         | 7            | email                         | not valid
  birth_date                    | 28.02.1990   | birth_date                    | not valid
  birth_date                    | 1990-02-30   | birth_date                    | not valid
  birth_day                     | 1990-02-30   | birth_day                     | not valid
  billing_address               | Belgrade     | billing_address               | not valid
  billing_address.country       | Serbia       | billing_address.country       | not valid
  billing_address.city          | c*256        | billing_address.city          | not valid
  billing_address.address       | a*256        | billing_address.address       | not valid
  billing_address.house_number  | 1*10         | billing_address.house_number  | not valid
  billing_address.zip           | z*256        | billing_address.zip           | not valid
  billing_address.phone         | p*256        | billing_address.phone         | not valid
`);

for (const [path = '', cell = '', errorPath = '', messageKey = ''] of rejections) {
  test(`rejected: ${path} = ${cell}`, async ({ shop, provider }) => {
    const { token, order } = await createSessionToken(shop);
    await collect(shop, token);
    const textual = path.startsWith('billing_address.');
    const value = parseCell(cell);
    const body = changed(payBody, atPath(path, textual ? String(value) : value));
    const answer = await shop.post('/api/v1/processing/purchase/card', body, { token });
    expect([answer.status, answer.body.errors]).toEqual([
      400,
      [{ error_code: 100000, error_message: `${errorPath}: ${messages[messageKey]}` }],
    ]);
    expect(await provider.journal(order.number)).toEqual([]);
    // The pending card is still stored: the corrected call pays without another submit.
    expect((await processCard(shop, token)).body.result).toBe('success');
  });
}

const accepted = rowsOf(`
  name                          | Li
  name                          | L
  name                          | n*255
  with_hosted_fields            | "true"
  with_hosted_fields            | 1
  with_hosted_fields            | Y
  email                         | ""
  birth_day                     | 1990-02-28
  birth_date                    | null
  billing_address               | {}
  billing_address               | null
  selected_language             | tlh
  selected_language             | 7
  browser_info                  | Mozilla
  browser_info                  | {"color_depth": "deep", "java_enabled": {}, "more": [1]}
  card_number                   | not ours to read
`);

for (const [path = '', cell = ''] of accepted) {
  test(`accepted: ${path} = ${cell}`, async ({ shop }) => {
    const { answer } = await payFields(shop, typed.settled, { call: atPath(path, parseCell(cell)) });
    expect(answer.body).toMatchObject({ result: 'success' });
  });
}

// Session, address of the call, answer.
const operations = rowsOf(`
  purchase | purchase | success
  debit    | debit    | success
  purchase | debit    | 204005
  debit    | purchase | 204005
`);

for (const [opened = '', called = '', expected = ''] of operations) {
  test(`a ${opened} called as ${called}: ${expected}`, async ({ shop, provider }) => {
    const { token, order } = await createSessionToken(shop, { operation: opened });
    await collect(shop, token);
    const { body } = await processCard(shop, token, {}, { operation: called });
    expect(String(body.error_code ?? body.result)).toBe(expected);
    expect(await provider.moved(order.number)).toHaveLength(expected === 'success' ? 1 : 0);
  });
}

for (const operation of ['credit', 'transfer']) {
  test(`a ${operation} has no hosted fields`, async ({ shop }) => {
    const body = shop.signed(shop.sessionBody({ return_url: `${shop.shopServer.url}/back`, operation }));
    const answer = await shop.post('/api/v1/session/token', body);
    expect([answer.status, answer.body.error_code]).toEqual([400, 204005]);
  });
}

test('payer fields that the merchant requires are reported by name, and may come with the call', async ({ as }) => {
  const shop = as('payerFields');
  const { token, order } = await createSessionToken(shop, { customer: { email: undefined } });
  await collect(shop, token);
  const lacking = await processCard(shop, token, { billing_address: { country: 'RS', city: 'Belgrade' } });
  expect(lacking.body.errors.map((each: { error_message: string }) => each.error_message)).toEqual([
    `email: ${messages.blank}`,
    `billing_address.phone: ${messages.blank}`,
    `birth_date: ${messages.blank}`,
    `billing_address.address: ${messages.blank}`,
    `billing_address.zip: ${messages.blank}`,
  ]);
  const full = { country: 'RS', city: 'Belgrade', address: 'Knez Mihailova', zip: '11000', phone: '+381111234567' };
  const call = { email: 'ana@example.com', birth_day: '1990-02-28', billing_address: full };
  expect((await processCard(shop, token, call)).body.result).toBe('success');
  const [message] = await expectCallbacks(shop, order, ['success sale settled']);
  expect(message?.fields).toMatchObject({ customer_city: 'Belgrade', customer_email: 'ana@example.com' });
});

test.describe("the payer's side", () => {
  test('customer.ip takes precedence over the client IP of the call', async ({ shop, provider }) => {
    const { order } = await payFields(shop, typed.settled, { session: { customer: { ip: '203.0.113.9' } } });
    expect((await provider.journal(order.number))[0]?.payer.ip).toBe('203.0.113.9');
    const [message] = await callbacksOf(shop, order, 1);
    expect(message?.fields.customer_ip).toBe('203.0.113.9');
  });

  test("without it the client IP of session/token is the payer's", async ({ shop, provider }) => {
    const { order } = await payFields(shop);
    const ip = (await provider.journal(order.number))[0]?.payer.ip;
    expect(ip).toMatch(/^(127\.0\.0\.1|::1)$/);
    expect((await callbacksOf(shop, order, 1))[0]?.fields.customer_ip).toBe(ip);
  });

  // browser_info, header Accept of the call, the value that the provider gets.
  const accepts = rowsOf(`
    {"accept_headers": "text/html;q=0.9"}                              | */*              | text/html;q=0.9
    {"accept_header": "text/html;q=0.8"}                               | */*              | text/html;q=0.8
    {"accept_headers": "text/html;q=0.9", "accept_header": "image/*"}  | */*              | text/html;q=0.9
    {"accept_headers": ""}                                             | application/json | application/json
    -                                                                  | application/json | application/json
  `);
  for (const [info = '', accept = '', reported = ''] of accepts) {
    test(`accept headers: ${info}, called with ${accept}`, async ({ shop, provider }) => {
      const { token, order } = await createSessionToken(shop);
      await collect(shop, token);
      const call = { browser_info: parseCell(info) };
      expect((await processCard(shop, token, call, { headers: { accept } })).body.result).toBe('success');
      expect((await provider.journal(order.number))[0]?.payer.browser?.accept_headers).toBe(reported);
    });
  }

  test('every member of browser_info reaches the provider', async ({ shop, provider }) => {
    const info = {
      accept_headers: 'text/html',
      user_agent: 'Mozilla/5.0 (X11)',
      language: 'sr-RS',
      color_depth: 24,
      screen_height: '1080',
      screen_width: 1920,
      timezone_offset: -120,
      java_enabled: false,
      javascript_enabled: 'true',
      platform: 'Linux',
    };
    const { order } = await payFields(shop, typed.settled, { call: { browser_info: info } });
    expect((await provider.journal(order.number))[0]?.payer.browser).toEqual({
      ...info,
      screen_height: 1080,
      javascript_enabled: true,
    });
  });
});

// selected_language, language of the session, of a merchant; the sentence.
const languages = rowsOf(`
  -    | -  | plain  | Your bank declined this payment
  de   | -  | plain  | Ihre Bank hat diese Zahlung abgelehnt
  FR   | de | plain  | Votre banque a refusé ce paiement
  tlh  | -  | plain  | Your bank declined this payment
  -    | -  | german | Ihre Bank hat diese Zahlung abgelehnt
  -    | de | plain  | Ihre Bank hat diese Zahlung abgelehnt
`);

for (const [chosen = '', preset = '', merchant = '', sentence = ''] of languages) {
  test(`declined in ${chosen}, session ${preset}, merchant ${merchant}`, async ({ as }) => {
    const session = preset === '-' ? {} : { billing_address: { language: preset } };
    const call = { selected_language: parseCell(chosen) };
    const { answer } = await payFields(as(merchant as 'plain'), typed.declined, { session, call });
    expect(answer.body).toMatchObject({ result: 'decline', decline_message: sentence });
  });
}

test.describe('the answer', () => {
  test('contains the signed fields of the return address', async ({ shop }) => {
    const { order, answer } = await payFields(shop);
    const id = await idOf(shop, order.number);
    const fields = answer.body.return_url_query_params;
    expect(Object.keys(answer.body).sort()).toEqual(['public_id', 'result', 'return_url_query_params']);
    expect(answer.body.public_id).toBe(id);
    expect(Object.keys(fields)).toEqual(['payment_id', 'trans_id', 'order_id', 'hash']);
    expect(fields).toMatchObject({
      payment_id: id,
      order_id: order.number,
      hash: signNotice(id, order, shop.credentials),
    });
    const [message] = await callbacksOf(shop, order, 1);
    expect(fields.trans_id).toBe(message?.fields.trans_id);
    expect(message && isSignedCallback(message.fields, shop.credentials)).toBe(true);
  });

  test('adds the return address fields of the mapping', async ({ as }) => {
    const { answer } = await payFields(as('returnParameters'));
    expect(answer.body.return_url_query_params).toMatchObject({ payment_method: 'card', brand: 'visa' });
  });

  test('of 3-D Secure contains the redirect of the payer', async ({ shop }) => {
    const { token, answer } = await payFields(shop, typed.challenge);
    expect(answer.body).toMatchObject({ result: 'redirect', redirect_method: 'POST' });
    expect(new URL(answer.body.redirect_url).protocol).toMatch(/^https?:$/);
    expect(answer.body.redirect_params).toEqual(expect.any(Object));
    // A payer who leaves the bank's page and pays again gets the same redirect.
    expect((await collect(shop, token)).status).toBe(200);
    expect((await processCard(shop, token)).body).toEqual(answer.body);
  });

  test('is waiting while the provider works on it', async ({ shop, provider }) => {
    const card = { card_number: '4000000000001075', card_expiry: '12 / 38', card_cvv: '123' };
    const { token, order, answer } = await payFields(shop, card);
    expect(answer.body.result).toBe('waiting');
    expect((await collect(shop, token)).status).toBe(200);
    expect((await processCard(shop, token)).body.result).toBe('waiting');
    expect(await provider.journal(order.number)).toHaveLength(1);
    await untilStatus(shop, await idOf(shop, order.number), 'settled');
    expect((await processCard(shop, token)).body.result).toBe('success');
  });

  test('is undefined when the provider does not answer, and the outcome comes by callback', async ({ as }) => {
    const shop = as('impatient');
    const card = { card_number: '4000000000001034', card_expiry: '12 / 38', card_cvv: '123' };
    const { token, order, answer } = await payFields(shop, card);
    expect(answer.body.result).toBe('undefined');
    await untilStatus(shop, await idOf(shop, order.number), 'settled');
    expect((await processCard(shop, token)).body.result).toBe('success');
  });
});

test.describe('a pending card', () => {
  test('is used once: the same call again gets the same answer', async ({ shop, provider }) => {
    const { token, order, answer } = await payFields(shop);
    const again = await processCard(shop, token);
    expect(again.body).toEqual(answer.body);
    expect(await provider.journal(order.number)).toHaveLength(1);
  });

  test('pays once for twenty calls at once, which all get that outcome', async ({ shop, provider }) => {
    const { token, order } = await createSessionToken(shop);
    await collect(shop, token);
    const answers = await Promise.all(Array.from({ length: 20 }, () => processCard(shop, token)));
    expect(answers.map(({ body }) => body.result)).toEqual(Array(20).fill('success'));
    expect(new Set(answers.map(({ body }) => body.return_url_query_params.trans_id)).size).toBe(1);
    expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
    await expectCallbacks(shop, order, ['success sale settled']);
  });

  test('is that of the latest submit, and of no other session', async ({ shop, provider }) => {
    const [one, other] = [await createSessionToken(shop), await createSessionToken(shop)];
    await collect(shop, one.token, typed.declined);
    await collect(shop, one.token, { ...typed.settled, card_number: '4242424242424242' });
    expect((await processCard(shop, other.token)).body.errors[0].error_message).toContain('with_hosted_fields');
    expect((await processCard(shop, one.token)).body.result).toBe('success');
    expect((await provider.journal(one.order.number)).map(({ card }) => card)).toEqual(['424242****4242']);
    expect(await provider.journal(other.order.number)).toEqual([]);
  });

  test('is needed again after a decline, and a call without it is a repeat', async ({ shop, provider }) => {
    const { token, order } = await payFields(shop, typed.declined);
    expect((await processCard(shop, token)).body.result).toBe('decline');
    expect(await provider.journal(order.number)).toHaveLength(1);
    await collect(shop, token);
    expect((await processCard(shop, token)).body.result).toBe('success');
    await expectCallbacks(shop, order, ['fail sale decline', 'success sale settled']);
  });
});

test.describe('a stored card', () => {
  async function cardToken(shop: Merchant): Promise<string> {
    const first = await pay(shop, cards.settled, { req_token: true });
    return (await statusOf(shop, first.id)).card_token;
  }

  for (const operation of ['purchase', 'debit']) {
    test(`is charged with its CVV alone: ${operation}`, async ({ shop }) => {
      const card_token = await cardToken(shop);
      const { token, order } = await createSessionToken(shop, { card_token, operation });
      expect((await collect(shop, token, { card_cvv: '' })).status).toBe(422);
      expect((await collect(shop, token, { card_cvv: '1234' })).status).toBe(422);
      expect((await collect(shop, token, { card_cvv: '123' })).status).toBe(200);
      const { body } = await processCard(shop, token, {}, { operation });
      expect(body.result).toBe('success');
      const type = operation === 'debit' ? 'debit' : 'sale';
      const [message] = await expectCallbacks(shop, order, [`success ${type} settled`]);
      expect(message?.fields).toMatchObject({ card: '411111****1111', card_token });
    });
  }

  test('may be replaced by another card', async ({ shop, provider }) => {
    const { token, order } = await createSessionToken(shop, { card_token: await cardToken(shop) });
    await collect(shop, token, { ...typed.settled, card_number: '4242424242424242' });
    expect((await processCard(shop, token)).body.result).toBe('success');
    expect((await provider.journal(order.number))[0]?.card).toBe('424242****4242');
  });

  test('that is unknown is rejected when the session is opened', async ({ shop }) => {
    const body = shop.sessionBody({ return_url: `${shop.shopServer.url}/back`, card_token: 'f'.repeat(64) });
    const answer = await shop.post('/api/v1/session/token', shop.signed(body));
    expect([answer.status, answer.body.error_code]).toEqual([400, 205005]);
  });

  test('is required if the CVV alone is submitted', async ({ shop }) => {
    const { token } = await createSessionToken(shop);
    expect((await collect(shop, token, { card_cvv: '123' })).status).toBe(422);
  });
});
