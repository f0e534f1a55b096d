/** Finds stored cards by number, through fingerprints; nothing is decrypted. */
import { statement } from '../db';
import { usableKeys } from './keys';
import { fingerprintOf } from './seal';

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

type Row = {
  id: string;
  merchant_id: string;
  name: string;
  fingerprint: Uint8Array;
  first6: string;
  last4: string;
  exp_month: number;
  exp_year: number;
  payments: number;
  tokens: number;
};

const cardsLike = statement<{ last4: string; first6: string }, Row>(
  'vault-find',
  `select c.id, c.merchant_id, m.name, c.fingerprint, c.first6, c.last4, c.exp_month, c.exp_year,
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
  const matches = ({ id, fingerprint, exp_month: expMonth, exp_year: expYear }: Row) =>
    keys.some(({ key }) =>
      ['', id].some((twin) => fingerprintOf({ number, expMonth, expYear }, key, twin).equals(fingerprint)),
    );
  return rows.filter(matches).map((row) => ({
    id: row.id,
    merchantId: row.merchant_id,
    merchant: row.name,
    first6: row.first6,
    last4: row.last4,
    expMonth: row.exp_month,
    expYear: row.exp_year,
    payments: row.payments,
    tokens: row.tokens,
  }));
}
