/** Uploaded logos, by the SHA-256 of their bytes. */
import { query } from '../db';

/** The bytes of a logo that a merchant uses now; null for any other. */
export async function findLogo(digest: string): Promise<Uint8Array | null> {
  const [row] = await query<{ bytes: Uint8Array }>(
    'logo-find',
    'select bytes from merchant_logos where digest = $1 limit 1',
    [digest],
  );
  return row?.bytes ?? null;
}
