import { afterEach, describe, expect, it, vi } from 'vitest';
import { signWebhook } from '../core/webhooks.ts';
import { log } from '../telemetry/log.ts';
import type { ModificationRequest, Outcome, PayRequest } from './connector.ts';
import { httpConnector } from './http.ts';
import { answering, type CallHandler, cardSale, testProviders } from './provider.test-server.ts';
import { findConnector } from './registry.ts';

// The tests below check the log by spies; the lines themselves are not printed.
log.level = 'silent';

const { peer, servers, close } = testProviders();

afterEach(() => {
  vi.restoreAllMocks();
  close();
});

const pay: PayRequest = {
  ...cardSale,
  card: { number: '4111111111111111', expMonth: 1, expYear: 2038, cvv: '123', holder: 'Mia Lindqvist' },
  payer: { first_name: 'Mia', email: 'mia@mail.example', phone: undefined },
  browser: { userAgent: 'Test', timezoneOffset: -60, javaEnabled: false },
  threeDS: 'own',
  parameters: { descriptor: 'BOWLS' },
};
const follow: ModificationRequest = { key: 'f-1', operation: 'refund', original: pay.key };
const approved = { reference: pay.key, status: 'approved' };

describe('a request', () => {
  it('is the payment in the format of the contract', async () => {
    const { settings, calls } = await peer(answering(200, approved), 7);
    await httpConnector.pay({ settings }, pay);
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({
      method: 'POST',
      url: '/v1/payments',
      headers: { authorization: 'Bearer the-api-key', 'idempotency-key': pay.key, prefer: 'wait=7' },
    });
    expect(JSON.parse(calls[0]?.body ?? '')).toEqual({
      reference: pay.key,
      operation: 'sale',
      method: 'card',
      amount: '84.50',
      currency: 'EUR',
      order: { number: '10428', description: 'Two bowls' },
      card: { number: '4111111111111111', exp_month: '01', exp_year: '2038', cvv: '123', holder: 'Mia Lindqvist' },
      payer: { first_name: 'Mia', email: 'mia@mail.example' },
      browser: { user_agent: 'Test', timezone_offset: -60, java_enabled: false },
      three_ds: 'own',
      parameters: { descriptor: 'BOWLS' },
      return_url: 'https://pay.example/return/1',
      notify_url: 'https://pay.example/notify/http/1',
    });
  });

  it("truncates a payer's texts to the maximum of the account", async () => {
    const { settings, calls } = await peer(answering(200, approved));
    const payer = { first_name: '𝒳'.repeat(200), address: 'x'.repeat(60), email: `${'e'.repeat(60)}@mail.example` };
    const card = { number: '4111111111111111', expMonth: 1, expYear: 2038, holder: 'y'.repeat(300) };
    await httpConnector.pay({ settings }, { ...pay, payer, card });
    await httpConnector.pay({ settings, payerTextMax: 40 }, { ...pay, payer, card });
    await httpConnector.payout({ settings, payerTextMax: 40 }, { ...pay, payer, payee: { city: 'z'.repeat(41) } });
    const [whole, short, payout] = calls.map(({ body }) => JSON.parse(body));
    expect([whole.payer, whole.card.holder]).toEqual([payer, 'y'.repeat(255)]);
    const { email } = payer;
    expect(short.payer).toEqual({ first_name: '𝒳'.repeat(40), address: 'x'.repeat(40), email });
    expect([short.card.holder, payout.payee]).toEqual(['y'.repeat(40), { city: 'z'.repeat(40) }]);
  });

  it('has the wallet of the card with its cryptogram', async () => {
    const { settings, calls } = await peer(answering(200, approved));
    const wallet = { kind: 'applepay', panType: 'dpan', cryptogram: 'AgAAAAAABk4=', eci: '05' } as const;
    await httpConnector.pay({ settings }, { ...pay, wallet, threeDS: 'none' });
    await httpConnector.pay({ settings }, { ...pay, wallet: { kind: 'googlepay', panType: 'fpan' } });
    expect(calls.map(({ body }) => JSON.parse(body).wallet)).toEqual([
      { type: 'applepay', pan_type: 'dpan', cryptogram: 'AgAAAAAABk4=', eci: '05' },
      { type: 'googlepay', pan_type: 'fpan' },
    ]);
  });

  it.each<[ModificationRequest['operation'], ModificationRequest['amount'], object]>([
    ['capture', { minor: 1200n, currency: 'JPY' }, { reference: 'f-1', amount: '1200', currency: 'JPY' }],
    ['refund', { minor: 5n, currency: 'KWD' }, { reference: 'f-1', amount: '0.005', currency: 'KWD' }],
    ['void', undefined, { reference: 'f-1' }],
  ])('is a %s under its payment', async (operation, amount, body) => {
    const { settings, calls } = await peer(answering(200, { reference: 'f-1', status: 'approved' }));
    const outcome = await httpConnector.modify({ settings }, { ...follow, operation, amount });
    expect(outcome.kind).toBe('approved');
    expect(calls[0]?.url).toBe(`/v1/payments/${pay.key}/${operation}`);
    expect(calls[0]?.headers['idempotency-key']).toBe('f-1');
    expect(JSON.parse(calls[0]?.body ?? '')).toEqual(body);
  });

  it('is a payout with the card of the payee', async () => {
    const { settings, calls } = await peer(answering(201, approved));
    const { card, ...rest } = pay;
    const outcome = await httpConnector.payout(
      { settings },
      { ...rest, payeeCard: card, payee: { first_name: 'Mia' } },
    );
    expect(outcome.kind).toBe('approved');
    expect(calls[0]?.url).toBe('/v1/payouts');
    expect(JSON.parse(calls[0]?.body ?? '')).toMatchObject({
      payee_card: { number: '4111111111111111' },
      payee: { first_name: 'Mia' },
      amount: '84.50',
    });
    expect(JSON.parse(calls[0]?.body ?? '')).not.toHaveProperty('card');
  });

  it('for the status has no body and no idempotency key', async () => {
    const { settings, calls } = await peer(answering(200, approved));
    await httpConnector.status({ settings }, pay.key);
    expect(calls[0]).toMatchObject({ method: 'GET', url: `/v1/operations/${pay.key}`, body: '' });
    expect(calls[0]?.headers).not.toHaveProperty('idempotency-key');
  });
});

