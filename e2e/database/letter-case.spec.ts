// Ids in capitals: what the database stores in lower case is hashed and sealed with them.
import { makeMerchant, makeMid, midBody, reauthenticate } from '../support/created-merchants.ts';
import { visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { expect, test } from '../support/test.ts';
import { createUser, userPassword } from '../support/users.ts';
import { service, startService } from './sets.ts';

test.beforeAll(startService);
test.afterAll(() => service.closeDatabase());

test('a merchant’s id in capitals leaves the audit log unbroken', async ({ florin }) => {
  const { id } = await makeMerchant(await visitorAs(florin, 'manager'));
  const { visitor: owner } = await createUser(florin, 'merchant_owner', id);
  expect((await owner.post('/confirm', { password: userPassword })).status).toBe(200);
  const { status, body } = await owner.post(`/merchants/${id.toUpperCase()}/keys`, {});
  expect([status, body.pair]).toEqual([200, expect.objectContaining({ key: expect.any(String) })]);
  const entries = await sql('select merchant_id from audit_entries where action = $1 and merchant_id = $2', [
    'key.create',
    id,
  ]);
  expect(entries).toHaveLength(1);
  // From anywhere else in the service, too.
  await service.transaction(async (run) => {
    const last = await service.lockAuditLog(run);
    const entry = { actor: 'system', action: 'merchant.change', subject: 'x', merchantId: id.toUpperCase() } as const;
    await service.appendEntry(entry, last, new Date(), run);
  });
  expect((await service.checkAuditLog([])).brokenAt).toBeNull();
});

test('a MID and a wallet of a merchant’s id in capitals can be read', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const { id } = await makeMerchant(manager);
  const capitals = id.toUpperCase();
  const mid = await makeMid(manager, capitals);
  expect((await manager.get(`/mids/${mid.id.toUpperCase()}`)).body.values.provider).toBe('sandbox');
  await reauthenticate(manager);
  const changed = await manager.post(`/mids/${mid.id.toUpperCase()}`, { version: mid.version, ...midBody() });
  expect(changed.status).toBe(200);
  expect((await manager.get(`/mids/${mid.id}`)).status).toBe(200);
  const wallet = await manager.post('/wallets', {
    ...{ kind: 'applepay', merchant: capitals, merchantIdentifier: 'merchant.com.example', country: 'DE' },
    ...{ shopName: 'Shop', merchantCapabilities: ['supports3DS'], supportedNetworks: ['visa'] },
  });
  expect(wallet.status).toBe(200);
  const own = await createUser(florin, 'merchant_owner', id);
  for (const path of ['/overview', '/wallets'])
    expect([path, (await own.visitor.get(path)).status]).toEqual([path, 200]);
});
