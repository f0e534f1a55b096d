// The token of a session: another one after each proof of identity, and none of a session that was replaced.
import { connect } from 'node:net';
import { patiently, visitor } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { expect, test } from '../support/test.ts';
import {
  cookiesOf,
  createUser,
  enrol,
  merchantIds,
  reauthenticatedAs,
  signInWithRetry,
  userPassword,
} from '../support/users.ts';

test('a proof of identity and an unlocking give the session another token', async ({ florin }) => {
  const own = await createUser(florin, 'merchant_owner', merchantIds.plain);
  const { id } = own;
  const proofs: [string, () => Promise<unknown>][] = [
    ['/confirm', async () => {}],
    ['/unlock', () => sql(`update user_sessions set used_at = now() - interval '8 hours' where user_id = $1`, [id])],
  ];
  for (const [path, prepare] of proofs) {
    await prepare();
    const before = visitor(florin, own.visitor.cookie);
    expect((await own.visitor.post(path, { password: userPassword })).status).toBe(200);
    expect(own.visitor.cookie).not.toBe(before.cookie);
    const late = await before.get('/account');
    // Its answer may arrive after the new cookie, and leaves that alone.
    expect([path, late.status, late.headers.getSetCookie()]).toEqual([path, 401, []]);
    const { status, body } = await own.visitor.get('/account');
    expect([path, status, body.sessions.length]).toEqual([path, 200, 1]);
  }
  // The end of the session stays that of its sign-in.
  const hours =
    'select round(extract(epoch from expires_at - created_at) / 3600)::int as hours from user_sessions where user_id = $1';
  expect(await sql(hours, [id])).toEqual([{ hours: 12 }]);
});

test('a sign-in in two steps ends the session that the browser had', async ({ florin }) => {
  const own = await createUser(florin, 'viewer', merchantIds.plain);
  const { app } = await enrol(own.visitor);
  const former = visitor(florin, own.visitor.cookie);
  const first = await patiently(() => own.visitor.post('/sign-in', { email: own.email, password: userPassword }));
  expect(first.body.next).toBe('/dashboard/sign-in/code?next=%2Fdashboard%2Fpayments');
  expect((await former.get('/account')).status).toBe(401);
  const half = visitor(florin, cookiesOf(first.headers));
  expect((await half.post('/sign-in/code', { way: 'totp', code: await app.code() })).status).toBe(200);
});

/** Sends the beginning of a POST; the returned function sends the rest and gives the status line. */
async function beginPost(florin: string, cookie: string, path: string, body: object): Promise<() => Promise<string>> {
  const { hostname, port, host } = new URL(florin);
  const text = JSON.stringify(body);
  const socket = connect(Number(port), hostname);
  const head = `POST /dashboard/api${path} HTTP/1.1\r\nhost: ${host}\r\norigin: ${florin}\r\ncookie: ${cookie}\r\n`;
  const length = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n`;
  socket.write(`${head}${length}${text.slice(0, 1)}`);
  // The user and the right are checked meanwhile.
  await new Promise((wake) => setTimeout(wake, 500));
  return async () => {
    socket.write(text.slice(1));
    let answer = '';
    for await (const bytes of socket) answer += bytes;
    return answer.split('\r\n')[0] ?? '';
  };
}

test('a request that is finished after its session or right has ended changes nothing', async ({ florin }) => {
  const own = await createUser(florin, 'operator', merchantIds.plain);
  const newView = (name: string, { cookie } = own.visitor) =>
    beginPost(florin, cookie, '/payments/views', { name, query: 'state=settled' });
  const views = () => sql('select name from saved_views where user_id = $1', [own.id]);
  expect(await (await newView('in time'))()).toBe('HTTP/1.1 200 OK');
  const stolen = await newView('after the end of the session');
  const { headers } = await signInWithRetry(florin, own.email);
  const second = visitor(florin, cookiesOf(headers), userPassword);
  expect((await second.post('/account/sessions/end-others', {})).status).toBe(200);
  expect(await stolen()).toBe('HTTP/1.1 401 Unauthorized');
  const former = await newView('after the change of the role', second);
  const administrator = await reauthenticatedAs(florin, 'administrator');
  const role = { role: 'viewer', merchantId: merchantIds.plain };
  expect((await administrator.post(`/people/${own.id}/role`, role)).status).toBe(200);
  expect(await former()).toBe('HTTP/1.1 401 Unauthorized');
  expect(await views()).toEqual([{ name: 'in time' }]);
});

test('sign-outs that others send do not keep a session from ending', async ({ florin }) => {
  const own = await createUser(florin, 'viewer', merchantIds.plain);
  for (let round = 0; round < 11; round += 1) {
    await Promise.all(Array.from({ length: 10 }, () => visitor(florin).post('/sign-out', {})));
  }
  const before = visitor(florin, own.visitor.cookie);
  expect((await own.visitor.post('/sign-out', {})).status).toBe(200);
  expect((await before.get('/account')).status).toBe(401);
});
