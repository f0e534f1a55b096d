/**
 * The search for payments. Each kind of text has an index for its hits: few hits are fetched by id, many are met while
 * walking the newest, so that neither a rare nor a frequent text reads the whole table.
 */

import { isUuid } from '../../core/ids.ts';
import { type AddParameter, newSqlBuilder, queryOnce, type SqlBuilder } from '../../db/index.ts';

/** More hits than this are not collected but met while walking the list. */
export const collectedMax = 2000;

/** Adjacent hits are searched among this many of the newest before all of them are collected. */
export const scanLimit = 1000;

/** Shorter texts must match completely: a short prefix matches too much. */
const prefixMin = 3;

/** The search text and the merchant; null for every merchant. */
export type Search = { search: string; merchantId: string | null };

type MerchantFilter = (alias: string) => string;

/**
 * A text can have several meanings; each is a condition on a payment with its source of hits. `of` limits to a
 * merchant. `covered` conditions are in the list's index, so that a walk reads no payment. `together` hits are adjacent
 * in an index and in the table, so that even many are read faster than met. `ids` selects all hits from an index alone,
 * which is fast even for many.
 */
export type Matcher = {
  matches: string;
  hits: (of: MerchantFilter) => string;
  covered?: true;
  together?: true;
  ids?: (of: MerchantFilter) => string;
};

/** Creates a matcher, which adds its values to its statement. */
export type MatcherFactory = (add: AddParameter) => Matcher;

/** A condition that many payments match, with the properties of a {@link Matcher}. */
export type CommonCondition = {
  conditionOf: (add: AddParameter) => string;
  covered: boolean;
  together: boolean;
  idsOf: ((add: AddParameter) => string) | null;
};

/** The result of a filter: nothing, these few payments, or more than are collected. */
export type Hits = { known: 'nothing' } | { known: 'few'; ids: string[] } | ({ known: 'many' } & CommonCondition);

/** Limits a list over payments, `p`, to a search, whose result the caller may pass. False if there are none. */
export async function applySearch({ add, where }: SqlBuilder, requested: Search, known?: Hits | null) {
  const hits = known === undefined ? await findHits(requested) : known;
  if (hits?.known === 'nothing') return false;
  if (hits?.known === 'few') where(`p.id = any(${add(hits.ids)}::uuid[])`);
  if (hits?.known === 'many') where(hits.conditionOf(add));
  return true;
}

/** The result of a search; null without a search text. */
export async function findHits({ search, merchantId }: Search): Promise<Hits | null> {
  const text = search.trim();
  return text === '' ? null : collectHits(matchersFor(text), merchantId);
}

/** The hits of all sources, each by its index. */
export async function collectHits(ways: MatcherFactory[], merchantId: string | null): Promise<Hits> {
  const builder = newSqlBuilder();
  const of = confinedTo(merchantId, builder.add);
  const parts = ways.map((way) => `(${way(builder.add).hits(of)} limit ${collectedMax + 1})`);
  const rows = await queryOnce<{ id: string }>(
    `select id from (${parts.join(' union all ')}) h limit ${collectedMax + 1}`,
    builder.values,
  );
  if (rows.length === 0) return { known: 'nothing' };
  // A payment can be found by several sources; at the limit, more hits may follow the duplicates.
  if (rows.length <= collectedMax) return { known: 'few', ids: [...new Set(rows.map(({ id }) => id))] };
  return { known: 'many', ...commonOf(await withHits(ways, merchantId), merchantId) };
}

/** Meanings without hits are not checked again for each payment. */
async function withHits(ways: MatcherFactory[], merchantId: string | null): Promise<MatcherFactory[]> {
  if (ways.length === 1) return ways;
  const builder = newSqlBuilder();
  const of = confinedTo(merchantId, builder.add);
  const parts = ways.map((way, at) => `exists (${way(builder.add).hits(of)}) as "${at}"`);
  const [matches] = await queryOnce<Record<string, boolean>>(`select ${parts.join(', ')}`, builder.values);
  return ways.filter((_, at) => matches?.[at]);
}

