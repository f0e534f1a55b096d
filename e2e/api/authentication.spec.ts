// Authentication and malformed bodies: keys, hashes and IP addresses (interface.md, Authentication and Errors).

import { request as rawRequest } from 'node:http';
import { apiError } from '../support/api-error.ts';
import type { Changes } from '../support/merchant.ts';
import { demoLiveKey, merchants } from '../support/merchants.ts';
import { type Order, signCheckout, signOrder } from '../support/signatures.ts';
import { expect, test } from '../support/test.ts';
import { parseCell, rowsOf } from '../support/text-table.ts';

const invalidHash = apiError(100000, 'Hash is not valid');

test.describe('the hash of a session', () => {
  const hashes: Record<string, (order: Order) => unknown> = {
    'of another password': (order) => signOrder(order, { ...merchants.plain, password: merchants.other.password }),
    'with the values in another order': (order) =>
      signCheckout([order.amount, order.number, order.currency, order.description], merchants.plain),
    'over a reformatted amount': (order) => signOrder({ ...order, amount: '84.5' }, merchants.plain),
    'without the description': (order) => signOrder({ ...order, description: '' }, merchants.plain),
    'with SHA256 where the mapping says MD5': (order) => signOrder(order, { ...merchants.plain, digest: 'sha256' }),
    'one digit short': (order) => signOrder(order, merchants.plain).slice(1),
  };
  for (const [name, hashOf] of Object.entries(hashes)) {
    test(`${name} is rejected`, async ({ shop }) => {
      const body = shop.sessionBody();
      const answer = await shop.post('/api/v1/session', { ...body, hash: hashOf(body.order as Order) });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual(invalidHash);
      expect((await shop.statusByOrder((body.order as Order).number)).body.error_message).toBe('Order does not exist.');
    });
  }

  for (const [name, hash] of Object.entries({ missing: undefined, empty: '', 'not a text': 7 })) {
    test(`${name} is a field error`, async ({ shop }) => {
      const { status, body } = await shop.post('/api/v1/session', { ...shop.sessionBody(), hash });
      const text = `hash: This value ${name === 'not a text' ? 'is not valid' : 'should not be blank'}.`;
      expect([status, body.errors]).toEqual([400, [{ error_code: 100000, error_message: text }]]);
    });
  }

  test('is compared case-insensitively', async ({ shop }) => {
    const body = shop.signed(shop.sessionBody());
    const answer = await shop.post('/api/v1/session', { ...body, hash: String(body.hash).toUpperCase() });
    expect(answer.status).toBe(200);
  });

  test('accepts both readings of uppercase for other scripts', async ({ shop }) => {
    for (const full of [false, true]) {
      const body = shop.sessionBody({ order: { description: 'Šolja za čaj, größe naïve' } });
      const hash = signOrder(body.order as Order, merchants.plain, full);
      expect((await shop.post('/api/v1/session', { ...body, hash })).status, `full: ${full}`).toBe(200);
    }
  });

  test('uses SHA256 if the mapping requires it', async ({ as }) => {
    expect((await as('additions').session()).status).toBe(200);
  });

  test('is rejected with MD5 if the mapping requires SHA256', async ({ as }) => {
    const merchant = as('additions');
    const body = merchant.sessionBody();
    const hash = signOrder(body.order as Order, { ...merchants.additions, digest: 'md5' });
    expect((await merchant.post('/api/v1/session', { ...body, hash })).body).toEqual(invalidHash);
  });
});

test.describe('the merchant key', () => {
  test('of the other environment is rejected', async ({ as }) => {
    const wanted = apiError(220002, 'Use merchant test key.');
    const demo = as('demo');
    const withLiveKey = await demo.session({ merchant_key: demoLiveKey });
    expect([withLiveKey.status, withLiveKey.body]).toEqual([400, wanted]);
    const rightlySigned = await as('plainLive').session();
    expect([rightlySigned.status, rightlySigned.body]).toEqual([400, wanted]);
  });

  test('that does not exist is rejected', async ({ shop }) => {
    const answer = await shop.session({ merchant_key: '00000000-0000-4000-8000-000000000000' });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(invalidHash);
  });

  test('of a disabled merchant or past its last day is rejected like an unknown key', async ({ as }) => {
    for (const name of ['closed', 'oldKey'] as const) {
      const answer = await as(name).session();
      expect([answer.status, answer.body], name).toEqual([400, invalidHash]);
    }
  });

  for (const cell of ['-', '""', '7', '["a"]', 'k*300', '{"key": 1}']) {
    test(`cannot be ${cell}`, async ({ shop }) => {
      const answer = await shop.session({ merchant_key: parseCell(cell) });
      expect(answer.status).toBe(400);
      expect(answer.body.error_code).toBe(100000);
    });
  }
});

test.describe('the IP allowlist', () => {
  const wanted = apiError(100000, 'Request from this ip is not allowed.');

  test('rejects other addresses on every endpoint', async ({ as }) => {
    const merchant = as('distantAllowlist');
    const id = '00000000-0000-4000-8000-000000000000';
    const answers = [
      await merchant.session(),
      await merchant.status(id),
      await merchant.statusByOrder('order-1'),
      await merchant.refund(id),
      await merchant.capture(id),
      await merchant.void(id),
      await merchant.retry(id),
    ];
    for (const answer of answers) expect([answer.status, answer.body]).toEqual([400, wanted]);
  });

  test('accepts a listed address or network', async ({ as }) => {
    expect((await as('localAllowlist').session()).status).toBe(200);
  });

  test('ignores forwarding headers of the caller', async ({ as }) => {
    const merchant = as('distantAllowlist');
    const body = merchant.signed(merchant.sessionBody());
    const claims = { 'x-forwarded-for': '203.0.113.7', 'x-real-ip': '203.0.113.7', forwarded: 'for=203.0.113.7' };
    expect((await merchant.post('/api/v1/session', body, claims)).body).toEqual(wanted);
  });
});

