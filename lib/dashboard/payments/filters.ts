/**
 * The filters of the payment list as conditions. A potentially rare value is looked up in an index first: its few
 * payments are fetched by id; frequent values are met while walking the list.
 */

import { currencyCodes, exponentOf } from '../../core/currencies.ts';
import type { DeclineClass } from '../../core/declines.ts';
import { mappingProtocols } from '../../core/mapping-options.ts';
import type { State } from '../../core/states.ts';
import { now } from '../../db/clock.ts';
import type { AddParameter } from '../../db/index.ts';
import { newChargebackDays, unknownMinutes } from '../overview/attention.ts';
import { operations, type PaymentFilter, type RecurringKind } from './list-filter.ts';
import {
  byMerchant,
  type CommonCondition,
  collectedMax,
  collectHits,
  findHits,
  type Hits,
  type Matcher,
  type MatcherFactory,
  prefixPattern,
} from './search.ts';

/** What is known of the matching payments before any is read: the ids of a few candidates, and the frequent filters. */
export type KnownHits = { ids: string[][]; common: CommonCondition[] };

/** Looks up potentially rare values in the indexes. Null if nothing can match. */
export async function findCandidates(filter: PaymentFilter): Promise<KnownHits | null> {
  const ids: string[][] = [];
  const common: CommonCondition[] = [];
  const addHits = (hits: Hits | null): boolean => {
    if (hits?.known === 'few') ids.push(hits.ids);
    if (hits?.known === 'many') common.push(hits);
    return hits?.known !== 'nothing';
  };
  if (filter.ids.length > 0) ids.push(filter.ids);
  if (!addHits(await findHits(filter))) return null;
  for (const ways of collected(filter)) {
    if (!addHits(await collectHits(ways, filter.merchantId))) return null;
  }
  if (filter.recurring.includes('none')) common.push(outsideChains(filter.recurring));
  return { ids, common };
}

/** Conditions on `p` for the creation time and the known ids of a filter. */
export function rangeOf({ from, until }: PaymentFilter, { ids }: KnownHits, add: AddParameter): string[] {
  return [
    ...(from ? [`p.created_at >= ${add(from)}::timestamptz`] : []),
    ...(until ? [`p.created_at < ${add(until)}::timestamptz`] : []),
    ...ids.map((few) => `p.id = any(${add(few)}::uuid[])`),
  ];
}

/** Conditions for the merchant, and for the currency if the list is ordered by amount. */
export function merchantConditions({ merchantId, byAmount, currencies }: PaymentFilter, add: AddParameter): string[] {
  return [
    ...(merchantId === null ? [] : [`p.merchant_id = ${add(merchantId)}::uuid`]),
    ...(byAmount === null ? [] : [`p.currency = ${add(currencies[0])}`]),
  ];
}

/** A filter's status, protocol and operation. */
export function listConditions(filter: PaymentFilter, add: AddParameter): string[] {
  return listed(filter).map(({ column, type, values }) => `p.${column} = any(${add(values)}::${type}[])`);
}

const onlyDeclined: State[] = ['declined'];

/** Filters by a list of enumeration values, the most selective first. */
function listed({ states, protocols, operations, declineClasses }: PaymentFilter) {
  const wanted = states.length === 0 && declineClasses.length > 0 ? onlyDeclined : states;
  return [
    { column: 'state', type: '"PaymentState"', values: wanted },
    { column: 'protocol', type: '"Protocol"', values: protocols },
    { column: 'operation', type: '"Operation"', values: operations },
  ].filter(({ values }) => values.length > 0);
}

/** Combinations that each have an index in the list's order: their sources and conditions on `p`. */
export type OrderedIndex = { from: string; conditions: string[] };

