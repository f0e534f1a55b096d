// Password guessing at the sign-in. The tests are in this project because a lock ends with time, and because the
// attempts of one address count together: parallel tests must not sign in.
import { demoPassword, people, signInOverHttp, visitor } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { passkeyOptions } from '../support/passkeys.ts';
import { expect, test } from '../support/test.ts';

const minute = 60;

test('ten wrong passwords lock an account for half an hour, for the right one too', async ({ florin, clock }) => {
  for (let left = 9; left > 0; left -= 1) {
    const wrong = await signInOverHttp(florin, people.locked, 'not this one');
    expect(wrong.status).toBe(401);
    expect(wrong.body.error.message).toContain(left === 1 ? '1 attempt is left' : `${left} attempts are left`);
  }
  const last = await signInOverHttp(florin, people.locked.toUpperCase(), 'not this one');
  expect(last.status).toBe(429);
  expect(last.body.error.message).toContain('locked for 30 minutes');
  expect((await signInOverHttp(florin, people.locked, demoPassword())).status).toBe(429);
  await clock.advance(29 * minute);
  expect((await signInOverHttp(florin, people.locked, demoPassword())).status).toBe(429);
  await clock.advance(2 * minute);
  expect((await signInOverHttp(florin, people.locked, demoPassword())).status).toBe(200);
});

test('an unknown e-mail gets the same answer as any other', async ({ florin }) => {
  const email = `nobody-${Date.now()}@example.com`;
  const first = await signInOverHttp(florin, email, 'some password');
  const second = await signInOverHttp(florin, people.viewer, 'some password');
  expect(first.status).toBe(401);
  expect(first.body).toEqual(second.body);
  expect((await signInOverHttp(florin, people.viewer, demoPassword())).status).toBe(200);
});

test('an expired challenge of a passkey is deleted without a sign-in', async ({ florin, clock }) => {
  const [expired, valid] = [
    await passkeyOptions(visitor(florin), 'sign_in'),
    await passkeyOptions(visitor(florin), 'sign_in'),
  ];
  const keyOf = ({ challenge }: { challenge: string }) => `passkey:sign_in::${challenge}`;
  await sql(`update user_verifications set expires_at = now() - interval '1 second' where identifier = $1`, [
    keyOf(expired),
  ]);
  await clock.advance(2 * minute);
  const stored = async () => {
    const rows = await sql('select identifier from user_verifications where identifier = any($1)', [
      [keyOf(expired), keyOf(valid)],
    ]);
    return rows.map(({ identifier }) => identifier);
  };
  await expect.poll(stored).toEqual([keyOf(valid)]);
});

test('many attempts from one address get 429, whatever the password', async ({ florin }) => {
  // The tests before have signed in from this address too.
  await sql('delete from sign_in_rates');
  const statuses = new Set<number>();
  for (let attempts = 0; attempts < 40 && !statuses.has(429); attempts += 1) {
    const { status } = await signInOverHttp(florin, `guess-${attempts}-${Date.now()}@example.com`, 'some password');
    statuses.add(status);
  }
  expect([...statuses]).toEqual([401, 429]);
  const right = await signInOverHttp(florin, people.viewer, demoPassword());
  expect(right.status).toBe(429);
  expect(right.body.error.message).toContain('Wait');
});
