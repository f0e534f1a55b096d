/** Finds stored cards by number, through fingerprints; nothing is decrypted. */
import { statement } from '../db/index.ts';
import { usableKeys } from './keys.ts';
import { fingerprintOf } from './seal.ts';

/** A stored row of the card, with the numbers of its payments and of its valid tokens. */
export type FoundCard = {
  id: string;
  merchantId: string;
  merchant: string;
  first6: string;
  last4: string;
  expMonth: number;
  expYear: number;
  payments: number;
  tokens: number;
};

const cardsLike = statement<{ last4: string; first6: string }, FoundCard & { fingerprint: Uint8Array }>(
  'vault-find',
  `select c.id, c.merchant_id as "merchantId", m.name as merchant, c.fingerprint, c.first6, c.last4,
          c.exp_month as "expMonth", c.exp_year as "expYear",
          (select count(*)::int from payments p where p.card_id = c.id and p.merchant_id = c.merchant_id) as payments,
          (select count(*)::int from card_tokens t where t.card_id = c.id and t.removed_at is null) as tokens
     from cards c join merchants m on m.id = c.merchant_id
    where c.last4 = :last4 and c.first6 = :first6 order by m.name, c.id`,
);

/**
 * The rows of all merchants with this number and any expiry. The fingerprint covers the expiry, so it is computed for
 * each candidate with the same first six and last four digits. `number` contains digits only.
 */
export async function findCards(number: string): Promise<FoundCard[]> {
  const keys = await usableKeys('fingerprint');
  const rows = await cardsLike({ last4: number.slice(-4), first6: number.slice(0, 6) });
  return rows.flatMap(({ fingerprint, ...card }) => {
    const matches = keys.some(({ key }) =>
      ['', card.id].some((twin) => fingerprintOf({ ...card, number }, key, twin).equals(fingerprint)),
    );
    return matches ? [card] : [];
  });
}
