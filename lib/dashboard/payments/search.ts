/**
 * What a search for payments means. Each kind of text has a way to its hits by an index: few hits are fetched by their
 * ids, many are met on the way through the newest, so that neither a rare nor a common text reads the whole table.
 */

import { isUuid } from '../../core/ids';
import { type AddParameter, newSqlBuilder, queryOnce, type SqlBuilder } from '../../db';

/** More hits than this are not collected but met on the way. */
export const collectedMax = 2000;

/** Among so many of the newest of a list, hits that stand together are looked for before all of them are gathered. */
export const scanLimit = 1000;

/** Shorter texts have to be whole: the beginning of everything finds nothing in particular. */
const prefixMin = 3;

/** What is searched for, and whose payments it is looked for among; null for every merchant's. */
export type Search = { search: string; merchantId: string | null };

/** Confines an alias to a merchant's rows. */
type MerchantFilter = (alias: string) => string;

/**
 * A text can mean several things; each is a condition on a payment, and a way to its hits. `of` confines to a merchant.
 * `covered` is what the index of the whole list has in itself, so that a walk through it reads no payment. `together` is
 * what stands side by side in an index and in the table, so that even very many are read sooner than met. `ids` selects all
 * hits from an index alone, which is soon done even where they are many.
 */
export type Matcher = {
  matches: string;
  hits: (of: MerchantFilter) => string;
  covered?: true;
  together?: true;
  ids?: (of: MerchantFilter) => string;
};

/** Makes a matcher, which adds its values to the statement that it is for. */
export type MatcherFactory = (add: AddParameter) => Matcher;

/** What many payments fit: the condition, and what is known of the ways to them, as a {@link Matcher} says. */
export type CommonCondition = {
  conditionOf: (add: AddParameter) => string;
  covered: boolean;
  together: boolean;
  idsOf: ((add: AddParameter) => string) | null;
};

/** What a filter finds: nothing, these few payments, or more than are collected. */
export type Hits = { known: 'nothing' } | { known: 'few'; ids: string[] } | ({ known: 'many' } & CommonCondition);

/**
 * Confines a list over payments, `p`, to those that a search means, of which it may be told what is known already. False
 * when there are none.
 */
export async function applySearch({ add, where }: SqlBuilder, asked: Search, known?: Hits | null): Promise<boolean> {
  const hits = known === undefined ? await findHits(asked) : known;
  if (hits?.known === 'nothing') return false;
  if (hits?.known === 'few') where(`p.id = any(${add(hits.ids)}::uuid[])`);
  if (hits?.known === 'many') where(hits.conditionOf(add));
  return true;
}

/** What a search finds; null where nothing is searched for. */
export async function findHits({ search, merchantId }: Search): Promise<Hits | null> {
  const text = search.trim();
  return text === '' ? null : collectHits(matchersFor(text), merchantId);
}

/** What is found in any of these ways, each by its index. */
export async function collectHits(ways: MatcherFactory[], merchantId: string | null): Promise<Hits> {
  const builder = newSqlBuilder();
  const of = confinedTo(merchantId, builder.add);
  const parts = ways.map((way) => `(${way(builder.add).hits(of)} limit ${collectedMax + 1})`);
  const rows = await queryOnce<{ id: string }>(
    `select id from (${parts.join(' union all ')}) h limit ${collectedMax + 1}`,
    builder.values,
  );
  if (rows.length === 0) return { known: 'nothing' };
  // One payment may be found in several ways, but where the limit was reached, more may follow whatever is found twice.
  if (rows.length <= collectedMax) return { known: 'few', ids: [...new Set(rows.map(({ id }) => id))] };
  return { known: 'many', ...commonOf(await withHits(ways, merchantId), merchantId) };
}

/** Whatever is meant by nobody's payment is not asked of each of them. */
async function withHits(ways: MatcherFactory[], merchantId: string | null): Promise<MatcherFactory[]> {
  if (ways.length === 1) return ways;
  const builder = newSqlBuilder();
  const of = confinedTo(merchantId, builder.add);
  const parts = ways.map((way, at) => `exists (${way(builder.add).hits(of)}) as "${at}"`);
  const [found] = await queryOnce<Record<string, boolean>>(`select ${parts.join(', ')}`, builder.values);
  return ways.filter((_, at) => found?.[at]);
}

function commonOf(ways: MatcherFactory[], merchantId: string | null): CommonCondition {
  // Only what a matcher says of itself is asked here, so the values go nowhere.
  const found = ways.map((way) => way(newSqlBuilder().add));
  const [only] = ways;
  const hasIds = ways.length === 1 && found[0]?.ids !== undefined;
  return {
    conditionOf: (add) => `(${ways.map((way) => way(add).matches).join(' or ')})`,
    covered: found.every(({ covered }) => covered),
    together: found.every(({ together }) => together),
    idsOf: hasIds && only ? (add) => only(add).ids?.(confinedTo(merchantId, add)) ?? '' : null,
  };
}

function confinedTo(merchantId: string | null, add: AddParameter): MerchantFilter {
  const merchant = merchantId === null ? null : add(merchantId);
  return (alias) => (merchant === null ? '' : `and ${alias}.merchant_id = ${merchant}::uuid`);
}

/** What a text may mean, by its look. */
function matchersFor(search: string): MatcherFactory[] {
  if (/^[0-9a-f]{64}$/i.test(search)) return [(add) => cardToken(add(search.toLowerCase()))];
  const found: MatcherFactory[] = [(add) => order(search, add)];
  if (isUuid(search)) found.push(...identifiers(search));
  else if (search.length >= prefixMin) found.push((add) => email(add(prefixPattern(search.toLowerCase()))));
  if (/^\d{4}$/.test(search)) found.push((add) => lastFour(`${add(search)}::text`));
  return found;
}

/** Whatever begins so, as a pattern of LIKE. */
export function prefixPattern(text: string): string {
  return `${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/**
 * The hits of a condition on `p` by an index that begins with the merchant, of whom there are few. `order` is that of the
 * index after the merchant: whoever asks for it gets that index, where the planner would otherwise read the whole table
 * because most payments fit, even for a merchant who has none.
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

// Of every card that was tried, not only of the last.
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
