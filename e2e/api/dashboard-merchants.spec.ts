// Merchants, their keys and their MIDs over the dashboard API: permissions, rejected values, and payments with the new
// settings.
import { randomUUID } from 'node:crypto';
import { cardFields, cardMerchant } from '../support/card-merchant.ts';
import { makeMerchant, makeMid, merchantBody, midBody, reauthenticate } from '../support/created-merchants.ts';
import { type people, visitor, visitorAs } from '../support/dashboard.ts';
import { type Merchant, merchantClient } from '../support/merchant.ts';
import { pay, untilStatus } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';
import { rowsOf } from '../support/text-table.ts';

// Every endpoint, requested for a merchant that none of the restricted roles belongs to. 400 and 409 come after every
// permission check and reject the request's contents.
const policies = rowsOf(`
  address                             | anonymous | viewer | operator | merchant | manager | administrator
  GET  /merchants                     | 401       | 403    | 403      | 200      | 200     | 200
  POST /merchants                     | 401       | 403    | 403      | 403      | 400     | 400
  GET  /merchants/{merchant}          | 401       | 403    | 403      | 404      | 200     | 200
  POST /merchants/{merchant}          | 401       | 403    | 403      | 403      | 400     | 400
  POST /merchants/{merchant}/switch   | 401       | 403    | 403      | 403      | 400     | 400
  GET  /merchants/{merchant}/keys     | 401       | 403    | 403      | 404      | 200     | 200
  POST /merchants/{merchant}/keys     | 401       | 403    | 403      | 404      | 200     | 200
  POST /merchants/{merchant}/keys/{key}/rotate | 401  | 403 | 403     | 404      | 200     | 200
  POST /merchants/{merchant}/keys/{key}/reveal | 401  | 403 | 403     | 404      | 200     | 200
  POST /merchants/{merchant}/keys/{key}/end    | 401  | 403 | 403     | 404      | 200     | 409
  GET  /mids                          | 401       | 403    | 403      | 200      | 200     | 200
  POST /mids                          | 401       | 403    | 403      | 403      | 400     | 400
  POST /mids/check                    | 401       | 403    | 403      | 403      | 400     | 400
  GET  /mids/{mid}                    | 401       | 403    | 403      | 404      | 200     | 200
  POST /mids/{mid}                    | 401       | 403    | 403      | 403      | 400     | 400
  POST /mids/{mid}/switch             | 401       | 403    | 403      | 403      | 400     | 400
  POST /mids/{mid}/check              | 401       | 403    | 403      | 403      | 400     | 400
`);
const [[, ...roles] = [], ...rows] = policies;

// All bodies but one consist of a version that no object has.
const bodies: Record<string, object> = { rotate: { overlap: 'hour' } };

test('every endpoint checks the session and the right', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const own = await makeMerchant(manager);
  const mid = await makeMid(manager, own.id);
  const actual: string[][] = [];
  const visitors = new Map([['anonymous', visitor(florin)]]);
  for (const role of roles.filter((name) => name !== 'anonymous')) {
    const user = await visitorAs(florin, role as keyof typeof people);
    await reauthenticate(user);
    visitors.set(role, user);
  }
  for (const [address = ''] of rows) {
    const [method, path = ''] = address.split(/\s+/);
    const real = path.replace('{merchant}', own.id).replace('{key}', own.keyId).replace('{mid}', mid.id);
    const line = [address];
    for (const role of roles) {
      const user = visitors.get(role) ?? visitor(florin);
      const body = bodies[path.split('/').at(-1) ?? ''] ?? {};
      const answer = method === 'GET' ? await user.get(real) : await user.post(real, body);
      line.push(String(answer.status));
    }
    actual.push(line);
  }
  expect(actual).toEqual(rows);
});

