import { createHash } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { initialize } from './client.ts';
import type { SessionRequest } from './contract.ts';
import type { FlorinError } from './errors.ts';
import type { Fetch } from './send.ts';

const secret = 'pa55word-of-the-shop';
const request: SessionRequest = {
  operation: 'purchase',
  order: { number: 'o1', amount: '84.50', currency: 'EUR', description: 'Two cups' },
  success_url: 'https://shop.example/ok',
  cancel_url: 'https://shop.example/no',
};

/** A server that returns these answers and records the requests. */
function server(...answers: { status?: number; body: unknown }[]) {
  const calls: { address: string; init: RequestInit; body: Record<string, unknown> }[] = [];
  const fetch: Fetch = async (address, init) => {
    calls.push({ address, init, body: JSON.parse(String(init.body)) });
    const { status = 200, body } = answers.shift() ?? { status: 500, body: null };
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });
  };
  return { calls, fetch };
}

const signedBy = (fetch: Fetch) =>
  initialize({ backendUrl: 'https://pay.example/', merchantKey: 'key-1', password: secret, fetch });

async function failureOf(work: Promise<unknown>): Promise<FlorinError> {
  return work.then(
    () => Promise.reject(new Error('It did not fail.')),
    (error) => error,
  );
}

const status = { payment_id: 'p1', status: 'settled', date: '2026-11-20 10:00:00', order: request.order, customer: {} };

const calls = [
  ['fetchPaymentUrl', request, 'session', { redirect_url: 'https://pay.example/pay/x', redirect_method: 'GET' }],
  ['checkStatus', { paymentId: 'p1' }, 'payment/status', status],
  ['checkStatus', { orderId: 'o1' }, 'payment/status', status],
  ['checkStatus', { orderId: 'o1', size: 2 }, 'payment/status', [status]],
  ['refundPayment', { paymentId: 'p1', amount: '1.00' }, 'payment/refund', { payment_id: 'p1', result: 'accepted' }],
  ['refundPayment', { paymentId: 'p1' }, 'payment/refund', { payment_id: 'p1', result: 'accepted' }],
  ['voidPayment', { paymentId: 'p1' }, 'payment/void', { payment_id: 'p1', trans_status: 'SUCCESS' }],
] as const;

const bodies = [
  request,
  { payment_id: 'p1' },
  { order_id: 'o1' },
  { order_id: 'o1', size: '2' },
  { payment_id: 'p1', amount: '1.00' },
  { payment_id: 'p1' },
  { payment_id: 'p1' },
];

calls.forEach(([name, argument, path, answer], index) => {
  const original = JSON.stringify(argument);

  test(`${name} of ${original} is signed with the password`, async () => {
    const { calls: seen, fetch } = server({ body: answer });
    const got = await (signedBy(fetch)[name] as (given: unknown) => Promise<unknown>)(argument);
    expect(got).toEqual(
      name === 'fetchPaymentUrl' ? { redirectUrl: 'https://pay.example/pay/x', redirectMethod: 'GET' } : answer,
    );
    expect(seen).toHaveLength(1);
    expect(seen[0]?.address).toBe(`https://pay.example/api/v1/${path}`);
    expect(seen[0]?.body).toEqual({
      ...bodies[index],
      merchant_key: 'key-1',
      hash: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    expect(JSON.stringify(seen)).not.toContain(secret);
  });

  test(`${name} of ${original} goes unsigned to the merchant's own server`, async () => {
    const { calls: seen, fetch } = server({ body: answer });
    const headers = async () => ({ authorization: 'Bearer payer' });
    const client = initialize({ backendUrl: 'https://shop.example/pay', headers, credentials: 'include', fetch });
    await (client[name] as (given: unknown) => Promise<unknown>)(argument);
    expect(seen[0]?.address).toBe(`https://shop.example/pay/api/v1/${path}`);
    expect(seen[0]?.body).toEqual(bodies[index]);
    expect(seen[0]?.init).toMatchObject({
      method: 'POST',
      redirect: 'error',
      credentials: 'include',
      headers: { authorization: 'Bearer payer', 'content-type': 'application/json' },
    });
  });
});

test('the hash uses the digest of the mapping', async () => {
  const { calls: seen, fetch } = server({ body: status });
  await initialize({
    backendUrl: 'http://pay.example',
    merchantKey: 'key-1',
    password: 'abc',
    digest: 'sha256',
    fetch,
  }).checkStatus({ paymentId: 'p1' });
  const inner = createHash('sha256').update('P1ABC').digest('hex');
  expect(seen[0]?.body.hash).toBe(createHash('sha1').update(inner).digest('hex'));
});

test('a rejected call has its code and the errors of each field', async () => {
  const errors = [
    { error_code: 100000, error_message: 'order.amount: This value should not be blank.' },
    { error_code: 100000, error_message: 'order.amount: This value is not valid.' },
    { error_code: 100000, error_message: 'Something else.' },
  ];
  const { fetch } = server({
    status: 400,
    body: { result: 'ERROR', error_code: '100000', error_message: 'Request data is invalid.', errors },
  });
  expect(await failureOf(signedBy(fetch).fetchPaymentUrl(request))).toMatchObject({
    name: 'FlorinError',
    code: 100000,
    status: 400,
    message: 'Request data is invalid.',
    fields: {
      'order.amount': ['This value should not be blank.', 'This value is not valid.'],
      '': ['Something else.'],
    },
  });
});

test.each([
  ['a page', 200, '<html>'],
  ['a list', 200, '[]'],
  ['nothing', 200, ''],
  ['a session without its address', 200, '{"redirect_method":"GET"}'],
  ['an address that is a script', 200, '{"redirect_url":"javascript:alert(1)"}'],
  ['a proxy that is down', 502, 'Bad gateway'],
  ['an error without a code', 400, '{"result":"ERROR"}'],
])('%s is no answer', async (_name, code, body) => {
  const { fetch } = server({ status: code, body });
  expect(await failureOf(signedBy(fetch).fetchPaymentUrl(request))).toMatchObject({ code: 'answer' });
});

test('a list for one payment is an invalid response, and the reverse', async () => {
  const { fetch } = server({ body: [status] }, { body: status }, { body: [{}] });
  const client = signedBy(fetch);
  expect(await failureOf(client.checkStatus({ orderId: 'o1' }))).toMatchObject({ code: 'answer' });
  expect(await failureOf(client.checkStatus({ orderId: 'o1', size: 1 }))).toMatchObject({ code: 'answer' });
  expect(await failureOf(client.checkStatus({ orderId: 'o1', size: 1 }))).toMatchObject({ code: 'answer' });
});

// Never settles until it is aborted, as fetch does.
const hanging: Fetch = (_address, { signal }) =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('gone'))));