const action = { url: 'https://bank.example/acs', method: 'POST', params: { creq: 'abc' } };

describe('the log', () => {
  it('has one line per call, without anything secret', async () => {
    const info = vi.spyOn(log, 'info');
    const warn = vi.spyOn(log, 'warn');
    const good = await peer(answering(200, approved));
    const bad = await peer(answering(500, 'the-api-key 4111111111111111'));
    await httpConnector.pay(good, pay);
    await httpConnector.modify(bad, follow);
    expect(info.mock.calls).toEqual([
      [
        expect.objectContaining({
          connector: 'http',
          call: 'pay',
          transaction: pay.key,
          outcome: 'approved',
          http: 200,
          durationMs: expect.any(Number),
        }),
        'provider call',
      ],
    ]);
    expect(warn.mock.calls).toEqual([
      [expect.objectContaining({ call: 'refund', outcome: 'unknown', why: 'http 500' }), 'provider call'],
    ]);
    const written = JSON.stringify([info.mock.calls, warn.mock.calls]);
    for (const secret of ['4111111111111111', '"123"', 'the-api-key', 'Lindqvist', 'whsec']) {
      expect(written).not.toContain(secret);
    }
  });
});

describe('the outcome of a response', () => {
  it.each<[string, object, Outcome]>([
    ['approved', {}, { kind: 'approved', facts: {} }],
    ['authorized', { provider_reference: 'p-1' }, { kind: 'authorized', facts: { providerRef: 'p-1' } }],
    ['processing', {}, { kind: 'waiting', facts: {} }],
    ['challenge', { action }, { kind: 'challenge', action: { ...action, method: 'POST' }, facts: {} }],
    [
      'redirect',
      { action: { url: 'http://wallet.example/', method: 'GET' } },
      { kind: 'redirect', action: { url: 'http://wallet.example/', method: 'GET', params: {} }, facts: {} },
    ],
    [
      'declined',
      {
        decline: { code: 'insufficient_funds', message: 'No money on 4111 1111 1111 1111', class: 'funds', soft: true },
      },
      {
        kind: 'declined',
        decline: { code: 'insufficient_funds', reason: 'No money on [card]', class: 'funds', soft: true },
        facts: {},
      },
    ],
    [
      'declined',
      { decline: { code: 'x', message: 'y', class: 'a class of their own' } },
      { kind: 'declined', decline: { code: 'x', reason: 'y', class: 'bank', soft: false }, facts: {} },
    ],
    [
      'declined',
      {},
      { kind: 'declined', decline: { code: 'declined', reason: 'Declined', class: 'bank', soft: false }, facts: {} },
    ],
    ['challenge', {}, { kind: 'unknown', why: 'answer without its action' }],
    [
      'redirect',
      { action: { url: 'javascript:alert(1)', method: 'GET' } },
      { kind: 'unknown', why: 'answer without its action' },
    ],
    ['captured', {}, { kind: 'unknown', why: 'answer not understood' }],
    ['approved', { reference: 'another' }, { kind: 'unknown', why: 'answer about another operation' }],
  ])('%s with %o', async (status, rest, outcome) => {
    const { settings } = await peer(answering(200, { reference: pay.key, status, ...rest }));
    expect(await httpConnector.pay({ settings }, pay)).toEqual(outcome);
    expect(await httpConnector.status({ settings }, pay.key)).toEqual(outcome);
  });

  it('has the provider data without malformed members', async () => {
    const network = { rrn: '012345678901', arn: '74556122345678901234567', approval_code: 'A1B2C3', brand: 17 };
    const body = { ...approved, network, three_ds: { eci: '05' }, extended: ['not an object'] };
    const { settings } = await peer(answering(200, body));
    expect(await httpConnector.pay({ settings }, pay)).toEqual({
      kind: 'approved',
      facts: { rrn: '012345678901', arn: '74556122345678901234567', approvalCode: 'A1B2C3', threeDS: { eci: '05' } },
    });
  });
});

