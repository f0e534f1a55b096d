// Changes of a user while something else is under way for them. A sign-in whose credentials are changed meanwhile begins no
// session: what ends the other sessions does not find it. A lock holds the new session between the check and its row.
import { Client } from 'pg';
import type { Visitor } from '../support/dashboard.ts';
import { visitor } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { expect, test } from '../support/test.ts';
import {
  cookiesOf,
  createUser,
  enrol,
  merchantIds,
  type Own,
  signInWithRetry,
  userPassword,
} from '../support/users.ts';
import { serverSettings } from '../support/vault.ts';
import { service, startService } from './sets.ts';

test.beforeAll(startService);
test.afterAll(() => service.closeDatabase());

const fresh = 'another sentence of one’s own, 1930';

/** Begins `signIn`, calls `change` while its session is about to be stored, and returns the answer to the sign-in. */
async function heldBack<T>(own: Own, signIn: () => Promise<T>, change: () => Promise<unknown>): Promise<T> {
  const client = new Client(serverSettings().DATABASE_URL);
  await client.connect();
  const name = `held_${own.id.replaceAll('-', '')}`;
  const key = Math.floor(Math.random() * 2 ** 31);
  try {
    await client.query(`create function ${name}() returns trigger language plpgsql as $$
      begin if new.user_id = '${own.id}' then perform pg_advisory_xact_lock(${key}); end if; return new; end $$`);
    await client.query(`create trigger ${name} before insert on user_sessions for each row execute function ${name}()`);
    await client.query('select pg_advisory_lock($1)', [key]);
    const signing = signIn();
    const waiting = `select from pg_locks where locktype = 'advisory' and objid = ${key} and not granted`;
    await expect.poll(async () => (await client.query(waiting)).rowCount).toBe(1);
    await change();
    await client.query('select pg_advisory_unlock($1)', [key]);
    return await signing;
  } finally {
    await client.query(`drop function if exists ${name} cascade`);
    await client.end();
  }
}

const sessionsOf = async ({ id }: Own) => (await sql('select id from user_sessions where user_id = $1', [id])).length;

async function changePassword({ visitor: own }: Own) {
  expect((await own.post('/account/password', { password: userPassword, fresh })).status).toBe(200);
}

test('no sign-in with the former password', async ({ florin }) => {
  const own = await createUser(florin, 'viewer', merchantIds.plain);
  const answer = await heldBack(
    own,
    () => signInWithRetry(florin, own.email),
    () => changePassword(own),
  );
  expect([answer.status, await sessionsOf(own)]).toEqual([401, 1]);
  expect((await signInWithRetry(florin, own.email, fresh)).status).toBe(200);
});

test('no sign-in without the second factor that is set up meanwhile', async ({ florin }) => {
  const own = await createUser(florin, 'viewer', merchantIds.plain);
  const answer = await heldBack(
    own,
    () => signInWithRetry(florin, own.email),
    () => enrol(own.visitor),
  );
  expect([answer.status, await sessionsOf(own)]).toEqual([401, 1]);
});

test('no sign-in with a code after the former password', async ({ florin }) => {
  const own = await createUser(florin, 'viewer', merchantIds.plain);
  const { codes } = await enrol(own.visitor);
  const half: Visitor = visitor(florin, cookiesOf((await signInWithRetry(florin, own.email)).headers));
  const answer = await heldBack(
    own,
    () => half.post('/sign-in/code', { way: 'recovery', code: codes[0] }),
    () => changePassword(own),
  );
  expect(answer.status).not.toBe(200);
  expect(await sessionsOf(own)).toBe(1);
});

test('a change of role from before a deactivation does not undo it', async ({ florin }) => {
  const { id } = await createUser(florin, 'viewer', merchantIds.plain);
  const seen = await service.findUser(id, null);
  if (!seen) throw new Error('the user is gone');
  const { role, merchantId } = seen;
  expect(await service.updateUser(seen, { role, merchantId, disabledAt: new Date() })).toBe('done');
  expect(await service.updateUser(seen, { role: 'operator', merchantId, disabledAt: null })).toBe('changed');
  expect(await service.findUser(id, null)).toMatchObject({ role: 'viewer', disabledAt: expect.any(Date) });
});