test('owners see their own merchant and no other', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const owner = await visitorAs(florin, 'merchant');
  const other = await makeMerchant(manager);
  await makeMid(manager, other.id);
  const { rows: merchants } = (await owner.get('/merchants')).body;
  expect(merchants.map(({ name }: { name: string }) => name)).toEqual(['Florin Demo Shop']);
  const [{ id }] = merchants;
  expect((await owner.get(`/merchants?q=${other.id}`)).body.rows).toEqual([]);
  expect((await owner.get(`/merchants/${id}`)).body).toMatchObject({ mayChange: false, mayChangeKeys: true });
  const { rows: mids } = (await owner.get(`/mids?merchant=${other.id}`)).body;
  expect([...new Set(mids.map(({ merchantName }: { merchantName: string }) => merchantName))]).toEqual([
    'Florin Demo Shop',
  ]);
  expect((await owner.get(`/mids/${mids[0].id}`)).body).toMatchObject({ mayChange: false });
  // Own merchant, another merchant's key: the key is searched among the merchant's own.
  await reauthenticate(owner);
  expect((await owner.post(`/merchants/${id}/keys/${other.keyId}/reveal`, {})).status).toBe(404);
  expect((await owner.post(`/merchants/${id}/keys/${other.keyId}/end`, {})).status).toBe(404);
  await reauthenticate(manager);
  expect((await manager.post(`/merchants/${other.id}/keys/${other.keyId}/reveal`, {})).status).toBe(200);
});

test('an invalid id is not found', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  await reauthenticate(manager);
  for (const id of [randomUUID(), 'x', "'", '..%2F', '%00', 'a'.repeat(300)]) {
    expect((await manager.get(`/merchants/${id}`)).status, id).toBe(404);
    expect((await manager.get(`/merchants/${id}/keys`)).status, id).toBe(404);
    expect((await manager.post(`/merchants/${id}/keys`, {})).status, id).toBe(404);
    expect((await manager.get(`/mids/${id}`)).status, id).toBe(404);
    expect((await manager.post(`/mids/${id}`, { version: 0, ...midBody() })).status, id).toBe(404);
  }
});

test('passwords are shown only after a recent re-authentication', async ({ florin }) => {
  const administrator = await visitorAs(florin, 'administrator');
  const { id, keyId } = await makeMerchant(administrator);
  const other = await makeMerchant(await visitorAs(florin, 'manager'));
  const list = (await administrator.get(`/merchants/${id}/keys`)).body;
  expect(list.rows).toEqual([
    expect.objectContaining({ id: keyId, environment: 'sandbox', state: 'valid', validUntil: null, served: true }),
  ]);
  expect(Object.keys(list.rows[0]).sort()).toEqual(
    ['createdAt', 'environment', 'id', 'key', 'served', 'state', 'validUntil'].sort(),
  );
  await reauthenticate(administrator);
  const shown = await administrator.post(`/merchants/${other.id}/keys/${other.keyId}/reveal`, {});
  expect(shown.body).toEqual({ password: other.credentials.password });
  expect(shown.headers.get('cache-control')).toBe('no-store');
});

/** The status of a session of this merchant, or the error code. */
async function opens(merchant: Merchant): Promise<number> {
  const { status, body } = await merchant.post('/api/v1/session', merchant.signed(merchant.sessionBody()));
  return status === 200 ? 200 : (body.error_code ?? status);
}

test('a new merchant accepts payments over Checkout and S2S CARD once it has a MID', async ({ florin, shopServer }) => {
  const manager = await visitorAs(florin, 'manager');
  const own = await makeMerchant(manager);
  const shop = merchantClient(florin, own.credentials, shopServer);
  expect(await opens(shop)).toBe(204002);
  const mid = await makeMid(manager, own.id, { currencies: ['EUR'] });
  expect(mid).toMatchObject({ enabled: true, values: { provider: 'sandbox', url: '' }, merchantName: own.name });
  const paid = await pay(shop);
  await untilStatus(shop, paid.id, 'settled');
  const page = (await manager.get(`/payments/${paid.id}`)).body;
  expect(JSON.stringify(page.groups)).toContain(mid.values.name);
  const sold = await cardMerchant(florin, own.credentials, shopServer).sell({ ...cardFields.settled });
  expect(sold.answer.body).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
  expect((await manager.get(`/mids/${mid.id}`)).body.use).toMatchObject({ tries: 2, sales: 2, holds: 0 });
});

