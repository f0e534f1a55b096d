// Protocol mappings over the dashboard API: permissions, field errors, and that a change applies to the next request.
import { randomUUID } from 'node:crypto';
import { cardMerchant, isSignedCardCallback } from '../support/card-merchant.ts';
import { makeMerchant, makeMid } from '../support/created-merchants.ts';
import { type people, visitor, visitorAs } from '../support/dashboard.ts';
import { changeMapping, mappingOf } from '../support/mappings.ts';
import { describeS2sCallback } from '../support/s2s-flows.ts';
import { expect, test } from '../support/test.ts';
import { rowsOf } from '../support/text-table.ts';

// Requests a mapping of a merchant that none of the restricted roles belongs to.
const policies = rowsOf(`
  address                 | anonymous | viewer | operator | merchant | manager | administrator
  GET  /mappings          | 401       | 403    | 403      | 200      | 200     | 200
  POST /mappings          | 401       | 403    | 403      | 403      | 400     | 400
  GET  /mappings/{mapping}  | 401     | 403    | 403      | 404      | 200     | 200
  POST /mappings/{mapping}  | 401     | 403    | 403      | 403      | 400     | 400
`);
const [[, ...roles] = [], ...rows] = policies;

test('every endpoint checks the session and the right', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const mapping = await mappingOf(manager, await makeMerchant(manager), 'checkout');
  const actual: string[][] = [];
  for (const [address = ''] of rows) {
    const [method, path = ''] = address.split(/\s+/);
    const real = path.replace('{mapping}', mapping.id);
    const line = [address];
    for (const role of roles) {
      const user = role === 'anonymous' ? visitor(florin) : await visitorAs(florin, role as keyof typeof people);
      const answer = method === 'GET' ? await user.get(real) : await user.post(real, {});
      line.push(String(answer.status));
    }
    actual.push(line);
  }
  expect(actual).toEqual(rows);
});

test('owners can read their own mappings and not change them', async ({ florin }) => {
  const [manager, owner] = [await visitorAs(florin, 'manager'), await visitorAs(florin, 'merchant')];
  const other = await makeMerchant(manager);
  const { rows: own } = (await owner.get('/mappings')).body;
  expect([...new Set(own.map(({ merchant }: { merchant: { name: string } }) => merchant.name))]).toEqual([
    'Florin Demo Shop',
  ]);
  expect((await owner.get(`/mappings?q=${encodeURIComponent(other.name)}`)).body.rows).toEqual([]);
  expect((await owner.get(`/mappings/${own[0].id}`)).body).toMatchObject({ editable: false });
  expect((await owner.get(`/mappings/${randomUUID()}`)).status).toBe(404);
});

test('a list is paged by merchant in both directions', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  // Only the seeded merchants: other tests create and remove merchants at the same time.
  const first = (await manager.get('/mappings?q=Test')).body;
  expect(first).toMatchObject({ newer: null, older: expect.any(String) });
  const second = (await manager.get(`/mappings?q=Test&after=${first.older}`)).body;
  const names = [...first.rows, ...second.rows].map(({ id }: { id: string }) => id);
  expect(new Set(names).size).toBe(names.length);
  expect((await manager.get(`/mappings?q=Test&before=${second.newer}`)).body.rows).toEqual(first.rows);
});

