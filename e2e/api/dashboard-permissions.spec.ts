// Permissions of the dashboard over its API: pages may hide a button, but the server must reject the request.
import { randomUUID } from 'node:crypto';
import {
  demoPassword,
  patiently,
  people,
  signInPatiently,
  type Visitor,
  visitor,
  visitorAs,
} from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { authorise, callbacksOf, pay, untilStatus } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';
import { rowsOf } from '../support/text-table.ts';
import { createUser, merchantIds } from '../support/users.ts';

// Races in the records of money show by chance: no test here is repeated.
test.describe.configure({ retries: 0 });

// Every endpoint with each role's answer for a payment of the merchant `plain`; 409 comes after every permission check
// and rejects the request's contents. `merchant` belongs to another merchant.
const policies = rowsOf(`
  address                      | anonymous | viewer | operator | merchant | manager | administrator
  GET  /payments               | 401       | 200    | 200      | 200      | 200     | 200
  GET  /payments/{payment}     | 401       | 200    | 200      | 404      | 200     | 200
  POST /payments/{payment}/capture | 401   | 403    | 409      | 404      | 409     | 409
  POST /payments/{payment}/refund  | 401   | 403    | 409      | 404      | 409     | 409
  POST /payments/{payment}/void    | 401   | 403    | 409      | 404      | 409     | 409
  POST /callbacks/{callback}/resend | 401  | 403    | 200      | 404      | 200     | 200
`);
const [[, ...roles] = [], ...rows] = policies;

test('every endpoint checks the session and the right', async ({ florin, shop }) => {
  const paid = await pay(shop);
  const manager = await visitorAs(florin, 'manager');
  const { body } = await manager.get(`/payments/${paid.id}`);
  const callback = body.events.find(({ kind }: { kind: string }) => kind === 'callback').id;
  const actual: string[][] = [];
  const wanted: string[][] = [];
  for (const [address = '', ...statuses] of rows) {
    const [method, path = ''] = address.split(/\s+/);
    const real = path.replace('{payment}', paid.id).replace('{callback}', callback);
    const line = [address];
    for (const role of roles) {
      const user = role === 'anonymous' ? visitor(florin) : await visitorAs(florin, role as keyof typeof people);
      // A version that no payment has: the request passes every permission check and moves no money.
      const answer = method === 'GET' ? await user.get(real) : await user.post(real, { version: 999_999 });
      line.push(String(answer.status));
    }
    actual.push(line);
    wanted.push([address, ...statuses]);
  }
  expect(actual).toEqual(wanted);
});

test('a list and a search return no payments of another merchant', async ({ florin, shop, as }) => {
  const email = `${randomUUID()}@example.com`;
  const own = await pay(shop, undefined, { customer: { name: 'Ana Petrović', email } });
  const other = await pay(as('other'), undefined, { customer: { name: 'Ana Petrović', email } });
  const ids = async (name: keyof typeof people, search: string) => {
    const { body } = await (await visitorAs(florin, name)).get(`/payments?q=${encodeURIComponent(search)}`);
    return body.rows.map(({ id }: { id: string }) => id);
  };
  expect(await ids('operator', email)).toEqual([own.id]);
  expect(await ids('merchant', email)).toEqual([]);
  expect(await ids('manager', email)).toEqual([other.id, own.id]);
  expect(await ids('operator', other.id)).toEqual([]);
  expect(await ids('operator', other.order.number)).toEqual([]);
  expect(await ids('manager', other.order.number)).toEqual([other.id]);
});

test("a user's requests for objects of another merchant are in the audit log", async ({ florin, shop }) => {
  const paid = await pay(shop);
  const own = await createUser(florin, 'merchant_owner', merchantIds.other);
  expect((await own.visitor.get(`/payments/${paid.id}`)).status).toBe(404);
  const page = await fetch(`${florin}/dashboard/payments/${paid.id}`, { headers: { cookie: own.visitor.cookie } });
  expect(page.status).toBe(404);
  const recorded = await sql(
    "select after from audit_entries where subject = $1 and action = 'access.refused' order by id",
    [`user:${own.id}`],
  );
  const reason = 'unknown object';
  expect(recorded.map(({ after }) => after)).toEqual([
    { target: 'GET /dashboard/api/payments/:id', reason },
    { target: 'GET /dashboard/payments/:id', reason },
  ]);
});

