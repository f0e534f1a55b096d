/**
 * What a search for payments means. Each kind of text has a way to its hits by an index: few hits are fetched by their
 * ids, many are met on the way through the newest, so that neither a rare nor a common text reads the whole table.
 */
import { queryOnce } from '../db';
import { isUuid } from './ids';
import { type Add, type SqlBuilder, startSql } from './keyed';

/** More hits than this are not collected but met on the way. */
export const collectedMax = 2000;

/** Shorter texts have to be whole: the beginning of everything finds nothing in particular. */
const prefixMin = 3;

/** What is searched for, and whose payments it is looked for among; null for every merchant's. */
export type Search = { search: string; merchantId: string | null };

/**
 * A text can mean several things; each is a condition on a payment, and a way to its hits. `of` confines to a merchant.
 * `covered` is what the index of the whole list has in itself, so that a walk through it reads no payment.
 */
export type Matcher = {
  matches: string;
  hits: (of: (alias: string) => string) => string;
  covered?: true;
};

/**
 * What a filter finds: nothing, these few payments, or more than are collected, of which only the condition is known.
 */
export type Hits =
  | { known: 'nothing' }
  | { known: 'few'; ids: string[] }
  | { known: 'many'; conditionOf: (add: Add) => string; covered: boolean };

/** Confines a list over payments, `p`, to those that a search means. False when there are none. */
export async function narrow({ add, where }: SqlBuilder, asked: Search): Promise<boolean> {
  const hits = await findHits(asked);
  if (hits?.known === 'nothing') return false;
  if (hits?.known === 'few') where(`p.id = any(${add(hits.ids)}::uuid[])`);
  if (hits?.known === 'many') where(hits.conditionOf(add));
  return true;
}

/** What a search finds; null where nothing is searched for. */
export async function findHits({ search, merchantId }: Search): Promise<Hits | null> {
  const text = search.trim();
  return text === '' ? null : collect((add) => matchers(text, add), merchantId);
}

/** What the matchers find, each by its index. */
export async function collect(matchersOf: (add: Add) => Matcher[], merchantId: string | null): Promise<Hits> {
  const builder = startSql();
  const found = matchersOf(builder.add);
  const merchant = merchantId === null ? null : builder.add(merchantId);
  const of = (alias: string) => (merchant === null ? '' : `and ${alias}.merchant_id = ${merchant}::uuid`);
  const parts = found.map(({ hits }) => `(${hits(of)} limit ${collectedMax + 1})`);
  const rows = await queryOnce<{ id: string }>(
    `select id from (${parts.join(' union all ')}) h limit ${collectedMax + 1}`,
    builder.values,
  );
  if (rows.length === 0) return { known: 'nothing' };
  // One payment may be found in several ways, but where the limit was reached, more may follow whatever is found twice.
  if (rows.length <= collectedMax) return { known: 'few', ids: [...new Set(rows.map(({ id }) => id))] };
  return {
    known: 'many',
    covered: found.every(({ covered }) => covered),
    conditionOf: (add) =>
      `(${matchersOf(add)
        .map(({ matches }) => matches)
        .join(' or ')})`,
  };
}

/** What a text may mean, by its look. */
function matchers(search: string, add: Add): Matcher[] {
  if (/^[0-9a-f]{64}$/i.test(search)) return [cardToken(add(search.toLowerCase()))];
  const found: Matcher[] = [order(search, add)];
  // A value that stands nowhere in the statement is refused, so each is added where it is needed.
  if (isUuid(search)) found.push(...identifiers(`${add(search)}::text`));
  else if (search.length >= prefixMin) found.push(email(add));
  if (/^\d{4}$/.test(search)) found.push(lastFour(`${add(search)}::text`));
  return found;

  function email(value: Add): Matcher {
    const condition = `p.payer ? 'email' and lower(p.payer ->> 'email') like ${value(beginning(search.toLowerCase()))}`;
    const hits = byMerchant(condition, `lower(p.payer ->> 'email') using ~<~`);
    return { matches: `(${condition})`, hits };
  }
}

/** Whatever begins so, as a pattern of LIKE. */
export function beginning(text: string): string {
  return `${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/**
 * The hits of a condition on `p` by an index that begins with the merchant, of whom there are few. `order` is that of the
 * index after the merchant: whoever asks for it gets that index, where the planner would otherwise read the whole table
 * because most payments fit, even for a merchant who has none.
 */
export const byMerchant = (condition: string, order: string) => (of: (alias: string) => string) =>
  `select h.id from merchants m cross join lateral
     (select p.id from payments p where p.merchant_id = m.id and ${condition}
       order by ${order} limit ${collectedMax + 1}) h
    where true ${of('m').replace('m.merchant_id', 'm.id')}`;

function order(search: string, add: Add): Matcher {
  const isWhole = search.length < prefixMin;
  const condition = isWhole
    ? `p.order_number = ${add(search)}::text`
    : `p.order_number like ${add(beginning(search))}::text`;
  const hits = byMerchant(condition, 'p.order_number using ~<~');
  return { matches: condition, hits };
}

function identifiers(text: string): Matcher[] {
  const only = (condition: string) => (of: (alias: string) => string) =>
    `select p.id from payments p where ${condition} ${of('p')}`;
  return [
    { matches: `p.id = ${text}::uuid`, hits: only(`p.id = ${text}::uuid`) },
    {
      matches: `p.id = (select payment_id from transactions where id = ${text}::uuid)`,
      hits: (of) =>
        `select p.id from transactions t join payments p on p.id = t.payment_id where t.id = ${text}::uuid ${of('p')}`,
    },
    {
      matches: `p.recurring_token = lower(${text})`,
      hits: only(`p.recurring_token is not null and p.recurring_token = lower(${text})`),
    },
  ];
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
