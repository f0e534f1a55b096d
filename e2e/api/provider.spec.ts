// The sandbox's provider by the open provider contract alone: every method from start to end, the payer's decisions,
// the forced outcomes, and the notifications.
import { randomUUID } from 'node:crypto';
import { type ProviderClient, providerClient } from '../support/provider-client.ts';
import { test as base, expect } from '../support/test.ts';
import { testsAtOnce } from '../support/tests-at-once.ts';

const test = base.extend<object, { gateway: ProviderClient }>({
  gateway: [async ({ florin, shopServer }, use) => use(providerClient(florin, shopServer)), { scope: 'worker' }],
});

/** Tests that start together, each with its own account at the provider. */
function gatewayTests() {
  const atOnce = testsAtOnce();
  return (title: string, body: (gateway: ProviderClient) => Promise<void>) =>
    atOnce(title, ({ florin, shopServer }) => body(providerClient(florin, shopServer)));
}

const code = '123456';

test('every method starts and ends as its payer decides', async ({ gateway }) => {
  const { methods } = (await gateway.call('GET', '/capabilities')) as unknown as { methods: string[] };
  const others = methods.filter((id) => id !== 'card');
  expect(others.length).toBeGreaterThan(250);
  const rejected: string[] = [];
  const payouts: string[] = [];
  const tryMethod = async (place: number, id: string) => {
    const started = await gateway.pay(id);
    if (started.http === 400) {
      expect(started.error?.code, id).toBe('credentials_missing');
      return rejected.push(id);
    }
    if (started.error?.code === 'operation_not_supported') return payouts.push(id);
    expect(started.http, id).toBe(200);
    if (started.status === 'approved') return;
    const shows = started.status === 'redirect' ? started.action : started.present;
    expect(shows, id).toBeTruthy();
    const outcome = place % 2 === 0 ? 'approve' : 'decline';
    const ended = await gateway.finish(started.reference, outcome);
    expect(ended.status, id).toBe(outcome === 'approve' ? 'approved' : 'declined');
    expect(ended.present, id).toBeUndefined();
    expect(await gateway.status(started.reference)).toMatchObject({ status: ended.status });
  };
  const entries = others.entries();
  const tryNext = async () => {
    for (const [place, id] of entries) await tryMethod(place, id);
  };
  await Promise.all(Array.from({ length: 8 }, tryNext));
  for (const id of payouts) {
    const credentials = { account_uuid: randomUUID() };
    expect(await gateway.payout(id, { credentials }), id).toMatchObject({ http: 200, status: 'approved' });
  }
  expect(payouts).toContain('swifipay-withdrawal');
  expect(await gateway.payout('ips')).toMatchObject({ http: 422, error: { code: 'operation_not_supported' } });
  expect(rejected).toContain('trans');
  expect(rejected.filter((id) => id.startsWith('paycash-'))).toHaveLength(10);
});

test('an unknown method is rejected', async ({ gateway }) => {
  expect(await gateway.pay('no-such-method')).toMatchObject({ http: 422, error: { code: 'method_not_supported' } });
});

test.describe('a one-time code', () => {
  test('opens the payment, once', async ({ gateway }) => {
    const { reference } = await gateway.pay('beeline');
    const key = randomUUID();
    const wrong = await gateway.proceed(reference, { code: '000000' }, key);
    expect(wrong).toMatchObject({
      status: 'processing',
      present: { kind: 'code', wrong: true, sent_to: '+385 ••• 67' },
    });
    expect(await gateway.proceed(reference, { code: '000000' }, key)).toEqual(wrong);
    expect(await gateway.proceed(reference, { code }, key)).toMatchObject({
      http: 409,
      error: { code: 'idempotency_mismatch' },
    });
    expect(await gateway.status(reference)).toMatchObject({ status: 'processing', present: { wrong: true } });
    expect(await gateway.proceed(reference, { code })).toMatchObject({ reference, status: 'approved' });
    expect(await gateway.proceed(reference, { code: '000000' })).toMatchObject({ status: 'approved' });
  });

  test('authorises where the payment only authorises', async ({ gateway }) => {
    const { reference } = await gateway.pay('beeline', { operation: 'authorize' });
    expect(await gateway.proceed(reference, { code })).toMatchObject({ status: 'authorized' });
  });

  test('declines the payment after three wrong codes, and no code counts twice', async ({ gateway }) => {
    const { reference } = await gateway.pay('stcpay');
    const key = randomUUID();
    for (let again = 0; again < 4; again += 1) await gateway.proceed(reference, { code: '1' }, key);
    const answers = await Promise.all([1, 2, 3].map(() => gateway.proceed(reference, { code: '2' })));
    expect(answers.map(({ status }) => status).sort()).toEqual(['declined', 'declined', 'processing']);
    expect(await gateway.status(reference)).toMatchObject({
      status: 'declined',
      decline: { code: 'wrong_code', class: 'unconfirmed' },
    });
    expect(await gateway.proceed(reference, { code })).toMatchObject({ status: 'declined' });
  });

  test('is rejected for payments without a code and for unknown payments', async ({ gateway }) => {
    const { reference } = await gateway.pay('ips', { currency: 'RSD' });
    expect(await gateway.proceed(reference, { code })).toMatchObject({
      http: 422,
      error: { code: 'nothing_to_answer' },
    });
    expect(await gateway.proceed(randomUUID(), { code })).toMatchObject({ http: 404 });
    expect(await gateway.proceed(reference, {})).toMatchObject({ http: 400 });
  });
});

