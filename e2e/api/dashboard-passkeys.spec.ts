// Passkeys in a user's account over HTTP, with an authenticator in software: added, managed, and what is refused.
import { type Visitor, visitor } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { startKillableServer } from '../support/killable-server.ts';
import {
  addPasskey,
  loggedFor,
  passkeyOptions,
  passkeyUser,
  type SoftPasskey,
  signInByPasskey,
  softPasskey,
  type Wrong,
} from '../support/passkeys.ts';
import { expect, test } from '../support/test.ts';
import {
  cookiesOf,
  createUser,
  merchantIds,
  reauthenticatedAs,
  signInWithRetry,
  userPassword,
} from '../support/users.ts';

const expireChallenges = (owner: string) =>
  sql(`update user_verifications set expires_at = now() where identifier like $1`, [`passkey:%${owner}%`]);

test.describe('a passkey is added', () => {
  test('with a check of the user, and the first one with recovery codes', async ({ florin }) => {
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    const other = visitor(florin, cookiesOf((await signInWithRetry(florin, own.email)).headers));
    const begun = await own.visitor.post('/account/passkeys/begin', {});
    expect(begun.body.options).toMatchObject({
      rp: { id: 'localhost', name: 'Florin' },
      user: { id: Buffer.from(own.id).toString('base64url'), name: own.email },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    });
    const first = softPasskey(florin);
    const body = { name: 'Laptop', passkey: first.create(begun.body.options) };
    const done = await own.visitor.post('/account/passkeys/finish', body);
    expect([done.status, done.body.codes.length]).toEqual([200, 10]);
    // The sessions that began without a second factor have ended.
    expect([(await own.visitor.get('/account')).status, (await other.get('/account')).status]).toEqual([200, 401]);

    const challenge = await passkeyOptions(own.visitor, 'confirmation');
    const again = await own.visitor.post('/account/passkeys/begin', { passkey: first.get(challenge) });
    expect(again.body.options.excludeCredentials).toEqual([
      { id: body.passkey.id, transports: ['internal'], type: 'public-key' },
    ]);
    const second = softPasskey(florin).create(again.body.options);
    const added = await own.visitor.post('/account/passkeys/finish', { name: 'Key', passkey: second });
    expect([added.status, added.body.codes]).toEqual([200, null]);
    const { passkeys, secondFactor } = (await own.visitor.get('/account')).body;
    expect(passkeys).toMatchObject([
      { name: 'Laptop', backedUp: false, lastUsedAt: expect.any(String) },
      { name: 'Key', lastUsedAt: null },
    ]);
    expect(secondFactor).toEqual({ ways: ['passkey'], demanded: false, codesLeft: 10 });
    expect(await loggedFor(florin, own.id, 'passkey.')).toEqual(['Added passkey Key', 'Added passkey Laptop']);
  });

  const wrongs: [string, Wrong][] = [
    ['of another origin', { origin: 'https://evil.example' }],
    ['for another host', { rpId: 'evil.example' }],
    ['without a check of the user', { unverified: true }],
  ];
  for (const [what, wrong] of wrongs)
    test(`but not ${what}`, async ({ florin }) => {
      const own = await createUser(florin, 'viewer', merchantIds.plain);
      const { body } = await own.visitor.post('/account/passkeys/begin', {});
      const passkey = softPasskey(florin).create(body.options, wrong);
      const done = await own.visitor.post('/account/passkeys/finish', { name: 'Laptop', passkey });
      expect([done.status, done.body.error.message]).toEqual([400, 'The passkey was not accepted.']);
      expect((await own.visitor.get('/account')).body).toMatchObject({ passkeys: [], secondFactor: { ways: [] } });
    });

  test('once with a challenge, which expires and belongs to the session', async ({ florin }) => {
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    const finish = async (user: Visitor, passkey: object) => {
      const { status, body } = await user.post('/account/passkeys/finish', { name: 'Laptop', passkey });
      return body.error?.message ?? status;
    };
    const expired = 'The setup has expired. Start again.';
    const begin = async () => (await own.visitor.post('/account/passkeys/begin', {})).body.options;
    const other = await createUser(florin, 'viewer', merchantIds.plain);
    const options = await begin();
    expect(await finish(other.visitor, softPasskey(florin).create(options))).toBe(expired);
    const late = await begin();
    const { body } = await own.visitor.get('/account');
    await expireChallenges(body.sessions[0].id);
    expect(await finish(own.visitor, softPasskey(florin).create(late))).toBe(expired);
    const passkey = softPasskey(florin).create(await begin());
    expect(await finish(own.visitor, passkey)).toBe(200);
    expect(await finish(own.visitor, passkey)).toBe(expired);
  });

  test('only after the present second factor, or a recent proof', async ({ florin }) => {
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    await sql(`update user_sessions set confirmed_at = now() - interval '5 minutes' where user_id = $1`, [own.id]);
    const begin = (body: object) => own.visitor.post('/account/passkeys/begin', body);
    const unproved = await begin({});
    expect([unproved.status, unproved.body.error.confirm]).toEqual([403, ['password']]);
    await own.visitor.post('/confirm', { password: userPassword });
    const { passkey } = await addPasskey(own.visitor, florin);
    expect((await begin({})).body.error.fields).toEqual({ code: 'Enter the code.' });
    expect((await begin({ code: '000000' })).body.error.fields.code).toMatch(/Wrong code/);
    expect((await begin({ passkey: passkey.get(await passkeyOptions(own.visitor, 'confirmation')) })).status).toBe(200);
  });

  test('up to ten times, and never again by another user', async ({ florin }) => {
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    const begun = await own.visitor.post('/account/passkeys/begin', {});
    const { passkey, codes } = await addPasskey(own.visitor, florin);
    const other = await createUser(florin, 'viewer', merchantIds.plain);
    const { options } = (await other.visitor.post('/account/passkeys/begin', {})).body;
    const taken = await other.visitor.post('/account/passkeys/finish', { name: 'X', passkey: passkey.create(options) });
    expect([taken.status, taken.body.error.message]).toEqual([409, 'This passkey is registered already.']);
    expect((await other.visitor.get('/account')).body.secondFactor.ways).toEqual([]);
    expect((await signInWithRetry(florin, other.email)).body.next).toBe('/dashboard/payments');
    await sql(
      `insert into user_passkeys (id, user_id, name, credential_id, public_key, counter, transports, backed_up, created_at)
       select gen_random_uuid(), $1, 'Copy', md5(random()::text), '', 0, '{}', false, now() from generate_series(1, 9)`,
      [own.id],
    );
    const most = { name: 'Y', passkey: softPasskey(florin).create(begun.body.options) };
    for (const answer of [
      await own.visitor.post('/account/passkeys/finish', most),
      await own.visitor.post('/account/passkeys/begin', { code: codes?.[0] }),
    ])
      expect([answer.status, answer.body.error.message]).toEqual([409, expect.stringMatching(/^You have 10 passkeys/)]);
  });
});

