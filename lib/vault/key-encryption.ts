/** Encrypts the data keys: the interface of all sources of the key, and the source in this process. */
import { decrypt, encrypt, overhead } from './cipher.ts';

/** Wraps (encrypts) and unwraps data keys. `context` is authenticated: a wrapped key serves no other purpose. */
export type KeyEncryption = {
  /** The encrypted key. Throws `KmsError` (kms-request.ts) where a service does not encrypt it. */
  wrap(key: Buffer, context: string): Promise<Buffer>;
  /** The decrypted key; null for bytes of another source, key or context. Throws `KmsError` for a failure. */
  unwrap(wrapped: Buffer, context: string): Promise<Buffer | null>;
};

/** The lengths of wrapped data keys of both formats (keys.ts). What services return is longer. */
const lengths = [32, 33].map((length) => length + overhead);

/** Whether a local key has wrapped these bytes. */
export const isWrappedLocally = (wrapped: Buffer) => lengths.includes(wrapped.length);

/** Uses a key of 32 bytes in the memory of this process. */
export function localKey(vaultKey: Buffer): KeyEncryption {
  return {
    wrap: async (key, context) => encrypt(vaultKey, key, context),
    async unwrap(wrapped, context) {
      if (!isWrappedLocally(wrapped)) return null;
      try {
        return decrypt(vaultKey, wrapped, context);
      } catch {
        return null;
      }
    },
  };
}