test.describe('ips', () => {
  test('renews the code each minute, and the bank reports the end in its own words', async ({ gateway }) => {
    const first = await gateway.pay('ips', { currency: 'RSD' });
    const second = await gateway.proceed(first.reference, { renew: true });
    expect(second.present).toMatchObject({ kind: 'qr', scheme: 'ips', renewable: true });
    expect(second.present?.payload).not.toBe(first.present?.payload);
    expect(String(second.present?.expires_at) > String(first.present?.expires_at)).toBe(true);
    expect((await gateway.status(first.reference)).present).toEqual(second.present);
    await gateway.finish(first.reference, 'approve');
    expect(await gateway.notified(first.reference, 1)).toEqual([
      { id: expect.any(String), signed: true, body: { reference: first.reference, bank_status: 'ACSC' } },
    ]);
    expect(await gateway.status(first.reference)).toMatchObject({
      status: 'approved',
      extended: { bank_status: 'ACSC' },
    });
  });

  const atOnce = gatewayTests();
  for (const [outcome, word, status] of [
    ['pending', 'ACSC', 'approved'],
    ['rejected', 'RJCT', 'declined'],
    ['decline', 'RJCT', 'declined'],
  ] as const) {
    atOnce(`that is left ${outcome} ends with ${word}`, async (gateway) => {
      const { reference } = await gateway.pay('ips', { currency: 'EUR' });
      const finished = await gateway.finish(reference, outcome);
      if (outcome !== 'decline') {
        expect(finished.status).toBe('processing');
        expect(await gateway.status(reference)).toMatchObject({ status: 'processing' });
      }
      const [notification] = await gateway.notified(reference, 1);
      expect(notification).toMatchObject({ signed: true, body: { reference, bank_status: word } });
      expect(await gateway.status(reference)).toMatchObject({ status });
    });
  }
});

