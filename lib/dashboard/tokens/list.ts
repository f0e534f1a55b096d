/** The list of card tokens, and a token's row. The card's id identifies a token: it may be in a URL. */

import { brandById, brands } from '../../core/cards';
import { isUuid } from '../../core/ids';
import { query } from '../../db';
import { cardExpiry } from '../../protocols';
import { created, merchant, state } from '../lists/columns';
import type { TokenRow, TokenState } from '../lists/contract';
import { choice, choices, days, optionsOf } from '../lists/filters';
import { resource } from '../lists/resource';
import { maskToken } from '../lists/rows';
import { samples } from '../lists/samples';

export type ListedToken = {
  token: string;
  merchantId: string;
  merchantName: string;
  id: string;
  first6: string;
  last4: string;
  brand: string | null;
  expMonth: number;
  expYear: number;
  holder: string | null;
  state: TokenState;
  createdAt: Date;
  removedAt: Date | null;
};

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

export const tokens = resource({
  name: 'tokens',
  title: 'Tokens',
  nouns: ['token', 'tokens'],
  search: 'Full token, first six or last four',
  async find(search, { add, where }) {
    if (/^\d{4}$/.test(search)) where(`c.last4 = ${add(search)}::text`);
    else if (/^\d{6}$/.test(search)) where(`c.first6 = ${add(search)}::text`);
    else where(`t.token = ${add(search.toLowerCase())}::text`);
    return true;
  },
  filters: [
    choices(
      'state',
      'State',
      optionsOf({ active: 'Active', expired: 'Expired', removed: 'Removed' }),
      (values, add, now) => `${stateSql(now)} = any(${add(values)}::text[])`,
    ),
    choice(
      'brand',
      'Brand',
      brands.map(({ id, name }) => ({ value: id, label: name })),
      (value, add) => `c.brand = ${add(value)}::text`,
    ),
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
  source: { columns, from, at: 't.created_at', id: 't.card_id', merchant: 't.merchant_id' },
  toRow: tokenRow,
});

/** A token in the list. */
export function tokenRow(token: ListedToken): TokenRow {
  const { id, first6, last4, holder, state: at, merchantName } = token;
  return {
    ...{ id, first6, last4, holder, state: at, merchantName },
    masked: maskToken(token.token),
    brand: brandById(token.brand)?.name ?? 'Card',
    expires: cardExpiry(token) ?? null,
    createdAt: token.createdAt.toISOString(),
  };
}

/** The token of a card; with `merchantId` only that merchant's. */
export async function findToken(cardId: string, merchantId: string | null, now: Date): Promise<ListedToken | null> {
  if (!isUuid(cardId)) return null;
  const [row] = await query<ListedToken>(
    'token-listed',
    `select ${columns('$3')} from ${from} where t.card_id = $1 and ($2::uuid is null or t.merchant_id = $2::uuid)`,
    [cardId, merchantId, now],
  );
  return row ?? null;
}
