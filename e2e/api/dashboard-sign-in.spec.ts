// What protects the sign-in and an unattended browser: passwords that may be chosen, known browsers, the lock of a
// session without use, and the records of failures. Each test creates its own users.
import { type Visitor, visitor, visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { startKillableServer } from '../support/killable-server.ts';
import { expect, test } from '../support/test.ts';
import {
  cookiesOf,
  createUser,
  enrol,
  inviteUser,
  merchantIds,
  signInWithRetry,
  tokenFor,
  userPassword,
} from '../support/users.ts';

/** Makes the session's last use this many minutes old; a sandbox locks a session after 480. */
const leave = (userId: string, minutes: number) =>
  sql('update user_sessions set used_at = now() - make_interval(mins => $2) where user_id = $1', [userId, minutes]);

const usedSecondsAgo = async (userId: string) => {
  const [row] = await sql('select extract(epoch from now() - used_at) as ago from user_sessions where user_id = $1', [
    userId,
  ]);
  return Number(row?.ago);
};

test.describe('a password', () => {
  test('that is common, guessable or has no digit is refused at its field', async ({ florin }) => {
    const { token, email } = await inviteUser(florin, 'operator', merchantIds.plain);
    const take = async (password: string) =>
      (await visitor(florin).post('/invitation', { token, name: 'Ivo', password })).body.error.fields.password;
    // Accepted before, in production too (security review, S-5).
    for (const common of [
      'password1234',
      'Passw0rd1234',
      'qwerty123456',
      'letmein12345',
      'florin123456',
      `${email.slice(0, 12)}1`,
    ])
      expect(await take(common)).toBe('This password is easy to guess. Use several words that do not belong together.');
    expect(await take('123456789012')).toBe('Use at least one letter and one digit.');
    expect(await take('a sentence without a number')).toBe('Use at least one letter and one digit.');
  });

  test('is not one of the last four, by a change and by a link', async ({ florin }) => {
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    const words = (round: number) => `a sentence of my own, ${1900 + round}`;
    const change = (password: string, fresh: string) => own.visitor.post('/account/password', { password, fresh });
    expect((await change(userPassword, words(1))).status).toBe(200);
    expect((await change(words(1), words(2))).status).toBe(200);
    expect((await change(words(2), words(3))).status).toBe(200);
    const used = 'You have used this password before. Choose one that differs from your last four.';
    for (const again of [words(3), words(2), words(1), userPassword])
      expect((await change(words(3), again)).body.error.fields.fresh).toBe(used);
    // Without the current password nothing is said about former ones.
    expect((await change('not this one', words(2))).body.error.fields).toEqual({
      password: expect.stringMatching(/^The password is incorrect\. \d attempts? (is|are) left/),
    });
    await visitor(florin).post('/password/forgotten', { email: own.email });
    await sql('delete from messages where recipient = $1 and subject like $2', [own.email, 'Your invitation%']);
    const token = await tokenFor(florin, own.name);
    const reset = (password: string) => visitor(florin).post('/password/reset', { token, password });
    expect((await reset(words(1))).body.error.fields.password).toBe(used);
    expect((await reset(words(4))).status).toBe(200);
    const [row] = await sql('select count(*)::int as n from former_passwords where user_id = $1', [own.id]);
    expect(row?.n).toBe(3);
    // The first one is the fifth last by now.
    const { headers } = await signInWithRetry(florin, own.email, words(4));
    const again = visitor(florin, cookiesOf(headers));
    expect((await again.post('/account/password', { password: words(4), fresh: userPassword })).status).toBe(200);
  });

  test('is reset by at most three links an hour, however many requests arrive at once', async ({ florin }) => {
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    const ask = () => visitor(florin).post('/password/forgotten', { email: own.email });
    expect((await Promise.all(Array.from({ length: 40 }, ask))).every(({ status }) => status === 200)).toBe(true);
    const count = async () =>
      (
        await sql(`select count(*)::int as n from user_verifications where value = $1 and identifier like 'reset:%'`, [
          own.id,
        ])
      )[0]?.n;
    await expect.poll(count).toBe(3);
    await expect
      .poll(async () => (await sql('select count(*)::int as n from messages where recipient = $1', [own.email]))[0]?.n)
      .toBe(4);
    expect(await count()).toBe(3);
  });
});

test.describe('a browser in which a user has signed in', () => {
  const attempt = async (browser: Visitor, email: string, password: string) => {
    // All tests sign in from one address.
    await sql('delete from sign_in_rates');
    return browser.post('/sign-in', { email, password, next: '/dashboard' });
  };

  test('is not locked out by a stranger who guesses passwords, and is locked by its own failures', async ({
    florin,
  }) => {
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    const other = await createUser(florin, 'viewer', merchantIds.plain);
    const device = /florin_device_[^;]+/.exec(own.visitor.cookie)?.[0] ?? '';
    expect(device).not.toBe('');
    for (let count = 0; count < 10; count += 1) await attempt(visitor(florin), own.email, 'not this one');
    const stranger = await attempt(visitor(florin), own.email, userPassword);
    expect([stranger.status, stranger.body.error.message]).toEqual([429, expect.stringMatching(/locked for/)]);
    // Neither the cookie of another user nor an altered one is known.
    const foreign = /florin_device_[^;]+/.exec(other.visitor.cookie)?.[0] ?? '';
    const renamed = `${device.split('=')[0]}=${foreign.split('=')[1]}`;
    const altered = device.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    for (const cookie of [foreign, renamed, altered])
      expect((await attempt(visitor(florin, cookie), own.email, userPassword)).status).toBe(429);
    expect((await attempt(visitor(florin, device), own.email, userPassword)).status).toBe(200);
    // A sign-in of the known browser does not give the stranger new attempts.
    expect((await attempt(visitor(florin), own.email, userPassword)).status).toBe(429);
    const known = visitor(florin, device);
    for (let count = 0; count < 10; count += 1) await attempt(known, own.email, 'not this one');
    expect((await attempt(known, own.email, userPassword)).status).toBe(429);
    // The mailbox proves who the user is: a new password opens the browser in which it is set, and all unknown ones.
    await known.post('/password/forgotten', { email: own.email });
    await sql('delete from messages where recipient = $1 and subject like $2', [own.email, 'Your invitation%']);
    const fresh = 'a sentence that is new, 1930';
    const reset = { token: await tokenFor(florin, own.name), password: fresh };
    expect((await known.post('/password/reset', reset)).status).toBe(200);
    for (const browser of [known, visitor(florin)]) expect((await attempt(browser, own.email, fresh)).status).toBe(200);
  });

  test('is unknown after a new password, except the one in which it was set', async ({ florin }) => {
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    const device = (cookie: string) => /florin_device_[^;]+/.exec(cookie)?.[0] ?? '';
    const earlier: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      const { status, headers } = await attempt(visitor(florin), own.email, userPassword);
      expect(status).toBe(200);
      earlier.push(device(cookiesOf(headers)));
    }
    expect(new Set(earlier).size).toBe(2);
    const fresh = 'a sentence that is new, 1931';
    const change = { password: userPassword, fresh };
    expect((await own.visitor.post('/account/password', change)).status).toBe(200);
    // Ten failures are all that the earlier browsers have together with every unknown one.
    for (let count = 0; count < 10; count += 1)
      await attempt(visitor(florin, earlier[count % 2]), own.email, 'not this one');
    for (const cookie of [...earlier, ''])
      expect((await attempt(visitor(florin, cookie), own.email, fresh)).status).toBe(429);
    expect((await attempt(visitor(florin, device(own.visitor.cookie)), own.email, fresh)).status).toBe(200);
  });
});

