// Limits of requests a minute, on separate servers behind one proxy, so that each request sets its client IP: every
// rate limit scope has its own response, and several processes count together.

import { apiError } from '../support/api-error.ts';
import { catalog } from '../support/catalog.ts';
import { collect, createSessionToken, payBody, typed } from '../support/hosted-fields-requests.ts';
import { type KillableServer, startKillableServer } from '../support/killable-server.ts';
import { merchantClient } from '../support/merchant.ts';
import { sessionOf, submitMethod, walkOf } from '../support/method-flows.ts';
import { cards, startPayer } from '../support/payer.ts';
import { expect, test } from '../support/test.ts';

const rates =
  'all=1000000 s2s.address=3 checkout.address=4 pay.address=2 fields.address=3 sign_in.address=2 docs.address=2 page.address=2 pay_view.address=5 pay_state.address=4 pay_file.address=2 fields_view.address=2 s2s.merchant=1000';

let servers: KillableServer[];

test.beforeAll(async () => {
  const settings = { TRUSTED_PROXIES: 'loopback', RATE_LIMITS: rates };
  servers = await Promise.all([startKillableServer(settings), startKillableServer(settings)]);
});

test.afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()));
});

/** A request that a proxy forwards from `address`. */
function from(address: string, path: string, init: RequestInit = {}, server = 0): Promise<Response> {
  return fetch(`${servers[server]?.url}${path}`, {
    method: 'POST',
    redirect: 'manual',
    ...init,
    headers: { ...(init.headers as Record<string, string>), 'x-forwarded-for': address },
  });
}

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const json = { 'content-type': 'application/json' };

/** The statuses of `times` requests, one after the other. */
async function statuses(times: number, send: () => Promise<{ status: number }>): Promise<number[]> {
  const results: number[] = [];
  for (let sent = 0; sent < times; sent += 1) results.push((await send()).status);
  return results;
}

function expectWait(response: Response, most = 121): void {
  const seconds = Number(response.headers.get('retry-after'));
  expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= most, `Retry-After: ${seconds}`).toBe(true);
}

test('a form protocol answers 429 in its own shape, and other addresses are not limited', async () => {
  const send = (address = '198.51.100.1') =>
    from(address, '/s2s/card/post', { headers: form, body: 'action=SALE&client_key=nobody' });
  expect(await statuses(3, send)).toEqual([400, 400, 400]);
  const limited = await send();
  expect(limited.status).toBe(429);
  expectWait(limited);
  expect(await limited.json()).toEqual(apiError(429, 'Too many requests.'));
  expect((await send('198.51.100.2')).status).toBe(400);
  // The two form protocols share one scope.
  const other = await from('198.51.100.1', '/s2s/apm/post', { headers: form, body: 'action=SALE' });
  expect(other.status).toBe(429);
});

test('all addresses of an IPv6 network count as one', async () => {
  const send = (address: string) => from(address, '/s2s/card/post', { headers: form, body: 'action=SALE' });
  for (const last of ['1', '2:2', '3:3:3']) expect((await send(`2001:db8:7:7::${last}`)).status).toBe(400);
  expect((await send('2001:db8:7:7:ffff::9')).status).toBe(429);
  expect((await send('2001:db8:7:8::9')).status).toBe(400);
});

test('Checkout answers 429 in JSON, without CORS headers that were not requested', async () => {
  const send = () => from('198.51.100.3', '/api/v1/session', { headers: json, body: '{}' });
  expect(await statuses(5, send)).toEqual([400, 400, 400, 400, 429]);
  const limited = await send();
  expectWait(limited);
  expect((await limited.json()).error_code).toBe(429);
});

test('a merchant has a limit that other merchants cannot use up', async ({ as, shopServer }) => {
  const own = await startKillableServer({ RATE_LIMITS: 'all=1000000 checkout.merchant=3' });
  try {
    // Hardly any other test acts as these: once a limit counts, every process shares its requests of the merchant.
    const { credentials } = as('noRefunds');
    const shop = merchantClient(own.url, credentials, shopServer);
    const stranger = merchantClient(own.url, { ...credentials, password: 'not the password' }, shopServer);
    for (let sent = 0; sent < 8; sent += 1)
      expect((await stranger.session()).body.error_message).toBe('Hash is not valid');
    for (let sent = 0; sent < 3; sent += 1) expect((await shop.session()).status).toBe(200);
    const limited = await shop.session();
    expect([limited.status, limited.body.error_code]).toEqual([429, 429]);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await merchantClient(own.url, as('twoDeclines').credentials, shopServer).session()).status).toBe(200);
  } finally {
    await own.kill();
  }
});

