// Hosted fields over HTTP: the origins that may call, and the frames' submit (interface.md, Hosted Payment Fields;
// protocol.md 4). The browser tests are in e2e/pages/hosted-fields.
import { collect, createSessionToken, payFields, processCard, typed } from '../support/hosted-fields-requests.ts';
import { expect, test } from '../support/test.ts';
import { parseCell, rowsOf } from '../support/text-table.ts';

test.describe('other origins', () => {
  const origin = 'https://merchant.example';

  for (const operation of ['purchase', 'debit']) {
    test(`a page may call ${operation}, with its token and without cookies`, async ({ florin }) => {
      const preflight = await fetch(`${florin}/api/v1/processing/${operation}/card`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type,token',
        },
      });
      expect(preflight.status).toBe(204);
      expect(Object.fromEntries(preflight.headers)).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'Content-Type, Token',
      });
      expect(preflight.headers.has('access-control-allow-credentials')).toBe(false);
    });
  }

  test('a page may read every answer, API errors too', async ({ shop }) => {
    const { token } = await createSessionToken(shop);
    const answers = [
      await processCard(shop, token, {}, { headers: { origin } }),
      await processCard(shop, 'wrong', {}, { headers: { origin } }),
      await shop.post('/api/v1/processing/purchase/card', '{', { token, origin }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 401, 400]);
    for (const { headers } of answers) {
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  for (const path of ['/fields/collect', '/api/v1/session/token']) {
    test(`no page may call ${path}`, async ({ florin }) => {
      const preflight = await fetch(florin + path, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
      expect(preflight.headers.has('access-control-allow-origin')).toBe(false);
    });
  }
});

test.describe("the frames' submit", () => {
  // Origin and content type of the request; the answer.
  const senders = rowsOf(`
    {"sec-fetch-site": "cross-site"}                                   | 403
    {"sec-fetch-site": "same-site"}                                    | 403
    {"sec-fetch-site": "none"}                                         | 403
    {"sec-fetch-site": "same-origin", "content-type": "text/plain"}    | 403
    {"content-type": "application/x-www-form-urlencoded"}              | 403
    {"content-type": "application/json; charset=utf-8"}                | 200
  `);
  for (const [headers = '', expected = ''] of senders) {
    test(`sent with ${headers}: ${expected}`, async ({ shop }) => {
      const { token } = await createSessionToken(shop);
      const answer = await collect(shop, token, typed.settled, parseCell(headers) as Record<string, string>);
      expect(answer.status).toBe(Number(expected));
    });
  }

  test('of a browser that sends only Origin is decided by Origin', async ({ shop, florin }) => {
    const { token } = await createSessionToken(shop);
    const send = async (headers: Record<string, string>) =>
      (await shop.post('/fields/collect', typed.settled, { token, ...headers })).status;
    expect(await send({ origin: 'https://evil.example' })).toBe(403);
    expect(await send({ origin: 'null' })).toBe(403);
    expect(await send({})).toBe(403);
    expect(await send({ origin: florin })).toBe(200);
  });

  const bodies = rowsOf(`
    {                                                                          | 400
    null                                                                       | 400
    7                                                                          | 400
    []                                                                         | 422
    {}                                                                         | 422
    {"card_number": 4111111111111111, "card_expiry": 1, "card_cvv": 1}         | 422
    {"card_number": {"a": 1}, "card_expiry": [], "card_cvv": null}             | 422
  `);
  for (const [body = '', expected = ''] of bodies) {
    test(`the body ${body}: ${expected}`, async ({ shop }) => {
      const { token } = await createSessionToken(shop);
      expect((await collect(shop, token, body)).status).toBe(Number(expected));
      expect((await processCard(shop, token)).body.errors[0].error_message).toContain('with_hosted_fields');
    });
  }

  test('a huge body is not read', async ({ shop }) => {
    const { token } = await createSessionToken(shop);
    const { status } = await collect(shop, token, { ...typed.settled, more: 'x'.repeat(100_000) });
    expect(status).toBeGreaterThanOrEqual(400);
    expect((await processCard(shop, token)).status).toBe(400);
  });

  // One wrong value each: its field and its code.
  const fieldErrors = rowsOf(`
    card_number | ""                  | card   | card_number.empty
    card_number | 4111                | card   | card_number.short
    card_number | 4111 1111 1111 1112 | card   | card_number.wrong
    card_expiry | ""                  | expiry | card_expiry.empty
    card_expiry | 13 / 38             | expiry | card_expiry.wrong
    card_expiry | 01 / 20             | expiry | card_expiry.past
    card_cvv    | ""                  | cvv    | card_cvv.empty
    card_cvv    | 12                  | cvv    | card_cvv.empty
    card_cvv    | 1234                | cvv    | card_cvv.empty
  `);
  for (const [name = '', value = '', field = '', code = ''] of fieldErrors) {
    test(`a wrong ${name}: ${value || 'nothing'}`, async ({ shop }) => {
      const { token } = await createSessionToken(shop);
      const { status, body } = await collect(shop, token, { ...typed.settled, [name]: value.replaceAll('"', '') });
      expect([status, body.faults.map((each: object) => ({ ...each, message: '' }))]).toEqual([
        422,
        [{ field, code, message: '' }],
      ]);
    });
  }

  test('no card data comes back', async ({ shop }) => {
    const { token } = await createSessionToken(shop);
    const wrong = await collect(shop, token, { ...typed.settled, card_cvv: '99' });
    const right = await collect(shop, token);
    expect(JSON.stringify([wrong.body, right.body])).not.toMatch(/4111|99|38/);
  });

  test('an invalid token and one of another page are rejected', async ({ shop }) => {
    const { token } = await createSessionToken(shop);
    const page = await shop.open();
    for (const wrong of ['', 'x', `${token.slice(0, -2)}AA`, page.token]) {
      expect((await collect(shop, wrong)).status, wrong).toBe(401);
      const { status, body } = await processCard(shop, wrong);
      expect([status, body.error_code], wrong).toEqual([401, 401]);
    }
    expect((await fetch(`${shop.baseUrl}/pay/${token}`)).status).toBe(404);
  });

  test('is not stored once the payment is made; the next call gets its outcome', async ({ shop, provider }) => {
    const { token, order, answer } = await payFields(shop);
    expect((await collect(shop, token, { ...typed.settled, card_number: '4242424242424242' })).status).toBe(200);
    expect((await processCard(shop, token)).body).toEqual(answer.body);
    expect(await provider.journal(order.number)).toHaveLength(1);
  });
});
