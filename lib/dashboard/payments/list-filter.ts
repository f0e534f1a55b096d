/** The filters of the payment list: as its page offers them, and their values in an address (filters.ts: conditions). */
import { exponentOf } from '../../core/currencies.ts';
import type { DeclineClass } from '../../core/declines.ts';
import { isUuid } from '../../core/ids.ts';
import type { Protocol } from '../../core/payment.ts';
import { type State, states } from '../../core/states.ts';
import type { PageContext } from '../guard.ts';
import { protocolNames } from '../labels.ts';
import { selectedMax } from '../lists/columns.ts';
import { choice, choices, chosen, days, optionsOf, text } from '../lists/filters.ts';
import { searched } from '../lists/query.ts';
import { type Filter, readFilter } from '../lists/resource.ts';
import { statusFilter } from '../lists/rows.ts';
import { statusLabels } from '../status-labels.ts';
import { declineLabels } from './decline-labels.ts';

const operationLabels = {
  purchase: 'Purchase',
  debit: 'Debit',
  credit: 'Payout',
  transfer: 'Transfer',
  recurring: 'Recurring',
};
export const operations = Object.keys(operationLabels) as (keyof typeof operationLabels)[];

const chainLabels = { first: 'Initial payment', later: 'Subsequent charge', none: 'Not recurring' };
export type RecurringKind = keyof typeof chainLabels;

const orderLabels = { oldest: 'Oldest first', largest: 'Largest first', smallest: 'Smallest first' };

/** The most characters of a parameter with several values, so that an address cannot make a statement of any length. */
const valuesMax = 2000;
const listOf = (query: URLSearchParams, name: string, most = valuesMax) =>
  (query.get(name) ?? '').slice(0, most).split(',');
const amountOf = (query: URLSearchParams, name: string) =>
  /^\d{1,15}(?:\.\d{1,18})?$/.exec(query.get(name) ?? '')?.[0] ?? null;

/** Several valid values; the options depend on the request. */
const several = (name: string, label: string, isValid: (value: string) => boolean): Filter => ({
  name,
  label,
  kind: 'choices',
  options: [],
  read: (query) => listOf(query, name).filter(isValid),
});

export const filters: readonly Filter[] = [
  { ...statusFilter(states), options: optionsOf(statusLabels) },
  days('Created'),
  { name: 'amount', label: 'Amount', kind: 'amount', read: () => [] },
  several('currency', 'Currency', (code) => exponentOf(code) !== null),
  several('method', 'Method', (id) => /^[\w.-]{1,64}$/.test(id)),
  { ...chosen('merchant', 'Merchant', /./), read: (query) => [query.get('merchant') ?? ''].filter(isUuid) },
  several('mid', 'MID', isUuid),
  choices('protocol', 'Protocol', optionsOf(protocolNames)),
  choices('operation', 'Operation', optionsOf(operationLabels)),
  choices('class', 'Decline category', optionsOf(declineLabels)),
  { ...text('reason', 'Decline reason', /./), read: (query) => [searched(query.get('reason') ?? '')].filter(Boolean) },
  choices('recurring', 'Recurring', optionsOf(chainLabels)),
  choice('attention', 'Needs attention', optionsOf({ yes: 'Yes' })),
  choice('sort', 'Order', optionsOf(orderLabels)),
];

export type PaymentFilter = ReturnType<typeof readPaymentFilter>;

/**
 * The filter of an address: the values of {@link filters}, `amount_from` and `amount_to`, the stored card `card`, and the
 * selected payments `ids`. An empty list or text means any.
 */
export function readPaymentFilter(request: Pick<PageContext, 'query' | 'scope' | 'zone'>) {
  const { values, ...range } = readFilter({ filters }, request);
  const { query } = request;
  const named = <Value extends string>(name: string) => (values[name] ?? []) as Value[];
  const currencies = named('currency');
  const [sort = 'newest'] = named<keyof typeof orderLabels>('sort');
  const card = query.get('card') ?? '';
  return {
    ...range,
    merchantId: range.merchantId ?? named('merchant')[0] ?? null,
    states: named<State>('state'),
    protocols: named<Protocol>('protocol'),
    operations: named<(typeof operations)[number]>('operation'),
    methods: named('method'),
    currencies,
    /** Decimal texts in each payment's own currency; null for no bound. Both bounds are inclusive. */
    amountFrom: amountOf(query, 'amount_from'),
    amountTo: amountOf(query, 'amount_to'),
    mids: named('mid'),
    /** Of declined attempts; without a state filter also of declined payments. */
    declineClasses: named<DeclineClass>('class'),
    /** The beginning of the reason, ignoring case. */
    reason: named('reason')[0] ?? '',
    recurring: named<RecurringKind>('recurring'),
    cardId: isUuid(card) ? card : null,
    // A UUID and its comma.
    ids: listOf(query, 'ids', selectedMax * 37).filter(isUuid),
    attention: named('attention').length > 0,
    oldestFirst: sort === 'oldest',
    /** Only with exactly one currency, because amounts of different currencies cannot be compared. */
    byAmount: currencies.length === 1 && (sort === 'largest' || sort === 'smallest') ? sort : null,
  };
}
