// The token of a session: another one after each proof of identity, and none of a session that was replaced.
import { patiently, visitor } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { expect, test } from '../support/test.ts';
import { cookiesOf, createUser, enrol, merchantIds, userPassword } from '../support/users.ts';

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
