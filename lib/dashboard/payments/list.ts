/** The payments list: its columns, of which users choose those between amount and time, and its filters. */
import { protocolNames } from '../labels';
import { amount, created } from '../lists/columns';
import type { ColumnDef, FilterDef } from '../lists/description';
import { optionsOf } from '../lists/filters';
import { type Filter, type ListRequest, resource } from '../lists/resource';
import { statusLabels } from '../status-labels';
import { paymentChoices } from './choices';
import { declineLabels } from './decline-labels';
import { paymentList } from './payments';

const operations = {
  purchase: 'Purchase',
  debit: 'Debit',
  credit: 'Payout',
  transfer: 'Transfer',
  recurring: 'Recurring',
};
const orders = { oldest: 'Oldest first', largest: 'Largest first', smallest: 'Smallest first' };
const chains = { first: 'Initial payment', later: 'Subsequent charge', none: 'Not recurring' };

// readPaymentListQuery reads their values.
const filter = (name: string, label: string, kind: FilterDef['kind'], labels: Readonly<Record<string, string>> = {}) =>
  ({ name, label, kind, options: optionsOf(labels), read: () => [] }) satisfies Filter;

/** A column that is shown only if a user chooses it: it stays longer in a narrow window than the default ones. */
const extra = (column: ColumnDef): ColumnDef => ({ hideOnPhone: true, ...column });

export const payments = resource({
  name: 'payments',
  title: 'Payments',
  nouns: ['payment', 'payments'],
  search: 'Payment, order, email, card last four, token',
  filters: [
    filter('state', 'Status', 'choices', statusLabels),
    { ...filter('created', 'Created', 'day'), params: ['from', 'to'] },
    filter('amount', 'Amount', 'amount'),
    filter('currency', 'Currency', 'choices'),
    filter('method', 'Method', 'choices'),
    filter('merchant', 'Merchant', 'choice'),
    filter('mid', 'MID', 'choices'),
    filter('protocol', 'Protocol', 'choices', protocolNames),
    filter('operation', 'Operation', 'choices', operations),
    filter('class', 'Decline category', 'choices', declineLabels),
    filter('reason', 'Decline reason', 'text'),
    filter('recurring', 'Recurring', 'choices', chains),
    filter('attention', 'Attention', 'choice', { yes: 'Needed' }),
    filter('sort', 'Order', 'choice', orders),
  ],
  choices,
  views: [
    ['Needs attention', 'attention=yes'],
    ['Pending', 'state=pending'],
    ['Declined', 'state=decline'],
    ['Refunded', 'state=refund'],
  ],
  columns: [
    { ...amount, width: 144 },
    { id: 'status', head: 'Status', kind: 'payment', width: 176 },
    { id: 'order', field: 'orderNumber', head: 'Order', width: 124, mono: true },
    { id: 'method', head: 'Method', kind: 'method', width: 168, hideBelow: 'lg', hideOnPhone: true },
    { id: 'payer', head: 'Payer' },
    { id: 'merchant', field: 'merchantName', head: 'Merchant', width: 116, hideBelow: 'lg', hideOnPhone: true },
    { id: 'mid', field: 'midName', head: 'MID', width: 116, hideBelow: 'lg', hideOnPhone: true },
    extra({ id: 'channel', head: 'Channel', width: 150 }),
    extra({ id: 'description', head: 'Description' }),
    extra({ id: 'captured', head: 'Captured', width: 104, align: 'end' }),
    extra({ id: 'refunded', head: 'Refunded', width: 104, align: 'end' }),
    extra({ id: 'country', head: 'Country', width: 72 }),
    extra({ id: 'payment_id', field: 'id', head: 'payment_id', width: '14%', mono: true }),
    extra({ id: 'trans_id', field: 'transId', head: 'trans_id', width: '14%', mono: true }),
    extra({ id: 'settled', field: 'settledAt', head: 'Settled', kind: 'time', width: 140, align: 'end' }),
    { ...created(), id: 'created', field: 'createdAt', width: 136 },
  ],
  href: '/dashboard/payments/{id}',
  rowName: '{amount} {currency}, order {orderNumber}',
  empty: {
    title: 'No payments yet',
    texts: ['A payment appears here seconds after your server creates a session.'],
    shop: true,
  },
  read: paymentList,
});

/** The choices among the payments of the user's merchant, or of every merchant. */
async function choices({ scope }: Pick<ListRequest, 'scope'>) {
  const { merchants, mids, methods, currencies } = await paymentChoices(scope);
  const many = new Set(mids.map(({ merchantName }) => merchantName)).size > 1;
  const named = (each: { id: string; name: string }) => ({ value: each.id, label: each.name });
  return {
    merchant: merchants.length > 1 ? merchants.map(named) : [],
    mid: mids.map(({ id, name, merchantName }) => ({ value: id, label: many ? `${name}, ${merchantName}` : name })),
    method: methods.map(named),
    currency: currencies.map((code) => ({ value: code, label: code })),
  };
}