test('the settings of a MID apply to the next payment', async ({ florin, shopServer }) => {
  const manager = await visitorAs(florin, 'manager');
  const own = await makeMerchant(manager);
  const shop = merchantClient(florin, own.credentials, shopServer);
  const mid = await makeMid(manager, own.id);
  expect(await opens(shop)).toBe(200);
  const change = (values: object, version: number) =>
    manager.post(`/mids/${mid.id}`, { version, ...mid.values, ...values });
  const withoutEuro = await change({ currencies: ['USD'] }, 0);
  expect(withoutEuro.body).toMatchObject({ version: 1, values: { currencies: ['USD'] } });
  expect(await opens(shop)).not.toBe(200);
  // A second form that was opened before the first was saved.
  const stale = await change({ priority: 1 }, 0);
  expect([stale.status, stale.body.error.message]).toEqual([
    409,
    'The MID was changed by someone else. Reload the page, review it and try again.',
  ]);
  expect((await change({}, 1)).body.version).toBe(2);
  expect(await opens(shop)).toBe(200);
  const off = await manager.post(`/mids/${mid.id}/switch`, { version: 2, enabled: false });
  expect(off.body).toMatchObject({ enabled: false, version: 3 });
  expect(await opens(shop)).toBe(204002);
  expect((await manager.post(`/mids/${mid.id}/switch`, { version: 2, enabled: true })).status).toBe(409);
  // Without a change the version stays the same.
  expect((await change({}, 3)).body.version).toBe(3);
});

test('of two concurrent changes one is saved', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const own = await makeMerchant(manager);
  const changes = [1, 2, 3, 4].map((number) =>
    manager.post(`/merchants/${own.id}`, { version: 0, ...merchantBody({ name: `${own.name} ${number}` }) }),
  );
  const statuses = (await Promise.all(changes)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 409, 409, 409]);
});

test('requests of a disabled merchant are rejected, and its pending payments are completed', async ({
  florin,
  shopServer,
}) => {
  const manager = await visitorAs(florin, 'manager');
  const own = await makeMerchant(manager);
  await makeMid(manager, own.id);
  const shop = merchantClient(florin, own.credentials, shopServer);
  const card = cardMerchant(florin, own.credentials, shopServer);
  // The provider settles this one after three seconds, when its merchant is already disabled.
  const waiting = await card.sell({ ...cardFields.waits });
  const off = await manager.post(`/merchants/${own.id}/switch`, { version: 0, enabled: false });
  expect(off.body.enabled).toBe(false);
  const known = await opens(shop);
  expect(known).not.toBe(200);
  expect(await opens(merchantClient(florin, { ...own.credentials, key: randomUUID() }, shopServer))).toBe(known);
  await shopServer.waitFor(waiting.orderId, (all) => all.some(({ body }) => body.includes('status=SETTLED')));
  await manager.post(`/merchants/${own.id}/switch`, { version: 1, enabled: true });
  expect(await opens(shop)).toBe(200);
});

test.describe('keys', () => {
  test('rotate with an overlap, and can be revoked at once', async ({ florin, shopServer }) => {
    const manager = await visitorAs(florin, 'manager');
    const own = await makeMerchant(manager);
    await makeMid(manager, own.id);
    const old = merchantClient(florin, own.credentials, shopServer);
    const keys = `/merchants/${own.id}/keys`;
    expect(await opens(old)).toBe(200);
    const rotated = (await manager.post(`${keys}/${own.keyId}/rotate`, { overlap: 'day' })).body;
    const { key, password } = rotated.pair;
    expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(password).toMatch(/^[0-9a-f]{32}$/);
    const fresh = merchantClient(florin, { key, password, digest: 'md5' }, shopServer);
    expect(rotated.rows.map(({ id, state }: { id: string; state: string }) => [id === own.keyId, state])).toEqual([
      [false, 'valid'],
      [true, 'ending'],
    ]);
    expect([await opens(old), await opens(fresh)]).toEqual([200, 200]);
    const paid = await pay(old);
    const revoked = await manager.post(`${keys}/${own.keyId}/end`, {});
    expect(revoked.body.rows[1].state).toBe('ended');
    const unknown = await opens(merchantClient(florin, { ...own.credentials, key: randomUUID() }, shopServer));
    expect([await opens(old), await opens(fresh)]).toEqual([unknown, 200]);
    // Payments of the old key are modified with the new key.
    await untilStatus(fresh, paid.id, 'settled');
    // Their callbacks stay signed with the old password, and the page says so.
    await shopServer.waitFor(paid.order.number, (all) => all.length > 0);
    const [callback] = (await manager.get(`/callbacks?q=${paid.order.number}`)).body.rows;
    expect((await manager.get(`/callbacks/${callback.id}`)).body.signature).toMatchObject({
      valid: true,
      texts: [expect.stringContaining(`(…${own.credentials.key.slice(-4)}) is revoked`)],
    });
    expect((await manager.post(`${keys}/${own.keyId}/end`, {})).status).toBe(409);
    expect((await manager.post(`${keys}/${own.keyId}/rotate`, { overlap: 'day' })).status).toBe(409);
    expect((await manager.post(`${keys}/${rotated.pair.id}/rotate`, { overlap: 'month' })).status).toBe(400);
    const atOnce = (await manager.post(`${keys}/${rotated.pair.id}/rotate`, { overlap: 'none' })).body;
    expect(await opens(fresh)).toBe(unknown);
    const { key: third, password: thirdPassword } = atOnce.pair;
    expect(
      await opens(merchantClient(florin, { key: third, password: thirdPassword, digest: 'md5' }, shopServer)),
    ).toBe(200);
  });

  test('are limited to ten at a time', async ({ florin }) => {
    const manager = await visitorAs(florin, 'manager');
    const own = await makeMerchant(manager);
    for (let count = 1; count < 10; count += 1) {
      expect((await manager.post(`/merchants/${own.id}/keys`, {})).status).toBe(200);
    }
    const rejected = await manager.post(`/merchants/${own.id}/keys`, {});
    expect([rejected.status, rejected.body.error.message]).toEqual([
      409,
      'A merchant has at most 10 valid keys. Revoke one first.',
    ]);
  });
});