test('an invalid id is not found', async ({ florin }) => {
  const operator = await visitorAs(florin, 'operator');
  for (const id of [randomUUID(), 'x', "'", '..%2F', '%00', 'a'.repeat(500)]) {
    expect((await operator.get(`/payments/${id}`)).status, id).toBe(404);
    expect((await operator.post(`/callbacks/${id}/resend`, {})).status, id).toBe(404);
  }
});

test.describe('a request must be valid', () => {
  const errors = rowsOf(`
    {}                                     | 400 | version
    {"version": "0"}                       | 400 | version
    {"version": {now}, "amount": "1e1"}    | 400 | amount
    {"version": {now}, "amount": "-1"}     | 400 | amount
    {"version": {now}, "amount": "0"}      | 400 | amount
    {"version": {now}, "amount": "1.001"}  | 400 | amount
    {"version": {now}, "amount": "84.51"}  | 400 | amount
    {"version": {now}, "amount": 1}        | 400 | amount
    {"version": 0, "amount": "1.00"}       | 409 | -
  `);

  test('a refund', async ({ florin, shop, provider }) => {
    const paid = await pay(shop);
    const operator = await visitorAs(florin, 'operator');
    const { version } = (await operator.get(`/payments/${paid.id}`)).body;
    for (const [text = '', status, field] of errors) {
      const body = JSON.parse(text.replace('{now}', version));
      const answer = await operator.post(`/payments/${paid.id}/refund`, body);
      expect(answer.status, text).toBe(Number(status));
      expect(Object.keys(answer.body.error.fields ?? {})[0] ?? '-', text).toBe(field);
    }
    expect(await provider.moved(paid.order.number)).toEqual(['sale 84.50']);
  });

  test('a malformed body', async ({ florin, shop }) => {
    const { id } = await pay(shop);
    const { cookie } = await visitorAs(florin, 'operator');
    const url = `${florin}/dashboard/api/payments/${id}/refund`;
    const headers = { cookie, origin: florin };
    for (const [type, body] of [
      ['text/plain', '{"version":1}'],
      ['application/json', '{"version":'],
      ['application/json', `{"reason":"${'x'.repeat(20_000)}"}`],
      ['application/x-www-form-urlencoded', 'version=1'],
    ]) {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': type as string },
        body,
      });
      expect(answer.status, body?.slice(0, 30)).toBe(400);
    }
  });
});

test('a request repeated under its key moves money once, and returns the page', async ({
  florin,
  shop,
  cardShop,
  provider,
}) => {
  const operator = await visitorAs(florin, 'operator');
  const paid = await pay(shop);
  const { version } = (await operator.get(`/payments/${paid.id}`)).body;
  const body = { version, key: 'opened-1', amount: '5.00', reason: 'Broken' };
  const refunds = await Promise.all([1, 2, 3].map(() => operator.post(`/payments/${paid.id}/refund`, body)));
  expect(refunds.map(({ status }) => status)).toEqual([200, 200, 200]);
  await callbacksOf(shop, paid.order, 2);
  const late = await operator.post(`/payments/${paid.id}/refund`, body);
  expect([late.status, late.body.refunded]).toEqual([200, '5.00']);
  const other = await operator.post(`/payments/${paid.id}/refund`, { ...body, amount: '6.00' });
  expect([other.status, other.body.error.message]).toEqual([
    409,
    'This request was sent before with another amount. Reload the page, review it and try again.',
  ]);
  expect((await operator.post(`/payments/${paid.id}/refund`, { ...body, key: 'opened-2' })).status).toBe(409);
  expect(await provider.moved(paid.order.number)).toEqual(['sale 84.50', 'refund 5.00']);

  const sold = await cardShop.sell({ auth: 'Y' });
  const id = String((await operator.get(`/payments?q=${sold.orderId}`)).body.rows[0].id);
  const authorised = (await operator.get(`/payments/${id}`)).body;
  const release = { version: authorised.version, key: 'opened-1' };
  const releases = [
    await operator.post(`/payments/${id}/void`, release),
    await operator.post(`/payments/${id}/void`, release),
  ];
  expect(releases.map(({ status }) => status)).toEqual([200, 200]);
  // The provider may still carry it out.
  await expect.poll(() => provider.moved(sold.orderId)).toEqual(['authorize 84.50', 'void 84.50']);
  expect((await operator.post(`/payments/${id}/void`, release)).status).toBe(200);
  expect(await provider.moved(sold.orderId)).toEqual(['authorize 84.50', 'void 84.50']);
});

