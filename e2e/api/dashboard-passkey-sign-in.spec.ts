// Signing in, unlocking and confirming with a passkey over HTTP, with an authenticator in software: what is accepted
// once, and everything that is refused.
import { type Visitor, visitor } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import {
  addPasskey,
  loggedFor,
  type PasskeyOptions,
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
  enrol,
  merchantIds,
  reauthenticatedAs,
  signInWithRetry,
  userPassword,
} from '../support/users.ts';

const refused = 'This passkey was not accepted.';

/** The first step of a user with a second factor. */
async function firstStep(florin: string, email: string): Promise<Visitor> {
  return visitor(florin, cookiesOf((await signInWithRetry(florin, email)).headers));
}

test.describe('a sign-in by passkey alone', () => {
  test('starts a session, once for a challenge', async ({ florin }) => {
    const { passkey, email, userId } = await passkeyUser(florin);
    const options = await passkeyOptions(visitor(florin), 'sign_in');
    expect([options.allowCredentials ?? [], options.userVerification]).toEqual([[], 'required']);
    // As passkeys that do not count: the counter does not find the repeated answer.
    const answer = passkey.get(options, { counter: 0 });
    const done = await signInByPasskey(florin, answer, '/dashboard/account');
    expect([done.status, done.body]).toEqual([200, { next: '/dashboard/account' }]);
    const signedIn = visitor(florin, cookiesOf(done.headers));
    expect((await signedIn.get('/account')).body.email).toBe(email);
    expect(signedIn.cookie).toContain('florin_device_');
    const [row] = await sql(
      'select ip_address, user_agent from user_sessions where user_id = $1 order by created_at desc',
      [userId],
    );
    expect([row?.ip_address, row?.user_agent]).toEqual(['127.0.0.1', 'node']);
    // It is a fresh proof.
    expect((await signedIn.get('/confirm')).status).toBe(200);
    const replayed = await signInByPasskey(florin, answer);
    expect([replayed.status, replayed.body.error.message]).toEqual([401, expect.stringContaining(refused)]);
    const log = await loggedFor(florin, userId, 'sign_in');
    expect([log[1], log[0]]).toEqual([
      'Signed in with passkey',
      expect.stringMatching(/^Used an invalid passkey for /),
    ]);
  });

  type Case = (given: { passkey: SoftPasskey; options: PasskeyOptions; other: SoftPasskey; otherId: string }) => object;
  const cases: [string, Case][] = [
    ['of another origin', ({ passkey, options }) => passkey.get(options, { origin: 'https://evil.example' })],
    ['for another host', ({ passkey, options }) => passkey.get(options, { rpId: 'evil.example' })],
    ['without a check of the user', ({ passkey, options }) => passkey.get(options, { unverified: true })],
    ['with another key', ({ passkey, options, other }) => passkey.get(options, { key: other.privateKey })],
    [
      'with a challenge that was not given out',
      ({ passkey, options }) => passkey.get(options, { challenge: Buffer.alloc(32, 7).toString('base64url') }),
    ],
    [
      'in the name of another user',
      ({ passkey, options, otherId }) =>
        passkey.get(options, { userHandle: Buffer.from(otherId).toString('base64url') }),
    ],
    ['without the name of its user', ({ passkey, options }) => passkey.get(options, { userHandle: '' })],
    ['that is not registered', ({ options }) => softPasskey('http://x').get(options)],
    ['that is incomplete', ({ passkey, options }) => ({ ...passkey.get(options), response: { clientDataJSON: 'AA' } })],
  ];
  test('is refused', async ({ florin }) => {
    const own = await passkeyUser(florin);
    const other = await passkeyUser(florin);
    for (const [what, answerOf] of cases) {
      const options = await passkeyOptions(visitor(florin), 'sign_in');
      const given = { passkey: own.passkey, options, other: other.passkey, otherId: other.userId };
      const { status, headers } = await signInByPasskey(florin, answerOf(given));
      expect([what, status, headers.getSetCookie()]).toEqual([what, what === 'that is incomplete' ? 400 : 401, []]);
      // An answer without the fault is accepted.
      await sql('update user_passkeys set counter = 0 where id = $1', [own.id]);
      const right = own.passkey.get(await passkeyOptions(visitor(florin), 'sign_in'));
      expect([what, (await signInByPasskey(florin, right)).status]).toEqual([what, 200]);
    }
  });

  test('is refused with an expired challenge, or one of another use', async ({ florin }) => {
    const { passkey, visitor: own, email } = await passkeyUser(florin);
    const late = await passkeyOptions(visitor(florin), 'sign_in');
    const expired = await sql('update user_verifications set expires_at = now() where identifier = $1 returning id', [
      `passkey:sign_in::${late.challenge}`,
    ]);
    expect(expired).toHaveLength(1);
    expect((await signInByPasskey(florin, passkey.get(late))).status).toBe(401);
    const half = await firstStep(florin, email);
    for (const options of [await passkeyOptions(own, 'confirmation'), await passkeyOptions(half, 'second_step')])
      expect((await signInByPasskey(florin, passkey.get(options))).status).toBe(401);
    const free = await passkeyOptions(visitor(florin), 'sign_in');
    expect((await own.post('/confirm', { passkey: passkey.get(free) })).status).toBe(400);
  });

  test('is refused to a disabled user, and with a removed passkey', async ({ florin }) => {
    const own = await passkeyUser(florin);
    const attempt = async () =>
      (await signInByPasskey(florin, own.passkey.get(await passkeyOptions(visitor(florin), 'sign_in')))).status;
    const administrator = await reauthenticatedAs(florin, 'administrator');
    await administrator.post(`/people/${own.userId}/disable`, {});
    expect(await attempt()).toBe(401);
    await administrator.post(`/people/${own.userId}/enable`, {});
    expect(await attempt()).toBe(200);
    await sql('delete from user_passkeys where id = $1', [own.id]);
    expect(await attempt()).toBe(401);
  });

  test('of a copied passkey is in the audit log', async ({ florin }) => {
    const { passkey, userId, name } = await passkeyUser(florin);
    const options = () => passkeyOptions(visitor(florin), 'sign_in');
    expect((await signInByPasskey(florin, passkey.get(await options(), { counter: 9 }))).status).toBe(200);
    for (const counter of [9, 8])
      expect((await signInByPasskey(florin, passkey.get(await options(), { counter }))).status).toBe(401);
    const text = `Refused passkey Laptop of ${name}: it may be copied, because its counter did not grow`;
    expect(await loggedFor(florin, userId, 'passkey.counter')).toEqual([text, text]);
    // Of two uses at once with the same count one is accepted.
    const answers = [await options(), await options()].map((each) => passkey.get(each, { counter: 10 }));
    const statuses = await Promise.all(answers.map(async (answer) => (await signInByPasskey(florin, answer)).status));
    expect(statuses.toSorted()).toEqual([200, 401]);
  });

  test('that fails ten times locks the second factor', async ({ florin }) => {
    const { passkey, email, userId } = await passkeyUser(florin);
    const { privateKey } = softPasskey(florin);
    const attempt = async (wrong: Wrong = {}) =>
      signInByPasskey(florin, passkey.get(await passkeyOptions(visitor(florin), 'sign_in'), wrong));
    const answers = [];
    for (let count = 0; count < 10; count += 1) answers.push(await attempt({ key: privateKey }));
    expect(answers.map(({ status }) => status)).toEqual([...Array(9).fill(401), 429]);
    expect((await attempt()).body.error.message).toMatch(/locked for 30 minutes/);
    const half = await firstStep(florin, email);
    expect((await half.post('/sign-in/code', { way: 'totp', code: '000000' })).status).toBe(429);
    expect(await loggedFor(florin, userId, 'sign_in.failed')).toHaveLength(10);
  });
});

