// Who comes in and how: two steps, locks, invitations, who may give what to whom, and what ends a session. Everybody in
// these tests has an account of their own.
import { demoPassword, type Visitor, visitor, visitorAs } from '../support/dashboard';
import {
  cookiesOf,
  enrol,
  inviteSomebody,
  merchantIds,
  newPerson,
  ownPassword,
  patiently,
  provenAs,
  sql,
  tokenFor,
} from '../support/people';
import { rowsOf } from '../support/table';
import { expect, test } from '../support/test';
import { startVictim } from '../support/victim';

const half = '/dashboard/sign-in/code?next=%2Fdashboard%2Fpayments';

/** The first step of somebody with a second factor: what carries the half-done sign-in. */
async function firstStep(florin: string, email: string): Promise<Visitor> {
  const { status, body, headers } = await patiently(florin, email);
  expect([status, body.next]).toEqual([200, half]);
  return visitor(florin, cookiesOf(headers));
}

const step = (half: Visitor, code: string, way = 'totp') => half.post('/sign-in/code', { way, code });

test.describe('a second factor', () => {
  test('leaves no right between the steps, and takes a code once', async ({ florin }) => {
    const own = await newPerson(florin, 'viewer', merchantIds.plain);
    const { app } = await enrol(own.visitor);
    const first = await firstStep(florin, own.email);
    for (const path of ['/account', '/payments']) expect((await first.get(path)).status).toBe(401);
    expect((await first.post('/confirm', { password: ownPassword })).status).toBe(401);
    const code = await app.code();
    const done = await step(first, code);
    expect(done.status).toBe(200);
    expect((await visitor(florin, cookiesOf(done.headers)).get('/account')).body.email).toBe(own.email);
    // The same half-done sign-in is used up, and so is the code.
    expect((await step(first, await app.code())).body.error.message).toMatch(/has expired/);
    const again = await step(await firstStep(florin, own.email), code);
    expect([again.status, again.body.error.message]).toEqual([401, expect.stringMatching(/already used/)]);
    // Nor is one that came before it.
    const newer = await step(await firstStep(florin, own.email), app.last());
    expect(newer.status).toBe(200);
    expect((await step(await firstStep(florin, own.email), code)).status).toBe(401);
  });

  test('is not gone past by a cookie of nobody', async ({ florin }) => {
    for (const cookie of ['', 'florin.two_factor=2fa-aaaaaaaaaaaaaaaaaaaa.x', 'florin.two_factor=%00']) {
      const answer = await step(visitor(florin, cookie), '123456');
      expect([answer.status, answer.body.error.message]).toEqual([401, expect.stringMatching(/has expired/)]);
    }
  });

  test('is replaced by each recovery code once', async ({ florin }) => {
    const own = await newPerson(florin, 'viewer', merchantIds.plain);
    const { codes } = await enrol(own.visitor);
    expect(codes).toHaveLength(10);
    const done = await step(
      await firstStep(florin, own.email),
      ` ${codes[0]?.toUpperCase().replace('-', ' ')}`,
      'recovery',
    );
    expect(done.status).toBe(200);
    const { body } = await visitor(florin, cookiesOf(done.headers)).get('/account');
    expect(body.secondFactor).toEqual({ on: true, demanded: false, codesLeft: 9 });
    const again = await step(await firstStep(florin, own.email), codes[0] ?? '', 'recovery');
    expect([again.status, again.body.error.message]).toEqual([
      401,
      expect.stringMatching(/is wrong or was already used/),
    ]);
  });

  test('counts its failures apart from those of the password', async ({ florin }) => {
    const own = await newPerson(florin, 'viewer', merchantIds.plain);
    const { app } = await enrol(own.visitor);
    for (let tries = 0; tries < 4; tries += 1) {
      expect((await patiently(florin, own.email, 'not this one')).status).toBe(401);
    }
    const answers = [];
    // Signing in again in between takes nothing back: a right password says nothing about the codes.
    for (let tries = 0; tries < 10; tries += 1) answers.push(await step(await firstStep(florin, own.email), '000000'));
    expect(answers.map(({ status }) => status)).toEqual([...Array(9).fill(401), 429]);
    expect(answers[0]?.body.error.message).toMatch(/9 attempts are left/);
    expect((await step(await firstStep(florin, own.email), await app.code())).status).toBe(429);
  });

  // Each of these takes a code of somebody who has signed in.
  const guesses: [string, string, (code: string) => object][] = [
    ['switched off', '/account/second-factor/switch-off', (code) => ({ password: ownPassword, code })],
    ['replaced', '/account/second-factor/begin', (code) => ({ code })],
    ['given new recovery codes', '/account/second-factor/codes', (code) => ({ code })],
    ['confirmed', '/confirm', (code) => ({ code })],
  ];
  for (const [what, path, bodyOf] of guesses) {
    test(`S-3: is not ${what} with guessed codes: ten wrong ones lock, in a row and at once`, async ({ florin }) => {
      // Every try of some of these hashes a password.
      test.setTimeout(120_000);
      const administrator = await visitorAs(florin, 'administrator');
      const wrong = async (person: Visitor) => (await person.post(path, bodyOf('000000'))).status;
      const inRow = await newPerson(florin, 'viewer', merchantIds.plain);
      const { app } = await enrol(inRow.visitor);
      const statuses = [];
      for (let tries = 0; tries < 25; tries += 1) {
        // The right password, which the person who guesses has, forgets no wrong code.
        if (tries % 4 === 3) await inRow.visitor.post('/confirm', { password: ownPassword });
        statuses.push(await wrong(inRow.visitor));
      }
      expect(statuses).toEqual([...Array(9).fill(400), ...Array(16).fill(429)]);
      const right = await inRow.visitor.post(path, bodyOf(await app.code()));
      expect([right.status, right.body.error.message]).toEqual([429, expect.stringMatching(/locked for 30 minutes/)]);

      const atOnce = await newPerson(florin, 'viewer', merchantIds.plain);
      await enrol(atOnce.visitor);
      const crowd = await Promise.all(Array.from({ length: 40 }, () => wrong(atOnce.visitor)));
      expect(crowd.filter((status) => status === 400).length).toBeLessThan(10);
      // Where passwords are sent too, some of so many at once are refused for those before their code is looked at.
      for (let tries = 0; tries < 10 && (await wrong(atOnce.visitor)) !== 429; tries += 1);
      expect(await wrong(atOnce.visitor)).toBe(429);

      for (const { id } of [inRow, atOnce]) {
        const { body } = await administrator.get(`/audit-log?on=user:${id}&what=proof.`);
        expect(body.rows.map((row: { what: string }) => row.what)).toEqual(Array(10).fill('Entered a wrong code'));
      }
    });
  }

  test('S-3: a right code forgets wrong codes, and the passwords are forgotten by a right password', async ({
    florin,
  }) => {
    const own = await newPerson(florin, 'viewer', merchantIds.plain);
    const { codes } = await enrol(own.visitor);
    const left = async (proof: object) => (await own.visitor.post('/confirm', proof)).body.error?.message ?? 'right';
    for (let tries = 9; tries > 5; tries -= 1) {
      expect(await left({ code: '000000' })).toContain(`${tries} attempts are left`);
      expect(await left({ password: 'not this one' })).toContain(`${tries} attempts are left`);
    }
    expect(await left({ code: codes[0] })).toBe('right');
    expect(await left({ code: '000000' })).toContain('9 attempts are left');
    expect(await left({ password: 'not this one' })).toContain('5 attempts are left');
    expect(await left({ password: ownPassword })).toBe('right');
    expect(await left({ password: 'not this one' })).toContain('9 attempts are left');
    expect(await left({ code: '000000' })).toContain('8 attempts are left');
  });

  test('is replaced, renewed and switched off by whoever has it', async ({ florin }) => {
    const own = await newPerson(florin, 'viewer', merchantIds.plain);
    const { codes } = await enrol(own.visitor);
    const send = (path: string, body: object) => own.visitor.post(`/account/second-factor/${path}`, body);
    expect((await send('begin', {})).status).toBe(400);
    expect((await send('codes', { code: '000000' })).body.error.fields.code).toMatch(/Wrong code/);
    const renewed = await send('codes', { code: codes[0] });
    expect(renewed.body.codes).toHaveLength(10);
    expect((await send('codes', { code: codes[1] })).status).toBe(400);
    expect((await send('begin', { code: renewed.body.codes[0] })).status).toBe(200);
    expect((await send('switch-off', { password: 'not this one', code: renewed.body.codes[1] })).status).toBe(400);
    const off = await send('switch-off', { password: ownPassword, code: renewed.body.codes[1] });
    expect(off.body.secondFactor.on).toBe(false);
    expect((await patiently(florin, own.email)).body.next).toBe('/dashboard/payments');
  });
});

