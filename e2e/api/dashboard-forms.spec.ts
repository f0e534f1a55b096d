// Tests how the dashboard's forms are checked over HTTP: every error in one round, before a proof of identity, and
// conflicts with the other user's change.

import { randomUUID } from 'node:crypto';
import { makeMerchant, makeMid, merchantBody, midBody } from '../support/created-merchants.ts';
import { visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { mappingOf } from '../support/mappings.ts';
import { expect, test } from '../support/test.ts';
import { createUser } from '../support/users.ts';

test('hidden fields of a MID are neither checked nor stored', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const own = await makeMerchant(manager);
  const hidden = { url: 'http://foo bar', apiKey: 'sch lüssel', signingSecret: 'x' };
  const made = await manager.post('/mids', { merchantId: own.id, ...midBody(hidden) });
  expect([made.status, made.body.values?.url]).toEqual([200, '']);
  const checked = await manager.post('/mids/check', midBody(hidden));
  expect(checked.body).toMatchObject({ ok: true });
});

test('limits of a MID are reported together with all other errors', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const own = await makeMerchant(manager);
  const wrong = { name: '', priority: 'first', dailyLimit: 'much', monthlyLimit: '5,000', provider: 'own', url: 'x' };
  const { status, body } = await manager.post('/mids', { merchantId: own.id, ...midBody(wrong) });
  expect(status).toBe(400);
  const fields = ['name', 'priority', 'dailyLimit', 'monthlyLimit', 'url', 'apiKey', 'signingSecret'];
  expect(Object.keys(body.error.fields).sort()).toEqual(fields.sort());
  expect(body.error.fields.monthlyLimit).toBe('5,000 can be read in two ways. Enter 5000, or 5.00.');
});

test('a check reports errors and conflicts, and saves nothing', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const own = await makeMerchant(manager);
  const mid = await makeMid(manager, own.id);
  const path = `/mids/${mid.id}?check=1`;
  expect((await manager.post(path, { version: 0, ...mid.values, priority: 7 })).status).toBe(200);
  expect((await manager.post(path, { version: 0, ...mid.values, priority: -1 })).status).toBe(400);
  expect((await manager.get(`/mids/${mid.id}`)).body).toMatchObject({ version: 0, values: { priority: 100 } });
  const shop = `/merchants/${own.id}`;
  expect((await manager.post(`${shop}?check=1`, { version: 0, ...merchantBody() })).status).toBe(200);
  expect((await manager.get(shop)).body).toMatchObject({ version: 0, values: { name: own.name } });
});

test('a conflict says who changed what', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const own = await makeMerchant(manager);
  const mid = await makeMid(manager, own.id);
  await manager.post(`/mids/${mid.id}`, { version: 0, ...mid.values, priority: 7 });
  await manager.post(`/mids/${mid.id}`, { version: 1, ...mid.values, priority: 8, holdDays: 3 });
  const late = await manager.post(`/mids/${mid.id}`, { version: 0, ...mid.values, name: 'Late' });
  expect(late.status).toBe(409);
  const { by, at, changes } = late.body.error.conflict;
  expect(by).toBeTruthy();
  expect(Date.parse(at)).toBeGreaterThan(0);
  expect(changes).toEqual([
    { name: 'priority', before: '100', after: '8' },
    { name: 'holdDays', before: '7', after: '3' },
  ]);
});

test('a callback URL that cannot be reached yet is saved, with a warning before', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const own = await makeMerchant(manager);
  const { id } = await mappingOf(manager, own, 'checkout');
  const change = { version: 0, values: { defaultNotificationUrl: 'http://127.0.0.1:1/callbacks' } };
  const checked = await manager.post(`/mappings/${id}?check=1`, change);
  expect(checked.body.warnings).toEqual([expect.stringContaining('127.0.0.1:1 cannot be reached now.')]);
  const saved = await manager.post(`/mappings/${id}`, change);
  expect([saved.status, saved.body.values.defaultNotificationUrl]).toEqual([200, change.values.defaultNotificationUrl]);
});

test('errors of a form come before the proof of identity', async ({ florin }) => {
  const { id, visitor: unproven } = await createUser(florin, 'administrator');
  await sql(`update user_sessions set confirmed_at = now() - interval '5 minutes' where user_id = $1`, [id]);
  const wrong = await unproven.post('/merchants', merchantBody({ name: '', integration: '' }));
  expect([wrong.status, Object.keys(wrong.body.error.fields).sort()]).toEqual([400, ['integration', 'name']]);
  const invited = await unproven.post('/people/invite', { name: '', email: 'x', role: 'viewer' });
  expect([invited.status, invited.body.error.confirm]).toEqual([400, undefined]);
  const changed = await unproven.post(`/people/${id}/role`, { role: 'owner' });
  expect([changed.status, changed.body.error.fields]).toEqual([400, { role: 'Choose a role.' }]);
  const rotated = await unproven.post(`/merchants/${id}/keys/${id}/rotate`, { overlap: 'year' });
  expect([rotated.status, Object.keys(rotated.body.error.fields)]).toEqual([400, ['overlap']]);
});

test('a merchant shows what it still needs', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const own = await makeMerchant(manager);
  expect((await manager.get(`/merchants/${own.id}`)).body.setup).toEqual({
    mids: false,
    callbacks: false,
    users: false,
  });
  await makeMid(manager, own.id);
  await expect
    .poll(async () => (await manager.get(`/merchants/${own.id}`)).body.setup)
    .toEqual({ mids: true, callbacks: false, users: false });
});

test('a pasted request that cannot be read names the place of the error', async ({ florin }) => {
  const owner = await visitorAs(florin, 'merchant');
  const sent = { protocol: 'checkout', action: '/api/v1/session', text: `{"a": 1,\n "b" ${randomUUID()}}` };
  const { status, body } = await owner.post('/hash-debugger', sent);
  expect([status, body.error.fields.text]).toEqual([400, 'Invalid JSON in line 2, column 6.']);
});