test('no answer and no audit log entry contains a secret', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const own = await makeMerchant(manager);
  const secret = (name: string) => `${name}-${randomUUID()}`;
  const [apiKey, first, second, other] = ['api', 'first', 'second', 'other'].map(secret) as [
    string,
    string,
    string,
    string,
  ];
  const signingSecret = `whsec_${Buffer.from(randomUUID()).toString('base64')}`;
  const provider = { provider: 'own', url: `${florin}/nowhere`, apiKey, signingSecret };
  const credentials = { trans: { 'X-API-Key': first, 'X-API-Secret': second } };
  const mid = await makeMid(manager, own.id, { ...provider, methods: ['card', 'trans'], credentials });
  expect(mid.stored).toEqual({
    apiKey: true,
    signingSecret: true,
    credentials: { trans: ['X-API-Key', 'X-API-Secret'] },
  });
  const values = { ...mid.values, credentials: { trans: { 'X-API-Key': other, 'X-API-Secret': '' } } };
  const changed = await manager.post(`/mids/${mid.id}`, { version: 0, ...values });
  expect(changed.status).toBe(200);
  const moved = await manager.post(`/mids/${mid.id}`, { version: 1, ...values, url: 'https://elsewhere.example' });
  expect(Object.keys(moved.body.error.fields)).toEqual(
    expect.arrayContaining(['apiKey', 'signingSecret', 'credentials.trans.X-API-Secret']),
  );
  const keys = await manager.post(`/merchants/${own.id}/keys`, {});
  const { password } = keys.body.pair;
  const later = await Promise.all(
    [`/mids/${mid.id}`, '/mids', '/merchants', `/merchants/${own.id}`, `/merchants/${own.id}/keys`].map((path) =>
      manager.get(path),
    ),
  );
  const log = await manager.get(`/audit-log?on=mid:${mid.id}`);
  const keyLog = await manager.get(`/audit-log?on=key:${own.keyId}`);
  expect([log.status, keyLog.status]).toEqual([200, 200]);
  const text = JSON.stringify([mid, changed.body, moved.body, later.map(({ body }) => body), log.body, keyLog.body]);
  for (const each of [apiKey, signingSecret, first, second, other, password, own.credentials.password]) {
    expect(text.includes(each), each.slice(0, 6)).toBe(false);
  }
});

test('the audit log contains each change field by field', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const own = await makeMerchant(manager);
  const mid = await makeMid(manager, own.id);
  await manager.post(`/mids/${mid.id}`, { version: 0, ...mid.values, paymentMode: 'dms', dailyLimit: '5,000.00' });
  const { body } = await manager.get(`/audit-log?on=mid:${mid.id}`);
  const entry = JSON.stringify(body.rows.find(({ action }: { action: string }) => /mid\.change/.test(action)));
  for (const part of ['paymentMode', 'sms_dms', 'dms', 'dailyLimit', '5000.00 EUR']) expect(entry).toContain(part);
  expect(entry).not.toContain('holdDays');
});

