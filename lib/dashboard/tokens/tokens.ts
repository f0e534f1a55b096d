/** The page of a card token, and its removal. The card's id identifies a token. */

import { audit, may } from '../../auth';
import { removeToken } from '../../vault';
import { DashboardError } from '../errors';
import type { DashboardRequest } from '../guard';
import type { TokenPage } from '../lists/contract';
import { paymentLines } from '../lists/payment-lines';
import { activitiesOf, visibleToken } from '../lists/rows';
import { findToken, tokenRow } from './list';

const subjectOf = (cardId: string) => `card_token:${cardId}`;
const sentences = { 'token.remove': 'Token removed' };

/** The page of a token; null if it does not exist for this user. */
export async function tokenPage(
  id: string,
  { viewer, scope, query, now }: Pick<DashboardRequest, 'viewer' | 'scope' | 'query' | 'now'>,
): Promise<TokenPage | null> {
  const row = await findToken(id, scope, now);
  if (!row) return null;
  const [payments, deeds] = await Promise.all([
    paymentLines(query, ({ add, where }) =>
      where(`p.id in (select t.payment_id from transactions t where t.card_id = ${add(row.id)}::uuid)`),
    ),
    activitiesOf(subjectOf(row.id), sentences),
  ]);
  return {
    ...tokenRow(row),
    token: visibleToken(viewer, row.token),
    removedAt: row.removedAt?.toISOString() ?? null,
    mayRemove: row.state !== 'removed' && may(viewer.role, 'tokens.remove'),
    payments,
    deeds,
  };
}

/** Removes a token, as POST /api/v1/card_token/remove does. */
export async function removeAction(request: DashboardRequest): Promise<TokenPage | null> {
  const { viewer, scope, now } = request;
  const id = request.params.id ?? '';
  const found = await findToken(id, scope, now);
  if (!found) return null;
  if (found.state === 'removed') throw new DashboardError(409, 'This token is removed already.');
  const { merchantId, token } = found;
  const { brand, last4 } = tokenRow(found);
  const after = { state: 'removed', detail: `${brand} •••• ${last4}` };
  const entry = { actor: `user:${viewer.id}`, action: 'token.remove', subject: subjectOf(found.id) };
  await audit({ ...entry, before: { state: found.state }, after, merchantId }, now);
  await removeToken(merchantId, token, now);
  return tokenPage(id, request);
}