test.describe('a forced outcome', () => {
  const atOnce = gatewayTests();
  const forced = (gateway: ProviderClient, sandbox: string, method = 'pix') =>
    gateway.pay(method, { currency: 'BRL', parameters: { sandbox } });

  atOnce('is final at once', async (gateway) => {
    expect(await forced(gateway, 'approve', 'astropay')).toMatchObject({ status: 'approved' });
    expect(await forced(gateway, 'decline')).toMatchObject({ status: 'declined', decline: { class: 'bank' } });
    expect(await gateway.payout('kora', { parameters: { sandbox: 'decline' } })).toMatchObject({ status: 'declined' });
  });

  atOnce('comes by itself, and is notified', async (gateway) => {
    const pending = await forced(gateway, 'pending', 'astropay');
    const rejected = await forced(gateway, 'rejected');
    const payout = await gateway.payout('kora', { parameters: { sandbox: 'pending' } });
    const ends = [
      [pending, 'approved'],
      [rejected, 'declined'],
      [payout, 'approved'],
    ] as const;
    for (const [started, end] of ends) {
      expect(started.status).toBe('processing');
      const [notification] = await gateway.notified(started.reference, 1);
      expect(notification).toMatchObject({ signed: true, body: { reference: started.reference, status: end } });
    }
  });

  atOnce('is sent three times as one message', async (gateway) => {
    const { reference } = await forced(gateway, 'duplicated');
    const notifications = await gateway.notified(reference, 3);
    expect(notifications.map(({ body, signed }) => [body.status, signed])).toEqual(Array(3).fill(['approved', true]));
    expect(new Set(notifications.map(({ id }) => id)).size).toBe(1);
  });

  atOnce('is sent before an older state is', async (gateway) => {
    const { reference } = await forced(gateway, 'out_of_order');
    const notifications = await gateway.notified(reference, 2);
    expect(notifications.map(({ body, signed }) => [body.status, signed])).toEqual([
      ['approved', true],
      ['processing', true],
    ]);
    expect(new Set(notifications.map(({ id }) => id)).size).toBe(2);
    expect(await gateway.status(reference)).toMatchObject({ status: 'approved' });
  });

  atOnce('expires without the payer', async (gateway) => {
    const withCode = await forced(gateway, 'expired');
    const redirected = await forced(gateway, 'expired', 'astropay');
    expect(withCode.present?.expires_at).toBeTruthy();
    for (const { reference } of [withCode, redirected]) {
      const [notification] = await gateway.notified(reference, 1);
      expect(notification?.body).toMatchObject({
        status: 'declined',
        decline: { code: 'expired', class: 'unconfirmed' },
      });
    }
  });

  atOnce('does not survive a void', async (gateway) => {
    const { reference } = await forced(gateway, 'pending');
    expect(await gateway.void(reference)).toMatchObject({ status: 'approved' });
    await new Promise((passed) => setTimeout(passed, 4000));
    const after = await gateway.status(reference);
    expect(after).toMatchObject({ status: 'declined', decline: { code: 'cancelled' } });
    expect(after.present).toBeUndefined();
  });

  atOnce("that never comes still accepts the payer's decision", async (gateway) => {
    const { reference } = await forced(gateway, 'never', 'astropay');
    expect(await gateway.status(reference)).toMatchObject({ status: 'redirect' });
    expect(await gateway.finish(reference, 'approve')).toMatchObject({ status: 'approved' });
  });
});

test.describe('credentials', () => {
  test('of headers are both required', async ({ gateway }) => {
    const one = { 'x-api-key': 'one' };
    expect(await gateway.pay('trans', {}, one)).toMatchObject({ http: 400, error: { code: 'credentials_missing' } });
    expect(await gateway.pay('trans', {}, { ...one, 'x-api-secret': 'two' })).toMatchObject({ status: 'redirect' });
  });

  test('of the body are required, of payouts too', async ({ gateway }) => {
    const without = await gateway.payout('allpay-payout');
    expect(without).toMatchObject({ http: 400, error: { code: 'credentials_missing' } });
    const credentials = { account_uuid: randomUUID() };
    expect(await gateway.payout('allpay-payout', { credentials })).toMatchObject({ status: 'approved' });
  });

  test('of paycash are a token and a reference for exactly this payment', async ({ gateway }) => {
    const method = 'paycash-peru';
    const reference = randomUUID();
    const request = { method, amount: '84.50', currency: 'PEN', public_id: reference, single: true };
    const { token } = (await gateway.call('POST', '/tokens', { method, private_key: 'any' })) as unknown as {
      token: string;
    };
    const made = await gateway.call('POST', '/references', request, { authorization: token });
    expect(made).toMatchObject({ http: 200, reference: expect.stringMatching(/^\d{14}$/) });
    expect(await gateway.call('POST', '/references', request, { authorization: token })).toEqual(made);
    const { reference: number, gateway_id } = made;
    const order = { reference, currency: 'PEN', credentials: { reference: number, gateway_id } };
    const pay = (change: object, header = token) =>
      gateway.pay(method, { ...order, ...change }, { 'x-authorization-token': header });
    expect(await pay({}, `${token}x`)).toMatchObject({ http: 403, error: { code: 'token_not_valid' } });
    expect(await pay({ amount: '84.51' })).toMatchObject({ http: 422, error: { code: 'reference_not_valid' } });
    expect(await pay({ credentials: { reference: number } })).toMatchObject({ http: 400 });
    const paid = await pay({});
    expect(paid.present).toMatchObject({ kind: 'details', barcode: expect.stringMatching(/^\d+$/) });
    expect(JSON.stringify(paid.present)).toContain(number);
  });

  test('that are wrong get neither token nor reference', async ({ gateway }) => {
    expect(await gateway.call('POST', '/tokens', { method: 'paycash-peru' })).toMatchObject({ http: 400 });
    expect(await gateway.call('POST', '/tokens', { method: 'ips', private_key: 'any' })).toMatchObject({ http: 422 });
    const wrong = await gateway.call('POST', '/references', {}, { authorization: 'nobody.99999999999.x' });
    expect(wrong).toMatchObject({ http: 401 });
  });
});

