// Whose key and password the examples are filled with.
import { demoMerchant } from '../core/demo';
import type { Digest } from '../core/signatures';
import { env } from '../env';

/** `isOwn` where they belong to the person who reads, whose page nobody else may be given. */
export type Reader = {
  key: string;
  password: string;
  digest: Digest;
  /** The address that payers of the examples come back to. */
  base: string;
  isOwn: boolean;
  /** The merchant's name and accounts, where they are the reader's own. */
  merchant?: string;
  mids?: { id: string; name: string }[];
};

/** Everybody: in a sandbox the demo merchant; production has none and shows where the merchant's own values go. */
export function anybody(): Reader {
  const isSandbox = env.appEnv === 'sandbox';
  const { key, password } = isSandbox ? demoMerchant : { key: 'YOUR-KEY', password: 'YOUR-PASSWORD' };
  return { key, password, digest: 'md5', base: env.baseUrl, isOwn: false };
}
