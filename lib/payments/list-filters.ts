/**
 * The filters of the list of payments, as conditions. Whatever may be rare is looked up by an index first: its few
 * payments are fetched by their ids, and where there are many, the list meets them on the way.
 */
import { now } from '../clock';
import { currencyCodes, exponentOf } from '../core/currencies';
import type { DeclineClass } from '../core/declines';
import type { State } from '../core/states';
import { newChargebackDays, unknownMinutes } from './attention';
import type { Add, SqlBuilder } from './keyed';
import type { Operation, Protocol } from './payment';
import { beginning, byMerchant, type Confined, collectedMax, confine, confineToSearch, type Matcher } from './search';

/** A chain's first payment, its later charges, or payments outside of chains. */
export type Recurring = 'first' | 'later' | 'none';

export type ListFilter = {
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
  recurring: Recurring[];
  /** A card that was tried; null for any. */
  cardId: string | null;
  /** Only what calls for somebody: see {@link needsAttention}. */
  attention: boolean;
  /** From this instant on. */
  from: Date | null;
  /** Before this instant. */
  until: Date | null;
  oldestFirst: boolean;
};

/** The list's order by an index for each combination; null where the conditions are to be met on the way. */
export type Ordered = { from: string; conditions: { name: string; condition: string }[] } | null;

/**
 * Puts a filter's conditions on `p` into the builder, save those of {@link orderedBy} where many payments may fit, and
 * tells how many may.
 */
export async function confineTo(builder: SqlBuilder, filter: ListFilter): Promise<Confined> {
  const { add, where } = builder;
  const { merchantId } = filter;
  const known = [await confineToSearch(builder, filter)];
  for (const [name, matchersOf] of collected(filter)) {
    if (known.at(-1) === 'nothing') break;
    known.push(await confine(builder, merchantId, matchersOf, name));
  }
  if (known.includes('nothing')) return 'nothing';
  const confined = known.includes('few') ? 'few' : 'many';
  if (filter.from) where('from', `p.created_at >= ${add(filter.from)}::timestamptz`);
  if (filter.until) where('until', `p.created_at < ${add(filter.until)}::timestamptz`);
  const lists = listed(filter);
  if (confined === 'few' || lists.length === 0) {
    if (merchantId !== null) where('merchant', `p.merchant_id = ${add(merchantId)}::uuid`);
    for (const { name, column, type, values } of lists) {
      where(name, `p.${column} = any(${add(values)}::${type}[])`);
    }
  }
  return confined;
}

/** The filters by lists of an enumeration, the most selective first. */
function listed({ states, protocols, operations, declineClasses }: ListFilter) {
  const wanted = states.length === 0 && declineClasses.length > 0 ? ['declined'] : states;
  return [
    { name: 'states', column: 'state', type: '"PaymentState"', values: wanted },
    { name: 'protocols', column: 'protocol', type: '"Protocol"', values: protocols },
    { name: 'operations', column: 'operation', type: '"Operation"', values: operations },
  ].filter(({ values }) => values.length > 0);
}

const everyProtocol: Protocol[] = ['checkout', 's2s_card', 's2s_apm'];
const everyOperation: Operation[] = ['purchase', 'debit', 'credit', 'transfer', 'recurring'];