/** How to read a merchant, status, protocol or operation in the list's order; null without such a filter. */
export function orderedBy(filter: PaymentFilter, add: AddParameter): OrderedIndex | null {
  const lists = listed(filter);
  if (lists.length === 0) return null;
  const { merchantId } = filter;
  const merchants = merchantsSql(merchantId, add);
  const conditions = ['p.merchant_id = m.id'];
  const each = (column: string, type: string, values: string[]) => {
    conditions.push(`p.${column} = ${column}s.${column}`);
    return `cross join unnest(${add(values)}::${type}[]) ${column}s(${column})`;
  };
  const byState = lists[0]?.column === 'state' ? lists[0] : null;
  if (byState) {
    const from = `${merchants} ${each(byState.column, byState.type, byState.values)}`;
    for (const { column, type, values } of lists.slice(1)) {
      conditions.push(`p.${column} = any(${add(values)}::${type}[])`);
    }
    return { from, conditions };
  }
  const wanted = <Value extends string>(values: Value[], every: readonly Value[]) =>
    values.length > 0 ? values : [...every];
  const byProtocol = each('protocol', '"Protocol"', wanted(filter.protocols, mappingProtocols));
  const byOperation = each('operation', '"Operation"', wanted(filter.operations, operations));
  return { from: `${merchants} ${byProtocol} ${byOperation}`, conditions };
}

/** How to read a list by amount in its order: one index range per merchant and currency. */
export function byAmountOf({ merchantId, currencies }: PaymentFilter, add: AddParameter): OrderedIndex {
  const from = merchantsSql(merchantId, add);
  return { from, conditions: ['p.merchant_id = m.id', `p.currency = ${add(currencies[0])}`] };
}

const merchantsSql = (merchantId: string | null, add: AddParameter) =>
  `(select id from merchants ${merchantId === null ? '' : `where id = ${add(merchantId)}::uuid`}) m`;

function collected(filter: PaymentFilter): MatcherFactory[][] {
  const { cardId, mids, methods, declineClasses, reason, recurring } = filter;
  const matches: MatcherFactory[][] = [];
  if (cardId !== null) matches.push([(add) => cardMatcher(add(cardId))]);
  if (filter.attention) matches.push([(add) => needsAttention(add(now()))]);
  if (mids.length > 0) matches.push([(add) => attemptedAt(add(mids))]);
  if (methods.length > 0) matches.push([(add) => paidBy(methods, add), (add) => paidByWallet(add(methods))]);
  if (declineClasses.length > 0) matches.push([(add) => declinedAs(declineClasses, add)]);
  if (reason !== '') matches.push([(add) => declinedFor(add(prefixPattern(reason.toLowerCase())))]);
  if (recurring.length > 0 && !recurring.includes('none')) matches.push([() => ofChains(recurring)]);
  const { currencies, amountFrom, amountTo, byAmount } = filter;
  // A list by amount is read from its currency's index anyway.
  const isAmong = currencies.length > 0 && byAmount === null;
  // A status, protocol or operation has an index by time, and none by amount.
  if (byAmount !== null && listed(filter).length > 0) matches.push([(add) => inLists(filter, add)]);
  if (isAmong || amountFrom !== null || amountTo !== null) matches.push([(add) => amountsOf(filter, add)]);
  return matches;
}

/** The status, protocol and operation of a list by amount, which are met while walking unless they are rare. */
function inLists(filter: PaymentFilter, add: AddParameter): Matcher {
  const matches = listConditions(filter, add).join(' and ');
  const ordered = orderedBy({ ...filter, merchantId: null }, add);
  return {
    matches: `(${matches})`,
    hits: (of) =>
      `select h.id from ${ordered?.from} cross join lateral (
         select p.id from payments p where ${ordered?.conditions.join(' and ')} ${of('p')}
          order by p.created_at desc, p.id desc limit ${collectedMax + 1}) h where true`,
  };
}

function cardMatcher(card: string): Matcher {
  return {
    matches: `exists (select 1 from transactions t where t.payment_id = p.id and t.card_id = ${card}::uuid)`,
    hits: (of) =>
      `select t.payment_id as id from transactions t join payments p on p.id = t.payment_id
        where t.card_id = ${card}::uuid ${of('p')}`,
  };
}

