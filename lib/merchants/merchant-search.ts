/** Finds merchants by a part of their name, for selection fields. */
import { query } from '../db';

/** Merchants whose name contains `part`, by name; with `merchantId` at most that one. */
export function findMerchantNames(
  part: string,
  merchantId: string | null,
  most: number,
): Promise<{ id: string; name: string }[]> {
  const pattern = `%${part.replace(/\0|\p{Surrogate}/gu, '').replace(/[\\%_]/g, '\\$&')}%`;
  return query(
    'merchant-names',
    `select id, name from merchants where name ilike $1 and ($2::uuid is null or id = $2) order by name, id limit $3::int`,
    [pattern, merchantId, most],
  );
}
