/** The payer's kept cards that a session offers (`card_token`): shown by brand and last digits, chosen by an opaque id. */
import { createHash } from 'node:crypto';
import type { CardView } from '../core/payment';
import { findToken } from '../vault';
import type { View } from './view';

export type StoredCard = { id: string; token: string; card: CardView; expired: boolean };

/** A session may name more tokens than any payer has cards; beyond this nobody would choose. */
const shownMax = 20;

/** The kept cards of a session, in its order; tokens that are unknown or removed are left out. */
export async function savedCards(
  { session, payment }: Pick<View, 'session' | 'payment'>,
  now: Date,
): Promise<StoredCard[]> {
  const tokens = [...new Set(session.cardTokens)].slice(0, shownMax);
  const found = await Promise.all(tokens.map((token) => findToken(payment.merchantId, token, now)));
  return tokens.flatMap((token, place): StoredCard[] => {
    const kept = found[place];
    return kept && kept !== 'foreign' ? [{ id: idOf(token), token, ...kept }] : [];
  });
}

/** Stands for a token in the page: the token itself could be charged with by whoever reads it. */
function idOf(token: string): string {
  return `kept-${createHash('sha256').update(token).digest('hex').slice(0, 16)}`;
}