/** Authorisations that expire within this many days need a capture. */
const expiringDays = 2;

/** Payments with a long unknown outcome, an authorisation that expires soon, or a new chargeback. */
function needsAttention(at: string): Matcher {
  const ago = (interval: string) => `${at}::timestamptz - interval '${interval}'`;
  const of: [from: string, condition: string][] = [
    ['t.due_at is not null', `t.status in ('sent', 'unknown') and t.created_at < ${ago(`${unknownMinutes} minutes`)}`],
    [
      't.due_at is not null',
      `t.status = 'success' and t.kind = 'authorize' and t.due_at < ${at}::timestamptz + interval '${expiringDays} days'`,
    ],
    [`t.kind = 'chargeback'`, `t.created_at > ${ago(`${newChargebackDays} days`)}`],
  ];
  const conditions = of.map(([index, condition]) => `${index} and ${condition}`);
  return {
    matches: `exists (select 1 from transactions t where t.payment_id = p.id and (${conditions.join(' or ')}))`,
    hits: (confined) =>
      conditions
        .map(
          (condition) =>
            `(select p.id from transactions t join payments p on p.id = t.payment_id
               where ${condition} ${confined('p')} limit ${collectedMax + 1})`,
        )
        .join(' union all '),
  };
}

/**
 * The matching transactions of each MID, read from an index in its order, so that the first are found at once. Each of
 * several values has its own query, because an index is ordered for one value only.
 */
const atMids =
  (conditions: string[]) =>
  (of: (alias: string) => string): string =>
    conditions
      .map(
        (condition) => `(select h.payment_id as id from mids i cross join lateral
           (select t.payment_id from transactions t where t.mid_id = i.id and ${condition}
             order by t.created_at desc limit ${collectedMax + 1}) h
          where true ${of('i')})`,
      )
      .join(' union all ');

function attemptedAt(mids: string): Matcher {
  const at = (alias: string) => `${alias} = any(${mids}::uuid[])`;
  return {
    matches: `exists (select 1 from transactions t where t.payment_id = p.id and ${at('t.mid_id')})`,
    hits: (of) => atMids(['true'])((alias) => `${of(alias)} and ${at(`${alias}.id`)}`),
  };
}

const eachOf = (list: string, values: readonly string[]) => values.map((_, at) => `(${list}::text[])[${at + 1}]`);

function paidBy(methods: string[], add: AddParameter): Matcher {
  const named = add(methods);
  return {
    matches: `p.method = any(${named}::text[])`,
    hits: atMids(eachOf(named, methods).map((method) => `t.method = ${method}`)),
    covered: true,
  };
}

function paidByWallet(named: string): Matcher {
  const condition = `p.digital_wallet is not null and p.digital_wallet = any(${named}::text[])`;
  return { matches: `(${condition})`, hits: byMerchant(condition, 'p.digital_wallet'), covered: true };
}

function declinedAs(classes: DeclineClass[], add: AddParameter): Matcher {
  const named = add(classes);
  const isSuch = `t.decline_class = any(${named}::text[])`;
  return {
    matches: `exists (select 1 from transactions t where t.payment_id = p.id and ${isSuch})`,
    hits: atMids(eachOf(named, classes).map((each) => `t.decline_class = ${each}`)),
    ids: (of) =>
      `select t.payment_id as id from mids i join transactions t on t.mid_id = i.id where ${isSuch} ${of('i')}`,
  };
}

function declinedFor(pattern: string): Matcher {
  const condition = `p.reason is not null and lower(p.reason) like ${pattern}`;
  return { matches: `(${condition})`, hits: byMerchant(condition, 'lower(p.reason) using ~<~') };
}

const inChains: Record<Exclude<RecurringKind, 'none'>, string> = {
  first: 'p.recurring_first_id is null',
  later: 'p.recurring_first_id is not null',
};

function ofChains(wanted: RecurringKind[]): Matcher {
  const [only, more] = wanted.filter((each) => each !== 'none');
  const condition = `p.recurring_token is not null ${only && !more ? `and ${inChains[only]}` : ''}`;
  return { matches: `(${condition})`, hits: byMerchant(condition, 'p.created_at desc, p.id desc'), covered: true };
}