/** How a status, a protocol or an operation is read in the list's own order; null where none is asked for. */
export function orderedBy({ add }: SqlBuilder, filter: ListFilter): Ordered {
  const lists = listed(filter);
  if (lists.length === 0) return null;
  const { merchantId } = filter;
  const whose = merchantId === null ? '' : `where id = ${add(merchantId)}::uuid`;
  const merchants = `(select id from merchants ${whose}) m`;
  const conditions = [{ name: 'merchant', condition: 'p.merchant_id = m.id' }];
  const each = (name: string, column: string, type: string, values: string[]) => {
    conditions.push({ name, condition: `p.${column} = ${column}s.${column}` });
    return `cross join unnest(${add(values)}::${type}[]) ${column}s(${column})`;
  };
  const byState = lists[0]?.column === 'state' ? lists[0] : null;
  if (byState) {
    const from = `${merchants} ${each(byState.name, byState.column, byState.type, byState.values)}`;
    for (const { name, column, type, values } of lists.slice(1)) {
      conditions.push({ name, condition: `p.${column} = any(${add(values)}::${type}[])` });
    }
    return { from, conditions };
  }
  const protocols = filter.protocols.length > 0 ? filter.protocols : everyProtocol;
  const operations = filter.operations.length > 0 ? filter.operations : everyOperation;
  const from = [
    merchants,
    each('protocols', 'protocol', '"Protocol"', protocols),
    each('operations', 'operation', '"Operation"', operations),
  ];
  return { from: from.join(' '), conditions };
}

/** The filters whose payments are collected, each with the ways to them. */
function collected(filter: ListFilter): [name: string, matchersOf: (add: Add) => Matcher[]][] {
  const { cardId, mids, methods, declineClasses, reason, recurring } = filter;
  const found: [string, (add: Add) => Matcher[]][] = [];
  if (cardId !== null) found.push(['card', (add) => [triedWithCard(add(cardId))]]);
  if (filter.attention) found.push(['attention', (add) => [needsAttention(add(now()))]]);
  if (mids.length > 0) found.push(['mids', (add) => [triedAt(add(mids))]]);
  if (methods.length > 0) found.push(['methods', (add) => paidBy(add(methods))]);
  if (declineClasses.length > 0) found.push(['classes', (add) => [declinedAs(add(declineClasses))]]);
  if (reason !== '') found.push(['reason', (add) => [declinedFor(add(beginning(reason.toLowerCase())))]]);
  if (recurring.length > 0 && !recurring.includes('none')) found.push(['recurring', () => [ofChains(recurring)]]);
  else if (recurring.length > 0) found.push(['recurring', () => [outsideChains(recurring)]]);
  const { currencies, amountFrom, amountTo } = filter;
  if (currencies.length > 0 || amountFrom !== null || amountTo !== null) {
    found.push(['amounts', (add) => [amountsOf(filter, add)]]);
  }
  return found;
}

function triedWithCard(card: string): Matcher {
  return {
    name: 'card',
    matches: `exists (select 1 from transactions t where t.payment_id = p.id and t.card_id = ${card}::uuid)`,
    hits: (of) =>
      `select t.payment_id as id from transactions t join payments p on p.id = t.payment_id
        where t.card_id = ${card}::uuid ${of('p')}`,
  };
}

/** Holds that lapse within these days call for a capture. */
const lapsingDays = 2;