const refused = { error: { code: 'currency_not_supported', message: 'No XAU here' } };

describe('the outcome without a response', () => {
  // HTTP status and body -> the outcome of a payment | the outcome of a status request
  it.each<[number, unknown, string, string]>([
    [500, approved, 'unknown', 'unknown'],
    [502, '<html>Bad gateway</html>', 'unknown', 'unknown'],
    [503, refused, 'unknown', 'unknown'],
    [200, '{"reference": "0199', 'unknown', 'unknown'],
    [200, '', 'unknown', 'unknown'],
    [200, `{"reference":"${pay.key}","status":"declined","status":"approved"}`, 'unknown', 'unknown'],
    [422, '{"error":{"code":"x","code":"y","message":"z"}}', 'unknown', 'unknown'],
    [200, [approved], 'unknown', 'unknown'],
    [302, approved, 'unknown', 'unknown'],
    [400, refused, 'declined', 'unknown'],
    [401, refused, 'declined', 'unknown'],
    [422, refused, 'declined', 'unknown'],
    [429, refused, 'declined', 'unknown'],
    [400, 'Bad request', 'unknown', 'unknown'],
    [404, 'Not found', 'unknown', 'unknown'],
    [404, refused, 'declined', 'unknown'],
    [408, refused, 'unknown', 'unknown'],
    [409, refused, 'unknown', 'unknown'],
    [404, { error: { code: 'operation_not_found' } }, 'declined', 'absent'],
  ])('http %i %o: %s, looked up %s', async (status, body, ordered, lookedUp) => {
    const { settings } = await peer(answering(status, body));
    expect((await httpConnector.pay({ settings }, pay)).kind).toBe(ordered);
    expect((await httpConnector.payout({ settings }, pay)).kind).toBe(ordered);
    expect((await httpConnector.modify({ settings }, follow)).kind).toBe(ordered);
    expect((await httpConnector.status({ settings }, pay.key)).kind).toBe(lookedUp);
  });

  it('is a technical decline for a definite refusal, soft only for too many requests', async () => {
    const hard = await peer(answering(422, refused));
    const soft = await peer(answering(429, refused));
    const decline = { code: 'currency_not_supported', reason: 'Refused by the provider', class: 'technical' };
    expect(await httpConnector.pay(hard, pay)).toMatchObject({ decline: { ...decline, soft: false } });
    expect(await httpConnector.pay(soft, pay)).toMatchObject({ decline: { ...decline, soft: true } });
  });

  const faults: [string, CallHandler][] = [
    ['a connection reset after the request was read', (_call, response) => response.socket?.resetAndDestroy()],
    ['a connection closed after the request was read', (_call, response) => response.socket?.end()],
    [
      'a connection that breaks within the answer',
      (_call, response) => {
        response.writeHead(200, { 'content-length': '500' });
        response.write('{"reference":"', () => response.socket?.destroy());
      },
    ],
    [
      'an answer without end',
      (_call, response) => {
        response.writeHead(200);
        for (let part = 0; part < 20; part += 1) response.write(' '.repeat(32 * 1024));
      },
    ],
  ];

  it.each(faults)('%s is unknown, and nothing is sent twice', async (_name, behave) => {
    const { settings, calls } = await peer(behave);
    expect((await httpConnector.pay({ settings }, pay)).kind).toBe('unknown');
    expect(calls).toHaveLength(1);
    expect((await httpConnector.status({ settings }, pay.key)).kind).toBe('unknown');
  });

  it.each<[string, CallHandler]>([
    ['no answer at all', () => {}],
    ['an answer that begins in time and ends too late', (_call, response) => response.writeHead(200).write('{')],
    [
      'an approval that comes late',
      (_call, response) => setTimeout(() => answering(200, approved)(_call, response), 900),
    ],
  ])('%s is unknown after the timeout', async (_name, behave) => {
    const { settings, calls } = await peer(behave, 0.4);
    const started = performance.now();
    expect(await httpConnector.pay({ settings }, pay)).toEqual({ kind: 'unknown', why: 'timeout' });
    const passed = performance.now() - started;
    expect(passed).toBeGreaterThan(350);
    expect(passed).toBeLessThan(850);
    expect(calls).toHaveLength(1);
  });

  it('is a technical decline without a connection, since no money can have moved', async () => {
    const { settings } = await peer(() => {});
    const server = servers.pop();
    await new Promise((resolve) => server?.close(resolve));
    expect(await httpConnector.pay({ settings }, pay)).toMatchObject({
      kind: 'declined',
      decline: { code: 'unreachable', class: 'technical', soft: true },
    });
    expect((await httpConnector.status({ settings }, pay.key)).kind).toBe('unknown');
  });

  it.each(['not a URL', 'ftp://provider.example'])('is a technical decline for the URL %s', async (url) => {
    const settings = { url, apiKey: 'k', signingSecret: 's' };
    expect((await httpConnector.pay({ settings }, pay)).kind).toBe('declined');
    expect((await httpConnector.status({ settings }, pay.key)).kind).toBe('unknown');
  });
});

