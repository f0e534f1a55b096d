/** The merchants that a settings page of one merchant offers for selection. */

import { statement } from '../../db/index.ts';
import { existing } from '../errors.ts';
import type { PageContext } from '../guard.ts';

/** The maximum number of choices; longer lists need the search. */
const choicesMax = 1000;

/** The user's merchant, or all of them by name. */
export const merchantChoices = (merchantId: string | null) => readMerchants({ merchantId });

const readMerchants = statement<{ merchantId: string | null }, { id: string; name: string }>(
  'merchant-choices',
  `select id, name from merchants where :merchantId::uuid is null or id = :merchantId
    order by lower(name), id limit ${choicesMax}`,
);

/** The choices, and the merchant that `merchant` names, otherwise the first. */
export async function chosenMerchant({ query, scope }: PageContext) {
  const merchants = await merchantChoices(scope);
  const named = query.get('merchant');
  const merchant = named === null ? merchants[0] : merchants.find(({ id }) => id === named);
  return { merchants, merchant: named === null ? (merchant ?? null) : existing(merchant) };
}
