/** The merchants that a settings page of one merchant offers for selection. */
import { query } from '../../db';

/** The maximum number of choices; longer lists need the search. */
const choicesMax = 1000;

/** The user's merchant, or all of them by name. */
export function merchantChoices(merchantId: string | null): Promise<{ id: string; name: string }[]> {
  return query(
    'merchant-choices',
    `select id, name from merchants where $1::uuid is null or id = $1 order by lower(name), id limit ${choicesMax}`,
    [merchantId],
  );
}