test.describe('where a second factor is demanded', () => {
  test('a manager without one can do nothing but set it up, while an owner goes without', async ({ florin }) => {
    // A server of its own has to start.
    test.slow();
    const owner = await newPerson(florin, 'merchant_owner', merchantIds.plain);
    const own = await newPerson(florin, 'account_manager');
    const strict = await startVictim({ REQUIRE_SECOND_FACTOR: 'on' });
    try {
      const { body, headers } = await patiently(strict.url, own.email);
      expect(body.next).toMatch(/^\/dashboard\/sign-in\/second-factor\?/);
      // By signing in there, and by a session that began where nobody asked for it.
      for (const cookie of [cookiesOf(headers), own.visitor.cookie]) {
        const enrolling = visitor(strict.url, cookie);
        for (const path of ['/payments', '/people', '/account', '/audit-log']) {
          expect((await enrolling.get(path)).status, path).toBe(403);
        }
        expect((await enrolling.post('/confirm', { password: ownPassword })).status).toBe(403);
      }
      const enrolling = visitor(strict.url, cookiesOf(headers));
      const { app, codes } = await enrol(enrolling);
      expect((await enrolling.get('/payments')).status).toBe(200);
      expect((await visitor(strict.url, own.visitor.cookie).get('/payments')).status).toBe(401);
      const off = await enrolling.post('/account/second-factor/switch-off', { password: ownPassword, code: codes[0] });
      expect(off.status).toBe(409);
      expect((await visitor(strict.url, owner.visitor.cookie).get('/payments')).status).toBe(200);
      const done = await step(await firstStep(strict.url, own.email), await app.code());
      expect((await visitor(strict.url, cookiesOf(done.headers)).get('/people')).status).toBe(200);
    } finally {
      await strict.kill();
    }
  });
});