test('a payer uses up the limit of their payment, and not that of the merchant', async ({ as, shopServer }) => {
  const limits = 'all=1000000 pay.payment=5 checkout.merchant=3 fields.merchant=8 pay.merchant=8';
  const own = await startKillableServer({ RATE_LIMITS: limits });
  try {
    const shop = merchantClient(own.url, as('portalRefunds').credentials, shopServer);
    const { url, token } = await shop.open();
    const update = () =>
      fetch(`${own.url}/api/v1/session/update`, { method: 'PUT', headers: { ...json, token }, body: '{}' });
    expect(await statuses(8, update)).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
    expectWait(await update());
    const submit = () => fetch(url, { method: 'POST', headers: form, body: 'attempt=0', redirect: 'manual' });
    expect((await submit()).status).not.toBe(200);
    // The merchant's server has two sessions left, and the payers of other payments can pay.
    const other = await shop.open();
    expect(other.url).not.toBe(url);
    expect((await startPayer(own.url).pay(other.url, cards.settled)).html).toContain('<title>Paid');
    // The frames of hosted fields count too.
    const fields = await createSessionToken(shop);
    expect(await statuses(6, () => collect(shop, fields.token))).toEqual([200, 200, 200, 200, 200, 429]);
  } finally {
    await own.kill();
  }
});

test("a payer sees a page in their language with a way back, and the form's script its alert", async ({ shop }) => {
  const path = new URL((await shop.open()).url).pathname;
  const page = await from('198.51.100.40', path, { method: 'GET' });
  expect(page.status).toBe(200);
  const send = (accept: string) =>
    from('198.51.100.4', path, { headers: { ...form, accept, 'accept-language': 'de' }, body: 'attempt=0' });
  expect(await statuses(2, () => send('text/html'))).toEqual([403, 403]);
  const expectPage = async (answer: Response, address: string) => {
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    expectWait(answer);
    const limited = await answer.text();
    expect(limited).toContain('<html lang="de" dir="ltr">');
    expect(limited).toContain('<h1>Bitte warten Sie einen Moment</h1>');
    expect(limited).toContain(`<a href="${address}">`);
  };
  await expectPage(await send('text/html'), path);
  const back = { method: 'GET', headers: { 'accept-language': 'de', accept: 'text/html' } };
  await expectPage(await from('198.51.100.4', '/return/x', back), '/return/x');
  const asJson = await send('application/json');
  expect(asJson.status).toBe(429);
  expectWait(asJson);
  expect(await asJson.json()).toMatchObject({
    next: 'stay',
    alert: { heading: 'Bitte warten Sie einen Moment', clears: [] },
  });
  // Views have a limit of their own.
  const view = () => from('198.51.100.4', path, { method: 'GET', headers: { 'accept-language': 'de' } });
  expect(await statuses(5, view)).toEqual([200, 200, 200, 200, 200]);
  await expectPage(await view(), path);
  // So has what a page loads besides.
  for (const each of ['/state', '/address?country=DE', '/logo', '/state'])
    expect((await from('198.51.100.4', path + each, { method: 'GET' })).status).not.toBe(429);
  for (const each of ['/state', '/events', '/address', '/logo'])
    expectWait(await from('198.51.100.4', path + each, { method: 'GET' }));
  const logo = await from('198.51.100.4', `/pay/logo/${'0'.repeat(64)}`, { method: 'GET' });
  expect(logo.status).toBe(429);
  const file = () => from('198.51.100.4', `${path}/ticket.pdf`, { method: 'GET' });
  expect(await statuses(3, file)).toEqual([404, 404, 429]);
  const frame = () => from('198.51.100.4', '/fields/card?lang=de', { method: 'GET' });
  expect(await statuses(3, frame)).toEqual([200, 200, 429]);
});

