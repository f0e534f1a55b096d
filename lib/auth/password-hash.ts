/**
 * Hashes of users' passwords: Argon2id with the parameters of OWASP's cheat sheet. A hash names its form, so that the
 * parameters can be raised: hashes of earlier forms are verified, and replaced at the next sign-in.
 */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { hashRaw } from '@node-rs/argon2';

const scryptKey = promisify<string, string, number, object, Buffer>(scrypt);
const keyBytes = 64;

type Derive = (password: string, salt: string) => Promise<Buffer>;

const scryptOf =
  (N: number, r: number, p: number): Derive =>
  (password, salt) =>
    scryptKey(password, salt, keyBytes, { N, r, p, maxmem: 256 * N * r });

const form = 'argon2id-19456-2-1';

/** The forms by their names: memory in KiB, passes and lanes of Argon2id; log2(N), r and p of scrypt. */
const forms: ReadonlyMap<string, Derive> = new Map([
  [
    form,
    (password, salt) =>
      // Argon2id and version 1.3 are the library's defaults.
      hashRaw(password, {
        memoryCost: 19_456,
        timeCost: 2,
        parallelism: 1,
        outputLen: keyBytes,
        salt: Buffer.from(salt, 'hex'),
      }),
  ],
  ['scrypt-15-8-3', scryptOf(2 ** 15, 8, 3)],
  // better-auth's, of the first releases.
  ['', scryptOf(2 ** 14, 16, 1)],
]);

/** The hash of a password, as `argon2id-19456-2-1:salt:key`. Unicode forms of the same characters are equal (NFKC). */
export const hashPassword = (password: string): Promise<string> => hashSecrets([password]);

/** Whether a password has this hash; false for a malformed hash. */
export async function verifyPassword({ hash, password }: { hash: string; password: string }): Promise<boolean> {
  return (await removeSecret(hash, password)) !== null;
}

/** The hashes of several secrets with one salt, as `argon2id-19456-2-1:salt:key:key`: to check a text takes one hash. */
export async function hashSecrets(secrets: readonly string[]): Promise<string> {
  const salt = randomBytes(16).toString('hex');
  const keys: string[] = [];
  // One after the other, so that a hash of another request waits for one of them only.
  for (const secret of secrets) keys.push((await keyOf(secret, salt, form)).toString('hex'));
  return [form, salt, ...keys].join(':');
}

/** The hashes without that of `typed`; null if there is none, or the hashes are malformed. */
export async function removeSecret(hashes: string, typed: string): Promise<string | null> {
  const [, head, name = '', salt = '', keys = ''] =
    /^((?:([\w-]+):)?([0-9a-f]{32}))((?::[0-9a-f]{128})*)$/.exec(hashes) ?? [];
  if (keys === '' || !forms.has(name)) return null;
  const key = await keyOf(typed, salt, name);
  const all = keys.slice(1).split(':');
  const left = all.filter((each) => !timingSafeEqual(Buffer.from(each, 'hex'), key));
  return left.length < all.length ? [head, ...left].join(':') : null;
}

/** The number of secrets with these hashes; 0 for an empty text. */
export const countSecrets = (hashes: string): number => Math.max(0, hashes.split(':').length - 2);

/** Whether a text is hashes of secrets, and not what releases before 0.2.0 have encrypted. */
export const isHashed = (text: string): boolean => text.includes(':') && forms.has(text.split(':', 1)[0] ?? '');

/** Whether a hash has another form than new ones: it is replaced at the next sign-in. */
export const isOutdatedHash = (hash: string): boolean => !hash.startsWith(`${form}:`);

/**
 * Hashes of one process at a time. Node has four threads for slow work; unauthenticated sign-ins must not take those
 * that look up the names of providers and receivers. Few wait here: the requests that hash wait before
 * (password-turns.ts).
 */
const atOnce = 2;
let running = 0;
const waiting: (() => void)[] = [];

async function keyOf(password: string, salt: string, name: string): Promise<Buffer> {
  const derive = forms.get(name);
  if (!derive) throw new Error(`unknown form of a password hash: ${name}`);
  // A hash that ends gives its place to the one that has waited longest.
  if (running < atOnce) running += 1;
  else await new Promise<void>((go) => waiting.push(go));
  try {
    return await derive(password.normalize('NFKC'), salt);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
