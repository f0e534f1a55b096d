// Tokens that stand for kept cards: what they are refused for, in one place for both protocols, and their removal.
import { z } from 'zod';
import { throwApiError } from '../../core/errors';
import type { CardView } from '../../core/payment';
import { findToken, removeToken } from '../../vault';
import { action, type KnownCaller } from '../pipeline/handle';
import { patternText, text } from './fields';

/** The card behind a token; refuses one that is unknown or removed (205005), and one of another merchant (205007). */
export async function getCardToken(
  { merchant }: KnownCaller,
  token: string,
  now: Date,
): Promise<{ card: CardView; expired: boolean }> {
  const found = await findToken(merchant.id, token, now);
  if (found === null) return throwApiError('cardTokenNotFound');
  return found === 'foreign' ? throwApiError('cardTokenNotAccessible') : found;
}

/** The same of a card that can be used now; refuses one that is past its date (205006). */
export async function getUsableCardToken(caller: KnownCaller, token: string, now: Date): Promise<{ card: CardView }> {
  const found = await getCardToken(caller, token, now);
  return found.expired ? throwApiError('cardTokenExpired') : found;
}

const removalSchema = z.object({
  merchant_key: text(1, 64),
  card_token: patternText(/^[0-9A-Za-z-]+$/, 128),
  hash: text(1, 128),
});

/**
 * POST /api/v1/card_token/remove: the token stands for nothing from now on. Again, it is told the same. A chain that
 * began with the card goes on: it has a token of its own.
 */
export const removeCardToken = action<z.output<typeof removalSchema>>({
  schema: removalSchema,
  signature: ({ card_token: cardToken, hash }) => ({ recipe: 'cardToken', values: { cardToken }, given: hash }),
  run: async ({ caller, input, now }) => {
    const { card_token: token } = input;
    if (!(await removeToken(caller.merchant.id, token, now))) await getCardToken(caller, token, now);
    return { card_token: token, result: 'removed' };
  },
});
