/** Wraps data keys by the transit engine of HashiCorp Vault: its encrypt and decrypt endpoints. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Env, KmsAddress } from '../config/index.ts';
import type { KeyEncryption } from './key-encryption.ts';
import { askKms, type KmsAnswer, KmsError } from './kms-request.ts';

type Credentials = Pick<Env, 'vaultToken' | 'vaultTokenFile' | 'vaultNamespace'>;

const name = 'HashiCorp Vault';
const encrypted = z.object({ data: z.object({ ciphertext: z.string().startsWith('vault:v') }) });
const decrypted = z.object({ data: z.object({ plaintext: z.base64() }) });

/** Uses a key of an AEAD type, such as aes256-gcm96: the context is sent as `associated_data`. */
export function transit({ engine, key }: KmsAddress & { kind: 'transit' }, credentials: Credentials): KeyEncryption {
  const ask = (operation: 'encrypt' | 'decrypt', context: string, values: Record<string, string>) => {
    const body = JSON.stringify({ ...values, associated_data: Buffer.from(context).toString('base64') });
    const build = async () =>
      new Request(`${engine}/${operation}/${key}`, { method: 'POST', headers: headersOf(credentials), body });
    return askKms(name, build, isTemporary);
  };
  return {
    async wrap(dataKey, context) {
      const answer = await ask('encrypt', context, { plaintext: dataKey.toString('base64') });
      const read = encrypted.safeParse(answer.body);
      if (answer.status !== 200 || !read.success) throw refused('encrypt', answer);
      return Buffer.from(read.data.data.ciphertext);
    },
    async unwrap(wrapped, context) {
      const ciphertext = wrapped.toString('latin1');
      if (!ciphertext.startsWith('vault:v')) return null;
      const answer = await ask('decrypt', context, { ciphertext });
      if (isOtherKey(answer)) return null;
      const read = decrypted.safeParse(answer.body);
      if (answer.status !== 200 || !read.success) throw refused('decrypt', answer);
      return Buffer.from(read.data.data.plaintext, 'base64');
    },
  };
}

// The file is read for each request: an agent replaces the token in it.
function headersOf({ vaultToken, vaultTokenFile, vaultNamespace }: Credentials): Record<string, string> {
  const token = vaultTokenFile === null ? vaultToken : readFileSync(vaultTokenFile, 'utf8').trim();
  return {
    'content-type': 'application/json',
    'x-vault-request': 'true',
    ...(token && { 'x-vault-token': token }),
    ...(vaultNamespace !== null && { 'x-vault-namespace': vaultNamespace }),
  };
}

/** 412: a replica is behind; 429: a quota; 5xx: sealed, a standby, or an error. */
const isTemporary = ({ status }: KmsAnswer) => status === 412 || status === 429 || status >= 500;

const errors = z.object({ errors: z.array(z.string()) });

// The key or the context is another one. Vault also answers 400 for a version that is disallowed for now, which a setting of the key allows
// again: the data key is not lost.
function isOtherKey({ status, body }: KmsAnswer): boolean {
  const read = errors.safeParse(body);
  return (
    status === 400 && read.success && read.data.errors.some((text) => text.includes('message authentication failed'))
  );
}

const refused = (operation: string, { status }: KmsAnswer) =>
  new KmsError(`${name} refuses to ${operation} a data key with status ${status}.`);
