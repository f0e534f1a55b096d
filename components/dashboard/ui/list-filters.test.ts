import { describe, expect, it } from 'vitest';
import type { FilterDef } from '../../../lib/dashboard/lists/contract.ts';
import { dateText } from '../times.ts';
import { changedQuery, filterText, paramsOf } from './list-filters.tsx';

const status: FilterDef = {
  name: 'state',
  label: 'Status',
  kind: 'choices',
  options: [
    { value: 'settled', label: 'Settled' },
    { value: 'decline', label: 'Decline' },
  ],
};
const created: FilterDef = { name: 'created', label: 'Created', kind: 'day', params: ['from', 'to'] };
const amount: FilterDef = { name: 'amount', label: 'Amount', kind: 'amount' };
const order: FilterDef = { name: 'order', label: 'Order', kind: 'text' };

/** A filter, the address, and the text of its chip. */
const texts: [FilterDef, string, string][] = [
  [status, '', ''],
  [status, 'state=settled,decline', 'Settled, Decline'],
  [status, 'state=settled,odd', 'Settled, odd'],
  [created, 'from=2026-11-01&to=2026-11-20', '1 Nov 2026 – 20 Nov 2026'],
  [created, 'from=2026-11-20&to=2026-11-20', '20 Nov 2026'],
  [created, 'from=2026-11-01', 'from 1 Nov 2026'],
  [created, 'to=2026-11-01', 'up to 1 Nov 2026'],
  [amount, 'amount_from=15.00', 'from 15.00'],
  [amount, 'amount_from=1&amount_to=2', '1 – 2'],
  [order, 'order=NK-1', 'NK-1'],
];

describe('a filter of a list', () => {
  it.each(texts)('reads as it should: %j %s', (filter, query, text) => {
    expect(filterText(filter, new URLSearchParams(query))).toBe(text);
  });

  it('knows its parameters', () => {
    expect([status, created, amount].map((filter) => [...paramsOf(filter)])).toEqual([
      ['state'],
      ['from', 'to'],
      ['amount_from', 'amount_to'],
    ]);
  });

  it('leaves an invalid day unchanged', () => {
    expect(['2026-13-01', 'soon'].map(dateText)).toEqual(['2026-13-01', 'soon']);
  });

  it('resets the page position and closes the panel when it changes', () => {
    const query = new URLSearchParams('state=settled&after=1.x&open=row&q=a');
    expect(`${changedQuery(query, { state: null, from: '2026-11-01' })}`).toBe('q=a&from=2026-11-01');
  });
});