test.describe('an invitation', () => {
  const take = (florin: string, token: string, password = ownPassword) =>
    visitor(florin).post('/invitation', { token, name: 'Ivo', password });

  test('makes one account, with a password that is long enough', async ({ florin }) => {
    const { token, email } = await inviteSomebody(florin, 'operator', merchantIds.plain);
    const short = await take(florin, token, 'short');
    expect(short.body.error.fields.password).toBe('Enter at least 12 characters.');
    const [first, second] = await Promise.all([take(florin, token), take(florin, token)]);
    expect([first.status, second.status].toSorted()).toEqual([200, 410]);
    expect((await take(florin, token)).status).toBe(410);
    const { body } = await visitor(florin, cookiesOf((await patiently(florin, email)).headers)).get('/account');
    expect([body.name, body.role]).toEqual(['Ivo', 'Operator']);
  });

  test('keeps nothing of its link but a digest', async ({ florin }) => {
    const { token, invitationId } = await inviteSomebody(florin, 'viewer', merchantIds.plain);
    const [row] = await sql('select row_to_json(i)::text as line from invitations i where id = $1', [invitationId]);
    expect(row?.line).not.toContain(token);
  });

  test('valid for three days', async ({ florin }) => {
    const { token, invitationId } = await inviteSomebody(florin, 'viewer', merchantIds.plain);
    const [kept] = await sql('select expires_at - created_at as held from invitations where id = $1', [invitationId]);
    expect(kept?.held).toMatchObject({ days: 3 });
    await sql(`update invitations set expires_at = now() - interval '1 second' where id = $1`, [invitationId]);
    expect((await take(florin, token)).status).toBe(410);
    // Sent again it holds again, by a new link alone.
    const administrator = await provenAs(florin, 'administrator');
    expect((await administrator.post(`/people/invitations/${invitationId}/resend`, {})).status).toBe(200);
    expect((await take(florin, token)).status).toBe(410);
  });

  test('is withdrawn, by its own merchant’s people alone', async ({ florin }) => {
    const { token, invitationId } = await inviteSomebody(florin, 'viewer', merchantIds.plain);
    const path = `/people/invitations/${invitationId}/withdraw`;
    expect((await (await visitorAs(florin, 'merchant')).post(path, {})).status).toBe(404);
    expect((await (await visitorAs(florin, 'operator')).post(path, {})).status).toBe(403);
    expect((await (await visitorAs(florin, 'manager')).post(path, {})).status).toBe(200);
    expect((await take(florin, token)).status).toBe(410);
  });

  test('goes to nobody who has an account', async ({ florin }) => {
    const administrator = await provenAs(florin, 'administrator');
    const body = { name: 'X', email: 'Manager@demo.test', role: 'administrator' };
    expect((await administrator.post('/people/invite', body)).status).toBe(409);
  });
});

