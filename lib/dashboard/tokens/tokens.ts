/** The list of card tokens, one token's page, and its removal. The card's id identifies a token: it may be in a URL. */
import { may } from '../../auth/index.ts';
import { brandById, brands } from '../../core/cards.ts';
import { pick } from '../../core/pick.ts';
import type { Card, CardToken } from '../../prisma/client.ts';
import { cardExpiry } from '../../protocols/index.ts';
import { removeToken } from '../../vault/index.ts';
import { logAction } from '../changes.ts';
import { refusal } from '../errors.ts';
import type { DashboardRequest, PageContext } from '../guard.ts';
import { created, merchant, state } from '../lists/columns.ts';
import { choice, days, namedOptions, states } from '../lists/filters.ts';
import { findListed, resource } from '../lists/resource.ts';
import { activitiesOf, maskToken, paymentLines, visibleToken } from '../lists/rows.ts';
import { samples } from '../lists/samples.ts';

type ListedToken = Pick<Card, 'id' | 'first6' | 'last4' | 'brand' | 'expMonth' | 'expYear' | 'holder'> &
  Omit<CardToken, 'cardId'> & { merchantName: string; state: 'active' | 'expired' | 'removed' };

// `expired`: the card has expired. It is valid through the last day of its month.
const stateSql = (now: string) => `case when t.removed_at is not null then 'removed'
  when (c.exp_year, c.exp_month) < (extract(year from ${now}::timestamptz at time zone 'UTC')::int,
                                    extract(month from ${now}::timestamptz at time zone 'UTC')::int) then 'expired'
  else 'active' end`;

const from = 'card_tokens t join cards c on c.id = t.card_id join merchants m on m.id = t.merchant_id';

const columns = (now: string) =>
  `t.token, t.merchant_id as "merchantId", m.name as "merchantName", t.card_id as id, c.first6, c.last4, c.brand,
   c.exp_month as "expMonth", c.exp_year as "expYear", c.holder, ${stateSql(now)} as state,
   t.created_at as "createdAt", t.removed_at as "removedAt"`;

const source = { columns, from, at: 't.created_at', id: 't.card_id', merchant: 't.merchant_id' };

/** The list of card tokens, which shows tokens masked; the full token finds its row. */
export const tokens = resource({
  name: 'tokens',
  title: 'Tokens',
  nouns: ['token', 'tokens'],
  search: 'Full token, first six or last four',
  find(search, add) {
    if (/^(\d{4}|\d{6})$/.test(search)) return `c.${search.length === 4 ? 'last4' : 'first6'} = ${add(search)}::text`;
    return `t.token = ${add(search.toLowerCase())}::text`;
  },
  filters: [
    states({ active: 'Active', expired: 'Expired', removed: 'Removed' }, stateSql),
    choice('brand', 'Brand', namedOptions(brands), (value, add) => `c.brand = ${add(value)}::text`),
    days('Created'),
  ],
  views: [
    ['Active', 'state=active'],
    ['Expired', 'state=expired'],
    ['Removed', 'state=removed'],
  ],
  columns: [
    { id: 'card', head: 'Card', kind: 'card', width: '26%' },
    state('14%'),
    { id: 'masked', head: 'Token', mono: true },
    { id: 'expires', head: 'Expires', width: 90 },
    { id: 'holder', head: 'Holder', hideOnPhone: true },
    ...[merchant, created()],
  ],
  href: '/dashboard/tokens/{id}',
  rowName: 'Token of {brand} ending in {last4}',
  empty: {
    title: 'No stored cards yet',
    texts: ['A token represents a card that Florin stores for you. Request one with `req_token`.'],
    steps: [
      'Your server requests a token with a payment',
      'The payer pays, and the card is stored',
      'Later payments use the token instead of the card',
    ],
    sample: ['Store a card', samples.token],
  },
  source,
  toRow: tokenRow,
});

function tokenRow(token: ListedToken) {
  return {
    ...pick(token, 'id', 'first6', 'last4', 'holder', 'merchantName', 'createdAt', 'state'),
    masked: maskToken(token.token),
    brand: brandById(token.brand)?.name ?? 'Card',
    /** `08/2029`; null for a card without a date. */
    expires: cardExpiry(token) ?? null,
  };
}

const subjectOf = (cardId: string) => `card_token:${cardId}`;

/** The page of a token. */
export async function tokenPage(request: PageContext) {
  const row = await findListed<ListedToken>('token', source, request);
  const [payments, deeds] = await Promise.all([
    paymentLines(request.query, ({ add, where }) =>
      where(`p.id in (select t.payment_id from transactions t where t.card_id = ${add(row.id)}::uuid)`),
    ),
    activitiesOf(subjectOf(row.id), { 'token.remove': 'Token removed' }),
  ]);
  return {
    ...tokenRow(row),
    token: visibleToken(request.viewer, row.token),
    mayRemove: row.state !== 'removed' && may(request.viewer.role, 'tokens.remove'),
    removedAt: row.removedAt,
    payments,
    deeds,
  };
}

/** Removes a token, as POST /api/v1/card_token/remove does. */
export async function removeAction(request: DashboardRequest) {
  const found = await findListed<ListedToken>('token', source, request);
  if (found.state === 'removed') throw refusal('This token is removed already.');
  const { id, merchantId, token, last4 } = found;
  const after = { state: 'removed', detail: `${tokenRow(found).brand} •••• ${last4}` };
  await logAction(request, 'token.remove', subjectOf(id), { before: { state: found.state }, after, merchantId });
  await removeToken(merchantId, token, request.now);
  return tokenPage(request);
}
