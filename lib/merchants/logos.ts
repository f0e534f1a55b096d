/** Uploaded logos, by the SHA-256 of their bytes. */
import { statement } from '../db';

const logoByDigest = statement<{ digest: string }, { bytes: Uint8Array }>(
  'logo-find',
  'select bytes from merchant_logos where digest = :digest limit 1',
);

/** The bytes of a logo that a merchant uses now; null for any other. */
export async function findLogo(digest: string): Promise<Uint8Array | null> {
  const [row] = await logoByDigest({ digest });
  return row?.bytes ?? null;
}