test('each role is given by who may', async ({ florin }) => {
  const owner = await newPerson(florin, 'merchant_owner', merchantIds.plain);
  const actors: Record<string, Visitor> = {
    administrator: await provenAs(florin, 'administrator'),
    manager: await provenAs(florin, 'manager'),
    owner: owner.visitor,
    operator: await visitorAs(florin, 'operator'),
  };
  const table = rowsOf(`
    role            | of    | administrator | manager | owner | operator
    administrator   | -     | 200 | 403 | 403 | 403
    account_manager | -     | 200 | 403 | 403 | 403
    merchant_owner  | plain | 200 | 200 | 200 | 403
    viewer          | plain | 200 | 200 | 200 | 403
    merchant_owner  | other | 200 | 200 | 403 | 403
    operator        | other | 200 | 200 | 403 | 403
  `);
  const [[, , ...names] = [], ...rows] = table;
  const found: string[][] = [];
  const subject = await newPerson(florin, 'viewer', merchantIds.plain);
  for (const [role = '', of = ''] of rows) {
    const merchantId = merchantIds[of as keyof typeof merchantIds] ?? null;
    const line = [role, of];
    for (const name of names) {
      const answer = await actors[name]?.post(`/people/${subject.id}/role`, { role, merchantId });
      line.push(String(answer?.status));
      // Back to where everybody may reach them, so that only what is given makes the difference.
      const back = { role: 'viewer', merchantId: merchantIds.plain };
      if (answer?.status === 200) await actors.administrator?.post(`/people/${subject.id}/role`, back);
    }
    found.push(line);
  }
  expect(found).toEqual(rows);
});

test('people are changed by who may, within their own merchant, and never by themselves', async ({ florin }) => {
  const owner = await newPerson(florin, 'merchant_owner', merchantIds.plain);
  const viewerOwn = await newPerson(florin, 'viewer', merchantIds.plain);
  const viewerOther = await newPerson(florin, 'viewer', merchantIds.other);
  const manager = await newPerson(florin, 'account_manager');
  const administrator = await newPerson(florin, 'administrator');
  const actors: Record<string, Visitor> = {
    owner: owner.visitor,
    manager: manager.visitor,
    administrator: administrator.visitor,
    operator: await visitorAs(florin, 'operator'),
  };
  const subjects: Record<string, string> = {
    own: viewerOwn.id,
    other: viewerOther.id,
    owner: owner.id,
    manager: manager.id,
    administrator: administrator.id,
  };
  const table = rowsOf(`
    act           | on            | owner | manager | administrator | operator
    sessions      | other         | 404   | 200 | 200 | 403
    sessions      | own           | 200   | 200 | 200 | 403
    second-factor | own           | 403   | 403 | 200 | 403
    disable       | other         | 404   | 200 | 200 | 403
    enable        | other         | 404   | 200 | 200 | 403
    disable       | manager       | 404   | 403 | -   | 403
    disable       | administrator | 404   | 403 | 403 | 403
    disable       | owner         | 403   | -   | -   | 403
  `);
  const [[, , ...names] = [], ...rows] = table;
  for (const [act = '', on = '', ...wanted] of rows) {
    for (const [place, name] of names.entries()) {
      if (wanted[place] === '-') continue;
      const answer = await actors[name]?.post(`/people/${subjects[on]}/${act}`, {});
      expect(String(answer?.status), `${name}: ${act} ${on}`).toBe(wanted[place]);
    }
  }
});

