// Changes that could lead card data, payments or callbacks elsewhere require a recent proof of identity; everyday changes
// of the same objects do not.
import { makeMerchant, makeMid, midBody } from '../support/created-merchants.ts';
import { visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { mappingOf, ruleBody } from '../support/mappings.ts';
import { expect, test } from '../support/test.ts';
import { createUser, userPassword } from '../support/users.ts';

/** A merchant with a MID, a mapping and a draft of rules, and a user whose last proof was five minutes ago. */
async function setUp(florin: string) {
  const manager = await visitorAs(florin, 'manager');
  const merchant = await makeMerchant(manager);
  const mid = await makeMid(manager, merchant.id);
  const mapping = await mappingOf(manager, merchant, 's2s_card');
  const own = await createUser(florin, 'account_manager');
  await sql(`update user_sessions set confirmed_at = now() - interval '5 minutes' where user_id = $1`, [own.id]);
  const user = own.visitor;
  const prove = () => user.post('/confirm', { password: userPassword });
  return { manager, merchant, mid, mapping, user, prove };
}

const unconfirmed = { message: 'Confirm your identity.', confirm: ['password'] };

test('a MID gets another provider only after a proof, which its check asks for too', async ({ florin }) => {
  const { merchant, mid, user, prove } = await setUp(florin);
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const provider = { provider: 'own', url: 'http://127.0.0.1:9/v1', apiKey: 'k'.repeat(20), signingSecret: secret };
  const { name } = mid.values;
  const everyday = midBody({ name, priority: 7, dailyLimit: '10.00', currencies: ['EUR'] });
  const saved = await user.post(`/mids/${mid.id}`, { ...everyday, version: 0 });
  expect([saved.status, saved.body.version]).toEqual([200, 1]);
  expect((await user.post(`/mids/${mid.id}/switch`, { version: 1, enabled: false })).status).toBe(200);
  const elsewhere = { ...everyday, ...provider, version: 2 };
  for (const path of [`/mids/${mid.id}?check=1`, `/mids/${mid.id}`]) {
    const { status, body } = await user.post(path, elsewhere);
    expect([path, status, body.error]).toEqual([path, 403, unconfirmed]);
  }
  const created = { merchantId: merchant.id, ...midBody() };
  expect((await user.post('/mids', created)).body.error).toEqual(unconfirmed);
  // Errors of the form come first.
  expect((await user.post('/mids', { ...created, name: '' })).status).toBe(400);
  await prove();
  expect((await user.post(`/mids/${mid.id}`, elsewhere)).body.values?.url).toBe(provider.url);
});

test('the keys of a stored provider are changed only after a proof', async ({ florin }) => {
  const { manager, mid, user } = await setUp(florin);
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const provider = { provider: 'own', url: 'http://127.0.0.1:9/v1', apiKey: 'k'.repeat(20), signingSecret: secret };
  const body = midBody({ name: mid.values.name, ...provider });
  expect((await manager.post(`/mids/${mid.id}`, { ...body, version: 0 })).status).toBe(200);
  const kept = { ...body, apiKey: '', signingSecret: '', version: 1 };
  expect((await user.post(`/mids/${mid.id}`, { ...kept, timeoutSeconds: 9 })).status).toBe(200);
  for (const change of [
    { apiKey: 'other' },
    { signingSecret: `${secret.slice(0, -4)}AAA=` },
    { url: 'http://127.0.0.1:9/v2' },
  ]) {
    const { status, body: refused } = await user.post(`/mids/${mid.id}`, { ...kept, ...change, version: 2 });
    expect([change, status, refused.error]).toEqual([change, 403, unconfirmed]);
  }
});

test('the protections of a mapping are changed only after a proof', async ({ florin }) => {
  const { mapping, user, prove } = await setUp(florin);
  const change = (values: object) => user.post(`/mappings/${mapping.id}`, { version: mapping.version, values });
  for (const values of [
    { openPayouts: true },
    { signedRequests: true },
    { ipAllowlist: ['203.0.113.24'] },
    { digest: 'sha256' },
    { defaultNotificationUrl: 'https://other.example/' },
  ]) {
    const { status, body } = await change(values);
    expect([values, status, body.error]).toEqual([values, 403, unconfirmed]);
  }
  await prove();
  expect((await change({ openPayouts: true })).status).toBe(200);
});

test('everyday settings of a mapping need no proof', async ({ florin }) => {
  const { mapping, user } = await setUp(florin);
  const values = { callbackFields: [], openPayouts: mapping.values.openPayouts };
  expect((await user.post(`/mappings/${mapping.id}`, { version: mapping.version, values })).status).toBe(200);
});

test('rules are published, and keys of wallets added, only after a proof', async ({ florin }) => {
  const { manager, mid, mapping, user, prove } = await setUp(florin);
  const draft = { version: null, basedOn: 0, rules: [ruleBody('All', [mid.id])] };
  const { version } = (await user.post(`/routing/${mapping.id}/draft`, draft)).body.draft;
  expect((await user.post(`/routing/${mapping.id}/dry-run`, { version })).status).toBe(200);
  const publish = () => user.post(`/routing/${mapping.id}/publish`, { version });
  // The proof comes before the wallet, which does not exist.
  const paths = ['certificates', 'keys', 'keys/prefer'].map((path) => `/wallets/${mid.id}/${path}`);
  for (const path of paths) expect([path, (await user.post(path, {})).body.error]).toEqual([path, unconfirmed]);
  expect((await publish()).body.error).toEqual(unconfirmed);
  await prove();
  for (const path of paths) expect([path, (await user.post(path, {})).status]).not.toEqual([path, 403]);
  expect((await publish()).status).toBe(200);
  expect((await manager.get(`/routing/${mapping.id}`)).body.version).toBe(1);
});
