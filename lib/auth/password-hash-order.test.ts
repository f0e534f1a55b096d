// Whose hash comes next, with hashes that end when the test says so.
import { afterAll, expect, it, vi } from 'vitest';

const { started, ends } = vi.hoisted(() => ({ started: [] as string[], ends: [] as (() => void)[] }));
vi.mock('@node-rs/argon2', () => ({
  hashRaw: (password: string) => {
    started.push(password);
    return new Promise<Buffer>((done) => ends.push(() => done(Buffer.alloc(64))));
  },
}));
// Other files of this process have imported the module with the real library.
vi.resetModules();
const { hashPassword, hashSecrets } = await import('./password-hash.ts');
afterAll(() => vi.resetModules());

const endNext = () => {
  ends.shift()?.();
  return new Promise((done) => setImmediate(done));
};

it('several secrets of one request delay the hash of another by one of them only', async () => {
  const all = [hashSecrets(['1', '2', '3']), hashSecrets(['a', 'b', 'c']), hashPassword('other')];
  expect(started).toEqual(['1', 'a']);
  await endNext();
  expect(started).toEqual(['1', 'a', 'other']);
  while (ends.length > 0) await endNext();
  expect(started).toEqual(['1', 'a', 'other', '2', 'b', '3', 'c']);
  await Promise.all(all);
});