describe('a notification', () => {
  const settings = { url: 'https://provider.example', apiKey: 'k', signingSecret: 'whsec_c2VjcmV0' };
  const body = JSON.stringify(approved);
  const read = (headers: Record<string, string>, text: string, secret = settings.signingSecret) => {
    const request = new Request('https://pay.example/notify/http/1', { method: 'POST', headers, body: text });
    return httpConnector.readNotification([{ settings: { ...settings, signingSecret: secret } }], request);
  };
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

  it('contains its operation if the signature is valid', async () => {
    const headers = signWebhook(settings.signingSecret, 'evt_1', new Date(), body);
    expect(await read(headers, body)).toEqual({ key: pay.key, signers: [{ settings }] });
  });

  it('can be signed with the secret of older settings, which are its signers', async () => {
    const older = { ...settings, signingSecret: 'whsec_YW5vdGhlcg==' };
    const none = { ...settings, signingSecret: '' };
    const headers = signWebhook(older.signingSecret, 'evt_1', new Date(), body);
    const readBy = (targets: { settings: typeof settings }[]) =>
      httpConnector.readNotification(
        targets,
        new Request('https://pay.example/notify/http/1', { method: 'POST', headers, body }),
      );
    const signers = [{ settings: older }, { settings: { ...older, apiKey: 'other' } }];
    const targets = [{ settings: none }, { settings }, ...signers];
    expect(await readBy(targets)).toEqual({ key: pay.key, signers });
    expect(await readBy([{ settings }, { settings: none }])).toBeNull();
    expect(await readBy([])).toBeNull();
  });

  it.each<[string, Record<string, string>, string, string?]>([
    ['without headers', {}, body],
    ['with another body', signWebhook(settings.signingSecret, 'e', new Date(), body), `${body} `],
    ['signed with another secret', signWebhook('whsec_YW5vdGhlcg==', 'e', new Date(), body), body],
    ['6 minutes old', signWebhook(settings.signingSecret, 'e', minutesAgo(6), body), body],
    ['6 minutes ahead', signWebhook(settings.signingSecret, 'e', minutesAgo(-6), body), body],
    ['that is no JSON', signWebhook(settings.signingSecret, 'e', new Date(), 'x'), 'x'],
    ['about nothing', signWebhook(settings.signingSecret, 'e', new Date(), '{}'), '{}'],
    ['when the account has no secret', signWebhook(settings.signingSecret, 'e', new Date(), body), body, ''],
  ])('is refused %s', async (_name, headers, text, secret) => {
    expect(await read(headers, text, secret)).toBeNull();
  });
});