test('a call without a response times out', async () => {
  const client = initialize({ backendUrl: 'https://shop.example', timeoutSeconds: 0.05, fetch: hanging });
  expect(await failureOf(client.voidPayment({ paymentId: 'p1' }))).toMatchObject({ code: 'timeout', status: null });
});

test('a response with an endless body times out too', async () => {
  const fetch: Fetch = async (_address, { signal }) => {
    const body = new ReadableStream({
      start: (controller) => signal?.addEventListener('abort', () => controller.error(new Error('gone'))),
    });
    return new Response(body, { status: 200 });
  };
  const client = initialize({ backendUrl: 'https://shop.example', timeoutSeconds: 0.05, fetch });
  expect(await failureOf(client.voidPayment({ paymentId: 'p1' }))).toMatchObject({ code: 'timeout' });
});

test('the caller can abort, before and during the call', async () => {
  const client = initialize({ backendUrl: 'https://shop.example', fetch: hanging });
  const stop = new AbortController();
  const work = failureOf(client.voidPayment({ paymentId: 'p1' }, { signal: stop.signal }));
  setTimeout(() => stop.abort(), 10);
  expect(await work).toMatchObject({ code: 'aborted' });
  const real = initialize({ backendUrl: 'https://shop.example' });
  expect(await failureOf(real.voidPayment({ paymentId: 'p1' }, { signal: stop.signal }))).toMatchObject({
    code: 'aborted',
  });
});

