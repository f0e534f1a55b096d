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

it('secrets with one salt are removed one by one, each once', async () => {
  const hashes = await hashSecrets(['first', 'second']);
  expect(hashes).toMatch(/^scrypt-15-8-3:[0-9a-f]{32}(:[0-9a-f]{128}){2}$/);
  expect([countSecrets(hashes), await removeSecret(hashes, 'third')]).toEqual([2, null]);
  const left = (await removeSecret(hashes, 'first')) ?? '';
  expect([countSecrets(left), await removeSecret(left, 'first')]).toEqual([1, null]);
  const none = (await removeSecret(left, 'second')) ?? '';
  expect([countSecrets(none), await removeSecret(none, 'second')]).toEqual([0, null]);
});

it.each(['', ':', 'scrypt-15-8-3:00:00', 'scrypt-99999-8-3:'])('%j is no hash', async (hash) => {
  expect(await verifyPassword({ hash, password })).toBe(false);
});

it('several secrets of one request do not delay the hash of another by more than one of them', async () => {
  const ended: string[] = [];
  const note = (name: string) => () => ended.push(name);
  const [several, other] = [hashSecrets(['1', '2', '3', '4', '5', '6']), hashPassword(password)];
  await Promise.all([several.then(note('several')), other.then(note('other'))]);
  expect(ended).toEqual(['other', 'several']);
});

it('many at once leave threads for other work of the process', async () => {
  let hashed = 0;
  const hashes = Array.from({ length: 12 }, () => hashPassword(password).then(() => hashed++));
  await stat('.');
  expect(hashed).toBe(0);
  await Promise.all(hashes);
  expect(hashed).toBe(12);
});