test.describe('malformed bodies', () => {
  const unreadable = { result: 'ERROR', error_code: 100000, error_message: 'Request data is invalid.' };
  const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const bodies: Record<string, (signed: Record<string, unknown>) => string | Uint8Array<ArrayBuffer>> = {
    empty: () => '',
    'not JSON': () => 'merchant_key=5a0c6b1e',
    'cut off': (signed) => JSON.stringify(signed).slice(0, -1),
    'an array': (signed) => JSON.stringify([signed]),
    'a text': () => '"session"',
    'a number': () => '7',
    null: () => 'null',
    true: () => 'true',
    'too deep': (signed) => JSON.stringify({ ...signed, custom_data: JSON.parse(deep(40)) }),
    'far too deep': () => '['.repeat(100_000),
    'larger than 256 KB': (signed) => JSON.stringify({ ...signed, padding: 'x'.repeat(262_144) }),
    'with __proto__': (signed) => JSON.stringify(signed).replace('{', '{"__proto__":{"operation":"purchase"},'),
    'with __proto__ inside': (signed) => JSON.stringify(signed).replace('"order":{', '"order":{"__proto__":{},'),
    'with constructor': (signed) => JSON.stringify({ ...signed, constructor: { prototype: {} } }),
    'with a NUL': (signed) => JSON.stringify({ ...signed, channel_id: 'a\u0000b' }),
    'with half a surrogate pair': (signed) => JSON.stringify(signed).replace('"purchase"', '"\\ud800"'),
    'not UTF-8': () => new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  };
  for (const [name, bodyOf] of Object.entries(bodies)) {
    test(`${name}`, async ({ shop, florin }) => {
      const signed = shop.signed(shop.sessionBody());
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${florin}/api/v1/session`, { method: 'POST', headers, body: bodyOf(signed) });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject(unreadable);
      const { number } = signed.order as Order;
      expect((await shop.statusByOrder(number)).body.error_message).toBe('Order does not exist.');
    });
  }

  test('bodies of up to 256 KB are accepted', async ({ shop }) => {
    const base = shop.signed(shop.sessionBody({ padding: '' }));
    const space = 256 * 1024 - Buffer.byteLength(JSON.stringify(base));
    const full = JSON.stringify({ ...base, padding: 'x'.repeat(space) });
    expect(Buffer.byteLength(full)).toBe(256 * 1024);
    expect((await shop.post('/api/v1/session', full)).status).toBe(200);
  });

  test('a body that never ends is aborted in time', async ({ florin }) => {
    const status = await new Promise<number | string>((answered) => {
      const request = rawRequest(`${florin}/api/v1/session`, { method: 'POST' }, (response) => {
        answered(response.statusCode ?? 0);
        request.destroy();
      });
      request.on('error', (error) => answered(error.message));
      const chunk = Buffer.alloc(65_536, 0x20);
      const feed = () => {
        if (request.destroyed) return;
        request.write(chunk, () => setImmediate(feed));
      };
      feed();
    });
    expect(status === 400 || /reset|EPIPE|hang up/i.test(String(status)), String(status)).toBe(true);
  });

  test('the content of a body decides, not its content type', async ({ shop }) => {
    const body = shop.signed(shop.sessionBody());
    const answer = await shop.post('/api/v1/session', body, { 'content-type': 'text/plain' });
    expect(answer.status).toBe(200);
  });
});

test.describe('members of the wrong type never reach the database', () => {
  const members =
    `merchant_key operation methods parameters order success_url cancel_url expiry_url error_url url_target
    session_expiry req_token recurring_init vat_calc auth notification_url customer billing_address payer_ip schedule_id
    schedule_start_date payment_schedule_amount card_token channel_id form_id hash order.number order.amount
    order.currency order.description customer.name customer.email customer.birth_date customer.ip
    billing_address.country billing_address.language`.split(/\s+/);
  const values: unknown[] = [
    null,
    true,
    1e308,
    -0,
    [],
    [[]],
    {},
    { toString: 'x' },
    '\u202e',
    '🂡',
    "'; drop table payments; --",
  ];
  for (const member of members) {
    test(`${member}`, async ({ shop }) => {
      for (const value of values) {
        const body = shop.signed(shop.sessionBody());
        const [outer = '', inner] = member.split('.');
        const changed: Changes = inner
          ? { ...body, [outer]: { ...(body[outer] as object | undefined), [inner]: value } }
          : { ...body, [outer]: value };
        const rehashed = member === 'hash' ? changed : shop.signed(changed);
        const answer = await shop.post('/api/v1/session', rehashed);
        expect([200, 400], `${member} = ${JSON.stringify(value)}: ${answer.status}`).toContain(answer.status);
        if (answer.status === 400) expect(answer.body.result).toBe('ERROR');
      }
    });
  }
});

test.describe('other methods and addresses', () => {
  const cases = rowsOf(`
    GET    | /api/v1/session        | 405
    DELETE | /api/v1/session        | 405
    PUT    | /api/v1/payment/status | 405
    POST   | /api/v1/nothing        | 404
    GET    | /api/v2/session        | 404
  `);
  for (const [method = '', path = '', status] of cases) {
    test(`${method} ${path} gives ${status}`, async ({ florin }) => {
      expect((await fetch(florin + path, { method })).status).toBe(Number(status));
    });
  }
});
