/** Lists the saved cards that a session offers (`card_token`) by brand and last digits, under opaque ids. */
import { createHash } from 'node:crypto';
import type { CardView } from '../core/payment.ts';
import { findToken } from '../vault/index.ts';
import type { View } from './view.ts';

export type StoredCard = { id: string; token: string; card: CardView; expired: boolean };

/** A session may name more tokens than a page can usefully show. */
const shownMax = 20;

/** The saved cards of a session, in its order; unknown and removed tokens are omitted. */
export async function savedCards(
  { session, payment }: Pick<View, 'session' | 'payment'>,
  now: Date,
): Promise<StoredCard[]> {
  const tokens = [...new Set(session.cardTokens)].slice(0, shownMax);
  const cards = await Promise.all(tokens.map((token) => findToken(payment.merchantId, token, now)));
  return tokens.flatMap((token, place): StoredCard[] => {
    const card = cards[place];
    return card && card !== 'foreign' ? [{ id: idOf(token), token, ...card }] : [];
  });
}

/** The id of a token on the page, which does not disclose the token: a token is enough to charge the card. */
function idOf(token: string): string {
  return `kept-${createHash('sha256').update(token).digest('hex').slice(0, 16)}`;
}
