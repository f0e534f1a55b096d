/** Merchants to choose among, where a page of settings is one merchant's. */
import { query } from '../../db';

/** Where a list of choices ends; a search is the better way long before. */
const choicesMax = 1000;

/** The merchant that a person is confined to, or all of them by name. */
export function merchantChoices(merchantId: string | null): Promise<{ id: string; name: string }[]> {
  return query(
    'merchant-choices',
    `select id, name from merchants where $1::uuid is null or id = $1 order by lower(name), id limit ${choicesMax}`,
    [merchantId],
  );
}
