import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Fetch } from './send.ts';
import { type BackendOptions, createBackend, verifyReturn } from './server.ts';

const hex = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex');
const order = { number: 'o1', amount: '84.50', currency: 'EUR', description: 'Two cups' };

/**
 * A merchant's server in front of a payment service that answers 200 `{}`; `sent` records the requests to the service.
 */
function backend(changes: Partial<BackendOptions> = {}) {
  const sent: { address: string; body: Record<string, unknown> }[] = [];
  const fetch: Fetch = async (address, { body }) => {
    sent.push({ address, body: JSON.parse(String(body)) });
    return new Response('{"result":"accepted"}', { status: 200 });
  };
  const options = { florinUrl: 'https://pay.example/', merchantKey: 'key-1', password: 'abc', fetch };
  const handle = createBackend({ ...options, allow: ({ body }) => body, ...changes });
  return { sent, handle };
}

function post(path: string, body: unknown, type = 'application/json', method = 'POST'): Request {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Request(`https://shop.example${path}`, {
    method,
    headers: { 'content-type': type },
    ...(method === 'POST' && { body: text }),
  });
}

test.each([
  ['/api/v1/session', { order }, 'O184.50EURTWO CUPSABC'],
  ['/shop/api/v1/payment/status', { payment_id: 'p1' }, 'P1ABC'],
  ['/api/v1/payment/refund', { payment_id: 'p1', amount: '2.00' }, 'P12.00ABC'],
  ['/api/v1/payment/void', { payment_id: 'p1' }, 'P1ABC'],
])('%s is signed and forwarded', async (path, body, input) => {
  const { sent, handle } = backend();
  const answer = await handle(post(path, { ...body, merchant_key: 'other', hash: 'forged' }));
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(await answer.json()).toEqual({ result: 'accepted' });
  const wanted = { ...body, merchant_key: 'key-1', hash: hex('sha1', hex('md5', input)) };
  expect(sent).toEqual([{ address: `https://pay.example${path.replace('/shop', '')}`, body: wanted }]);
});

test('the key of a refund is forwarded', async () => {
  const keys: unknown[] = [];
  const fetch: Fetch = async (_address, { headers }) => {
    keys.push((headers as Record<string, string>)['idempotency-key']);
    return new Response('{"result":"accepted"}');
  };
  const { handle } = backend({ fetch });
  const request = post('/api/v1/payment/refund', { payment_id: 'p1' });
  request.headers.set('Idempotency-Key', 'return-7');
  await handle(request);
  await handle(post('/api/v1/payment/refund', { payment_id: 'p1' }));
  expect(keys).toEqual(['return-7', undefined]);
});

test('the allowed body is sent, not the requested one', async () => {
  const { sent, handle } = backend({
    allow: async ({ operation, body, request }) =>
      operation === 'session' && request.headers.has('content-type') && body.basket === 7 ? { order } : null,
  });
  expect((await handle(post('/api/v1/session', { basket: 7, order: { ...order, amount: '0.01' } }))).status).toBe(200);
  expect(sent[0]?.body).toMatchObject({ order });
  expect(sent[0]?.body).not.toHaveProperty('basket');
});

test.each([
  [403, post('/api/v1/payment/refund', { payment_id: 'p1' })],
  [404, post('/api/v1/payment/capture', { payment_id: 'p1' })],
  [405, post('/api/v1/session', null, 'application/json', 'GET')],
  [415, post('/api/v1/session', 'payment_id=p1', 'application/x-www-form-urlencoded')],
  [415, post('/api/v1/session', '{}', 'text/plain')],
  [413, post('/api/v1/session', JSON.stringify('x'.repeat(100_000)))],
  [400, post('/api/v1/session', '{')],
  [400, post('/api/v1/session', '[]')],
])('HTTP %i: refused before anything is signed', async (status, request) => {
  const { sent, handle } = backend({ allow: ({ operation, body }) => (operation === 'refund' ? null : body) });
  const answer = await handle(request);
  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject({ result: 'ERROR', error_code: status });
  expect(sent).toEqual([]);
});

test('a number in a signed field is rejected', async () => {
  const { handle } = backend();
  const answer = await handle(post('/api/v1/payment/refund', { payment_id: 'p1', amount: 2 }));
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ error_message: 'amount must be a text.' });
});

test('errors of the payment service are forwarded unchanged', async () => {
  const body = { result: 'ERROR', error_code: 208005, error_message: 'No.' };
  const { handle } = backend({ fetch: async () => new Response(JSON.stringify(body), { status: 400 }) });
  const answer = await handle(post('/api/v1/payment/refund', { payment_id: 'p1' }));
  expect([answer.status, await answer.json()]).toEqual([400, body]);
});

test('a service that is down or slow becomes 502 or 504', async () => {
  const down = backend({ fetch: async () => Promise.reject(new Error('abc')) });
  const slow = backend({
    timeoutSeconds: 0.02,
    fetch: (_address, { signal }) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('gone')))),
  });
  for (const [status, { handle }] of [
    [502, down],
    [504, slow],
  ] as const) {
    const answer = await handle(post('/api/v1/payment/void', { payment_id: 'p1' }));
    expect(answer.status).toBe(status);
    expect(await answer.text()).not.toContain('abc');
  }
});

test('a backend without its secrets is an error', () => {
  expect(() => backend({ password: '' })).toThrow(expect.objectContaining({ code: 'argument' }));
  expect(() => backend({ florinUrl: 'pay.example' })).toThrow(expect.objectContaining({ code: 'argument' }));
});

const returned = { paymentId: 'p1', orderId: 'o1', hash: hex('sha1', hex('md5', 'P1O184.50EURTWO CUPSABC')) };
const by = { password: 'abc' };

test('a genuine return is valid, as an outcome and as a query, in either case', () => {
  const query = new URLSearchParams({ payment_id: 'p1', trans_id: 't1', order_id: 'o1', hash: returned.hash });
  expect(verifyReturn(returned, order, by)).toBe(true);
  expect(verifyReturn({ ...returned, hash: returned.hash.toUpperCase() }, order, by)).toBe(true);
  expect(verifyReturn(query, order, by)).toBe(true);
});

test.each([
  ['another payment', { ...returned, paymentId: 'p2' }, order, by],
  ['another order', { ...returned, orderId: 'o2' }, order, by],
  ['another amount', returned, { ...order, amount: '84.5' }, by],
  ['another password', returned, order, { password: 'abd' }],
  ['another digest', returned, order, { password: 'abc', digest: 'sha256' as const }],
  ['a cut hash', { ...returned, hash: returned.hash.slice(0, 39) }, order, by],
  ['no hash', { ...returned, hash: '' }, order, by],
  ['an empty query', new URLSearchParams(), order, by],
])('%s does not hold', (_name, given, of, secrets) => {
  expect(verifyReturn(given, of, secrets)).toBe(false);
});