test.describe('a change', () => {
  const errors = rowsOf(`
    s2s_card | {"digest":"sha1"}                        | digest
    s2s_card | {"requiredPayerFields":["payer_email"]}  | requiredPayerFields
    s2s_apm  | {"callbackFields":["eci"]}               | callbackFields
    checkout | {"ipAllowlist":["203.0.113.24","","203.0.113.256"]} | ipAllowlist
    checkout | {"defaultNotificationUrl":"shop.example"} | defaultNotificationUrl
    checkout | {"defaultNotificationUrl":"https://shop.example/?cvv=123"} | defaultNotificationUrl
    checkout | {"maximumDeclines":0}                    | maximumDeclines
    s2s_card | {"maximumDeclines":2}                    | maximumDeclines
    s2s_card | {"reversalWord":"void","frameBySuccessUrl":false} | frameBySuccessUrl reversalWord
    s2s_apm  | {"uppercase":"latin"}                    | uppercase
    checkout | {"cascadeLimit":11}                      | cascadeLimit
    checkout | {"dailyLimitMinor":"-1"}                 | dailyLimitMinor
    checkout | {"version":1}                            | version
    checkout | {"digest":"md6","cascadeLimit":0}        | cascadeLimit digest
  `);

  test('with invalid values gets field errors', async ({ florin }) => {
    const manager = await visitorAs(florin, 'manager');
    const merchant = await makeMerchant(manager);
    for (const [protocol, values = '', fields] of errors) {
      const mapping = await mappingOf(manager, merchant, protocol as 'checkout');
      const answer = await manager.post(`/mappings/${mapping.id}`, { version: 0, values: JSON.parse(values) });
      expect(answer.status, values).toBe(400);
      expect(Object.keys(answer.body.error.fields).sort().join(' '), values).toBe(fields);
      expect((await manager.get(`/mappings/${mapping.id}`)).body, values).toEqual(mapping);
    }
    const { id } = await mappingOf(manager, merchant, 'checkout');
    const values = { ipAllowlist: ['203.0.113.24', '', '203.0.113.256'] };
    const { error } = (await manager.post(`/mappings/${id}`, { version: 0, values })).body;
    expect(error.fields.ipAllowlist).toBe('Line 3: 256 is too large. Each part of an IPv4 address goes up to 255.');
  });

  test('is saved as a whole, and only for the version that was read', async ({ florin, shopServer }) => {
    const manager = await visitorAs(florin, 'manager');
    const { id } = await mappingOf(manager, await makeMerchant(manager), 'checkout');
    const values = {
      enabled: true,
      digest: 'sha256',
      requiredPayerFields: ['payer_country', 'payer_zip'],
      callbackFields: ['payer_email', 'ARN', 'extended_data'],
      statusFields: ['card', 'card_expiration_date'],
      redirectParameters: true,
      offerSavingCards: true,
      pendingUrl: 'https://shop.example/pending',
      defaultLanguage: 'zh-TW',
      maximumDeclines: 4,
      orderIdReuse: 'never',
      ipAllowlist: ['203.0.113.24', '203.0.113.0/28', '2001:db8::/32'],
      signedRequests: true,
      openPayouts: true,
      defaultNotificationUrl: shopServer.addressFor('by-default'),
      uppercase: 'unicode',
      reversalWord: 'void',
      frameBySuccessUrl: false,
      scheduleRetries: 0,
      scheduleRetryHours: 168,
      missedSlots: 'none',
      cascadeLimit: 1,
      dailyLimitMinor: '9223372036854775807',
      weeklyLimitMinor: null,
    };
    const saved = await manager.post(`/mappings/${id}`, { version: 0, values });
    expect([saved.status, saved.body.version]).toEqual([200, 1]);
    expect(saved.body.values).toEqual(values);
    const late = await manager.post(`/mappings/${id}`, { version: 0, values: { cascadeLimit: 2 } });
    expect(late.status).toBe(409);
    expect((await manager.get(`/mappings/${id}`)).body.values.cascadeLimit).toBe(1);
  });

  test('without a difference is not saved', async ({ florin }) => {
    const manager = await visitorAs(florin, 'manager');
    const { id } = await mappingOf(manager, await makeMerchant(manager), 's2s_apm');
    expect((await manager.post(`/mappings/${id}`, { version: 0, values: { digest: 'md5' } })).body.version).toBe(0);
  });

  test('is in the audit log field by field', async ({ florin }) => {
    const manager = await visitorAs(florin, 'manager');
    const { id } = await mappingOf(manager, await makeMerchant(manager), 'checkout');
    await changeMapping(manager, id, { digest: 'sha256', dailyLimitMinor: '5000', cascadeLimit: 3 });
    const { body } = await manager.get(`/audit-log?on=mapping:${id}`);
    expect(body.rows).toHaveLength(1);
    expect(body.rows[0]).toMatchObject({ action: 'mapping.change' });
    expect(JSON.stringify(body.rows[0])).toContain('sha256');
    expect(JSON.stringify(body.rows[0])).not.toContain('cascadeLimit');
  });
});

test('cannot set a protocol up twice for a merchant', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const { id } = await makeMerchant(manager);
  expect((await manager.post('/mappings', { merchantId: id, protocol: 'checkout' })).status).toBe(409);
  expect((await manager.post('/mappings', { merchantId: randomUUID(), protocol: 'checkout' })).status).toBe(404);
  expect((await manager.post('/mappings', { merchantId: id, protocol: 'soap' })).status).toBe(400);
});