test("only the dashboard's own pages may act", async ({ florin, shop, provider }) => {
  const paid = await pay(shop);
  const operator = await visitorAs(florin, 'operator');
  const { version } = (await operator.get(`/payments/${paid.id}`)).body;
  for (const [name, value] of [
    ['origin', 'https://evil.example'],
    ['origin', 'null'],
    ['sec-fetch-site', 'cross-site'],
    ['sec-fetch-site', 'same-site'],
  ] as const) {
    const answer = await operator.post(`/payments/${paid.id}/refund`, { version }, { [name]: value });
    expect(answer.status, value).toBe(403);
  }
  expect(await provider.moved(paid.order.number)).toEqual(['sale 84.50']);
});

test('values that the database cannot store are rejected everywhere', async ({ florin }) => {
  const operator = await visitorAs(florin, 'operator');
  for (const text of ['q=\0', 'q=\ud800']) {
    for (const [path, body, field] of [
      ['/callbacks/resend', { query: text, dry: true }, 'query'],
      ['/payments/views', { name: text, query: '' }, 'name'],
      ['/payments/views', { name: 'a', query: '', [text]: '' }, undefined],
    ] as const) {
      const { status, body: rejected } = await operator.post(path, body);
      expect([status, Object.keys(rejected.error.fields ?? {})[0]], path).toEqual([400, field]);
    }
    const anonymous = await visitor(florin).post('/invitation', { token: 'a', name: 'Ivo', password: text });
    expect([anonymous.status, anonymous.body.error]).toEqual([400, { message: 'The request is not valid.' }]);
  }
});

test('a form of the sign-in that is not an object is not valid, and a cut link is named', async ({ florin }) => {
  const user = visitor(florin);
  for (const path of ['/invitation', '/password/forgotten', '/password/reset']) {
    const { status, body } = await user.post(path, []);
    expect([path, status, body.error]).toEqual([path, 400, { message: 'The request is not valid.' }]);
  }
  const cut = await user.post('/password/reset', { token: 'cut', password: 'x' });
  expect([cut.status, cut.body.error.fields]).toEqual([400, { token: 'The link is incomplete.' }]);
});

test('a body that is nested too deeply is not valid, with and without a session', async ({ florin }) => {
  const deep = `${'['.repeat(8000)}${']'.repeat(8000)}`;
  const { cookie } = await visitorAs(florin, 'operator');
  const statuses: [string, number][] = [];
  for (const path of ['/payments/views', '/sign-in', '/password/forgotten', '/unlock']) {
    const headers = { 'content-type': 'application/json', origin: florin, cookie };
    const answer = await fetch(`${florin}/dashboard/api${path}`, { method: 'POST', headers, body: deep });
    statuses.push([path, Math.floor(answer.status / 100)]);
  }
  expect(statuses.filter(([, kind]) => kind !== 4)).toEqual([]);
});

test('two identical concurrent decisions move the money once', async ({ florin, shop, provider }) => {
  const paid = await pay(shop);
  const operator = await visitorAs(florin, 'operator');
  const { version } = (await operator.get(`/payments/${paid.id}`)).body;
  const twice = [1, 2, 3].map(() => operator.post(`/payments/${paid.id}/refund`, { version, amount: '10.00' }));
  const statuses = (await Promise.all(twice)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 409, 409]);
  await expect.poll(() => provider.moved(paid.order.number)).toEqual(['sale 84.50', 'refund 10.00']);
});

