// A server in production mode, as the internet sees it: no part of the sandbox, no internals without a token, and
// cookies that leave the browser over https only.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { demoPassword, people, visitor } from '../support/dashboard.ts';
import { type KillableServer, startKillableServer } from '../support/killable-server.ts';
import { demoLiveKey, merchants } from '../support/merchants.ts';
import { createProductionDatabase } from '../support/production-database.ts';
import { expect, test } from '../support/test.ts';
import { cookiesOf } from '../support/users.ts';

type Row = { method: string; path: string; only?: 'sandbox' };

const script = join(import.meta.dirname, '..', '..', 'scripts', 'florin.mjs');
const rows = JSON.parse(execFileSync(process.execPath, [script, 'routes'], { encoding: 'utf8' })) as Row[];

// One database for all of them.
test.describe.configure({ mode: 'default' });

const settings = {
  APP_ENV: 'production',
  BASE_URL: 'https://pay.example.com',
  TEST_CONTROL_TOKEN: '',
  ALLOW_PRIVATE_TARGETS: '',
  APPLE_PAY_GATEWAY: '',
  APPLE_PAY_ROOTS: '',
  GOOGLE_PAY_ROOTS_TEST: '',
};
let database: Awaited<ReturnType<typeof createProductionDatabase>> | undefined;
let server: KillableServer | undefined;
const url = () => server?.url ?? '';

test.beforeAll(async () => {
  database = await createProductionDatabase();
  server = await startKillableServer({
    ...settings,
    ...{ DATABASE_URL: database.url, CARD_TESTING: 'off', RATE_LIMITS: 'off', LOG_LEVEL: 'warn' },
  });
});

test.afterAll(async () => {
  await server?.kill();
  await database?.drop();
});

test('does not start with the demo merchant and the demo users of a sandbox, whose passwords are known', async () => {
  const started = startKillableServer(settings).then(async (open) => {
    await open.kill();
    return 'it started';
  });
  const refusal = await started.catch(({ message }: Error) => message);
  for (const part of [demoLiveKey, people.manager, people.merchant, 'docs/operations/install.md'])
    expect(refusal).toContain(part);
});

test('logs at its start which protections it lacks', () => {
  const lines = server?.output() ?? '';
  for (const setting of ['CARD_TESTING=off', 'RATE_LIMITS=off', 'CONNECTIONS_PER_ADDRESS=0'])
    expect(lines).toContain(`"msg":"${setting} `);
  expect(lines).not.toContain('ALLOW_PRIVATE_TARGETS=on');
});

test('has no address of the sandbox', async () => {
  const sandbox = rows.filter(({ only }) => only === 'sandbox');
  expect(sandbox.length).toBeGreaterThan(30);
  const others = ['/sandbox', '/sandbox/clock', '/shop', '/shop/checkout', '/sandbox/outbox', '/sandbox/provider/open'];
  const addresses = [...sandbox, ...others.flatMap((path) => ['GET', 'POST'].map((method) => ({ method, path })))];
  for (const { method, path } of addresses) {
    const { status } = await fetch(url() + path.replaceAll(/:\w+|\*/g, 'x'), { method, redirect: 'manual' });
    expect([method, path, status]).toEqual([method, path, 404]);
  }
  // The demo shop is the start page of a sandbox.
  expect(await (await fetch(url())).text()).not.toContain('/sandbox/');
});

test('shows no internals without a token', async () => {
  const metrics = await fetch(`${url()}/metrics`);
  expect([401, 404]).toContain(metrics.status);
  expect(await (await fetch(`${url()}/readyz`)).json()).toEqual({ status: expect.any(String) });
  const library = ['sign-in/email', 'sign-up/email', 'get-session', 'admin/list-users', 'two-factor/enable'];
  for (const path of library) {
    // A page takes GET only, and there is none at these.
    for (const [method, wanted] of [
      ['GET', 404],
      ['POST', 405],
    ] as const)
      expect((await fetch(`${url()}/dashboard/api/auth/${path}`, { method })).status, path).toBe(wanted);
  }
  for (const path of [
    '/.env',
    '/.git/config',
    '/package.json',
    '/server.js',
    '/sdk/manifest.json.map',
    '/api',
    '/_next',
  ])
    expect((await fetch(url() + path, { redirect: 'manual' })).status, path).toBe(404);
});

test('accepts no key of the sandbox', async () => {
  const { key } = merchants.plain;
  const body = JSON.stringify({ merchant_key: key, payment_id: '0190a1b2-0000-7000-8000-000000000001', hash: 'x' });
  const answer = await fetch(`${url()}/api/v1/payment/status`, { method: 'POST', body });
  expect([answer.status, (await answer.json()).error_message]).toEqual([400, expect.stringMatching(/key/i)]);
});

test('takes forms of the dashboard from https pages only, if the browser does not say who sent them', async () => {
  const { host } = new URL(url());
  const statuses = [];
  for (const origin of ['https://pay.example.com', `https://${host}`, `http://${host}`, 'https://evil.example', 'null'])
    statuses.push((await visitor(url()).post('/sign-in', { email: 'x' }, { origin })).status);
  expect(statuses).toEqual([401, 401, 403, 403, 403]);
});

test('gives cookies that scripts and other hosts do not have, and a new one for each sign-in', async () => {
  const origin = 'https://pay.example.com';
  const signIn = async (cookie = '') => {
    const { status, headers } = await visitor(url(), cookie).post(
      '/sign-in',
      { email: people.viewer, password: demoPassword() },
      { origin },
    );
    expect(status).toBe(200);
    return headers.getSetCookie();
  };
  const cookies = await signIn();
  expect(cookies.length).toBeGreaterThan(1);
  expect(cookies.filter((cookie) => !cookie.startsWith('__Host-'))).toEqual([]);
  for (const cookie of cookies) {
    for (const mark of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/;']) expect(cookie).toContain(mark);
    expect(cookie).not.toMatch(/domain=/i);
  }
  const nameAndValue = (list: string[]) => list.map((each) => each.split(';')[0]).join('; ');
  // A cookie that was set before the sign-in is not the session's.
  expect(nameAndValue(await signIn(nameAndValue(cookies)))).not.toBe(nameAndValue(cookies));
});

test('signs nothing for a session without a recent proof of identity', async () => {
  const origin = 'https://pay.example.com';
  const operator = { email: people.operator, password: demoPassword() };
  const { status, headers } = await visitor(url()).post('/sign-in', operator, { origin });
  expect(status).toBe(200);
  const { post } = visitor(url(), cookiesOf(headers));
  const order = { number: 'oracle-1', amount: '1.00', currency: 'EUR', description: 'Gift card' };
  const urls = { success_url: origin, cancel_url: origin };
  const session = {
    merchant_key: merchants.plainLive.key,
    operation: 'purchase',
    order,
    ...urls,
    hash: 'f'.repeat(40),
  };
  const pasted = { protocol: 'checkout', action: '/api/v1/session', text: JSON.stringify(session) };
  const callback =
    'order_number=oracle-1&order_amount=1.00&order_currency=EUR&order_status=settled&status=success&hash=f';
  for (const [path, body] of [
    ['/hash-debugger', pasted],
    ['/callback-verifier', { body: callback }],
  ] as const) {
    const { body: answer } = await post(path, body, { origin });
    expect([path, answer.explanation?.expected]).toEqual([path, expect.stringMatching(/^[0-9a-f]{8}…$/)]);
    expect(answer.explanation.steps.filter(({ text }: { text: string }) => /^[0-9a-f]{32,}$/.test(text))).toEqual([]);
  }
});