const errors = rowsOf(`
  /merchants | {"name":""}                     | name
  /merchants | {"frameAncestors":["*"]}        | frameAncestors.0
  /merchants | {"appSchemes":["javascript"]}   | appSchemes.0
  /mids      | {"name":""}                     | name
  /mids      | {"methods":["card","money"]}    | methods.1
  /mids      | {"holdDays":1.5}                | holdDays
  /mids      | {"merchantId":"x"}              | merchantId
  /mids      | {"merchantId":"{none}"}         | merchantId
  /mids      | {"credentials":{"kora":{"fee_bearer":"x"}},"methods":["kora"]} | credentials.kora.fee_bearer
`);

test('invalid values get field errors', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const { id } = await makeMerchant(manager);
  for (const [path = '', change = '', field = ''] of errors) {
    const part = JSON.parse(change.replace('{none}', randomUUID()));
    const body = path === '/mids' ? { merchantId: id, ...midBody(part) } : merchantBody(part);
    const answer = await manager.post(path, body);
    expect([answer.status, Object.keys(answer.body.error.fields)], change).toEqual([400, [field]]);
  }
  const again = await manager.post('/merchants', merchantBody({ name: 'florin demo SHOP' }));
  expect(again.body.error.fields).toEqual({ name: 'Another merchant has this name already.' });
});

test.describe('testing a connection', () => {
  test('asks the provider and moves no money', async ({ florin }) => {
    const manager = await visitorAs(florin, 'manager');
    const fresh = midBody({ operations: ['purchase', 'credit'] });
    const answer = await manager.post('/mids/check', fresh);
    expect(answer.body).toEqual({
      ok: true,
      text: expect.stringMatching(/^127\.0\.0\.1:\d+ accepted the API key/),
      note: null,
    });
    const wrong = await manager.post('/mids/check', {
      ...fresh,
      provider: 'own',
      url: `${florin}/sandbox/provider/v1`,
      apiKey: 'wrong',
    });
    expect(wrong.body).toMatchObject({ ok: false, text: expect.stringContaining('refused the API key: HTTP 401') });
    const page = await manager.post('/mids/check', { ...fresh, provider: 'own', url: florin, apiKey: 'any' });
    expect(page.body).toMatchObject({ ok: false, text: expect.stringContaining('without its capabilities') });
    const unreachable = await manager.post('/mids/check', {
      ...fresh,
      provider: 'own',
      url: 'http://127.0.0.1:1',
      apiKey: 'any',
    });
    expect(unreachable.body).toMatchObject({ ok: false, text: expect.stringContaining('cannot be reached') });
  });

  test('sends the stored key to its own host only', async ({ florin, shopServer }) => {
    const manager = await visitorAs(florin, 'manager');
    const own = await makeMerchant(manager);
    const mid = await makeMid(manager, own.id);
    const values = { ...mid.values, provider: 'own', url: shopServer.url };
    const rejected = await manager.post(`/mids/${mid.id}/check`, values);
    expect([rejected.status, Object.keys(rejected.body.error.fields)]).toEqual([400, ['apiKey']]);
    expect((await manager.post(`/mids/${mid.id}/check`, mid.values)).body.ok).toBe(true);
    const { rows: logged } = (await manager.get(`/audit-log?on=mid:${mid.id}&what=mid.check`)).body;
    expect(logged).toMatchObject([{ what: expect.stringMatching(/^Checked MID /), fields: [{ name: 'host' }] }]);
  });
});

test('lists can be searched and filtered', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const own = await makeMerchant(manager, { site: `${randomUUID()}.example` });
  const first = await makeMid(manager, own.id, {
    currencies: ['EUR', 'PLN'],
    methods: ['card', 'blik'],
    paymentMode: 'dms',
  });
  const second = await makeMid(manager, own.id);
  const ids = async (path: string) => (await manager.get(path)).body.rows.map(({ id }: { id: string }) => id);
  for (const query of [own.name.slice(2, 20).toUpperCase(), own.id, own.credentials.key]) {
    expect(await ids(`/merchants?q=${encodeURIComponent(query)}`), query).toEqual([own.id]);
  }
  expect(await ids(`/merchants?q=${own.id}&state=off`)).toEqual([]);
  const mids = (query: string) => ids(`/mids?merchant=${own.id}&${query}`);
  expect(await mids('')).toEqual([second.id, first.id]);
  expect(await mids('currency=PLN')).toEqual([second.id, first.id]);
  expect(await mids('currency=PLN&method=blik')).toEqual([first.id]);
  expect(await mids('mode=dms')).toEqual([first.id]);
  expect(await mids('state=off')).toEqual([]);
  expect(await mids(`q=${first.values.name.slice(0, 16)}`)).toEqual([first.id]);
});