test.describe('a session that is not used', () => {
  test('is locked, and its password unlocks it', async ({ florin }) => {
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    await leave(own.id, 480);
    const locked = await own.visitor.get('/payments');
    expect([locked.status, locked.body.error]).toEqual([
      401,
      { message: 'Your session is locked.', locked: ['password'] },
    ]);
    for (const path of ['/dashboard/payments', '/dashboard/account']) {
      const page = await fetch(florin + path, { headers: { cookie: own.visitor.cookie }, redirect: 'manual' });
      const to = `/dashboard/sign-in/locked?next=${encodeURIComponent(path)}`;
      expect(`${page.headers.get('location')} ${await page.text()}`).toContain(to);
    }
    const unlock = (proof: object) => own.visitor.post('/unlock', proof);
    expect((await unlock({ code: '123456' })).status).toBe(401);
    const wrong = await unlock({ password: 'not this one' });
    expect([wrong.status, wrong.body.error.message]).toEqual([
      401,
      expect.stringMatching(/^The password is incorrect\. 9 attempts/),
    ]);
    expect((await own.visitor.get('/payments')).status).toBe(401);
    expect((await unlock({ password: userPassword })).status).toBe(200);
    expect((await own.visitor.get('/payments')).status).toBe(200);
    const { body } = await (await visitorAs(florin, 'administrator')).get(`/audit-log?on=user:${own.id}`);
    expect(body.rows[0].what).toBe('Unlocked their session');
  });

  test('with a second factor is unlocked by that only', async ({ florin }) => {
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    const { app } = await enrol(own.visitor);
    await leave(own.id, 480);
    expect((await own.visitor.get('/account')).body.error.locked).toEqual(['code']);
    expect((await own.visitor.post('/unlock', { password: userPassword })).status).toBe(401);
    expect((await own.visitor.get('/account')).status).toBe(401);
    expect((await own.visitor.post('/unlock', { code: await app.code() })).status).toBe(200);
    expect((await own.visitor.get('/account')).status).toBe(200);
  });

  test('is not used by the requests that a page sends by itself', async ({ florin }) => {
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    await leave(own.id, 10);
    expect((await own.visitor.get('/attention/counts', { 'florin-unattended': '1' })).status).toBe(200);
    expect(await usedSecondsAgo(own.id)).toBeGreaterThan(500);
    expect((await own.visitor.get('/attention/counts')).status).toBe(200);
    expect(await usedSecondsAgo(own.id)).toBeLessThan(60);
  });
});