/** An outcome that nobody has known for long, a hold that lapses soon, a new chargeback. */
function needsAttention(at: string): Matcher {
  const ago = (interval: string) => `${at}::timestamptz - interval '${interval}'`;
  const of: [from: string, condition: string][] = [
    ['t.due_at is not null', `t.status in ('sent', 'unknown') and t.created_at < ${ago(`${unknownMinutes} minutes`)}`],
    [
      't.due_at is not null',
      `t.status = 'success' and t.kind = 'authorize' and t.due_at < ${at}::timestamptz + interval '${lapsingDays} days'`,
    ],
    [`t.kind = 'chargeback'`, `t.created_at > ${ago(`${newChargebackDays} days`)}`],
  ];
  const conditions = of.map(([index, condition]) => `${index} and ${condition}`);
  return {
    name: 'attention',
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

/** The hits among the transactions of each account, read by an index in its order: of many, the first are found at once. */
const atMids =
  (condition: string, each = '') =>
  (of: (alias: string) => string) =>
    `select h.payment_id as id from mids i ${each} cross join lateral
     (select t.payment_id from transactions t where t.mid_id = i.id and ${condition}
       order by t.created_at desc limit ${collectedMax + 1}) h
    where true ${of('i')}`;

function triedAt(mids: string): Matcher {
  return {
    name: 'mids',
    matches: `exists (select 1 from transactions t where t.payment_id = p.id and t.mid_id = any(${mids}::uuid[]))`,
    hits: (of) => `${atMids('true')(of)} and i.id = any(${mids}::uuid[])`,
  };
}

function paidBy(methods: string): Matcher[] {
  const wallet = `p.digital_wallet is not null and p.digital_wallet = any(${methods}::text[])`;
  return [
    {
      name: 'method',
      matches: `p.method = any(${methods}::text[])`,
      hits: atMids('t.method = e.method', `cross join unnest(${methods}::text[]) e(method)`),
    },
    { name: 'wallet', matches: `(${wallet})`, hits: byMerchant(wallet) },
  ];
}

function declinedAs(classes: string): Matcher {
  const declined = 't.decline_class is not null and t.decline_class';
  return {
    name: 'classes',
    matches: `exists (select 1 from transactions t where t.payment_id = p.id and ${declined} = any(${classes}::text[]))`,
    hits: atMids(`${declined} = e.class`, `cross join unnest(${classes}::text[]) e(class)`),
  };
}

function declinedFor(pattern: string): Matcher {
  const condition = `p.reason is not null and lower(p.reason) like ${pattern}`;
  return { name: 'reason', matches: `(${condition})`, hits: byMerchant(condition) };
}

const inChains: Record<Exclude<Recurring, 'none'>, string> = {
  first: 'p.recurring_first_id is null',
  later: 'p.recurring_first_id is not null',
};

function ofChains(wanted: Recurring[]): Matcher {
  const [only, more] = wanted.filter((each) => each !== 'none');
  const condition = `p.recurring_token is not null ${only && !more ? `and ${inChains[only]}` : ''}`;
  return { name: wanted.join('-'), matches: `(${condition})`, hits: byMerchant(condition) };
}

function outsideChains(wanted: Recurring[]): Matcher {
  const others = wanted.flatMap((each) => (each === 'none' ? [] : [`or ${inChains[each]}`]));
  const condition = others.length > 1 ? 'true' : `(p.recurring_token is null ${others.join('')})`;
  return { name: wanted.join('-'), matches: condition, hits: byMerchant(condition) };
}

/** Amounts are bounded in each currency's own minor units; the index is asked for each pair of merchant and currency. */
function amountsOf({ currencies, amountFrom, amountTo }: ListFilter, add: Add): Matcher {
  const codes = currencies.length > 0 ? currencies : null;
  const among = codes ? `and p.currency = any(${add(codes)}::text[])` : '';
  const lower = amountFrom === null ? '' : `and p.amount_minor >= ${boundSql(add, amountFrom, 'up')}`;
  const upper = amountTo === null ? '' : `and p.amount_minor <= ${boundSql(add, amountTo, 'down')}`;
  const range = `${among} ${lower} ${upper}`.trim().slice('and '.length);
  return {
    name: `amounts ${among && 'among'} ${lower && 'lower'} ${upper && 'upper'}`,
    matches: `(${range})`,
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

/** A decimal text as minor units of `p.currency`; what a currency cannot count is rounded into the range. */
function boundSql(add: Add, text: string, rounded: 'up' | 'down'): string {
  const byExponent = new Map<number, string[]>();
  for (const code of currencyCodes) {
    const exponent = exponentOf(code) ?? 2;
    byExponent.set(exponent, [...(byExponent.get(exponent) ?? []), code]);
  }
  const minor = (exponent: number) => `${add(minorOf(text, exponent, rounded))}::bigint`;
  const cases = [...byExponent].filter(([exponent]) => exponent !== 2);
  const whens = cases.map(([exponent, codes]) => {
    return `when p.currency = any(${add(codes)}::text[]) then ${minor(exponent)}`;
  });
  return `(case ${whens.join(' ')} else ${minor(2)} end)`;
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
