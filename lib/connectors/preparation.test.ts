import { afterEach, describe, expect, it, vi } from 'vitest';
import { log } from '../telemetry/log.ts';
import type { HttpSettings, PayRequest } from './connector.ts';
import { httpConnector, methodSettingsOf } from './http.ts';
import { answering, type CallHandler, cardSale, testProviders } from './provider.test-server.ts';

log.level = 'silent';

const { peer, close } = testProviders();

afterEach(() => {
  vi.restoreAllMocks();
  close();
});

const pay: PayRequest = {
  ...cardSale,
  method: 'paycash-peru',
  amount: { minor: 8450n, currency: 'PEN' },
  payer: { email: 'mia@mail.example' },
};
const done = { reference: pay.key, status: 'processing' };

/** Responds to each path with its status and body. */
const playing =
  (paths: { [path: string]: [number, unknown] }): CallHandler =>
  (call, response) => {
    const [status, body] = paths[call.url] ?? [500, ''];
    answering(status, body)(call, response);
  };

const prepared = {
  '/v1/tokens': [200, { token: 'the-token' }],
  '/v1/references': [200, { reference: '93000011112222', gateway_id: 'gw-1' }],
  '/v1/payments': [200, done],
} satisfies { [path: string]: [number, unknown] };

const methods = { 'paycash-': { private_key: 'the-private-key', branch: '7' } };
const bodyOf = ({ body }: { body: string }) => JSON.parse(body) as { [name: string]: unknown };

describe("an account's settings for a method", () => {
  const settings: HttpSettings = {
    url: 'https://provider.example',
    apiKey: 'k',
    signingSecret: 's',
    methods: {
      trans: { a: 'of trans' },
      'paycash-': { a: 'of the family' },
      'paycash-south-': { a: 'of the longer family' },
      'paycash-peru': { a: 'of the method' },
      toString: {},
    },
  };

  it.each([
    ['trans', 'of trans'],
    ['trans-2', undefined],
    ['paycash-chile', 'of the family'],
    ['paycash-south-chile', 'of the longer family'],
    ['paycash-peru', 'of the method'],
    ['paycash', undefined],
    ['valueOf', undefined],
  ])('%s: %s', (method, expected) => {
    expect(methodSettingsOf(settings, method).a).toBe(expected);
  });

  it('are empty if the account has none', () => {
    expect(methodSettingsOf({ ...settings, methods: undefined }, 'trans')).toEqual({});
  });
});

describe('a payment by a method with credentials', () => {
  const own = { trans: { 'X-API-Key': 'the-key', 'x-api-secret': 'the-secret', fee_bearer: 'merchant' } };

  it('has those that begin with X- as headers and the others in its body', async () => {
    const { settings, calls } = await peer(answering(200, done));
    await httpConnector.pay({ settings: { ...settings, methods: own } }, { ...pay, method: 'trans' });
    await httpConnector.payout({ settings: { ...settings, methods: own } }, { ...pay, method: 'trans' });
    expect(calls.map(({ url }) => url)).toEqual(['/v1/payments', '/v1/payouts']);
    for (const call of calls) {
      expect(call.headers).toMatchObject({
        authorization: 'Bearer the-api-key',
        'x-api-key': 'the-key',
        'x-api-secret': 'the-secret',
      });
      expect(bodyOf(call).credentials).toEqual({ fee_bearer: 'merchant' });
    }
  });

  it('has none of other methods, and no empty credentials', async () => {
    const { settings, calls } = await peer(answering(200, done));
    await httpConnector.pay({ settings: { ...settings, methods: own } }, { ...pay, method: 'ips' });
    const { 'X-API-Key': key } = own.trans;
    await httpConnector.pay(
      { settings: { ...settings, methods: { ips: { 'X-API-Key': key } } } },
      { ...pay, method: 'ips' },
    );
    expect(calls.map((call) => [call.headers['x-api-key'], bodyOf(call).credentials])).toEqual([
      [undefined, undefined],
      ['the-key', undefined],
    ]);
  });

  it('is not sent with a malformed header', async () => {
    const { settings, calls } = await peer(answering(200, done));
    const broken = { trans: { 'X-API-Key': 'one\r\nX-Other: two' } };
    const outcome = await httpConnector.pay(
      { settings: { ...settings, methods: broken } },
      { ...pay, method: 'trans' },
    );
    expect(outcome).toMatchObject({ kind: 'declined', decline: { class: 'technical' } });
    expect(calls).toEqual([]);
  });
});