test.describe("the payer's simulator", () => {
  const page = async (florin: string, path: string, form?: Record<string, string>) => {
    const response = await fetch(florin + path, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      ...(form && { body: new URLSearchParams(form) }),
    });
    return { status: response.status, location: response.headers.get('location'), text: await response.text() };
  };

  test('knows no payment by a reference that cannot be stored', async ({ florin }) => {
    for (const form of [undefined, { outcome: 'approve' }])
      expect((await page(florin, '/sandbox/finish/%00', form)).status).toBe(404);
  });

  test('lists open payments, and approves one', async ({ florin, gateway }) => {
    const descriptor = 'Ceramics & <b>Sons</b>';
    const { reference } = await gateway.pay('ips', { currency: 'RSD', descriptor });
    const path = `/sandbox/finish/${reference}`;
    expect((await page(florin, '/sandbox/provider/open')).text).toContain(`href="${path}"`);
    const question = await page(florin, path);
    expect(question.text).toContain('Ceramics &#38; &#60;b&#62;Sons&#60;/b&#62;');
    for (const outcome of ['approve', 'decline', 'pending', 'rejected']) {
      expect(question.text).toContain(`name="outcome" value="${outcome}"`);
    }
    const large = await page(florin, path, { outcome: 'approve', note: 'x'.repeat(5_000) });
    expect([large.status, (await gateway.status(reference)).status]).toEqual([400, 'processing']);
    const done = await page(florin, path, { outcome: 'approve' });
    expect(done.text).toContain('This payment is settled.');
    expect(await gateway.status(reference)).toMatchObject({ status: 'approved' });
    const back = await page(florin, path, { outcome: 'chargeback' });
    expect(back.text).toContain('has taken this payment back');
    expect(back.text).not.toContain('value="chargeback"');
    expect(await gateway.status(reference)).toMatchObject({
      status: 'approved',
      chargebacks: [{ id: 'cb-1', amount: '84.50', currency: 'RSD', status: 'open' }],
    });
  });

  test('redirects back a payer, who may leave the payment pending', async ({ florin, gateway }) => {
    const { reference, action } = await gateway.pay('astropay');
    const address = new URL(action?.url ?? '').pathname;
    expect((await page(florin, address)).text).toContain('AstroPay');
    const redirect = await page(florin, `${address}/answer`, { choice: 'rejected' });
    expect(redirect).toMatchObject({ status: 303, location: `https://shop.example/back?reference=${reference}` });
    expect(await gateway.status(reference)).toMatchObject({ status: 'processing' });
    expect((await gateway.notified(reference, 1))[0]?.body).toMatchObject({ status: 'declined' });
    const other = await gateway.pay('astropay');
    const finished = await page(florin, `/sandbox/finish/${other.reference}`, { outcome: 'approve' });
    expect(finished).toMatchObject({ status: 303 });
  });

  test('returns the code that the payer is asked for', async ({ florin, gateway }) => {
    const { reference } = await gateway.pay('beeline');
    expect((await page(florin, `/sandbox/finish/${reference}`)).text).toContain(code);
  });

  test('rejects unknown payments and unknown outcomes', async ({ florin, gateway }) => {
    expect((await page(florin, `/sandbox/finish/${randomUUID()}`)).status).toBe(404);
    expect(await gateway.finish(randomUUID(), 'approve')).toMatchObject({ http: 404 });
    const { reference } = await gateway.pay('ips', { currency: 'RSD' });
    expect(await gateway.finish(reference, 'toString' as never)).toMatchObject({ http: 400 });
    expect(await gateway.finish(reference, 'chargeback')).toMatchObject({ status: 'processing' });
  });
});
