// Nothing is removed unless the new key encrypts data keys and decrypts them again.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { type KeyEncryption, localKey } from './key-encryption.ts';
import { discardSealed } from './lost-key.ts';

const { ran, source } = vi.hoisted(() => {
  vi.resetModules();
  return { ran: [] as string[], source: {} as KeyEncryption };
});
vi.mock('./key-source.ts', () => ({ keySource: () => ({ setting: 'VAULT_KMS', ...source }) }));
vi.mock('../db/index.ts', async (original) => ({
  ...(await original<typeof import('../db/index.ts')>()),
  statement: (name: string) => async () => {
    ran.push(name);
    return [];
  },
  transaction: (work: (run: unknown) => Promise<unknown>) => work(undefined),
}));

const key = randomBytes(32);
const also = async () => {};

beforeEach(() => {
  ran.length = 0;
  Object.assign(source, localKey(key));
});

it('removes nothing where the key cannot encrypt', async () => {
  source.wrap = () => Promise.reject(new Error('no permission'));
  await expect(discardSealed(also)).rejects.toThrow('no permission');
  expect(ran).toEqual([]);
});

it.each<[string, KeyEncryption['unwrap']]>([
  ['not at all', async () => null],
  [
    'to another key',
    (wrapped, context) =>
      localKey(key)
        .unwrap(wrapped, context)
        .then((bytes) => bytes?.fill(2) ?? null),
  ],
])('removes nothing where what the key encrypts is decrypted %s', async (_how, unwrap) => {
  source.unwrap = unwrap;
  await expect(discardSealed(also)).rejects.toThrow('VAULT_KMS does not decrypt what it has encrypted');
  expect(ran).toEqual([]);
});

it('removes what was sealed, and replaces the keys, once the key has decrypted a key of each purpose', async () => {
  const decrypted: string[] = [];
  source.unwrap = (wrapped, context) => {
    decrypted.push(context);
    expect(ran).toEqual([]);
    return localKey(key).unwrap(wrapped, context);
  };
  await discardSealed(also);
  expect(decrypted).toEqual(['data-key-seal', 'data-key-fingerprint', 'data-key-link', 'data-key-sessions']);
  expect(ran).toEqual(expect.arrayContaining(['lost-key-cards', 'lost-key-replace']));
});

// The files after this one get the modules themselves.
afterAll(() => {
  vi.resetModules();
});