test.describe('passkeys are managed', () => {
  test('by their user: renamed, and removed unless it is the only second factor', async ({ florin }) => {
    const own = await passkeyUser(florin);
    const other = await passkeyUser(florin);
    const at = `/account/passkeys/${own.id}`;
    expect((await other.visitor.post(at, { name: 'Mine' })).status).toBe(404);
    expect((await own.visitor.post(at, { name: '' })).body.error.fields.name).toBe('Enter a name.');
    const renamed = await own.visitor.post(at, { name: ' Work laptop ' });
    expect(renamed.body.passkeys).toMatchObject([{ name: 'Work laptop' }]);
    const proof = async () => ({ passkey: own.passkey.get(await passkeyOptions(own.visitor, 'confirmation')) });
    const only = await own.visitor.post(`${at}/remove`, await proof());
    expect([only.status, only.body.error.message]).toEqual([409, expect.stringMatching(/only second factor/)]);
    const second = await addPasskey(own.visitor, florin, 'Key', await proof());
    expect((await own.visitor.post(`${at}/remove`, {})).body.error.fields.code).toBe('Enter the code.');
    expect((await own.visitor.post(`${at}/remove`, { password: userPassword })).status).toBe(400);
    expect((await other.visitor.post(`${at}/remove`, await proof())).status).toBe(404);
    const removed = await own.visitor.post(`${at}/remove`, await proof());
    expect(removed.body.passkeys).toMatchObject([{ id: second.id, name: 'Key' }]);
    expect(
      (await signInByPasskey(florin, own.passkey.get(await passkeyOptions(visitor(florin), 'sign_in')))).status,
    ).toBe(401);
  });

  test('by their user, who keeps one of two that are removed at once', async ({ florin }) => {
    const own = await passkeyUser(florin);
    const proof = async ({ get }: SoftPasskey) => ({ passkey: get(await passkeyOptions(own.visitor, 'confirmation')) });
    const second = await addPasskey(own.visitor, florin, 'Key', await proof(own.passkey));
    // In two browsers: a proof gives its session another token.
    const signedIn = await signInByPasskey(florin, own.passkey.get(await passkeyOptions(visitor(florin), 'sign_in')));
    const browsers = [own.visitor, visitor(florin, cookiesOf(signedIn.headers))];
    const removals = [[own.id, own.passkey] as const, [second.id, second.passkey] as const].map(
      async ([id, passkey], at) => {
        const browser = browsers[at] ?? own.visitor;
        const proof = { passkey: passkey.get(await passkeyOptions(browser, 'confirmation')) };
        return () => browser.post(`/account/passkeys/${id}/remove`, proof);
      },
    );
    const answers = await Promise.all((await Promise.all(removals)).map((remove) => remove()));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await own.visitor.get('/account')).body.passkeys).toHaveLength(1);
  });

  test('by their user: recovery codes, an authenticator besides, and all turned off', async ({ florin }) => {
    const own = await passkeyUser(florin);
    const proof = async () => ({ passkey: own.passkey.get(await passkeyOptions(own.visitor, 'confirmation')) });
    const send = async (path: string, more = {}) =>
      own.visitor.post(`/account/second-factor/${path}`, { ...(await proof()), ...more });
    const codes = await send('codes');
    expect(codes.body.codes).toHaveLength(10);
    expect((await own.visitor.post('/confirm', { code: own.codes?.[0] })).status).toBe(400);
    expect((await own.visitor.post('/confirm', { code: codes.body.codes[0] })).status).toBe(200);
    expect((await send('begin')).body.secret).toMatch(/^[A-Z2-7 ]+$/);
    expect((await send('switch-off', { password: 'not this one' })).body.error.fields.password).toMatch(/incorrect/);
    const off = await send('switch-off', { password: userPassword });
    expect(off.body).toMatchObject({ passkeys: [], secondFactor: { ways: [], codesLeft: null } });
    expect((await signInWithRetry(florin, own.email)).body.next).toBe('/dashboard/payments');
  });

  test('by an administrator, who removes the whole second factor', async ({ florin }) => {
    const own = await passkeyUser(florin);
    const administrator = await reauthenticatedAs(florin, 'administrator');
    const find = ({ body }: { body: { people: { id: string; secondFactor: boolean; acts: string[] }[] } }) =>
      body.people.find(({ id }) => id === own.userId);
    const before = find(await administrator.get('/people'));
    expect([before?.secondFactor, before?.acts.includes('second_factor')]).toEqual([true, true]);
    expect(find(await administrator.post(`/people/${own.userId}/second-factor`, {}))?.secondFactor).toBe(false);
    expect((await own.visitor.get('/account')).status).toBe(401);
    expect(
      (await signInByPasskey(florin, own.passkey.get(await passkeyOptions(visitor(florin), 'sign_in')))).status,
    ).toBe(401);
    expect((await signInWithRetry(florin, own.email)).body.next).toBe('/dashboard/payments');
  });
});

