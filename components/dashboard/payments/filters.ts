// The filters of the payments list in the order of the menu.

import type { PaymentChoices } from '../../../lib/dashboard/contract';
import { statusLabels } from '../../../lib/dashboard/status-labels';
import type { FilterDef } from '../ui';
import { declineLabels } from './decline-labels';

const options = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

const protocols = { checkout: 'Checkout', s2s_card: 'S2S CARD', s2s_apm: 'S2S APM' };
const operations = {
  purchase: 'Purchase',
  debit: 'Debit',
  credit: 'Payout',
  transfer: 'Transfer',
  recurring: 'Recurring',
};
const orders = { oldest: 'Oldest first', largest: 'Largest first', smallest: 'Smallest first' };
const chains = { first: 'Initial payment', later: 'Subsequent charge', none: 'Not recurring' };

/** The filters with the user's choices; filters without a choice are left out. */
export function paymentFilters({ merchants, mids, methods, currencies }: PaymentChoices): FilterDef[] {
  const many = new Set(mids.map(({ merchantName }) => merchantName)).size > 1;
  const filters: FilterDef[] = [
    { name: 'state', label: 'Status', kind: 'choices', options: options(statusLabels) },
    { name: 'created', label: 'Created', kind: 'day', params: ['from', 'to'] },
    { name: 'amount', label: 'Amount', kind: 'amount' },
    {
      name: 'currency',
      label: 'Currency',
      kind: 'choices',
      options: currencies.map((code) => ({ value: code, label: code })),
    },
    {
      name: 'method',
      label: 'Method',
      kind: 'choices',
      options: methods.map(({ id, name }) => ({ value: id, label: name })),
    },
    {
      name: 'merchant',
      label: 'Merchant',
      kind: 'choice',
      options: merchants.map(({ id, name }) => ({ value: id, label: name })),
    },
    {
      name: 'mid',
      label: 'MID',
      kind: 'choices',
      options: mids.map(({ id, name, merchantName }) => ({
        value: id,
        label: many ? `${name}, ${merchantName}` : name,
      })),
    },
    { name: 'protocol', label: 'Protocol', kind: 'choices', options: options(protocols) },
    { name: 'operation', label: 'Operation', kind: 'choices', options: options(operations) },
    { name: 'class', label: 'Decline category', kind: 'choices', options: options(declineLabels) },
    { name: 'reason', label: 'Decline reason', kind: 'text' },
    { name: 'recurring', label: 'Recurring', kind: 'choices', options: options(chains) },
    { name: 'attention', label: 'Attention', kind: 'choice', options: [{ value: 'yes', label: 'Needed' }] },
    { name: 'sort', label: 'Order', kind: 'choice', options: options(orders) },
  ];
  return filters.filter(({ name }) => name !== 'merchant' || merchants.length > 1);
}

/** The card filter is set from a payment's page only, so it can be removed but not added. */
export const cardFilter: FilterDef = { name: 'card', label: 'Card', kind: 'choice', options: [] };
