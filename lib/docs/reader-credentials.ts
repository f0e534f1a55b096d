// Defines the reader of a page, whose key and password the examples contain.
import { randomBytes } from 'node:crypto';
import { env } from '../config/index.ts';
import { demoMerchant } from '../core/demo-merchant.ts';
import type { Digest } from '../core/signatures.ts';

export type Reader = {
  key: string;
  /** Signs the examples; also shown if there is no `shownPassword`. */
  password: string;
  digest: Digest;
  /** The base of the return URLs in examples. */
  base: string;
  /** True if the credentials belong to the reader; their pages must not be shared with other readers. */
  isOwn: boolean;
  /** The placeholder for a password that pages must not show. */
  shownPassword?: string;
  /** False if examples must not be signed for this reader. */
  maySign?: boolean;
  /** The order number of every example; random if absent. */
  orderNumber?: string;
};

/** The reader without sign-in: the demo merchant in a sandbox, placeholders in production. */
export function publicReader(): Reader {
  const isSandbox = env.appEnv === 'sandbox';
  const { key, password } = isSandbox ? demoMerchant : { key: 'YOUR-KEY', password: 'YOUR-PASSWORD' };
  return { key, password, digest: 'md5', base: env.baseUrl, isOwn: false, maySign: isSandbox };
}

/** The reader of the files of the repository: the demo merchant of a local sandbox, with a fixed order number. */
export const repositoryReader: Reader = {
  key: demoMerchant.key,
  password: demoMerchant.password,
  digest: 'md5',
  base: 'http://localhost:3000',
  isOwn: false,
  orderNumber: 'order-1001',
};

/** Returns the order number of an example. */
export function orderNumberFor({ orderNumber }: Pick<Reader, 'orderNumber'>, prefix = 'order'): string {
  return orderNumber ?? `${prefix}-${randomBytes(4).toString('hex')}`;
}
