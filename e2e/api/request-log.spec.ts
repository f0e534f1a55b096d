// The request log on a server behind one proxy: each row has the client IP that the proxy reports, in every protocol,
// whether the request succeeded or was refused.

import { apmMerchant } from '../support/apm-merchant.ts';
import { cardMerchant } from '../support/card-merchant.ts';
import { sql } from '../support/database-rows.ts';
import { collect, createSessionToken, processCard } from '../support/hosted-fields-requests.ts';
import { type KillableServer, startKillableServer } from '../support/killable-server.ts';
import { merchantClient } from '../support/merchant.ts';
import { merchants } from '../support/merchants.ts';
import { expect, test } from '../support/test.ts';

let server: KillableServer;

test.beforeAll(async () => {
  server = await startKillableServer({ TRUSTED_PROXIES: 'loopback', RATE_LIMITS: 'on' });
});

test.afterAll(async () => server.kill());

const via = (address: string) => ({ 'x-forwarded-for': address });

/** Protocol, path and HTTP status of the request that the log has from this address. */
async function loggedFrom(address: string): Promise<unknown[]> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const rows = await sql('select protocol::text, path, http_status from api_requests where address = $1', [address]);
    if (rows.length > 0) return rows.map((row) => [row.protocol, row.path, row.http_status]);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return [];
}

test('Checkout: a session, a refused one, and a payment by hosted fields', async ({ shopServer }) => {
  const shop = merchantClient(server.url, merchants.plain, shopServer);
  await shop.post('/api/v1/session', shop.signed(shop.sessionBody()), via('192.0.2.11'));
  await shop.post('/api/v1/session', { ...shop.sessionBody(), hash: 'wrong' }, via('192.0.2.12'));
  const { token } = await createSessionToken(shop);
  await collect(shop, token);
  await processCard(shop, token, {}, { headers: via('192.0.2.13') });
  expect(await loggedFrom('192.0.2.11')).toEqual([['checkout', '/api/v1/session', 200]]);
  expect(await loggedFrom('192.0.2.12')).toEqual([['checkout', '/api/v1/session', 400]]);
  expect(await loggedFrom('192.0.2.13')).toEqual([['checkout', '/api/v1/processing/purchase/card', 200]]);
});

test('S2S CARD: a sale and a refused one', async ({ shopServer }) => {
  const shop = cardMerchant(server.url, merchants.plain, shopServer);
  await shop.post(shop.signed(shop.chargeBody('SALE')), undefined, via('192.0.2.21'));
  await shop.post({ ...shop.chargeBody('SALE'), hash: 'wrong' }, undefined, via('192.0.2.22'));
  expect(await loggedFrom('192.0.2.21')).toEqual([['s2s_card', '/s2s/card/post', 200]]);
  expect(await loggedFrom('192.0.2.22')).toEqual([['s2s_card', '/s2s/card/post', 400]]);
});

test('S2S APM: a sale and a refused one', async ({ shopServer }) => {
  const shop = apmMerchant(server.url, merchants.methods, shopServer);
  await shop.post(shop.signed(shop.chargeBody('SALE')), undefined, via('192.0.2.31'));
  await shop.post({ ...shop.chargeBody('SALE'), hash: 'wrong' }, undefined, via('192.0.2.32'));
  expect(await loggedFrom('192.0.2.31')).toEqual([['s2s_apm', '/s2s/apm/post', 200]]);
  expect(await loggedFrom('192.0.2.32')).toEqual([['s2s_apm', '/s2s/apm/post', 400]]);
});

test('of an address without a known merchant: ten in a minute, and their length only', async () => {
  const headers = { 'content-type': 'application/json', ...via('192.0.2.41') };
  const body = Buffer.from('{"card":{"number":"4111111111111111","cvv":"987"}}', 'utf16le');
  for (let sent = 0; sent < 25; sent += 1) {
    expect((await fetch(`${server.url}/api/v1/session`, { method: 'POST', headers, body })).status).toBe(400);
  }
  await fetch(`${server.url}/api/v1/session`, { method: 'POST', headers: { ...headers, ...via('192.0.2.42') }, body });
  expect(await loggedFrom('192.0.2.42')).toHaveLength(1);
  const rows = await sql('select request from api_requests where address = $1', ['192.0.2.41']);
  // The minute can end between the requests.
  expect([10, 20]).toContain(rows.length);
  expect(new Set(rows.map(({ request }) => request))).toEqual(new Set(['[unreadable body of 100 bytes]']));
});

test('of a payer: the request that pays in full, and of the others ten in a minute with 1 KB of their text', async ({
  shopServer,
}) => {
  const shop = merchantClient(server.url, merchants.smsOnly, shopServer);
  const { token } = await createSessionToken(shop);
  await collect(shop, token);
  const long = { note: 'x'.repeat(2000) };
  for (let sent = 0; sent < 25; sent += 1) {
    const { status, body } = await processCard(shop, token, long, { headers: via('192.0.2.51') });
    expect([status, body.result]).toEqual([200, 'success']);
  }
  const opened = await shop.open();
  const changes = { customer: { name: 'Ana Petrovic' }, ...long };
  const headers = { token: opened.token, ...via('192.0.2.52') };
  for (let sent = 0; sent < 25; sent += 1) {
    expect((await shop.post('/api/v1/session/update', changes, headers, 'PUT')).status).toBe(200);
  }
  await shop.post('/api/v1/session', { ...shop.signed(shop.sessionBody()), ...long }, via('192.0.2.53'));
  expect(await loggedFrom('192.0.2.53')).toHaveLength(1);
  const lengthsFrom = async (address: string) =>
    (await sql('select length(request) as length from api_requests where address = $1 order by at, id', [address])).map(
      ({ length }) => length,
    );
  const [paid, ...repeats] = await lengthsFrom('192.0.2.51');
  const updates = await lengthsFrom('192.0.2.52');
  // The minute can end between the requests.
  for (const others of [repeats, updates]) expect([10, 20]).toContain(others.length);
  expect(new Set([...repeats, ...updates])).toEqual(new Set([1025]));
  expect(paid).toBeGreaterThan(2000);
  expect((await lengthsFrom('192.0.2.53'))[0]).toBeGreaterThan(2000);
});
