// Authentication of dashboard users: two factors, locks, re-authentication, passwords, and the end of sessions. Each
// test creates its own users.

import { demoPassword, type Visitor, visitor, visitorAs } from '../support/dashboard.ts';
import { onConnection, sql } from '../support/database-rows.ts';
import { startKillableServer } from '../support/killable-server.ts';
import { expect, test } from '../support/test.ts';
import { authenticator } from '../support/totp.ts';
import {
  cookiesOf,
  createUser,
  enrol,
  merchantIds,
  reauthenticatedAs,
  signInWithRetry,
  tokenFor,
  userPassword,
} from '../support/users.ts';

const half = '/dashboard/sign-in/code?next=%2Fdashboard%2Fpayments';

/** The first step of a user with a second factor; returns the cookie of the incomplete sign-in. */
async function firstStep(florin: string, email: string): Promise<Visitor> {
  const { status, body, headers } = await signInWithRetry(florin, email);
  expect([status, body.next]).toEqual([200, half]);
  return visitor(florin, cookiesOf(headers));
}

const step = (half: Visitor, code: string, way = 'totp') => half.post('/sign-in/code', { way, code });

test.describe('a second factor', () => {
  test('gives no access between the steps, and accepts a code once', async ({ florin }) => {
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    const { app } = await enrol(own.visitor);
    const first = await firstStep(florin, own.email);
    for (const path of ['/account', '/payments']) expect((await first.get(path)).status).toBe(401);
    expect((await first.post('/confirm', { password: userPassword })).status).toBe(401);
    const code = await app.code();
    const done = await step(first, code);
    expect(done.status).toBe(200);
    expect((await visitor(florin, cookiesOf(done.headers)).get('/account')).body.email).toBe(own.email);
    // Both the incomplete sign-in and the code are used up.
    expect((await step(first, await app.code())).body.error.message).toMatch(/has expired/);
    const repeated = await step(await firstStep(florin, own.email), code);
    expect([repeated.status, repeated.body.error.message]).toEqual([401, expect.stringMatching(/already used/)]);
    // An earlier code is rejected too.
    const newer = await step(await firstStep(florin, own.email), app.last());
    expect(newer.status).toBe(200);
    expect((await step(await firstStep(florin, own.email), code)).status).toBe(401);
  });

  test('cannot be bypassed with a cookie of no user', async ({ florin }) => {
    for (const cookie of [
      '',
      'florin-dashboard.two_factor=2fa-aaaaaaaaaaaaaaaaaaaa.x',
      'florin-dashboard.two_factor=%00',
    ]) {
      const answer = await step(visitor(florin, cookie), '123456');
      expect([answer.status, answer.body.error.message]).toEqual([401, expect.stringMatching(/has expired/)]);
    }
  });

  test('can be replaced by each recovery code once', async ({ florin }) => {
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    const { codes } = await enrol(own.visitor);
    expect(codes).toHaveLength(10);
    const done = await step(
      await firstStep(florin, own.email),
      ` ${codes[0]?.toUpperCase().replace('-', ' ')}`,
      'recovery',
    );
    expect(done.status).toBe(200);
    const { body } = await visitor(florin, cookiesOf(done.headers)).get('/account');
    expect(body.secondFactor).toEqual({ ways: ['code'], demanded: false, codesLeft: 9 });
    const again = await step(await firstStep(florin, own.email), codes[0] ?? '', 'recovery');
    expect([again.status, again.body.error.message]).toEqual([
      401,
      expect.stringMatching(/is wrong or was already used/),
    ]);
    const [stored] = await sql('select backup_codes from user_two_factors where user_id = $1', [own.id]);
    expect(stored.backup_codes).toMatch(/^argon2id-19456-2-1:[0-9a-f]{32}(:[0-9a-f]{128}){9}$/);
    // Of two uses at the same time one is accepted.
    const halves = [await firstStep(florin, own.email), await firstStep(florin, own.email)];
    const both = await Promise.all(halves.map((each) => step(each, codes[1] ?? '', 'recovery')));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  test('counts its failures separately from those of the password', async ({ florin }) => {
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    const { app } = await enrol(own.visitor);
    for (let attempt = 0; attempt < 4; attempt += 1) {
      expect((await signInWithRetry(florin, own.email, 'not this one')).status).toBe(401);
    }
    const answers = [];
    // A new sign-in does not reset the counter: a correct password proves nothing about the codes.
    for (let attempt = 0; attempt < 10; attempt += 1)
      answers.push(await step(await firstStep(florin, own.email), '000000'));
    expect(answers.map(({ status }) => status)).toEqual([...Array(9).fill(401), 429]);
    expect(answers[0]?.body.error.message).toMatch(/9 attempts are left/);
    expect((await step(await firstStep(florin, own.email), await app.code())).status).toBe(429);
  });

  // Each of these accepts a code from a signed-in user.
  const guesses: [string, string, (code: string) => object][] = [
    ['switched off', '/account/second-factor/switch-off', (code) => ({ password: userPassword, code })],
    ['replaced', '/account/second-factor/begin', (code) => ({ code })],
    ['given new recovery codes', '/account/second-factor/codes', (code) => ({ code })],
    ['confirmed', '/confirm', (code) => ({ code })],
  ];
  for (const [what, path, bodyOf] of guesses) {
    test(`is not ${what} with guessed codes: ten wrong codes lock, in sequence and concurrently`, async ({
      florin,
    }) => {
      const administrator = await visitorAs(florin, 'administrator');
      const wrong = async (user: Visitor) => (await user.post(path, bodyOf('000000'))).status;
      const inRow = await createUser(florin, 'viewer', merchantIds.plain);
      const { app } = await enrol(inRow.visitor);
      const statuses = [];
      for (let attempt = 0; attempt < 25; attempt += 1) {
        // The correct password, which the attacker has, does not reset the counter of wrong codes.
        if (attempt % 4 === 3) await inRow.visitor.post('/confirm', { password: userPassword });
        statuses.push(await wrong(inRow.visitor));
      }
      expect(statuses).toEqual([...Array(9).fill(400), ...Array(16).fill(429)]);
      const right = await inRow.visitor.post(path, bodyOf(await app.code()));
      expect([right.status, right.body.error.message]).toEqual([
        429,
        expect.stringMatching(/locked for (29|30) minutes/),
      ]);

      const atOnce = await createUser(florin, 'viewer', merchantIds.plain);
      await enrol(atOnce.visitor);
      const concurrent = await Promise.all(Array.from({ length: 40 }, () => wrong(atOnce.visitor)));
      expect(concurrent.filter((status) => status === 400).length).toBeLessThan(10);
      // If passwords are sent too, the password limit rejects some concurrent requests before their code is checked.
      for (let attempt = 0; attempt < 10 && (await wrong(atOnce.visitor)) !== 429; attempt += 1);
      expect(await wrong(atOnce.visitor)).toBe(429);

      for (const { id } of [inRow, atOnce]) {
        const { body } = await administrator.get(`/audit-log?on=user:${id}&what=proof.`);
        expect(body.rows.map((row: { what: string }) => row.what)).toEqual(Array(10).fill('Entered a wrong code'));
      }
    });
  }

  test('a correct code resets the counter of wrong codes, a correct password that of wrong passwords', async ({
    florin,
  }) => {
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    const { codes } = await enrol(own.visitor);
    const left = async (proof: object) => (await own.visitor.post('/confirm', proof)).body.error?.message ?? 'right';
    for (let attempts = 9; attempts > 5; attempts -= 1) {
      expect(await left({ code: '000000' })).toContain(`${attempts} attempts are left`);
      expect(await left({ password: 'not this one' })).toContain(`${attempts} attempts are left`);
    }
    expect(await left({ code: codes[0] })).toBe('right');
    expect(await left({ code: '000000' })).toContain('9 attempts are left');
    expect(await left({ password: 'not this one' })).toContain('5 attempts are left');
    expect(await left({ password: userPassword })).toBe('right');
    expect(await left({ password: 'not this one' })).toContain('9 attempts are left');
    expect(await left({ code: '000000' })).toContain('8 attempts are left');
  });

  test('is set up in the session that has its secret, and in no other of the user', async ({ florin }) => {
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    const other = visitor(florin, cookiesOf((await signInWithRetry(florin, own.email)).headers));
    const [started, othersOwn] = [
      await own.visitor.post('/account/second-factor/begin', {}),
      await other.post('/account/second-factor/begin', {}),
    ];
    expect(othersOwn.body.secret).not.toBe(started.body.secret);
    const app = authenticator(started.body.secret);
    const finish = async (session: Visitor) =>
      session.post('/account/second-factor/finish', { code: await app.code() });
    expect((await finish(other)).status).toBe(400);
    expect((await finish(own.visitor)).status).toBe(200);
    expect((await finish(own.visitor)).status).toBe(409);
  });

  test('can be replaced, renewed and switched off by its user', async ({ florin }) => {
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    const { codes } = await enrol(own.visitor);
    const send = (path: string, body: object) => own.visitor.post(`/account/second-factor/${path}`, body);
    expect((await send('begin', {})).status).toBe(400);
    expect((await send('codes', { code: '000000' })).body.error.fields.code).toMatch(/Wrong code/);
    const renewed = await send('codes', { code: codes[0] });
    expect(renewed.body.codes).toHaveLength(10);
    expect((await send('codes', { code: codes[1] })).status).toBe(400);
    expect((await send('begin', { code: renewed.body.codes[0] })).status).toBe(200);
    expect((await send('switch-off', { password: 'not this one', code: renewed.body.codes[1] })).status).toBe(400);
    const off = await send('switch-off', { password: userPassword, code: renewed.body.codes[1] });
    expect(off.body.secondFactor.ways).toEqual([]);
    expect((await signInWithRetry(florin, own.email)).body.next).toBe('/dashboard/payments');
  });
});

test.describe('a required second factor', () => {
  test('a manager without one can only set it up, while an owner does not need it', async ({ florin }) => {
    // Starts a separate server.
    test.slow();
    const owner = await createUser(florin, 'merchant_owner', merchantIds.plain);
    const own = await createUser(florin, 'account_manager');
    const strict = await startKillableServer({ REQUIRE_SECOND_FACTOR: 'on' });
    try {
      const { body, headers } = await signInWithRetry(strict.url, own.email);
      expect(body.next).toMatch(/^\/dashboard\/sign-in\/second-factor\?/);
      // After a sign-in there, and with a session from a server that does not require it.
      for (const cookie of [cookiesOf(headers), own.visitor.cookie]) {
        const enrolling = visitor(strict.url, cookie);
        for (const path of ['/payments', '/people', '/account', '/audit-log']) {
          expect((await enrolling.get(path)).status, path).toBe(403);
        }
        expect((await enrolling.post('/confirm', { password: userPassword })).status).toBe(403);
      }
      const enrolling = visitor(strict.url, cookiesOf(headers));
      const { app, codes } = await enrol(enrolling);
      expect((await enrolling.get('/payments')).status).toBe(200);
      expect((await visitor(strict.url, own.visitor.cookie).get('/payments')).status).toBe(401);
      const off = await enrolling.post('/account/second-factor/switch-off', { password: userPassword, code: codes[0] });
      expect(off.status).toBe(409);
      expect((await visitor(strict.url, owner.visitor.cookie).get('/payments')).status).toBe(200);
      const done = await step(await firstStep(strict.url, own.email), await app.code());
      expect((await visitor(strict.url, cookiesOf(done.headers)).get('/people')).status).toBe(200);
    } finally {
      await strict.kill();
    }
  });
});

test('a second factor can be required of every role', async ({ florin }) => {
  test.slow();
  const own = await createUser(florin, 'viewer', merchantIds.plain);
  const strict = await startKillableServer({ REQUIRE_SECOND_FACTOR: 'merchant_owner viewer' });
  try {
    const enrolling = visitor(strict.url, own.visitor.cookie);
    expect((await enrolling.get('/payments')).status).toBe(403);
    const page = await fetch(`${strict.url}/dashboard/sign-in/second-factor`, {
      headers: { cookie: own.visitor.cookie },
    });
    expect(await page.text()).toContain('Your role (viewer) requires two-factor authentication.');
    await enrol(enrolling);
    expect((await enrolling.get('/payments')).status).toBe(200);
    const manager = await visitorAs(florin, 'manager');
    expect((await visitor(strict.url, manager.cookie).get('/payments')).status).toBe(200);
  } finally {
    await strict.kill();
  }
});

test.describe('a session ends', () => {
  test('when its user is disabled, and no new one starts', async ({ florin }) => {
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    const administrator = await reauthenticatedAs(florin, 'administrator');
    expect((await own.visitor.get('/payments')).status).toBe(200);
    expect((await administrator.post(`/people/${own.id}/disable`, {})).status).toBe(200);
    expect((await own.visitor.get('/payments')).status).toBe(401);
    expect((await signInWithRetry(florin, own.email)).status).toBe(401);
    await administrator.post(`/people/${own.id}/enable`, {});
    expect((await own.visitor.get('/payments')).status).toBe(401);
    expect((await signInWithRetry(florin, own.email)).status).toBe(200);
  });

  test('when its user gets another role', async ({ florin }) => {
    const own = await createUser(florin, 'merchant_owner', merchantIds.plain);
    const administrator = await reauthenticatedAs(florin, 'administrator');
    const body = { role: 'viewer', merchantId: merchantIds.plain };
    expect((await administrator.post(`/people/${own.id}/role`, body)).status).toBe(200);
    expect((await own.visitor.get('/people')).status).toBe(401);
  });

  test('12 hours after the sign-in, even if it is in use', async ({ florin }) => {
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    await sql(`update user_sessions set used_at = now() - interval '2 minutes' where user_id = $1`, [own.id]);
    expect((await own.visitor.get('/payments')).status).toBe(200);
    const [row] = await sql(
      'select extract(epoch from expires_at - created_at) as held from user_sessions where user_id = $1',
      [own.id],
    );
    expect(Math.round(Number(row?.held))).toBe(12 * 3600);
    await sql('update user_sessions set expires_at = now() where user_id = $1', [own.id]);
    const ended = await own.visitor.get('/payments');
    expect([ended.status, ended.body.error.message]).toEqual([401, 'Your session has expired. Sign in again.']);
  });

  test('when its user ends it from another session', async ({ florin }) => {
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    const second = visitor(florin, cookiesOf((await signInWithRetry(florin, own.email)).headers));
    const { sessions } = (await second.get('/account')).body;
    const other = await createUser(florin, 'viewer', merchantIds.plain);
    const others = sessions.filter(({ here }: { here: boolean }) => !here);
    expect((await other.visitor.post(`/account/sessions/${others[0].id}/end`, {})).status).toBe(404);
    expect((await second.post('/account/sessions/end-others', {})).body.sessions).toHaveLength(1);
    expect((await own.visitor.get('/account')).status).toBe(401);
    expect((await second.get('/account')).status).toBe(200);
  });

  test('when the password changes, except for the session that changed it', async ({ florin }) => {
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    const other = visitor(florin, cookiesOf((await signInWithRetry(florin, own.email)).headers));
    const change = (password: string, fresh: string) => own.visitor.post('/account/password', { password, fresh });
    expect((await change('not this one', 'another sentence, 1930')).body.error.fields.password).toMatch(
      /password is incorrect/,
    );
    // Nothing is said about a new password before the identity is proved.
    expect((await change('not this one', 'short')).body.error.fields).toEqual({
      password: expect.stringMatching(/password is incorrect/),
    });
    expect((await change(userPassword, 'short')).body.error.fields.fresh).toBe('Enter at least 12 characters.');
    expect((await change(userPassword, own.email)).status).toBe(400);
    expect((await change(userPassword, 'another sentence, 1930')).status).toBe(200);
    expect([(await own.visitor.get('/account')).status, (await other.get('/account')).status]).toEqual([200, 401]);
    expect((await signInWithRetry(florin, own.email)).status).toBe(401);
  });

  test('except that of a password that was set while another change was in progress', async ({ florin }) => {
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    const account = `user_accounts where user_id = (select id from users where email = '${own.email}')`;
    // A reset by email sets another password between the proof of the old one and the change.
    const status = await onConnection(async (client) => {
      await client.query(`begin; select 1 from ${account} for update`);
      const changing = own.visitor.post('/account/password', {
        password: userPassword,
        fresh: 'another sentence, 1930',
      });
      const waiting = `select 1 from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.query like '%user_accounts%'`;
      await expect.poll(() => sql(waiting).then(({ length }) => length)).toBeGreaterThan(0);
      await client.query(
        `update user_accounts set password = 'another' where id in (select id from ${account}); commit`,
      );
      return (await changing).status;
    });
    expect(status).toBe(409);
    expect(await sql(`select password from ${account}`)).toEqual([{ password: 'another' }]);
  });

  test('before it begins, when the password changes: a sign-in at its second step, and a link to a new password', async ({
    florin,
  }) => {
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    const { app } = await enrol(own.visitor);
    const waiting = await firstStep(florin, own.email);
    const anonymous = visitor(florin);
    await sql('delete from messages where recipient = $1', [own.email]);
    await anonymous.post('/password/forgotten', { email: own.email });
    const token = await tokenFor(florin, own.name);
    const change = { password: userPassword, fresh: 'another sentence, 1930' };
    expect((await own.visitor.post('/account/password', change)).status).toBe(200);
    expect((await step(waiting, await app.code())).body.error.message).toMatch(/has expired/);
    const reset = await anonymous.post('/password/reset', { token, password: 'a sentence that is new, 1931' });
    expect(reset.status).toBe(410);
  });
});

test('sensitive actions require a re-authentication in the last five minutes', async ({ florin }) => {
  const own = await createUser(florin, 'merchant_owner', merchantIds.plain);
  const body = { name: 'X', email: 'nobody', role: 'viewer' };
  expect((await own.visitor.post('/people/invite', body)).status).toBe(400);
  await sql(`update user_sessions set confirmed_at = now() - interval '5 minutes' where user_id = $1`, [own.id]);
  const outdated = await own.visitor.post('/people/invite', { ...body, email: 'nobody@people.test' });
  expect([outdated.status, outdated.body.error.confirm]).toEqual([403, ['password']]);
  expect((await own.visitor.get('/confirm')).body.error.confirm).toEqual(['password']);
  const ending = await own.visitor.post('/account/sessions/end-others', {});
  expect([ending.status, ending.body.error.confirm]).toEqual([403, ['password']]);
  const wrong = await own.visitor.post('/confirm', { password: 'not this one' });
  expect([wrong.status, wrong.body.error.fields.password]).toEqual([400, expect.stringMatching(/9 attempts are left/)]);
  expect((await own.visitor.post('/confirm', {})).status).toBe(400);
  expect((await own.visitor.post('/confirm', { password: userPassword })).status).toBe(200);
  expect((await own.visitor.get('/confirm')).status).toBe(200);
});

test('a forgotten password is reset by a link, once, and the second factor remains', async ({ florin }) => {
  const own = await createUser(florin, 'viewer', merchantIds.plain);
  const { app } = await enrol(own.visitor);
  const anonymous = visitor(florin);
  const known = await anonymous.post('/password/forgotten', { email: own.email });
  const unknown = await anonymous.post('/password/forgotten', { email: 'nobody@people.test' });
  expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
  await sql('delete from messages where recipient = $1 and subject like $2', [own.email, 'Your invitation%']);
  const token = await tokenFor(florin, own.name);
  const administrator = await visitorAs(florin, 'administrator');
  const { body: log } = await administrator.get(`/audit-log?what=password.forgotten&on=user:${own.id}`);
  expect(log.rows).toMatchObject([{ actor: { name: 'Unauthenticated', isUser: false } }]);
  const reset = (password: string) => anonymous.post('/password/reset', { token, password });
  expect((await reset('short')).status).toBe(400);
  expect((await reset('a sentence that is new, 1930')).status).toBe(200);
  expect((await reset('a sentence that is newer, 1931')).status).toBe(410);
  expect((await own.visitor.get('/account')).status).toBe(401);
  const { body, headers } = await signInWithRetry(florin, own.email, 'a sentence that is new, 1930');
  expect(body.next).toBe(half);
  expect((await step(visitor(florin, cookiesOf(headers)), await app.code())).status).toBe(200);
});

test("the seeded users' password signs in without a second factor", async ({ florin }) => {
  const answer = await signInWithRetry(florin, 'manager@demo.test', demoPassword());
  expect([answer.status, answer.body.next]).toEqual([200, '/dashboard/payments']);
});
