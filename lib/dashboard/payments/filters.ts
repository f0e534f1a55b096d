/**
 * The filters of the list of payments, as conditions. Whatever may be rare is looked up by an index first: its few
 * payments are fetched by their ids, and where there are many, the list meets them on the way.
 */

import { currencyCodes, exponentOf } from '../../core/currencies';
import type { DeclineClass } from '../../core/declines';
import type { Operation, Protocol } from '../../core/payment';
import type { State } from '../../core/states';
import type { AddParameter } from '../../db';
import { now } from '../../db/clock';
import { newChargebackDays, unknownMinutes } from '../overview/attention-queries';
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
} from './search';

/** A chain's first payment, its later charges, or payments outside of chains. */
export type RecurringKind = 'first' | 'later' | 'none';

export type PaymentFilter = {
  /** Only this merchant's payments; null for those of every merchant. */
  merchantId: string | null;
  /** See search.ts; '' for none. */
  search: string;
  /** Of all lists, empty means any. */
  states: State[];
  protocols: Protocol[];
  operations: Operation[];
  /** Methods and wallets by their ids. */
  methods: string[];
  currencies: string[];
  /** Decimal texts, counted in each payment's own currency; null for no bound. Both bounds belong to the range. */
  amountFrom: string | null;
  amountTo: string | null;
  /** Accounts that the payment was tried at. */
  mids: string[];
  /** Of declined tries; of payments that are declined where no state is asked for. */
  declineClasses: DeclineClass[];
  /** How the reason begins, in any letter case; '' for any. */
  reason: string;
  recurring: RecurringKind[];
  /** A card that was tried; null for any. */
  cardId: string | null;
  /** Only what calls for somebody: see {@link needsAttention}. */
  attention: boolean;
  /** From this instant on. */
  from: Date | null;
  /** Before this instant. */
  until: Date | null;
  oldestFirst: boolean;
  /** By amount instead of by time; only where exactly one currency is asked for, because others cannot be compared with it. */
  byAmount: 'largest' | 'smallest' | null;
};

/** What is known of the payments that fit before any is read: the ids of a few that may, and the filters that many do. */
export type KnownHits = { ids: string[][]; common: CommonCondition[] };

/** Asks the indexes for whatever may be rare. Null when nothing fits. */
export async function findCandidates(filter: PaymentFilter): Promise<KnownHits | null> {
  const ids: string[][] = [];
  const common: CommonCondition[] = [];
  const learn = (hits: Hits | null): boolean => {
    if (hits?.known === 'few') ids.push(hits.ids);
    if (hits?.known === 'many') common.push(hits);
    return hits?.known !== 'nothing';
  };
  if (!learn(await findHits(filter))) return null;
  for (const ways of collected(filter)) {
    if (!learn(await collectHits(ways, filter.merchantId))) return null;
  }
  if (filter.recurring.includes('none')) common.push(outsideChains(filter.recurring));
  return { ids, common };
}

/** When a filter's payments were opened, and by which ids they are known, as conditions on `p`. */
export function rangeOf({ from, until }: PaymentFilter, { ids }: KnownHits, add: AddParameter): string[] {
  return [
    ...(from ? [`p.created_at >= ${add(from)}::timestamptz`] : []),
    ...(until ? [`p.created_at < ${add(until)}::timestamptz`] : []),
    ...ids.map((few) => `p.id = any(${add(few)}::uuid[])`),
  ];
}

/** Whose payments a filter means, and of which currency where they stand by amount. */
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

/** The filters by lists of an enumeration, the most selective first. */
function listed({ states, protocols, operations, declineClasses }: PaymentFilter) {
  const wanted = states.length === 0 && declineClasses.length > 0 ? onlyDeclined : states;
  return [
    { column: 'state', type: '"PaymentState"', values: wanted },
    { column: 'protocol', type: '"Protocol"', values: protocols },
    { column: 'operation', type: '"Operation"', values: operations },
  ].filter(({ values }) => values.length > 0);
}

const everyProtocol: Protocol[] = ['checkout', 's2s_card', 's2s_apm'];
const everyOperation: Operation[] = ['purchase', 'debit', 'credit', 'transfer', 'recurring'];

/** Combinations, each of which an index has in the list's own order: what they are made of, and their conditions on `p`. */
export type OrderedIndex = { from: string; conditions: string[] };

/** How a merchant, a status, a protocol or an operation is read in the list's own order; null where none is asked for. */
export function orderedBy(filter: PaymentFilter, add: AddParameter): OrderedIndex | null {
  const lists = listed(filter);
  if (lists.length === 0) return null;
  const { merchantId } = filter;
  const whose = merchantId === null ? '' : `where id = ${add(merchantId)}::uuid`;
  const merchants = `(select id from merchants ${whose}) m`;
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
  const protocols = filter.protocols.length > 0 ? filter.protocols : everyProtocol;
  const operations = filter.operations.length > 0 ? filter.operations : everyOperation;
  const from = [merchants, each('protocol', '"Protocol"', protocols), each('operation', '"Operation"', operations)];
  return { from: from.join(' '), conditions };
}

