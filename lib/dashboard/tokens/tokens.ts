/** Card tokens: the list, the page of one, and its removal. The card's id identifies a token. */

import { audit, may } from '../../auth';
import { brandById, brands } from '../../core/cards';
import { cardExpiry } from '../../protocols';
import { removeToken } from '../../vault';
import { DashboardError } from '../errors';
import type { DashboardRequest } from '../guard';
import type { ListOf, TokenPage, TokenRow } from '../lists/contract';
import { readPage } from '../lists/paging';
import { type ListRequest, readChoice, readChoices, readCursors, readListParams } from '../lists/params';
import { activitiesOf, maskToken, paymentLine, visibleToken } from '../lists/rows';
import { findTokenOfCard, type ListedToken, listCardTokens, paymentsOfCard, tokenStates } from './queries';

const subjectOf = (cardId: string) => `card_token:${cardId}`;
const sentences = { 'token.remove': 'Token removed' };

/** A page of the tokens: `q`, `state`, `brand`, `from`, `to`. */
export async function tokenList({ query, scope, zone, now }: ListRequest): Promise<ListOf<TokenRow>> {
  const params = readListParams(query, zone);
  const filter = {
    ...params,
    merchantId: scope,
    states: readChoices(query, 'state', tokenStates),
    brand: readChoice(
      query,
      'brand',
      brands.map(({ id }) => id),
    ),
  };
  const page = await readPage(
    params,
    (place) => listCardTokens(filter, place, now),
    ({ card, createdAt }) => ({ id: card.id, createdAt }),
  );
  return { ...page, rows: page.rows.map(rowOf) };
}

function rowOf({ token, card, state, merchantName, createdAt }: ListedToken): TokenRow {
  return {
    id: card.id,
    masked: maskToken(token),
    brand: brandById(card.brand)?.name ?? 'Card',
    first6: card.first6,
    last4: card.last4,
    expires: cardExpiry(card) ?? null,
    holder: card.holder,
    state,
    merchantName,
    createdAt: createdAt.toISOString(),
  };
}

/** The page of a token; null if it does not exist for this user. */
export async function tokenPage(
  id: string,
  { viewer, scope, query, now }: Pick<DashboardRequest, 'viewer' | 'scope' | 'query' | 'now'>,
): Promise<TokenPage | null> {
  const row = await findTokenOfCard(id, scope, now);
  if (!row) return null;
  const [payments, deeds] = await Promise.all([
    readPage(
      readCursors(query),
      (place) => paymentsOfCard(row.card.id, place),
      (payment) => payment,
    ),
    activitiesOf(subjectOf(row.card.id), sentences),
  ]);
  return {
    ...rowOf(row),
    token: visibleToken(viewer, row.token),
    removedAt: row.removedAt?.toISOString() ?? null,
    mayRemove: row.state !== 'removed' && may(viewer.role, 'tokens.remove'),
    payments: { ...payments, rows: payments.rows.map(paymentLine) },
    deeds,
  };
}

/** Removes a token, as POST /api/v1/card_token/remove does. */
export async function removeAction(request: DashboardRequest): Promise<TokenPage | null> {
  const { viewer, scope, now } = request;
  const id = request.params.id ?? '';
  const found = await findTokenOfCard(id, scope, now);
  if (!found) return null;
  if (found.state === 'removed') throw new DashboardError(409, 'This token is removed already.');
  const { card, merchantId, token } = found;
  const detail = `${brandById(card.brand)?.name ?? 'Card'} •••• ${card.last4}`;
  const entry = { actor: `user:${viewer.id}`, action: 'token.remove', subject: subjectOf(card.id) };
  await audit({ ...entry, before: { state: found.state }, after: { state: 'removed', detail }, merchantId }, now);
  await removeToken(merchantId, token, now);
  return tokenPage(id, request);
}