test('the timeline shows each action with its user and reason', async ({ florin, shop }) => {
  const paid = await authorise(shop);
  const operator = await visitorAs(florin, 'operator');
  const { version } = (await operator.get(`/payments/${paid.id}`)).body;
  const done = await operator.post(`/payments/${paid.id}/capture`, {
    version,
    amount: '80.00',
    reason: 'One was lost',
  });
  expect(done.status).toBe(200);
  const logged = done.body.events.filter(({ kind }: { kind: string }) => kind === 'dashboard');
  expect(logged).toMatchObject([
    { title: 'Capture of 80.00 EUR requested', who: 'Otto Operator', detail: '“One was lost”' },
  ]);
  await untilStatus(shop, paid.id, 'settled');
  const current = (await operator.get(`/payments/${paid.id}`)).body;
  const rejected = await operator.post(`/payments/${paid.id}/capture`, { version: current.version });
  expect(rejected.status).toBe(409);
  expect(rejected.body.error.message).toContain('208003');
});

test('the dashboard returns no card number', async ({ florin, shop }) => {
  const paid = await pay(shop, undefined, { custom_data: { note: 'card 4111 1111 1111 1111', token: 'abc' } });
  const { body } = await (await visitorAs(florin, 'operator')).get(`/payments/${paid.id}`);
  const text = JSON.stringify(body);
  expect(text).toContain('411111 •••• 1111');
  expect(text.replace(/\s/g, '')).not.toContain('4111111111111111');
});

test.describe('a session', () => {
  test('ends when its user signs out', async ({ florin }) => {
    const { cookie } = await signInPatiently(florin, people.viewer, demoPassword());
    const viewer: Visitor = visitor(florin, cookie);
    expect((await viewer.get('/payments')).status).toBe(200);
    const out = await viewer.post('/sign-out', {});
    expect(out.status).toBe(200);
    expect(out.headers.getSetCookie()[0]).toContain('Max-Age=0');
    expect((await viewer.get('/payments')).status).toBe(401);
  });

  test('ends when its browser signs in again', async ({ florin }) => {
    const signIn = async () => (await signInPatiently(florin, people.viewer, demoPassword())).cookie;
    const [first, other] = [visitor(florin, await signIn()), visitor(florin, await signIn())];
    const before = visitor(florin, first.cookie);
    const again = await patiently(() => first.post('/sign-in', { email: people.viewer, password: demoPassword() }));
    expect(again.status).toBe(200);
    expect((await before.get('/payments')).status).toBe(401);
    expect((await other.get('/payments')).status).toBe(200);
  });

  test('cannot be opened with an unsigned cookie', async ({ florin }) => {
    const { cookie } = await visitorAs(florin, 'viewer');
    const [name, value = ''] = cookie.split('=');
    const token = decodeURIComponent(value).split('.')[0];
    for (const forged of [token, `${token}.AAAA`, `${token}.${'A'.repeat(43)}=`, '']) {
      const answer = await visitor(florin, `${name}=${encodeURIComponent(forged ?? '')}`).get('/payments');
      expect(answer.status).toBe(401);
    }
  });

  test('has a cookie that scripts cannot read and other sites do not send', async ({ florin }) => {
    const { headers } = await signInPatiently(florin, people.viewer, demoPassword());
    const line = headers.getSetCookie()[0] ?? '';
    expect(line).toMatch(/Path=\/;/);
    expect(line).toMatch(/HttpOnly/);
    expect(line).toMatch(/SameSite=Lax/);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('cannot be opened by other endpoints of the sign-in library', async ({ florin }) => {
    for (const path of [
      'sign-up/email',
      'sign-in/email',
      'get-session',
      'update-user',
      'request-password-reset',
      'ok',
    ]) {
      const answer = await fetch(`${florin}/dashboard/auth/${path}`, {
        method: 'POST',
        body: '{}',
        redirect: 'manual',
      });
      expect(answer.status, path).toBeGreaterThanOrEqual(400);
    }
  });
});