function commonOf(ways: MatcherFactory[], merchantId: string | null): CommonCondition {
  // Only the matcher's properties are read here, so its values are not used.
  const matches = ways.map((way) => way(newSqlBuilder().add));
  const [only] = ways;
  const hasIds = ways.length === 1 && matches[0]?.ids !== undefined;
  return {
    conditionOf: (add) => `(${ways.map((way) => way(add).matches).join(' or ')})`,
    covered: matches.every(({ covered }) => covered),
    together: matches.every(({ together }) => together),
    idsOf: hasIds && only ? (add) => only(add).ids?.(confinedTo(merchantId, add)) ?? '' : null,
  };
}

function confinedTo(merchantId: string | null, add: AddParameter): MerchantFilter {
  const merchant = merchantId === null ? null : add(merchantId);
  return (alias) => (merchant === null ? '' : `and ${alias}.merchant_id = ${merchant}::uuid`);
}

function matchersFor(search: string): MatcherFactory[] {
  if (/^[0-9a-f]{64}$/i.test(search)) return [(add) => cardToken(add(search.toLowerCase()))];
  const matches: MatcherFactory[] = [(add) => order(search, add)];
  if (isUuid(search)) matches.push(...identifiers(search));
  else if (search.length >= prefixMin) matches.push((add) => email(add(prefixPattern(search.toLowerCase()))));
  if (/^\d{4}$/.test(search)) matches.push((add) => lastFour(`${add(search)}::text`));
  return matches;
}

/** A LIKE pattern for a prefix. */
export function prefixPattern(text: string): string {
  return `${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/**
 * The hits of a condition on `p` by an index that begins with the merchant, of whom there are few. `order` is the index
 * order after the merchant: it forces that index where the planner would scan the table because most payments match,
 * even for a merchant with none.
 */
export const byMerchant = (condition: string, order: string) => (of: MerchantFilter) =>
  `select h.id from merchants m cross join lateral
     (select p.id from payments p where p.merchant_id = m.id and ${condition}
       order by ${order} limit ${collectedMax + 1}) h
    where true ${of('m').replace('m.merchant_id', 'm.id')}`;

function order(search: string, add: AddParameter): Matcher {
  const isWhole = search.length < prefixMin;
  const condition = isWhole
    ? `p.order_number = ${add(search)}::text`
    : `p.order_number like ${add(prefixPattern(search))}::text`;
  const hits = byMerchant(condition, 'p.order_number using ~<~');
  return { matches: condition, hits, together: true };
}

function email(pattern: string): Matcher {
  const condition = `p.payer ? 'email' and lower(p.payer ->> 'email') like ${pattern}`;
  return { matches: `(${condition})`, hits: byMerchant(condition, `lower(p.payer ->> 'email') using ~<~`) };
}

const onlyPayments = (condition: string) => (of: MerchantFilter) =>
  `select p.id from payments p where ${condition} ${of('p')}`;

function identifiers(search: string): MatcherFactory[] {
  const ways: ((text: string) => Matcher)[] = [
    (text) => ({ matches: `p.id = ${text}::uuid`, hits: onlyPayments(`p.id = ${text}::uuid`) }),
    (text) => ({
      matches: `p.id = (select payment_id from transactions where id = ${text}::uuid)`,
      hits: (of) =>
        `select p.id from transactions t join payments p on p.id = t.payment_id where t.id = ${text}::uuid ${of('p')}`,
    }),
    (text) => ({
      matches: `p.recurring_token = lower(${text})`,
      hits: onlyPayments(`p.recurring_token is not null and p.recurring_token = lower(${text})`),
    }),
  ];
  return ways.map((way) => (add) => way(`${add(search)}::text`));
}

// Of every card of an attempt, not only the latest.
function lastFour(text: string): Matcher {
  return {
    matches: `exists (select 1 from transactions t join cards k on k.id = t.card_id
                       where t.payment_id = p.id and k.last4 = ${text})`,
    hits: (of) =>
      `select t.payment_id as id from cards k join transactions t on t.card_id = k.id
        where k.last4 = ${text} ${of('k')}`,
  };
}

function cardToken(token: string): Matcher {
  const cards = `select card_id from card_tokens where token = ${token}::text`;
  return {
    matches: `exists (select 1 from transactions t where t.payment_id = p.id and t.card_id in (${cards}))`,
    hits: (of) =>
      `select t.payment_id as id from card_tokens c join transactions t on t.card_id = c.card_id
        where c.token = ${token}::text ${of('c')}`,
  };
}