test('files of a payment have a limit that other payments cannot use up', async ({ as, shopServer }) => {
  const own = await startKillableServer({ TRUSTED_PROXIES: 'loopback', RATE_LIMITS: 'all=1000000 pay_file.payment=3' });
  // The views of its address count on all servers.
  const address = { 'x-forwarded-for': '198.51.100.10' };
  try {
    const shop = merchantClient(own.url, as('methods').credentials, shopServer);
    const row = catalog.find(({ id }) => id === 'axxi-cash');
    if (!row) throw new Error('no method axxi-cash');
    const walk = walkOf(row);
    const openVoucher = async () => {
      const { url } = await shop.open(sessionOf(walk));
      const payer = startPayer(own.url, address);
      await submitMethod(payer, await payer.visit(url), walk);
      return (name: string) => fetch(`${url}/${name}`, { headers: address });
    };
    const [first, second] = [await openVoucher(), await openVoucher()];
    expect(await statuses(2, () => first('ticket.pdf'))).toEqual([200, 200]);
    expect((await first('deadline.ics')).status).toBe(200);
    const limited = await first('ticket.pdf');
    expect([limited.status, limited.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    expectWait(limited);
    expect((await second('ticket.pdf')).status).toBe(200);
  } finally {
    await own.kill();
  }
});

test('hosted fields have their own scope', async ({ shop }) => {
  const { token } = await createSessionToken(shop);
  const collect = () =>
    from('198.51.100.5', '/fields/collect', {
      headers: { ...json, token, 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify(typed.settled),
    });
  expect(await statuses(4, collect)).toEqual([200, 200, 200, 429]);
  const limited = await from('198.51.100.5', '/api/v1/processing/purchase/card', {
    headers: { ...json, token },
    body: JSON.stringify(payBody),
  });
  expect(limited.status).toBe(429);
  expectWait(limited);
  // A merchant's page can read the 429 like any other answer.
  expect(limited.headers.get('access-control-allow-origin')).toBe('*');
});

test('sign-in attempts are counted before the password is checked', async () => {
  const signIn = () =>
    from('198.51.100.7', '/dashboard/api/sign-in', {
      headers: { ...json, 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ email: 'nobody@example.com', password: 'a wrong password' }),
    });
  expect(await statuses(2, signIn)).toEqual([401, 401]);
  const limited = await signIn();
  expect(limited.status).toBe(429);
  expectWait(limited);
  expect((await limited.json()).error.message).toMatch(/Too many attempts from your network/);
});

test('invalid requests count as attempts to sign in, before they are read', async () => {
  const paths = ['/sign-in', '/sign-in/code', '/sign-in/passkey', '/passkey-options', '/unlock'];
  for (const [place, path] of paths.entries()) {
    const send = () =>
      from(`198.51.100.${50 + place}`, `/dashboard/api${path}`, {
        headers: { ...json, 'sec-fetch-site': 'same-origin' },
        body: '{}',
      });
    const refused = path === '/sign-in' ? 401 : 400;
    expect([path, ...(await statuses(3, send))]).toEqual([path, refused, refused, 429]);
    expectWait(await send());
  }
});

test('pages and files of the documentation have one limit', async () => {
  const get = (path: string) => from('198.51.100.7', path, { method: 'GET' });
  expect([(await get('/docs')).status, (await get('/docs/reference/errors.md')).status]).toEqual([200, 200]);
  for (const path of [
    '/docs',
    '/docs/reference/errors',
    '/llms-full.txt',
    '/docs/search.json',
    '/openapi/checkout.json',
  ]) {
    const limited = await get(path);
    expect([path, limited.status]).toEqual([path, 429]);
    expectWait(limited);
  }
  expect((await from('198.51.100.8', '/llms-full.txt', { method: 'GET' })).status).toBe(200);
});

test('pages of the dashboard and of unknown addresses have one limit, their built files none', async () => {
  const get = (path: string) => from('198.51.100.9', path, { method: 'GET' });
  const page = await get('/dashboard/sign-in');
  expect([page.status, (await get('/nothing')).status]).toEqual([200, 404]);
  for (const path of ['/', '/dashboard/payments', '/nothing']) {
    const limited = await get(path);
    expect([path, limited.status]).toEqual([path, 429]);
    expectWait(limited);
  }
  const [, file = ''] = /src="(\/_next\/static\/[^"]+\.js)"/.exec(await page.text()) ?? [];
  expect((await get(file)).status).toBe(200);
});

test('several processes count together', async () => {
  const send = (server: number) =>
    from('198.51.100.6', '/s2s/card/post', { headers: form, body: 'action=SALE' }, server).then(({ status }) => status);
  const pause = () => new Promise((resolve) => setTimeout(resolve, 1_500));
  expect([await send(0), await send(0), await send(0)]).toEqual([400, 400, 400]);
  await pause();
  // The other process synchronises after its own first requests; alone it would allow three.
  const results: number[] = [];
  while (results.length < 3 && results.at(-1) !== 429) {
    results.push(await send(1));
    await pause();
  }
  expect(results.at(-1)).toBe(429);
  expect(await send(0)).toBe(429);
});