/** How a list by amount is read in its own order, in which each merchant's payments of a currency are one index's. */
export function byAmountOf({ merchantId, currencies }: PaymentFilter, add: AddParameter): OrderedIndex {
  const whose = merchantId === null ? '' : `where id = ${add(merchantId)}::uuid`;
  return {
    from: `(select id from merchants ${whose}) m`,
    conditions: ['p.merchant_id = m.id', `p.currency = ${add(currencies[0])}`],
  };
}

/** The filters whose payments are collected, by the ways to them. */
function collected(filter: PaymentFilter): MatcherFactory[][] {
  const { cardId, mids, methods, declineClasses, reason, recurring } = filter;
  const found: MatcherFactory[][] = [];
  if (cardId !== null) found.push([(add) => cardMatcher(add(cardId))]);
  if (filter.attention) found.push([(add) => needsAttention(add(now()))]);
  if (mids.length > 0) found.push([(add) => attemptedAt(add(mids))]);
  if (methods.length > 0) found.push([(add) => paidBy(methods, add), (add) => paidByWallet(add(methods))]);
  if (declineClasses.length > 0) found.push([(add) => declinedAs(declineClasses, add)]);
  if (reason !== '') found.push([(add) => declinedFor(add(prefixPattern(reason.toLowerCase())))]);
  if (recurring.length > 0 && !recurring.includes('none')) found.push([() => ofChains(recurring)]);
  const { currencies, amountFrom, amountTo, byAmount } = filter;
  // A list by amount is read from its currency's index anyway.
  const isAmong = currencies.length > 0 && byAmount === null;
  // A status, a protocol or an operation has an index in the order of time, and none in that of amounts.
  if (byAmount !== null && listed(filter).length > 0) found.push([(add) => inLists(filter, add)]);
  if (isAmong || amountFrom !== null || amountTo !== null) found.push([(add) => amountsOf(filter, add)]);
  return found;
}

/** The status, the protocol and the operation of a list by amount, which meets them on its way unless they are rare. */
function inLists(filter: PaymentFilter, add: AddParameter): Matcher {
  // A value that stands nowhere in the statement is refused, so both ways to ask share each.
  const placed = new Map<unknown, string>();
  const addOnce: AddParameter = (value) => {
    const place = placed.get(value) ?? add(value);
    placed.set(value, place);
    return place;
  };
  const matches = listConditions(filter, addOnce).join(' and ');
  const ordered = orderedBy({ ...filter, merchantId: null }, addOnce);
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

/** Holds that lapse within these days call for a capture. */
const expiringDays = 2;

/** An outcome that nobody has known for long, a hold that lapses soon, a new chargeback. */
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
 * The hits among the transactions of each account, read by an index in its order: of many, the first are found at once.
 * Of several words each is a question of its own, because an index has its order for one only.
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

/** The members of a list that was added as a value, one by one. */
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
  return {
    matches: `(${condition})`,
    hits: byMerchant(condition, 'p.created_at desc, p.id desc'),
    covered: true,
  };
}

/** Payments outside of chains, with or without some of these: too many to collect, and no index has them. */
function outsideChains(wanted: RecurringKind[]): CommonCondition {
  const others = wanted.flatMap((each) => (each === 'none' ? [] : [`or ${inChains[each]}`]));
  const condition = others.length > 1 ? 'true' : `(p.recurring_token is null ${others.join('')})`;
  return { conditionOf: () => condition, covered: true, together: false, idsOf: null };
}

/** Amounts are bounded in each currency's own minor units; the index is asked for each pair of merchant and currency. */
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
 * A decimal text as minor units of `p.currency`, one of `codes`; what a currency cannot count is rounded into the range.
 * Where all count alike it is a number, of which the planner knows how many payments lie beyond it.
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

/** `15.5` as 1550 with two decimals. Throws for a text that is no amount: the reader of the query has seen to it. */
export function minorOf(text: string, exponent: number, rounded: 'up' | 'down'): bigint {
  const match = /^(\d{1,15})(?:\.(\d{1,18}))?$/.exec(text);
  if (!match) throw new RangeError('An amount is digits with a point');
  const [, whole = '0', decimals = ''] = match;
  const kept = BigInt(whole + decimals.slice(0, exponent).padEnd(exponent, '0'));
  const cut = /[1-9]/.test(decimals.slice(exponent));
  const minor = cut && rounded === 'up' ? kept + 1n : kept;
  const most = 2n ** 63n - 1n;
  return minor > most ? most : minor;
}
