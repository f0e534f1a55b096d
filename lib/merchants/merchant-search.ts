/** Finds merchants by a part of their name, for selection fields. */
import { statement } from '../db';

const namesLike = statement<{ pattern: string; merchantId: string | null; most: number }, { id: string; name: string }>(
  'merchant-names',
  `select id, name from merchants where name ilike :pattern and (:merchantId::uuid is null or id = :merchantId)
    order by name, id limit :most::int`,
);

/** Merchants whose name contains `part`, by name; with `merchantId` at most that one. */
export function findMerchantNames(
  part: string,
  merchantId: string | null,
  most: number,
): Promise<{ id: string; name: string }[]> {
  const pattern = `%${part.replace(/\0|\p{Surrogate}/gu, '').replace(/[\\%_]/g, '\\$&')}%`;
  return namesLike({ pattern, merchantId, most });
}