test.describe('the next request', () => {
  const setUp = async (florin: string) => {
    const manager = await visitorAs(florin, 'manager');
    const merchant = await makeMerchant(manager);
    await makeMid(manager, merchant.id);
    const { id } = await mappingOf(manager, merchant, 's2s_card');
    return { manager, id, credentials: merchant.credentials };
  };

  test('is signed with SHA-256 once that is enabled, and so are its callbacks', async ({ florin, shopServer }) => {
    const { manager, id, credentials } = await setUp(florin);
    const [old, fresh] = [credentials, { ...credentials, digest: 'sha256' as const }];
    expect((await cardMerchant(florin, old, shopServer).charge('SALE')).body.result).toBe('SUCCESS');
    await changeMapping(manager, id, { digest: 'sha256' });
    // Every process reads the change within two seconds, and any process may send the callback.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    const rejected = await cardMerchant(florin, old, shopServer).charge('SALE');
    expect([rejected.status, rejected.body.error_message]).toEqual([400, 'Hash is not valid']);
    const sold = await cardMerchant(florin, fresh, shopServer).sell();
    expect(sold.answer.body.result).toBe('SUCCESS');
    const [callback] = await shopServer.waitFor(sold.orderId, (all) => all.length > 0);
    expect(describeS2sCallback(callback as never)).toBe('SALE SUCCESS SETTLED');
    expect(isSignedCardCallback(callback?.fields ?? {}, sold.email, fresh)).toBe(true);
    expect(isSignedCardCallback(callback?.fields ?? {}, sold.email, old)).toBe(false);
  });

  test('must come from an address of the allowlist', async ({ florin, shopServer }) => {
    const { manager, id, credentials } = await setUp(florin);
    const shop = cardMerchant(florin, credentials, shopServer);
    await changeMapping(manager, id, { ipAllowlist: ['203.0.113.7'] });
    expect((await shop.charge('SALE')).body.error_message).toBe('Request from this ip is not allowed.');
    await changeMapping(manager, id, { ipAllowlist: ['203.0.113.7', '127.0.0.0/8', '::1'] });
    expect((await shop.charge('SALE')).body.result).toBe('SUCCESS');
  });

  test('must contain the required fields, and its callback and status contain the added ones', async ({
    florin,
    shopServer,
  }) => {
    const { manager, id, credentials } = await setUp(florin);
    const shop = cardMerchant(florin, credentials, shopServer);
    const fields = {
      callbackFields: ['payer_zip', 'brand', 'ARN', 'extended_data'],
      statusFields: ['card', 'payer_zip'],
    };
    await changeMapping(manager, id, { requiredPayerFields: ['payer_zip'], ...fields });
    const incomplete = await shop.charge('SALE');
    expect(JSON.stringify(incomplete.body.errors)).toContain('payer_zip');
    const sold = await shop.sell({ payer_zip: '11000' });
    const [callback] = await shopServer.waitFor(sold.orderId, (all) => all.length > 0);
    expect(callback?.fields).toMatchObject({ payer_zip: '11000', brand: 'visa' });
    expect(Object.keys(callback?.fields ?? {})).toEqual(
      expect.arrayContaining(['ARN', 'extended_data[mid_name]', 'extended_data[merchant_name]']),
    );
    const status = await shop.follow('GET_TRANS_STATUS', sold);
    expect(status.body).toMatchObject({ card: '411111****1111', payer_zip: '11000' });
    expect(status.body).not.toHaveProperty('brand');
  });

  test('uses the default address, and is rejected while the mapping is off', async ({ florin, shopServer }) => {
    const { manager, id, credentials } = await setUp(florin);
    const shop = cardMerchant(florin, credentials, shopServer);
    const path = randomUUID();
    await changeMapping(manager, id, { defaultNotificationUrl: shopServer.addressFor(path) });
    await shop.sell({ callback_url: undefined });
    expect(await shopServer.waitFor(path, (all) => all.length > 0)).toHaveLength(1);
    await changeMapping(manager, id, { enabled: false });
    expect((await shop.charge('SALE')).body.error_code).toBe(204002);
  });

  test('counts towards the daily limit', async ({ florin, shopServer }) => {
    const { manager, id, credentials } = await setUp(florin);
    const shop = cardMerchant(florin, credentials, shopServer);
    await changeMapping(manager, id, { dailyLimitMinor: '10000' });
    expect((await shop.charge('SALE')).body.result).toBe('SUCCESS');
    expect((await shop.charge('SALE')).body.error_code).toBe(204008);
  });
});
