import { stat } from 'node:fs/promises';
import { hashPassword as hashOfLibrary } from 'better-auth/crypto';
import { expect, it } from 'vitest';
import { hashPassword, isOutdatedHash, verifyPassword } from './password-hash.ts';

const password = 'Grüße an 7 Zwerge';

it('a password has its hash, which differs each time and names its parameters', async () => {
  const [hash, other] = await Promise.all([hashPassword(password), hashPassword(password)]);
  expect(hash).toMatch(/^scrypt-15-8-3:[0-9a-f]{32}:[0-9a-f]{128}$/);
  expect(hash).not.toBe(other);
  expect(isOutdatedHash(hash)).toBe(false);
  expect(await verifyPassword({ hash, password })).toBe(true);
  expect(await verifyPassword({ hash, password: password.normalize('NFD') })).toBe(true);
  expect(await verifyPassword({ hash, password: password.toLowerCase() })).toBe(false);
});

it('hashes of earlier releases are verified, and outdated', async () => {
  const hash = await hashOfLibrary(password);
  expect(isOutdatedHash(hash)).toBe(true);
  expect(await verifyPassword({ hash, password })).toBe(true);
  expect(await verifyPassword({ hash, password: `${password}.` })).toBe(false);
});

it.each(['', ':', 'scrypt-15-8-3:00:00', 'scrypt-99999-8-3:'])('%j is no hash', async (hash) => {
  expect(await verifyPassword({ hash, password })).toBe(false);
});

it('many at once leave threads for other work of the process', async () => {
  let hashed = 0;
  const hashes = Array.from({ length: 12 }, () => hashPassword(password).then(() => hashed++));
  await stat('.');
  expect(hashed).toBe(0);
  await Promise.all(hashes);
  expect(hashed).toBe(12);
});
