/** All keys of a merchant with decrypted passwords, for explaining invalid signatures. */
import { statement } from '../db';
import { unseal } from '../vault';
import type { MerchantKey } from './merchants';

export type SigningKey = MerchantKey & { merchantId: string; validUntil: Date | null; createdAt: Date };

type KeyRow = {
  id: string;
  environment: string;
  key: string;
  password: Buffer;
  valid_until: Date | null;
  created_at: Date;
};

const keysByMerchant = statement<{ merchantId: string }, KeyRow>(
  'signing-keys',
  `select id, environment::text, key, password, valid_until, created_at from merchant_keys
    where merchant_id = :merchantId::uuid order by created_at desc, id limit 20`,
);

/** The merchant's keys of both environments, expired ones included, newest first. */
export async function signingKeysOf(merchantId: string): Promise<SigningKey[]> {
  const rows = await keysByMerchant({ merchantId });
  return Promise.all(
    rows.map(async ({ id, environment, key, password, valid_until: validUntil, created_at: createdAt }) => ({
      id,
      merchantId,
      environment: environment as MerchantKey['environment'],
      key,
      validUntil,
      createdAt,
      password: await unseal(password, 'merchant-password'),
    })),
  );
}