test.describe('the audit log has', () => {
  test('each failed sign-in with its address, and no email without an account', async ({ florin }) => {
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    await signInWithRetry(florin, own.email, 'not this one');
    const typed = 'a-secret-in-the-wrong@field.test';
    await signInWithRetry(florin, typed, 'not this one');
    const administrator = await visitorAs(florin, 'administrator');
    const { body } = await administrator.get(`/audit-log?on=user:${own.id}&what=sign_in.failed`);
    expect(body.rows).toMatchObject([
      { what: `Entered a wrong password for ${own.name}`, actor: { name: 'Unauthenticated' }, note: '127.0.0.1' },
    ]);
    // Those without an account are counted: anyone can send any number of them.
    const counted = () =>
      sql(`select 1 from refused_requests where subject = 'email:unknown' and reason = 'the email has no account'
            union all select 1 from audit_entries
             where action = 'sign_in.refused' and after->>'reason' = 'the email has no account'`);
    await expect.poll(async () => (await counted()).length).toBeGreaterThan(0);
    expect(
      await sql(`select 1 from audit_entries where action = 'sign_in.failed' and subject = 'email:unknown'`),
    ).toEqual([]);
    const [found] = await sql(`select count(*)::int as n from audit_entries e where to_jsonb(e)::text like $1`, [
      `%${typed}%`,
    ]);
    expect(found?.n).toBe(0);
  });

  test('each request and each page without the permission', async ({ florin }) => {
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    expect((await own.visitor.post('/merchants', {})).status).toBe(403);
    await fetch(`${florin}/dashboard/people`, { headers: { cookie: own.visitor.cookie } });
    const { body } = await (await visitorAs(florin, 'administrator')).get(`/audit-log?on=user:${own.id}&what=access.`);
    expect(body.rows.map((row: { what: string }) => row.what)).toEqual([
      'Requested GET /dashboard/people (refused)',
      'Requested POST /dashboard/api/merchants (refused)',
    ]);
  });
});

test('sign-ins of one address wait for a few turns only, and those of known browsers and users for none', async ({
  florin,
}) => {
  const own = await createUser(florin, 'viewer', merchantIds.plain);
  const cookies = cookiesOf((await signInWithRetry(florin, own.email)).headers);
  const rates = 'all=100000000 sign_in.address=60';
  const server = await startKillableServer({ RATE_LIMITS: rates, TRUSTED_PROXIES: 'loopback' });
  try {
    const signIn = (email: string, password: string, cookie = '') =>
      visitor(server.url, cookie).post('/sign-in', { email, password }, { 'x-forwarded-for': '198.51.100.79' });
    await sql('delete from sign_in_rates');
    const strangers = Promise.all(
      Array.from({ length: 30 }, (_, at) => signIn(`stranger-${at}@people.test`, 'not this password')),
    );
    // From the same address.
    expect((await signIn(own.email, userPassword, cookies)).status).toBe(200);
    const signedIn = visitor(server.url, own.visitor.cookie);
    expect((await signedIn.post('/confirm', { password: userPassword })).status).toBe(200);
    const answers = await strangers;
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.every(({ status }) => status === 401 || status === 429)).toBe(true);
    expect([refused.length > 0, refused.length < answers.length]).toEqual([true, true]);
    for (const { body, headers } of refused)
      expect([body.error.message, headers.get('retry-after')]).toEqual([
        'Too many attempts from your network. Wait 5 seconds and try again.',
        '5',
      ]);
  } finally {
    await server.kill();
  }
});

test('a wrong password takes as long for an email without an account', async ({ florin }) => {
  const own = await createUser(florin, 'viewer', merchantIds.plain);
  await sql('delete from sign_in_rates');
  for (const email of [own.email, 'stranger@people.test']) {
    const started = performance.now();
    const { status } = await visitor(florin).post('/sign-in', { email, password: 'not this one' });
    expect([status, performance.now() - started >= 400]).toEqual([401, true]);
  }
});
