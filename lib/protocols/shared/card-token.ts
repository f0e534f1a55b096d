// Finds stored cards by their tokens, with the same errors in both protocols, and removes tokens.
import { z } from 'zod';
import { throwApiError } from '../../core/errors';
import type { CardView } from '../../core/payment';
import { findToken, removeToken } from '../../vault';
import { action, type KnownCaller } from '../pipeline/handle';
import { patternText, text } from './fields';

/** Returns the card of a token. Throws 205005 for an unknown or removed token, 205007 for another merchant's. */
export async function getCardToken(
  { merchant }: KnownCaller,
  token: string,
  now: Date,
): Promise<{ card: CardView; expired: boolean }> {
  const match = await findToken(merchant.id, token, now);
  if (match === null) return throwApiError('cardTokenNotFound');
  return match === 'foreign' ? throwApiError('cardTokenNotAccessible') : match;
}

/** Returns the card of a token that can be charged now. Throws 205006 also for an expired card. */
export async function getUsableCardToken(caller: KnownCaller, token: string, now: Date): Promise<{ card: CardView }> {
  const stored = await getCardToken(caller, token, now);
  return stored.expired ? throwApiError('cardTokenExpired') : stored;
}

const removalSchema = z.object({
  merchant_key: text(1, 64),
  card_token: patternText(/^[0-9A-Za-z-]+$/, 128),
  hash: text(1, 128),
});

/**
 * POST /api/v1/card_token/remove. A repeat gets the same response. Recurring payments with the card continue, because
 * they have a token of their own.
 */
export const removeCardToken = action<z.output<typeof removalSchema>>({
  schema: removalSchema,
  signature: ({ card_token: cardToken, hash }) => ({ recipe: 'cardToken', values: { cardToken }, hash }),
  run: async ({ caller, input, now }) => {
    const { card_token: token } = input;
    if (!(await removeToken(caller.merchant.id, token, now))) await getCardToken(caller, token, now);
    return { card_token: token, result: 'removed' };
  },
});