test.describe('a session ends', () => {
  test('when its person is switched off, and none begins', async ({ florin }) => {
    const own = await newPerson(florin, 'viewer', merchantIds.plain);
    const administrator = await provenAs(florin, 'administrator');
    expect((await own.visitor.get('/payments')).status).toBe(200);
    expect((await administrator.post(`/people/${own.id}/disable`, {})).status).toBe(200);
    expect((await own.visitor.get('/payments')).status).toBe(401);
    expect((await patiently(florin, own.email)).status).toBe(401);
    await administrator.post(`/people/${own.id}/enable`, {});
    expect((await own.visitor.get('/payments')).status).toBe(401);
    expect((await patiently(florin, own.email)).status).toBe(200);
  });

  test('when its person gets another role', async ({ florin }) => {
    const own = await newPerson(florin, 'merchant_owner', merchantIds.plain);
    const administrator = await provenAs(florin, 'administrator');
    const body = { role: 'viewer', merchantId: merchantIds.plain };
    expect((await administrator.post(`/people/${own.id}/role`, body)).status).toBe(200);
    expect((await own.visitor.get('/people')).status).toBe(401);
  });

  test.describe('some hours after the sign-in, however much it is used', () => {
    for (const [role, merchantId, hours] of [
      ['viewer', merchantIds.plain, 24],
      ['account_manager', null, 12],
    ] as const) {
      test(`${hours} for the role ${role}`, async ({ florin }) => {
        const own = await newPerson(florin, role, merchantId);
        const age = (minutes: number) =>
          sql(`update user_sessions set created_at = now() - make_interval(mins => $2) where user_id = $1`, [
            own.id,
            minutes,
          ]);
        await age(hours * 60 - 2);
        expect((await own.visitor.get('/payments')).status).toBe(200);
        await age(hours * 60);
        expect((await own.visitor.get('/payments')).status).toBe(401);
      });
    }
  });

  test('when its person ends it from another one', async ({ florin }) => {
    const own = await newPerson(florin, 'viewer', merchantIds.plain);
    const second = visitor(florin, cookiesOf((await patiently(florin, own.email)).headers));
    const { sessions } = (await second.get('/account')).body;
    const stranger = await newPerson(florin, 'viewer', merchantIds.plain);
    const others = sessions.filter(({ here }: { here: boolean }) => !here);
    expect((await stranger.visitor.post(`/account/sessions/${others[0].id}/end`, {})).status).toBe(404);
    expect((await second.post('/account/sessions/end-others', {})).body.sessions).toHaveLength(1);
    expect((await own.visitor.get('/account')).status).toBe(401);
    expect((await second.get('/account')).status).toBe(200);
  });

  test('when the password is changed, but for the one that changed it', async ({ florin }) => {
    const own = await newPerson(florin, 'viewer', merchantIds.plain);
    const other = visitor(florin, cookiesOf((await patiently(florin, own.email)).headers));
    const change = (password: string, fresh: string) => own.visitor.post('/account/password', { password, fresh });
    expect((await change('not this one', 'another sentence')).body.error.fields.password).toMatch(
      /password is incorrect/,
    );
    expect((await change(ownPassword, 'short')).body.error.fields.fresh).toBe('Enter at least 12 characters.');
    expect((await change(ownPassword, own.email)).status).toBe(400);
    expect((await change(ownPassword, 'another sentence')).status).toBe(200);
    expect([(await own.visitor.get('/account')).status, (await other.get('/account')).status]).toEqual([200, 401]);
    expect((await patiently(florin, own.email)).status).toBe(401);
  });
});

test('what gives away much asks for a proof of the last five minutes', async ({ florin }) => {
  const own = await newPerson(florin, 'merchant_owner', merchantIds.plain);
  const body = { name: 'X', email: 'nobody', role: 'viewer' };
  expect((await own.visitor.post('/people/invite', body)).status).toBe(400);
  await sql(`update user_sessions set confirmed_at = now() - interval '5 minutes' where user_id = $1`, [own.id]);
  const asked = await own.visitor.post('/people/invite', body);
  expect([asked.status, asked.body.error.confirm]).toEqual([403, true]);
  expect((await own.visitor.get('/confirm')).body.error.confirm).toBe(true);
  const wrong = await own.visitor.post('/confirm', { password: 'not this one' });
  expect([wrong.status, wrong.body.error.fields.password]).toEqual([400, expect.stringMatching(/9 attempts are left/)]);
  expect((await own.visitor.post('/confirm', {})).status).toBe(400);
  expect((await own.visitor.post('/confirm', { password: ownPassword })).status).toBe(200);
  expect((await own.visitor.get('/confirm')).status).toBe(200);
});