describe('the registry', () => {
  it('finds a connector by its id', () => {
    expect(findConnector('http')).toBe(httpConnector);
    expect(findConnector('unknown')).toBeNull();
  });
});

describe('a check of the connection', () => {
  const capabilities = { operations: ['sale', 'refund'], methods: ['card'], wallet: 'token', partial_refund: true };
  const read = { operations: ['sale', 'refund'], methods: ['card'], wallet: 'token' };
  it.each<[string, number, unknown, object]>([
    ['the capabilities', 200, capabilities, { kind: 'answers', ...read }],
    [
      'one that names no methods',
      200,
      { operations: ['sale'] },
      { kind: 'answers', operations: ['sale'], methods: [] },
    ],
    ['wrong credentials', 401, {}, { kind: 'refused', httpStatus: 401 }],
    ['credentials without permission', 403, 'no', { kind: 'refused', httpStatus: 403 }],
    ['an unknown path', 404, {}, { kind: 'unclear', httpStatus: 404 }],
    ['a server of another kind', 200, '<html>', { kind: 'unclear', httpStatus: 200 }],
  ])('reports %s', async (_case, status, body, expected) => {
    const { settings, calls } = await peer(answering(status, body));
    expect(await httpConnector.check({ settings })).toEqual({ ...expected, durationMs: expect.any(Number) });
    expect(calls.map(({ method, url, body: sent }) => [method, url, sent])).toEqual([['GET', '/v1/capabilities', '']]);
  });

  it('reports an unreachable server', async () => {
    const { settings } = await peer(answering(200, {}));
    close();
    expect(await httpConnector.check({ settings })).toMatchObject({ kind: 'unreachable', why: 'ECONNREFUSED' });
  });
});