/** Payments without a recurring agreement, with or without some of these: too many to collect and not indexed. */
function outsideChains(wanted: RecurringKind[]): CommonCondition {
  const others = wanted.flatMap((each) => (each === 'none' ? [] : [`or ${inChains[each]}`]));
  const condition = others.length > 1 ? 'true' : `(p.recurring_token is null ${others.join('')})`;
  return { conditionOf: () => condition, covered: true, together: false, idsOf: null };
}

/** Amounts are bounded in each currency's minor units; the index is queried for each pair of merchant and currency. */
function amountsOf({ currencies, amountFrom, amountTo }: PaymentFilter, add: AddParameter): Matcher {
  const codes = currencies.length > 0 ? currencies : null;
  const among = codes ? `and p.currency = any(${add(codes)}::text[])` : '';
  const bound = (text: string, rounded: 'up' | 'down') => boundSql(add, codes ?? currencyCodes, text, rounded);
  const lower = amountFrom === null ? '' : `and p.amount_minor >= ${bound(amountFrom, 'up')}`;
  const upper = amountTo === null ? '' : `and p.amount_minor <= ${bound(amountTo, 'down')}`;
  const range = `${among} ${lower} ${upper}`.trim().slice('and '.length);
  return {
    matches: `(${range})`,
    covered: true,
    hits: (of) => `
      with recursive pairs(merchant_id, currency) as (
        (select p.merchant_id, p.currency from payments p where true ${of('p')}
          order by p.merchant_id, p.currency limit 1)
        union all
        select n.merchant_id, n.currency from pairs x cross join lateral (
          select p.merchant_id, p.currency from payments p
           where (p.merchant_id, p.currency) > (x.merchant_id, x.currency) ${of('p')}
           order by p.merchant_id, p.currency limit 1) n
      )
      select h.id from pairs x cross join lateral (
        select p.id from payments p where p.merchant_id = x.merchant_id and p.currency = x.currency and ${range.replaceAll('p.currency', 'x.currency')}
         limit ${collectedMax + 1}) h where true`,
  };
}

/**
 * A decimal text as minor units of `p.currency`, one of `codes`; extra decimals are rounded into the range. If all
 * currencies have the same exponent it is a constant, which gives the planner good estimates.
 */
function boundSql(add: AddParameter, codes: readonly string[], text: string, rounded: 'up' | 'down'): string {
  const byExponent = new Map<number, string[]>();
  for (const code of codes) {
    const exponent = exponentOf(code) ?? 2;
    byExponent.set(exponent, [...(byExponent.get(exponent) ?? []), code]);
  }
  const minor = (exponent: number) => `${add(minorOf(text, exponent, rounded))}::bigint`;
  const [most = [2], ...others] = [...byExponent].sort(([, one], [, other]) => other.length - one.length);
  if (others.length === 0) return minor(most[0]);
  const whens = others.map(([exponent, alike]) => {
    return `when p.currency = any(${add(alike)}::text[]) then ${minor(exponent)}`;
  });
  return `(case ${whens.join(' ')} else ${minor(most[0])} end)`;
}

/** `15.5` as 1550 with two decimals. Throws for a text that is not an amount; the query reader has validated it. */
export function minorOf(text: string, exponent: number, rounded: 'up' | 'down'): bigint {
  const match = /^(\d{1,15})(?:\.(\d{1,18}))?$/.exec(text);
  if (!match) throw new RangeError('An amount consists of digits with a point');
  const [, whole = '0', decimals = ''] = match;
  const stored = BigInt(whole + decimals.slice(0, exponent).padEnd(exponent, '0'));
  const cut = /[1-9]/.test(decimals.slice(exponent));
  const minor = cut && rounded === 'up' ? stored + 1n : stored;
  const most = 2n ** 63n - 1n;
  return minor > most ? most : minor;
}