describe('a prepared payment', () => {
  it('fetches a token and a reference, and is sent with both and without the private key', async () => {
    const { settings, calls } = await peer(playing(prepared));
    const outcome = await httpConnector.pay({ settings: { ...settings, methods } }, pay);
    expect(outcome.kind).toBe('waiting');
    const [token, reference, payment] = calls;
    expect(calls.map(({ url }) => url)).toEqual(['/v1/tokens', '/v1/references', '/v1/payments']);
    expect(token?.headers.authorization).toBe('Bearer the-api-key');
    expect(bodyOf(token as never)).toEqual({ method: 'paycash-peru', private_key: 'the-private-key' });
    expect(reference?.headers.authorization).toBe('the-token');
    expect(bodyOf(reference as never)).toEqual({
      method: 'paycash-peru',
      amount: '84.50',
      currency: 'PEN',
      public_id: pay.key,
      single: true,
    });
    expect(payment?.headers).toMatchObject({
      authorization: 'Bearer the-api-key',
      'x-authorization-token': 'the-token',
      'idempotency-key': pay.key,
    });
    expect(bodyOf(payment as never).credentials).toEqual({
      branch: '7',
      reference: '93000011112222',
      gateway_id: 'gw-1',
    });
    expect(payment?.body).not.toContain('the-private-key');
  });

  it("has the account's gateway if the provider returns none", async () => {
    const nameless: [number, unknown] = [200, { reference: '93000011112222' }];
    const { settings, calls } = await peer(playing({ ...prepared, '/v1/references': nameless }));
    const own = { 'paycash-peru': { private_key: 'k', gateway_id: 'gw-own' } };
    await httpConnector.pay({ settings: { ...settings, methods: own } }, pay);
    expect(bodyOf(calls[2] as never).credentials).toEqual({ reference: '93000011112222', gateway_id: 'gw-own' });
  });

  it('fetches a reusable reference for an initial payment', async () => {
    const { settings, calls } = await peer(playing(prepared));
    await httpConnector.pay({ settings: { ...settings, methods } }, { ...pay, recurring: 'first' });
    expect(bodyOf(calls[1] as never).single).toBe(false);
  });

  it('needs a private key of the account and is no payout', async () => {
    const { settings, calls } = await peer(answering(200, done));
    await httpConnector.pay({ settings: { ...settings, methods: { 'paycash-': { branch: '7' } } } }, pay);
    await httpConnector.payout({ settings: { ...settings, methods } }, pay);
    expect(calls.map(({ url }) => url)).toEqual(['/v1/payments', '/v1/payouts']);
    expect(calls.every(({ body }) => !body.includes('the-private-key'))).toBe(true);
  });

  const refused = { error: { code: 'no', message: 'the-private-key is wrong' } };

  it.each<[string, { [path: string]: [number, unknown] }, number]>([
    ['no token', { '/v1/tokens': [401, refused] }, 1],
    ['a token that is none', { '/v1/tokens': [200, { token: 17 }] }, 1],
    ['an answer that is no JSON', { '/v1/tokens': [200, '<html>'] }, 1],
    ['a failure', { '/v1/references': [500, ''] }, 2],
    ['a reference that is none', { '/v1/references': [200, {}] }, 2],
  ])('is a soft technical decline after %s, and no order goes out', async (_name, paths, count) => {
    const written = [vi.spyOn(log, 'info'), vi.spyOn(log, 'warn')];
    const { settings, calls } = await peer(playing({ ...prepared, ...paths }));
    expect(await httpConnector.pay({ settings: { ...settings, methods } }, pay)).toMatchObject({
      kind: 'declined',
      decline: { code: 'not_prepared', class: 'technical', soft: true },
    });
    expect(calls).toHaveLength(count);
    const lines = JSON.stringify(written.map(({ mock }) => mock.calls));
    expect(lines).toContain('"call":"token"');
    for (const secret of ['the-private-key', 'the-token', '93000011112222']) expect(lines).not.toContain(secret);
  });

  it('is a soft technical decline if the token request times out', async () => {
    const { settings, calls } = await peer(() => {}, 0.3);
    const started = performance.now();
    expect(await httpConnector.pay({ settings: { ...settings, methods } }, pay)).toMatchObject({ kind: 'declined' });
    expect(performance.now() - started).toBeLessThan(800);
    expect(calls).toHaveLength(1);
  });

  it('has one timeout for all calls', async () => {
    const slow: CallHandler = (call, response) => setTimeout(() => playing(prepared)(call, response), 250);
    const { settings, calls } = await peer(slow, 0.6);
    const started = performance.now();
    expect(await httpConnector.pay({ settings: { ...settings, methods } }, pay)).toEqual({
      kind: 'unknown',
      why: 'timeout',
    });
    expect(performance.now() - started).toBeLessThan(1100);
    expect(calls.map(({ url }) => url)).toEqual(['/v1/tokens', '/v1/references', '/v1/payments']);
  });
});

