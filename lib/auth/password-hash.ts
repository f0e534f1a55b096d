/**
 * Hashes of users' passwords: scrypt with the parameters of OWASP's cheat sheet, which the hash names, so that they can
 * be raised. Hashes without parameters are better-auth's of earlier releases (N = 2^14, r = 16, p = 1).
 */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, string, number, object, Buffer>(scrypt);

const parameters = { log2N: 15, r: 8, p: 3 };
const keyBytes = 64;
const form = `scrypt-${parameters.log2N}-${parameters.r}-${parameters.p}`;

/** The hash of a password, as `scrypt-15-8-3:salt:key`. Unicode forms of the same characters are equal (NFKC). */
export const hashPassword = (password: string): Promise<string> => hashSecrets([password]);

/** Whether a password has this hash; false for a malformed hash. */
export async function verifyPassword({ hash, password }: { hash: string; password: string }): Promise<boolean> {
  return (await removeSecret(hash, password)) !== null;
}

/** The hashes of several secrets with one salt, as `scrypt-15-8-3:salt:key:key`: to check a text takes one hash. */
export async function hashSecrets(secrets: readonly string[]): Promise<string> {
  const salt = randomBytes(16).toString('hex');
  const keys: string[] = [];
  // One after the other, so that a hash of another request waits for one of them only.
  for (const secret of secrets) keys.push((await keyOf(secret, salt, parameters)).toString('hex'));
  return [form, salt, ...keys].join(':');
}

/** The hashes without that of `typed`; null if there is none, or the hashes are malformed. */
export async function removeSecret(hashes: string, typed: string): Promise<string | null> {
  const [, head, log2N = 14, r = 16, p = 1, salt = '', keys = ''] =
    /^((?:scrypt-(\d\d?)-(\d\d?)-(\d\d?):)?([0-9a-f]{32}))((?::[0-9a-f]{128})*)$/.exec(hashes) ?? [];
  if (keys === '') return null;
  const cost = { log2N: Number(log2N), r: Number(r), p: Number(p) };
  const key = await keyOf(typed, salt, cost);
  const all = keys.slice(1).split(':');
  const left = all.filter((each) => !timingSafeEqual(Buffer.from(each, 'hex'), key));
  return left.length < all.length ? [head, ...left].join(':') : null;
}

/** The number of secrets with these hashes; 0 for an empty text. */
export const countSecrets = (hashes: string): number => Math.max(0, hashes.split(':').length - 2);

/** Whether a hash has other parameters than new ones: it is replaced at the next sign-in. */
export const isOutdatedHash = (hash: string): boolean => !hash.startsWith(`${form}:`);

/**
 * Hashes of one process at a time. Node has four threads for slow work; unauthenticated sign-ins must not take those
 * that look up the names of providers and receivers. Few wait here: the requests that hash wait before
 * (password-turns.ts).
 */
const atOnce = 2;
let running = 0;
const waiting: (() => void)[] = [];

async function keyOf(password: string, salt: string, { log2N, r, p }: typeof parameters): Promise<Buffer> {
  const N = 2 ** log2N;
  // A hash that ends gives its place to the one that has waited longest.
  if (running < atOnce) running += 1;
  else await new Promise<void>((go) => waiting.push(go));
  try {
    return await derive(password.normalize('NFKC'), salt, keyBytes, { N, r, p, maxmem: 256 * N * r });
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