test('a forgotten password is replaced by a link, once, and the second factor stays', async ({ florin }) => {
  const own = await newPerson(florin, 'viewer', merchantIds.plain);
  const { app } = await enrol(own.visitor);
  const stranger = visitor(florin);
  const known = await stranger.post('/password/forgotten', { email: own.email });
  const unknown = await stranger.post('/password/forgotten', { email: 'nobody@people.test' });
  expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
  await sql('delete from messages where recipient = $1 and subject like $2', [own.email, 'Your invitation%']);
  const token = await tokenFor(florin, own.name);
  const reset = (password: string) => stranger.post('/password/reset', { token, password });
  expect((await reset('short')).status).toBe(400);
  expect((await reset('a sentence that is new')).status).toBe(200);
  expect((await reset('a sentence that is newer')).status).toBe(410);
  expect((await own.visitor.get('/account')).status).toBe(401);
  const { body, headers } = await patiently(florin, own.email, 'a sentence that is new');
  expect(body.next).toBe(half);
  expect((await step(visitor(florin, cookiesOf(headers)), await app.code())).status).toBe(200);
});

test.describe('the audit log', () => {
  test('tells a change field by field, to those whose merchant it is', async ({ florin }) => {
    const own = await newPerson(florin, 'viewer', merchantIds.plain);
    const owner = await newPerson(florin, 'merchant_owner', merchantIds.plain);
    const administrator = await provenAs(florin, 'administrator');
    await administrator.post(`/people/${own.id}/role`, { role: 'operator', merchantId: merchantIds.plain });
    const path = `/audit-log?on=user:${own.id}&what=person.`;
    const { body } = await owner.visitor.get(path);
    expect(body.total).toBe('1');
    expect(body.rows[0]).toMatchObject({
      what: `Changed the role of ${own.name.split(' ')[0] === 'Ivo' ? own.name : ''} to operator`,
      actor: { name: 'Ada Administrator' },
      changes: true,
      fields: [{ name: 'role', before: 'viewer', after: 'operator' }],
    });
    expect((await administrator.get(path)).body.total).toBe('1');
    expect((await (await visitorAs(florin, 'merchant')).get(path)).body.rows).toEqual([]);
    expect((await (await visitorAs(florin, 'operator')).get(path)).status).toBe(403);
    // By its person, by a value, and by nothing that is there.
    expect((await owner.visitor.get(`${path}&q=${encodeURIComponent(own.name)}`)).body.total).toBe('1');
    expect((await owner.visitor.get(`${path}&q=operator`)).body.total).toBe('1');
    expect((await owner.visitor.get(`${path}&q=%25`)).body.total).toBe('0');
  });

  test('is paged by key', async ({ florin }) => {
    const administrator = await visitorAs(florin, 'administrator');
    const own = await newPerson(florin, 'viewer', merchantIds.plain);
    for (let times = 0; times < 60; times += 1) await own.visitor.post('/account/sessions/end-others', {});
    const path = `/audit-log?who=${own.id}`;
    const first = (await administrator.get(path)).body;
    const older = (await administrator.get(`${path}&after=${first.older}`)).body;
    expect([first.rows.length, first.newer]).toEqual([50, null]);
    expect(Number(first.total)).toBe(first.rows.length + older.rows.length);
    expect(older.older).toBeNull();
    const back = (await administrator.get(`${path}&before=${older.newer}`)).body;
    expect(back.rows).toEqual(first.rows);
  });

  test('is a chain that nobody changes', async ({ florin }) => {
    const administrator = await visitorAs(florin, 'administrator');
    const { status, body } = await administrator.get('/audit-log/chain');
    expect([status, body.brokenAt]).toEqual([200, null]);
    expect(body.head).toMatch(/^[0-9a-f]{64}$/);
    for (const text of [
      'update audit_entries set action = action',
      'delete from audit_entries',
      'truncate audit_entries',
    ]) {
      await expect(sql(text)).rejects.toThrow('append-only');
    }
    expect((await (await visitorAs(florin, 'viewer')).get('/audit-log/chain')).status).toBe(403);
  });
});

test('the demo people’s password opens their account without a second factor', async ({ florin }) => {
  const answer = await patiently(florin, 'manager@demo.test', demoPassword());
  expect([answer.status, answer.body.next]).toEqual([200, '/dashboard/payments']);
});
