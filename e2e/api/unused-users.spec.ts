// Users who no longer sign in are deactivated.
import { demoPassword, people, signInPatiently } from '../support/dashboard.ts';
import { sql, whileLocked } from '../support/database-rows.ts';
import { startKillableServer } from '../support/killable-server.ts';
import { expect, test } from '../support/test.ts';
import { createUser, merchantIds, reauthenticatedAs } from '../support/users.ts';

const setSignedIn = (email: string, days: number) =>
  sql(`update users set signed_in_at = now() - make_interval(days => $2) where email = $1`, [email, days]);

const isDisabled = async (email: string) =>
  (await sql('select disabled_at is not null as disabled from users where email = $1', [email]))[0]?.disabled;

test.describe.configure({ mode: 'default' });

test('users who have not signed in for the days of INACTIVE_USER_DAYS are deactivated', async ({ florin }) => {
  const create = (role: string, merchant: string | null) => createUser(florin, role, merchant);
  const recent = await create('viewer', merchantIds.plain);
  const unused = [await create('viewer', merchantIds.plain), await create('administrator', null)];
  await setSignedIn(recent.email, 88);
  for (const { email } of unused) await setSignedIn(email, 91);
  const server = await startKillableServer({ INACTIVE_USER_DAYS: '90', JOBS: 'on' });
  try {
    for (const { id, email, visitor } of unused) {
      await expect.poll(() => isDisabled(email)).toBe(true);
      expect((await visitor.get('/account')).status).toBe(401);
      const query = `select actor, after from audit_entries where action = 'person.disable' and subject = $1`;
      expect(await sql(query, [`user:${id}`])).toEqual([{ actor: 'florin', after: { unusedDays: 90 } }]);
    }
    expect(await isDisabled(recent.email)).toBe(false);
    // A user who is activated again has all days before them.
    const [again] = unused;
    const administrator = await reauthenticatedAs(florin, 'administrator');
    expect((await administrator.post(`/people/${again?.id}/enable`, {})).status).toBe(200);
    const signedIn = "select signed_in_at > now() - interval '1 minute' as recently from users where id = $1";
    expect(await sql(signedIn, [again?.id])).toEqual([{ recently: true }]);
  } finally {
    await server.kill();
  }
  // A sign-in counts as a use.
  await setSignedIn(people.operator, 80);
  expect((await signInPatiently(florin, people.operator, demoPassword())).status).toBe(200);
  const days = 'select extract(day from now() - signed_in_at)::int as days from users where email = $1';
  expect(await sql(days, [people.operator])).toEqual([{ days: 0 }]);
});

test('a user who signs in while others are deactivated stays active', async ({ florin }) => {
  const users = [
    await createUser(florin, 'viewer', merchantIds.plain),
    await createUser(florin, 'viewer', merchantIds.plain),
  ];
  const emails = users.map(({ email }) => email);
  let server: Awaited<ReturnType<typeof startKillableServer>> | undefined;
  const begin = async () => {
    server = await startKillableServer({ INACTIVE_USER_DAYS: '90', JOBS: 'on' });
  };
  for (const email of emails) await setSignedIn(email, 91);
  // The first waits to be logged, and the second signs in.
  const signIn = `update users set signed_in_at = now() where id in
    (select id from users where email = any($1) for update skip locked)`;
  // The transaction that deactivates users has looked for them, and waits on another connection.
  const waiting = `select bool_or(state_change < now() - interval '500 milliseconds') as waits from pg_stat_activity
    join pg_locks using (pid) where locktype = 'advisory' and state = 'idle in transaction'
      and objid::bigint = hashtext('florin.users')::bigint & 4294967295`;
  try {
    await whileLocked('florin.audit', begin, async (client) => {
      await expect.poll(() => sql(waiting)).toEqual([{ waits: true }]);
      await client.query(signIn, [emails]);
    });
    await expect.poll(async () => (await Promise.all(emails.map(isDisabled))).filter(Boolean).length).toBe(1);
  } finally {
    await server?.kill();
  }
});
