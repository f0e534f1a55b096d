// Whose key and password the examples are filled with.
import { randomBytes } from 'node:crypto';
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
  /** The order number of every example; without it each example gets a random one. */
  orderNumber?: string;
};

/** Everybody: in a sandbox the demo merchant; production has none and shows where the merchant's own values go. */
export function anybody(): Reader {
  const isSandbox = env.appEnv === 'sandbox';
  const { key, password } = isSandbox ? demoMerchant : { key: 'YOUR-KEY', password: 'YOUR-PASSWORD' };
  return { key, password, digest: 'md5', base: env.baseUrl, isOwn: false, maySign: isSandbox };
}

/** The demo merchant of a sandbox on this machine, as the files of the repository show it: the same at every run. */
export const repositoryReader: Reader = {
  key: demoMerchant.key,
  password: demoMerchant.password,
  digest: 'md5',
  base: 'http://localhost:3000',
  isOwn: false,
  orderNumber: 'order-1001',
};

/** An order number for an example. */
export function orderNumberFor({ orderNumber }: Pick<Reader, 'orderNumber'>, prefix = 'order'): string {
  return orderNumber ?? `${prefix}-${randomBytes(4).toString('hex')}`;
}