test.describe('a passkey as the second step', () => {
  test('completes the sign-in, also without an authenticator', async ({ florin }) => {
    const { passkey, email, userId } = await passkeyUser(florin);
    const first = await signInWithRetry(florin, email);
    expect(first.body).toEqual({ next: '/dashboard/sign-in/code?next=%2Fdashboard%2Fpayments', ways: ['passkey'] });
    const half = visitor(florin, cookiesOf(first.headers));
    expect((await half.get('/account')).status).toBe(401);
    const options = await passkeyOptions(half, 'second_step');
    expect(options.allowCredentials).toHaveLength(1);
    const answer = { way: 'passkey', passkey: passkey.get(options) };
    const done = await half.post('/sign-in/code', answer);
    expect((await visitor(florin, cookiesOf(done.headers)).get('/account')).body.email).toBe(email);
    expect((await loggedFor(florin, userId, 'sign_in'))[0]).toBe('Signed in with password and passkey');
    // The pending sign-in is used up.
    expect((await half.post('/sign-in/code', answer)).body.error.message).toMatch(/has expired/);
    expect((await half.post('/passkey-options', { purpose: 'second_step' })).status).toBe(401);
  });

  test('is refused if it is another user’s, or answers another pending sign-in', async ({ florin }) => {
    const own = await passkeyUser(florin);
    const other = await passkeyUser(florin);
    const half = await firstStep(florin, own.email);
    const step = async (passkey: object) => (await half.post('/sign-in/code', { way: 'passkey', passkey })).status;
    expect(await step(other.passkey.get(await passkeyOptions(half, 'second_step')))).toBe(401);
    const elsewhere = await firstStep(florin, own.email);
    expect(await step(own.passkey.get(await passkeyOptions(elsewhere, 'second_step')))).toBe(401);
    expect(await loggedFor(florin, own.userId, 'proof.')).toEqual([
      'Used an invalid passkey',
      'Used an invalid passkey',
    ]);
    // An altered cookie identifies the pending sign-in, and starts no session.
    const forged = visitor(florin, half.cookie.replace(/(two_factor=[\w-]+\.)./, '$1_'));
    const passkey = own.passkey.get(await passkeyOptions(half, 'second_step'));
    expect((await forged.post('/sign-in/code', { way: 'passkey', passkey })).status).toBe(401);
    expect(await step(own.passkey.get(await passkeyOptions(half, 'second_step')))).toBe(200);
  });

  test('is replaced by a recovery code, once each', async ({ florin }) => {
    const { codes, email } = await passkeyUser(florin);
    const step = async (code = '') =>
      (await (await firstStep(florin, email)).post('/sign-in/code', { way: 'recovery', code })).status;
    expect([await step(codes?.[0]), await step(codes?.[0]), await step(codes?.[1])]).toEqual([200, 401, 200]);
  });

  test('is chosen besides an authenticator', async ({ florin }) => {
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    const { app, codes } = await enrol(own.visitor);
    const { passkey, codes: none } = await addPasskey(own.visitor, florin, 'Key', { code: codes[0] });
    expect(none).toBeNull();
    expect((await signInWithRetry(florin, own.email)).body.ways).toEqual(['passkey', 'code']);
    const half = await firstStep(florin, own.email);
    expect((await half.post('/sign-in/code', { way: 'totp', code: await app.code() })).status).toBe(200);
    const again = await firstStep(florin, own.email);
    const answer = passkey.get(await passkeyOptions(again, 'second_step'));
    expect((await again.post('/sign-in/code', { way: 'passkey', passkey: answer })).status).toBe(200);
  });
});