describe("a payer's reply", () => {
  const proceed = { key: 'p-1', original: pay.key };

  it.each([
    [{ code: '123456' }, { reference: 'p-1', code: '123456' }],
    [{ renew: true }, { reference: 'p-1', renew: true }],
  ] as const)('%o goes out under its own key', async (reply, body) => {
    const { settings, calls } = await peer(answering(200, { reference: pay.key, status: 'approved' }));
    expect(await httpConnector.proceed({ settings }, { ...proceed, reply })).toEqual({ kind: 'approved', facts: {} });
    expect(calls[0]).toMatchObject({
      method: 'POST',
      url: `/v1/payments/${pay.key}/proceed`,
      headers: { 'idempotency-key': 'p-1' },
    });
    expect(bodyOf(calls[0] as never)).toEqual(body);
  });

  it('results in the new presentation', async () => {
    const present = { kind: 'code', sent_to: '+385 ••• 67', wrong: true, expires_at: '2026-11-20T17:00:00Z' };
    const { settings } = await peer(answering(200, { reference: pay.key, status: 'processing', present }));
    expect(await httpConnector.proceed({ settings }, { ...proceed, reply: { code: '1' } })).toEqual({
      kind: 'waiting',
      facts: { present: { kind: 'code', sentTo: '+385 ••• 67', wrong: true, expiresAt: '2026-11-20T17:00:00Z' } },
    });
  });

  it.each([
    [422, { error: { code: 'nothing_to_answer' } }],
    [409, { error: { code: 'operation_in_progress' } }],
    [500, ''],
    [200, { reference: 'p-1', status: 'approved' }],
  ])('leaves the outcome unknown if it is refused: http %i %o', async (status, body) => {
    const { settings } = await peer(answering(status, body));
    const outcome = await httpConnector.proceed({ settings }, { ...proceed, reply: { code: '1' } });
    expect(outcome.kind).toBe('unknown');
  });

  it('is not logged', async () => {
    const info = vi.spyOn(log, 'info');
    const { settings } = await peer(answering(200, { reference: pay.key, status: 'approved' }));
    await httpConnector.proceed({ settings }, { ...proceed, reply: { code: '987654' } });
    expect(JSON.stringify(info.mock.calls)).toContain('"call":"proceed"');
    expect(JSON.stringify(info.mock.calls)).not.toContain('987654');
  });
});
