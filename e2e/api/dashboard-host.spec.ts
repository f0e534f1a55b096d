// A server whose dashboard has a host of its own (DASHBOARD_HOST): what each host serves, and where links and passkeys of
// the dashboard belong.
import { visitor } from '../support/dashboard.ts';
import { startKillableServer } from '../support/killable-server.ts';
import { addPasskey, passkeyOptions, signInByPasskey } from '../support/passkeys.ts';
import { expect, test } from '../support/test.ts';
import { cookiesOf, createUser, merchantIds, reauthenticatedAs, signInWithRetry, tokenFor } from '../support/users.ts';

/** Starts a server that has the dashboard at its first address, and everything else at its second. */
async function startWithTwoHosts() {
  const server = await startKillableServer({
    DASHBOARD_HOST: 'localhost:{port}',
    BASE_URL: 'http://127.0.0.1:{port}',
    HOST: '',
  });
  return { ...server, dashboard: server.url, pay: server.url.replace('localhost', '127.0.0.1') };
}

test('each host serves its own addresses only', async () => {
  test.slow();
  const { dashboard, pay, kill } = await startWithTwoHosts();
  const seen = async (origin: string, path: string, method = 'GET') => {
    const answer = await fetch(origin + path, { method, redirect: 'manual' });
    const text = await answer.text();
    return text === 'This host does not serve this address.' ? `refused ${answer.status}` : answer.status;
  };
  try {
    const rows = [
      ['/dashboard/sign-in', 200, 'refused 404'],
      ['/dashboard/api/account', 401, 'refused 404'],
      ['/dashboard/docs/guide/quickstart', 307, 'refused 404'],
      ['/%64ashboard/sign-in', 404, 'refused 404'],
      ['/', 303, 200],
      ['/docs', 200, 200],
      ['/docs/search.json', 200, 200],
      ['/favicon.ico', 200, 200],
      ['/healthz', 200, 200],
      ['/pay/self-check', 'refused 404', 404],
      ['/fields/card?lang=en', 'refused 404', 200],
      ['/api/v1/nothing', 'refused 404', 404],
      ['/s2s/card/post', 'refused 404', 404],
      ['/sandbox/outbox', 'refused 404', 200],
      ['/shop', 'refused 404', 200],
    ] as const;
    for (const [path, own, other] of rows) {
      expect([path, await seen(dashboard, path), await seen(pay, path)]).toEqual([path, own, other]);
    }
    expect([
      await seen(dashboard, '/dashboard/api/sign-in', 'POST'),
      await seen(pay, '/dashboard/api/sign-in', 'POST'),
    ]).toEqual([403, 'refused 404']);
    const refused = await fetch(`${pay}/dashboard`);
    expect(refused.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(refused.headers.get('cache-control')).toBe('no-store');
    expect(await (await fetch(`${pay}/docs`)).text()).toContain(`href="${dashboard}/dashboard"`);
    expect(await (await fetch(`${dashboard}/docs`)).text()).toContain(`href="${pay}/shop"`);
    const method = await fetch(`${dashboard}/docs/methods/card`);
    expect(method.headers.get('content-security-policy')).toContain(`form-action 'self' ${pay};`);
    expect(await method.text()).toContain(`action="${pay}/sandbox/shop/methods"`);
  } finally {
    await kill();
  }
});

test('links, sign-in and passkeys of the dashboard belong to its host', async ({ florin }) => {
  test.slow();
  const { dashboard, pay, kill } = await startWithTwoHosts();
  try {
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    const outbox = async () => (await fetch(`${florin}/sandbox/outbox`)).text();
    const administrator = await reauthenticatedAs(dashboard, 'administrator');
    const invited = {
      name: `Ada ${own.name}`,
      email: `ada-${own.email}`,
      role: 'viewer',
      merchantId: merchantIds.plain,
    };
    expect((await administrator.post('/people/invite', invited)).status).toBe(200);
    const invitation = await tokenFor(florin, invited.name);
    expect(await outbox()).toContain(`"${dashboard}/dashboard/invitation/${invitation}"`);
    expect((await visitor(dashboard).post('/password/forgotten', { email: own.email })).status).toBe(200);
    await expect.poll(outbox).toContain(`"${dashboard}/dashboard/sign-in/new-password/`);

    const user = visitor(dashboard, cookiesOf((await signInWithRetry(dashboard, own.email)).headers));
    expect((await user.get('/account')).body.email).toBe(own.email);
    expect((await user.post('/payments/views', {}, { origin: pay })).status).toBe(403);
    const { passkey } = await addPasskey(user, dashboard);
    for (const [origin, status] of [
      [pay, 401],
      [dashboard, 200],
    ] as const) {
      const options = await passkeyOptions(visitor(dashboard), 'sign_in');
      expect(options.rpId).toBe('localhost');
      expect([origin, (await signInByPasskey(dashboard, passkey.get(options, { origin }))).status]).toEqual([
        origin,
        status,
      ]);
    }
  } finally {
    await kill();
  }
});