test('no error contains the password, the key or the request', async () => {
  const leaking: Fetch = async (address, init) => {
    throw Object.assign(new TypeError(`fetch ${address} failed: ${init.body} ${secret}`), { cause: { secret } });
  };
  const { fetch } = server({ status: 500, body: 'down' });
  const errors = await Promise.all([
    failureOf(signedBy(leaking).fetchPaymentUrl(request)),
    failureOf(signedBy(fetch).fetchPaymentUrl(request)),
    failureOf(signedBy(fetch).refundPayment({ paymentId: 'p1', amount: 5 as unknown as string })),
  ]);
  expect(errors.map(({ code }) => code)).toEqual(['network', 'answer', 'argument']);
  for (const error of errors) {
    const output = `${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
    for (const word of [secret, 'key-1', 'merchant_key', 'hash']) expect(output).not.toContain(word);
  }
  expect(JSON.stringify(signedBy(fetch))).toBe('{}');
});

test.each([
  [{ backendUrl: '' }],
  [{ backendUrl: 'pay.example' }],
  [{ backendUrl: 'ftp://pay.example' }],
  [{ backendUrl: 'https://pay.example/?x=1' }],
  [{ backendUrl: 'https://user:word@pay.example' }],
  [{ backendUrl: 'https://pay.example', password: 'x' }],
  [{ backendUrl: 'https://pay.example', merchantKey: 'k', password: '' }],
])('%j makes no client', (options) => {
  expect(() => initialize(options as Parameters<typeof initialize>[0])).toThrow(
    expect.objectContaining({ code: 'argument' }),
  );
});

test('an empty identifier is not sent', async () => {
  const { calls: seen, fetch } = server();
  const client = initialize({ backendUrl: 'https://shop.example', fetch });
  for (const work of [
    client.voidPayment({ paymentId: '' }),
    client.refundPayment({ paymentId: undefined as unknown as string }),
    client.checkStatus({ orderId: '' }),
  ])
    expect(await failureOf(work)).toMatchObject({ code: 'argument' });
  expect(seen).toEqual([]);
});

test.each([
  ['a page', 'document', {}],
  ['an app', 'navigator', { product: 'ReactNative' }],
])('a password in %s is warned of', (_name, global, value) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  signedBy(hanging);
  expect(warn).not.toHaveBeenCalled();
  vi.stubGlobal(global, value);
  signedBy(hanging);
  expect(warn).toHaveBeenCalledOnce();
  expect(String(warn.mock.calls)).not.toContain(secret);
  initialize({ backendUrl: 'https://shop.example' });
  expect(warn).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
  warn.mockRestore();
});

const keyOf = ({ init }: { init: RequestInit }) => (init.headers as Record<string, string>)['idempotency-key'];
const taken = { payment_id: 'p1', result: 'accepted', operation_id: 'r1' };
const undone = { payment_id: 'p1', trans_status: 'SUCCESS', operation_id: 'v1' };

test('every refund and void has a new key or the caller’s; other calls have none', async () => {
  const { calls: seen, fetch } = server(
    { body: taken },
    { body: taken },
    { body: undone },
    { body: taken },
    { body: status },
  );
  const client = signedBy(fetch);
  await client.refundPayment({ paymentId: 'p1', amount: '1.00' });
  await client.refundPayment({ paymentId: 'p1', amount: '1.00' });
  await client.voidPayment({ paymentId: 'p1' });
  await client.refundPayment({ paymentId: 'p1' }, { idempotencyKey: 'return-7' });
  await client.checkStatus({ paymentId: 'p1' });
  const keys = seen.map(keyOf);
  for (const key of keys.slice(0, 3)) expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(keys.slice(0, 3)).size).toBe(3);
  expect(keys.slice(3)).toEqual(['return-7', undefined]);
});

test('a broken connection and a busy service are retried under the same key', async () => {
  vi.useFakeTimers();
  const busy = { status: 503, body: { result: 'ERROR', error_code: 503, error_message: 'The service is busy.' } };
  const { calls: seen, fetch } = server(busy, { body: taken }, { body: taken }, busy, busy, busy);
  // The second request is processed, and its response is lost.
  const flaky: Fetch = async (address, init) => {
    const answer = await fetch(address, init);
    if (seen.length === 2) throw new TypeError('reset');
    return answer;
  };
  const client = signedBy(flaky);
  const work = client.refundPayment({ paymentId: 'p1', amount: '1.00' });
  await vi.runAllTimersAsync();
  expect(await work).toEqual(taken);
  expect(seen).toHaveLength(3);
  expect(new Set(seen.map(keyOf)).size).toBe(1);

  const error = failureOf(client.refundPayment({ paymentId: 'p1', amount: '1.00' }));
  await vi.runAllTimersAsync();
  expect(seen).toHaveLength(6);
  expect(await error).toMatchObject({
    code: 503,
    status: 503,
    idempotencyKey: keyOf(seen[5] as (typeof seen)[number]),
  });
  vi.useRealTimers();
});

test('an error names the key, and the caller’s own server is not retried', async () => {
  const { calls: seen, fetch } = server({ status: 502, body: 'Bad gateway' });
  const client = initialize({ backendUrl: 'https://shop.example', fetch });
  const error = await failureOf(client.refundPayment({ paymentId: 'p1' }, { idempotencyKey: 'return-7' }));
  expect(error).toMatchObject({ code: 'answer', status: 502, idempotencyKey: 'return-7' });
  expect(seen).toHaveLength(1);
  const late = initialize({ backendUrl: 'https://shop.example', timeoutSeconds: 0.05, fetch: hanging });
  expect((await failureOf(late.voidPayment({ paymentId: 'p1' }))).idempotencyKey).toMatch(/^[0-9a-f]{32}$/);
});

test('status can list the operations', async () => {
  const { calls: seen, fetch } = server({ body: status });
  await signedBy(fetch).checkStatus({ paymentId: 'p1', operations: true });
  expect(seen[0]?.body).toMatchObject({ payment_id: 'p1', operations: true });
});