test('a session is unlocked, and the identity confirmed, by a passkey of its user', async ({ florin }) => {
  const own = await passkeyUser(florin);
  const other = await passkeyUser(florin);
  await sql(
    `update user_sessions set used_at = now() - interval '8 hours', confirmed_at = now() - interval '8 hours'
      where user_id = $1`,
    [own.userId],
  );
  expect((await own.visitor.get('/account')).body.error.locked).toEqual(['passkey']);
  const unlock = async (body: object) => (await own.visitor.post('/unlock', body)).status;
  expect(await unlock({ password: userPassword })).toBe(401);
  const foreign = await passkeyOptions(other.visitor, 'confirmation');
  expect(await unlock({ passkey: own.passkey.get(foreign) })).toBe(401);
  expect(await unlock({ passkey: other.passkey.get(await passkeyOptions(own.visitor, 'confirmation')) })).toBe(401);
  // Looking for a passkey does not count as a use.
  expect((await own.visitor.get('/account')).status).toBe(401);
  const answer = own.passkey.get(await passkeyOptions(own.visitor, 'confirmation'), { counter: 0 });
  expect([await unlock({ passkey: answer }), await unlock({ passkey: answer })]).toEqual([200, 401]);
  expect((await own.visitor.get('/account')).status).toBe(200);

  await sql(`update user_sessions set confirmed_at = null where user_id = $1`, [own.userId]);
  expect((await own.visitor.get('/confirm')).body.error.confirm).toEqual(['passkey', 'password']);
  const confirm = async (wrong: Wrong) =>
    (
      await own.visitor.post('/confirm', {
        passkey: own.passkey.get(await passkeyOptions(own.visitor, 'confirmation'), wrong),
      })
    ).status;
  expect(await confirm({ unverified: true })).toBe(400);
  expect((await own.visitor.get('/confirm')).status).toBe(403);
  expect(await confirm({})).toBe(200);
  expect((await own.visitor.get('/confirm')).status).toBe(200);
});