test('a passkey is the second factor that a role requires', async ({ florin }) => {
  // Starts a separate server.
  test.slow();
  const own = await createUser(florin, 'account_manager');
  const strict = await startKillableServer({ REQUIRE_SECOND_FACTOR: 'on' });
  try {
    const { body, headers } = await signInWithRetry(strict.url, own.email);
    expect(body.next).toMatch(/^\/dashboard\/sign-in\/second-factor\?/);
    const enrolling = visitor(strict.url, cookiesOf(headers));
    const begun = await enrolling.post('/account/passkeys/begin', {});
    const passkey = softPasskey(strict.url);
    const made = await enrolling.post('/account/passkeys/finish', {
      name: begun.body.name,
      passkey: passkey.create(begun.body.options),
    });
    expect([made.status, made.body.codes.length]).toEqual([200, 10]);
    expect((await enrolling.get('/people')).status).toBe(200);
    const answer = passkey.get(await passkeyOptions(enrolling, 'confirmation'));
    const off = { password: userPassword, passkey: answer };
    expect((await enrolling.post('/account/second-factor/switch-off', off)).status).toBe(409);
    const done = await signInByPasskey(strict.url, passkey.get(await passkeyOptions(visitor(strict.url), 'sign_in')));
    expect((await visitor(strict.url, cookiesOf(done.headers)).get('/people')).status).toBe(200);
  } finally {
    await strict.kill();
  }
});
