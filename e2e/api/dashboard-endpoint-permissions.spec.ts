// Permissions, generated from the dashboard's own table of endpoints: every endpoint with every role, and with the ids
// of another merchant. An endpoint without a policy, or without a foreign id in this test, fails it.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { midBody } from '../support/created-merchants.ts';
import { demoPassword, people, signInPatiently, type Visitor, visitor, visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { pay } from '../support/payment-flows.ts';
import { matchedReport, reportBody } from '../support/settlement-reports.ts';
import { expect, test } from '../support/test.ts';
import { createUser, merchantIds, userPassword } from '../support/users.ts';

type Row = { method: 'GET' | 'POST'; path: string; right: string; confirmed: boolean };

const script = join(import.meta.dirname, '..', '..', 'scripts', 'florin.mjs');
const { guarded, open } = JSON.parse(
  execFileSync(process.execPath, [script, 'routes', '--dashboard'], { encoding: 'utf8' }),
) as { guarded: Row[]; open: string[] };

/** The rights of each role, repeated here because the server's own table is under test. */
const viewers = 'payments.read own.change'.split(' ');
const operators = [
  ...viewers,
  ...'payments.export payments.capture payments.refund payments.void payments.sync schedules.change'.split(' '),
  ...'tokens.remove callbacks.resend developers.read unresolved.close reconciliation.read'.split(' '),
];
const owners = [
  ...operators,
  ...'callbacks.hold developers.send settings.read keys.read keys.change branding.change'.split(' '),
  ...'users.read users.change audit.read reconciliation.write'.split(' '),
];
const managers = [...owners, 'settings.change', 'merchants.create', 'audit.verify'];
const roles: { [who in keyof typeof people]?: string[] } = {
  administrator: managers,
  manager: managers,
  merchant: owners,
  operator: operators,
  viewer: viewers,
};

test('every endpoint has a policy: a right, or an entry in the list of public endpoints', () => {
  expect(open).toEqual([
    'POST /dashboard/api/sign-in',
    'POST /dashboard/api/sign-in/code',
    'POST /dashboard/api/sign-in/passkey',
    'POST /dashboard/api/passkey-options',
    'POST /dashboard/api/unlock',
    'POST /dashboard/api/sign-out',
    'POST /dashboard/api/invitation',
    'POST /dashboard/api/password/forgotten',
    'POST /dashboard/api/password/reset',
  ]);
  expect(guarded.length).toBeGreaterThan(100);
  for (const row of guarded) expect(managers, `${row.method} ${row.path}`).toContain(row.right);
});

/** The path with ids that do not exist. */
const withUnknownIds = (path: string) => path.replace(/:\w+/g, () => randomUUID());

const send = (user: Visitor, { method }: Row, path: string, body: object = {}) =>
  method === 'GET' ? user.get(path) : user.post(path, body);

test('a request without a session reaches nothing, and neither does a page of another site', async ({ florin }) => {
  const anonymous = visitor(florin);
  const owner = await visitorAs(florin, 'merchant');
  for (const row of guarded) {
    expect([row.path, (await send(anonymous, row, withUnknownIds(row.path))).status]).toEqual([row.path, 401]);
    const path = withUnknownIds(row.path);
    const foreign =
      row.method === 'GET'
        ? await owner.get(path, { 'sec-fetch-site': 'cross-site' })
        : await owner.post(path, {}, { origin: 'https://evil.example' });
    expect([row.path, foreign.status, foreign.body.error.message]).toEqual([
      ...[row.path, 403, 'The request comes from another site.'],
    ]);
  }
});

test('a locked session reaches nothing, whatever its requests say of themselves', async ({ florin }) => {
  const own = await createUser(florin, 'merchant_owner', merchantIds.plain);
  await sql("update user_sessions set used_at = now() - interval '480 minutes' where user_id = $1", [own.id]);
  const unattended: Visitor = {
    ...own.visitor,
    get: (path) => own.visitor.get(path, { 'florin-unattended': '1' }),
    post: (path, body) => own.visitor.post(path, body, { 'florin-unattended': '1' }),
  };
  for (const row of guarded)
    for (const browser of [own.visitor, unattended]) {
      const { status, body } = await send(browser, row, withUnknownIds(row.path));
      const error = { message: 'Your session is locked.', locked: ['password'] };
      expect([row.path, status, body]).toEqual([row.path, 401, { error }]);
    }
});

for (const [role, rights] of Object.entries(roles)) {
  test(`${role} reaches what the role allows`, async ({ florin }) => {
    const user = await visitorAs(florin, role as keyof typeof people);
    for (const row of guarded) {
      const endpoint = `${row.method} ${row.path}`;
      if (!rights.includes(row.right)) {
        const { status, body } = await send(user, row, withUnknownIds(row.path));
        expect([endpoint, status, body]).toEqual([
          endpoint,
          403,
          { error: { message: 'Your role does not allow this.' } },
        ]);
      } else if (row.method === 'GET' || row.path.includes(':')) {
        const { status, body } = await send(user, row, withUnknownIds(row.path));
        const isForbidden = status === 401 || (status === 403 && !body?.error?.confirm);
        expect([endpoint, isForbidden, JSON.stringify(body)?.slice(0, 200)]).toEqual([
          endpoint,
          false,
          expect.anything(),
        ]);
      }
    }
  });
}

/** Bodies that are valid for each endpoint, so that only the ownership check can reject them. */
const bodies: { [path: string]: object } = {
  '/payments/:id/capture': { version: 1 },
  '/payments/:id/refund': { version: 1, amount: '1.00' },
  '/payments/:id/void': { version: 1 },
  '/unresolved/:id/close': { decision: 'closed', note: 'Looked up at the provider' },
  '/people/:id/role': { role: 'viewer' },
  '/differences/:id/explain': { note: 'Looked up in the report' },
  '/differences/:id/adjust': { note: 'Looked up in the report', deltaMinor: '0', currency: 'EUR' },
  '/differences/:id/accept': { note: 'Looked up in the report', deltaMinor: '0', currency: 'EUR' },
  '/differences/:id/approve': { deltaMinor: '0', currency: 'EUR' },
  '/settlement-limits/:id': { limits: [] },
  '/merchants/:id/keys': { environment: 'sandbox' },
  '/merchants/:id/keys/:key/rotate': { overlap: '24h' },
};

test("another merchant's ids are not found, and no list contains them", async ({
  florin,
  shop,
  cardShop,
  provider,
}) => {
  // One object of each kind that belongs to payments, at the merchant `plain`.
  await provider.portal((await pay(shop)).order.number, 'decline');
  const first = await cardShop.sell({ recurring_init: 'Y', req_token: 'Y' });
  expect(first.answer.body.recurring_token).toBeTruthy();
  const plan = { name: 'Policy', interval_length: '1', interval_unit: 'month', payments_count: '12' };
  expect((await cardShop.schedule('CREATE_SCHEDULE', plan)).status).toBe(200);
  const administrator = visitor(
    florin,
    `${(await visitorAs(florin, 'administrator')).cookie}; florin_merchant=${merchantIds.plain}`,
  );
  const idsAt = async (path: string): Promise<string[]> => {
    const { status, body } = await administrator.get(path);
    expect([path, status]).toEqual([path, 200]);
    return idsIn(body);
  };
  const lists = ['payments', 'sessions', 'tokens', 'chains', 'schedules', 'callbacks', 'requests', 'mids', 'mappings'];
  const foreign: { [name: string]: string[] } = { merchants: [merchantIds.plain], look: [merchantIds.plain] };
  for (const name of lists) foreign[name] = await idsAt(`/${name}`);
  await expect.poll(() => idsAt('/unresolved')).not.toEqual([]);
  foreign.unresolved = await idsAt('/unresolved');
  foreign.routing = foreign.mappings ?? [];
  // A report of a transaction that is not here: its line is a difference.
  const reported = await administrator.post(
    '/reports',
    reportBody(foreign.mids?.[0] ?? '', [`${randomUUID()},,sale,1.00`]),
  );
  expect([reported.status, reported.body?.kind]).toEqual([200, 'imported']);
  await matchedReport(administrator, reported.body.report.id);
  foreign.reports = await idsAt('/reports');
  foreign.differences = await idsAt('/differences');
  foreign['settlement-mappings'] = foreign.mids ?? [];
  foreign['settlement-limits'] = [merchantIds.plain];
  const { people: all } = (await administrator.get('/people')).body;
  foreign.people = idsIn(all.filter(({ email }: { email: string }) => /^(operator|viewer)@plain\.test$/.test(email)));
  foreign.keys = (await idsAt(`/merchants/${merchantIds.plain}/keys`)).filter((id) => id !== merchantIds.plain);
  const wallets = (await administrator.get('/wallets')).body;
  foreign.wallets = idsIn(wallets).length > 0 ? idsIn(wallets) : [randomUUID()];
  // An owner and an operator of another merchant.
  for (const role of ['merchant_owner', 'operator'] as const) {
    const { visitor: outsider, id: own } = await createUser(florin, role, merchantIds.other);
    await outsider.post('/confirm', { password: 'wrong' });
    for (const row of guarded.filter(({ path }) => path.includes(':'))) await tryForeign(outsider, row, foreign, own);
    for (const row of guarded.filter(({ method, path }) => method === 'GET' && !path.includes(':'))) {
      const { body } = await outsider.get(row.path);
      const text = JSON.stringify(body ?? '');
      const leaked = Object.values(foreign)
        .flat()
        // A user who was moved from another merchant appears in the audit log of both.
        .filter((id) => text.includes(id) && !(row.path.startsWith('/audit-log') && id === merchantIds.plain));
      expect([row.path, leaked]).toEqual([row.path, []]);
    }
  }
});

test("another merchant's ids in bodies and queries are refused, also to a manager who has selected a merchant", async ({
  florin,
  shop,
}) => {
  const { plain, other } = merchantIds;
  const { order } = await pay(shop);
  await shop.shopServer.waitFor(order.number, (all) => all.length > 0);
  // A session of its own: others are renewed by proofs of identity.
  const { cookie } = await signInPatiently(florin, people.administrator, demoPassword());
  const selected = (id: string) => visitor(florin, `${cookie}; florin_merchant=${id}`);
  const [ofPlain, ofOther] = [selected(plain), selected(other)];
  const firstId = async (user: Visitor, path: string) => idsIn((await user.get(path)).body)[0];
  const [payment, mid, mapping] = await Promise.all([
    firstId(ofPlain, `/payments?q=${order.number}`),
    firstId(ofPlain, '/mids'),
    firstId(ofOther, '/mappings'),
  ]);
  const names = { name: `Theme ${randomUUID().slice(0, 8)}`, formIds: [randomUUID().slice(0, 8)] };
  const { body: theme } = await ofPlain.post(`/look/${plain}/themes`, names);
  expect([payment, mid, mapping, theme.id].filter((id) => typeof id !== 'string')).toEqual([]);
  const rule = { id: randomUUID(), name: 'A', enabled: true, conditions: {}, targets: [{ midId: mid, weight: 1 }] };
  const signed = { protocol: 'checkout', action: '/api/v1/session', fields: {}, merchantId: plain };
  const invited = { name: 'A', email: `${randomUUID()}@people.test`, role: 'viewer', merchantId: plain };
  const owner = await createUser(florin, 'merchant_owner', other);
  const subordinate = await createUser(florin, 'viewer', other);
  expect((await owner.visitor.post('/confirm', { password: userPassword })).status).toBe(200);
  const wallet = { kind: 'googlepay', merchant: plain, merchantId: '1', merchantName: 'X', gatewayMerchantId: 'x' };
  // The statuses for the owner of the other merchant, and for the manager who has selected it.
  const posts: [path: string, body: object, ofOwner: number, ofManager: number | null][] = [
    ['/callbacks/hold', { merchantId: plain, address: shop.shopServer.url, held: true }, 404, 404],
    ['/request-builder/sign', signed, 404, 404],
    ['/request-builder/send', signed, 404, 404],
    ['/mappings', { merchantId: plain, protocol: 's2s_apm' }, 403, 404],
    ['/mids', { ...midBody(), merchantId: plain }, 403, 400],
    ['/reports', reportBody(mid ?? '', [`${randomUUID()},,sale,1.00`]), 400, 400],
    ['/wallets', wallet, 403, 404],
    [`/routing/${mapping}/draft`, { version: null, basedOn: 0, rules: [rule] }, 403, 400],
    [`/look/${other}/themes`, { ...names, base: theme.id }, 404, 404],
    [`/look/${other}/themes/${theme.id}`, { version: 0, logo: 'keep' }, 404, 404],
    [`/look/${other}/themes/${theme.id}/delete`, { version: 0 }, 404, 404],
    ['/people/invite', invited, 403, null],
    [`/people/${subordinate.id}/role`, invited, 403, null],
  ];
  for (const [path, body, ofOwner, ofManager] of posts) {
    expect([path, (await owner.visitor.post(path, body)).status]).toEqual([path, ofOwner]);
    if (ofManager) expect([path, (await ofOther.post(path, body)).status]).toEqual([path, ofManager]);
  }
  const found = await ofOther.post('/callbacks/resend', { query: `q=${order.number}&merchant=${plain}`, dry: true });
  expect(found.body.found).toBe(0);
  for (const user of [owner.visitor, ofOther]) {
    for (const path of [
      `/payments?merchant=${plain}&mid=${mid}`,
      `/payments?q=${payment}`,
      `/payments/export?merchant=${plain}`,
      `/payments/count?merchant=${plain}`,
      `/overview?merchant=${plain}`,
      `/mids?merchant=${plain}`,
      `/reports?merchant=${plain}`,
      `/differences?merchant=${plain}`,
      `/request-builder?merchant=${plain}`,
      `/look?merchant=${plain}`,
      `/look?theme=${theme.id}`,
      `/wallets?merchant=${plain}`,
      `/callbacks?q=${payment}`,
      `/audit-log?on=merchant:${plain}`,
    ]) {
      const text = JSON.stringify((await user.get(path)).body);
      const leaked = [payment, mid, theme.id, order.number].filter((id) => text.includes(id) && !path.includes(id));
      expect([path, leaked]).toEqual([path, []]);
    }
  }
});

async function tryForeign(outsider: Visitor, row: Row, foreign: { [name: string]: string[] }, own: string) {
  // Personal objects contain no merchant id.
  if (row.right === 'own.change') return;
  const [, area = ''] = row.path.split('/');
  const name = row.path.startsWith('/people/invitations') ? 'people' : area;
  const ids = (foreign[name] ?? []).filter((id) => id !== own).slice(0, 3);
  expect(ids.length, `${row.path}: the test has no id of another merchant for it`).toBeGreaterThan(0);
  for (const id of ids) {
    const path = row.path
      .replace(':key', foreign.keys?.[0] ?? randomUUID())
      .replace(':slot', 'processing')
      .replace(/:\w+/, id);
    const { status, body } = await send(outsider, row, path, bodies[row.path]);
    expect([row.method, path, status >= 400, JSON.stringify(body)?.includes('"rows"')]).toEqual([
      row.method,
      path,
      true,
      false,
    ]);
    expect(status, `${row.method} ${path}`).not.toBe(500);
  }
}

/** Every `id` in an answer, at any depth. */
function idsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(idsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'id' && typeof inner === 'string' && inner.length > 20 ? [inner] : idsIn(inner),
  );
}
