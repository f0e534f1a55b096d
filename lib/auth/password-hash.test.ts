import { scryptSync } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { hashPassword as hashOfLibrary } from 'better-auth/crypto';
import { expect, it } from 'vitest';
import {
  countSecrets,
  hashPassword,
  hashSecrets,
  isOutdatedHash,
  removeSecret,
  verifyPassword,
} from './password-hash.ts';

const salt = '00112233445566778899aabbccddeeff';
const password = 'Grüße an 7 Zwerge';

it('a password has its hash, which differs each time and names its parameters', async () => {
  const [hash, other] = await Promise.all([hashPassword(password), hashPassword(password)]);
  expect(hash).toMatch(/^argon2id-19456-2-1:[0-9a-f]{32}:[0-9a-f]{128}$/);
  expect(hash).not.toBe(other);
  expect(isOutdatedHash(hash)).toBe(false);
  expect(await verifyPassword({ hash, password })).toBe(true);
  expect(await verifyPassword({ hash, password: password.normalize('NFD') })).toBe(true);
  expect(await verifyPassword({ hash, password: password.toLowerCase() })).toBe(false);
});

it.each([
  ['better-auth', () => hashOfLibrary(password)],
  [
    'scrypt',
    async () =>
      `scrypt-15-8-3:${salt}:${scryptSync(password, salt, 64, { N: 2 ** 15, r: 8, p: 3, maxmem: 2 ** 27 }).toString('hex')}`,
  ],
])('hashes of earlier releases are verified, and outdated (%s)', async (_name, hashOf) => {
  const hash = await hashOf();
  expect(isOutdatedHash(hash)).toBe(true);
  expect(await verifyPassword({ hash, password })).toBe(true);
  expect(await verifyPassword({ hash, password: `${password}.` })).toBe(false);
});

it('the key is the one that OpenSSL derives', async () => {
  const derived =
    '792fa01bd08802fa53d63f42b2be7bf0c7838e9dc6931c78ec3ad8478ffd7090' +
    '787f737abbaa1383606afa3b1cde4c7f8d7766a146c965ee9cc6fd024c86a7c0';
  expect(await verifyPassword({ hash: `argon2id-19456-2-1:${salt}:${derived}`, password })).toBe(true);
});

it('secrets with one salt are removed one by one, each once', async () => {
  const hashes = await hashSecrets(['first', 'second']);
  expect(hashes).toMatch(/^argon2id-19456-2-1:[0-9a-f]{32}(:[0-9a-f]{128}){2}$/);
  expect([countSecrets(hashes), await removeSecret(hashes, 'third')]).toEqual([2, null]);
  const left = (await removeSecret(hashes, 'first')) ?? '';
  expect([countSecrets(left), await removeSecret(left, 'first')]).toEqual([1, null]);
  const none = (await removeSecret(left, 'second')) ?? '';
  expect([countSecrets(none), await removeSecret(none, 'second')]).toEqual([0, null]);
});

const key = '0'.repeat(128);

it.each(['', ':', 'scrypt-15-8-3:00:00', `scrypt-30-8-3:${salt}:${key}`, `argon2id-1-1-1:${salt}:${key}`])(
  '%j is no hash',
  async (hash) => {
    expect(await verifyPassword({ hash, password })).toBe(false);
  },
);

it('many at once leave threads for other work of the process', async () => {
  let hashed = 0;
  const hashes = Array.from({ length: 12 }, () => hashPassword(password).then(() => hashed++));
  await stat('.');
  // With a hash in each thread the file would wait for nine of them.
  expect(hashed).toBeLessThan(6);
  await Promise.all(hashes);
  expect(hashed).toBe(12);
});
