// Recovery codes of a user who set up two-factor authentication with a release before 0.2.0, which encrypted them.
import { scryptSync } from 'node:crypto';
import { symmetricEncrypt } from 'better-auth/crypto';
import { visitor } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { expect, test } from '../support/test.ts';
import { cookiesOf, createUser, enrol, merchantIds, signInWithRetry } from '../support/users.ts';
import { service, startService } from './sets.ts';

test.beforeAll(startService);
test.afterAll(() => service.closeDatabase());

test('codes of earlier releases are accepted once, and hashed by their first use', async ({ florin }) => {
  const { id, email, visitor: own } = await createUser(florin, 'viewer', merchantIds.plain);
  await enrol(own);
  const data = JSON.stringify(['aaaaa-bbbbb', 'ccccc-ddddd']);
  const key = (await service.sessionSecret()).toString('base64');
  const codes = await symmetricEncrypt({ key, data });
  await sql('update user_two_factors set backup_codes = $2 where user_id = $1', [id, codes]);
  const signIn = async (code: string) => {
    const half = visitor(florin, cookiesOf((await signInWithRetry(florin, email)).headers));
    return (await half.post('/sign-in/code', { way: 'recovery', code })).status;
  };
  expect([await signIn('aaaaa-bbbbb'), await signIn('aaaaa-bbbbb'), await signIn('ccccc-ddddd')]).toEqual([
    200, 401, 200,
  ]);
  const [stored] = await sql('select backup_codes from user_two_factors where user_id = $1', [id]);
  expect(stored.backup_codes).toMatch(/^argon2id-19456-2-1:[0-9a-f]{32}$/);
  // Hashes of earlier releases have the form that they name.
  const salt = '00112233445566778899aabbccddeeff';
  const hashed = scryptSync('eeeee-fffff', salt, 64, { N: 2 ** 15, r: 8, p: 3, maxmem: 2 ** 27 }).toString('hex');
  await sql('update user_two_factors set backup_codes = $2 where user_id = $1', [
    id,
    `scrypt-15-8-3:${salt}:${hashed}`,
  ]);
  expect([await signIn('eeeee-fffff'), await signIn('eeeee-fffff')]).toEqual([200, 401]);
  // What another secret of sessions has encrypted stays as it is.
  const foreign = await symmetricEncrypt({ key: 'another secret of sessions', data });
  await sql('update user_two_factors set backup_codes = $2 where user_id = $1', [id, foreign]);
  const half = visitor(florin, cookiesOf((await signInWithRetry(florin, email)).headers));
  const lost = await half.post('/sign-in/code', { way: 'recovery', code: 'aaaaa-bbbbb' });
  expect([lost.status, lost.body.error.message]).toEqual([401, expect.stringContaining('can no longer be checked')]);
});
