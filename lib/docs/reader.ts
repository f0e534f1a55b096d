// Whose key and password the examples are filled with.

import { env } from '../config';
import { demoMerchant } from '../core/demo';
import type { Digest } from '../core/signatures';

export type Reader = {
  key: string;
  /** It signs the examples that stand there signed, and is shown where there is no `shownPassword`. */
  password: string;
  digest: Digest;
  /** The address that payers of the examples come back to. */
  base: string;
  /** Whether they belong to the person who reads, whose page nobody else may be given. */
  isOwn: boolean;
  /** What stands in the text for a password that is not to be shown. */
  shownPassword?: string;
  /** False where the reader may not have anything signed. */
  maySign?: boolean;
};

/** Everybody: in a sandbox the demo merchant; production has none and shows where the merchant's own values go. */
export function anybody(): Reader {
  const isSandbox = env.appEnv === 'sandbox';
  const { key, password } = isSandbox ? demoMerchant : { key: 'YOUR-KEY', password: 'YOUR-PASSWORD' };
  return { key, password, digest: 'md5', base: env.baseUrl, isOwn: false, maySign: isSandbox };
}
