// A test without findings is only as good as its comparison: a consistent run has no violation, and every kind of
// inconsistency has one.
import { describe, expect, it } from 'vitest';
import { type Run, violationsIn } from './consistency.ts';

const key = 'f2d0c0de-0000-7000-8000-000000000001';
const captureKey = 'f2d0c0de-0000-7000-8000-000000000002';
const line = { key, kind: 'payment', order: 'o-1', status: 'approved', minor: '5000' };
const row = {
  id: key,
  kind: 'sale',
  status: 'success',
  minor: '5000',
  payment_id: 'p-1',
  order_number: 'o-1',
  seconds: 1,
};
const callback = { id: 'c-1', sequence: 1, state: 'delivered', order_number: 'o-1' };
const response = { order: 'o-1', action: 'SALE', transId: key, result: 'SUCCESS' };

const consistentRun = (): Run => ({
  journal: [line],
  rows: [row],
  inFlight: 0,
  callbacks: [callback],
  arrivals: () => [1],
  acknowledged: [response],
});

const twin = 'f2d0c0de-0000-7000-8000-000000000003';
const item = { payment_id: 'p-1', transaction_id: twin, open: true };
const chargedBack = { ...line, key: 'cb-1', kind: 'chargeback', original: key, minor: '2000' };

const captured = { ...row, id: captureKey, kind: 'capture' };
const captureLine = { ...line, key: captureKey, kind: 'capture' };

const inconsistencies: [string, Partial<Run>, RegExp][] = [
  [
    'an order charged twice',
    { journal: [line, { ...line, key: captureKey }], rows: [row, { ...row, id: captureKey }] },
    /charged twice/,
  ],
  ['money that is not recorded', { rows: [], acknowledged: [] }, /moved money and is not recorded/],
  ['money recorded as declined', { rows: [{ ...row, status: 'fail' }], acknowledged: [] }, /is recorded as fail/],
  ['another amount', { rows: [{ ...row, minor: '4000' }] }, /moved 5000, recorded are 4000/],
  ['a success unknown to the provider', { journal: [] }, /at the provider it is unknown/],
  ['a success that was declined', { journal: [{ ...line, status: 'declined' }] }, /at the provider it is declined/],
  [
    'a capture that moved nothing',
    { rows: [row, captured], journal: [line, { ...captureLine, status: 'declined' }] },
    /capture .* is recorded as success, at the provider it is declined/,
  ],
  ['an acknowledged payment that is missing', { acknowledged: [{ ...response, transId: captureKey }] }, /not recorded/],
  ["another order's payment", { acknowledged: [{ ...response, order: 'o-2' }] }, /acknowledged as one of o-1/],
  [
    'a paid order with the response DECLINED',
    { acknowledged: [{ ...response, result: 'DECLINED' }] },
    /got DECLINED and is recorded as success/,
  ],
  [
    'an acknowledged capture that was not made',
    { acknowledged: [response, { ...response, action: 'CAPTURE' }] },
    /CAPTURE of order o-1 got SUCCESS and none is recorded/,
  ],
  [
    'a late success without an open item',
    {
      journal: [line, { ...line, key: twin }],
      rows: [row, { ...row, id: twin, status: 'fail' }],
      unresolved: [{ ...item, open: false }],
    },
    /charged twice/,
  ],
  ['a chargeback that is not recorded', { journal: [line, chargedBack] }, /2000 of order o-1 were charged back/],
  [
    'a chargeback of another amount',
    { journal: [line, chargedBack], rows: [row, { ...row, id: twin, kind: 'chargeback' }] },
    /charged back, recorded are 5000/,
  ],
  [
    'a capture at the portal',
    { journal: [{ ...line, what: 'portal capture' }], rows: [{ ...row, kind: 'authorize', state: 'pending' }] },
    /captured at the portal/,
  ],
  ['an open transaction', { rows: [{ ...row, status: 'unknown' }], journal: [], acknowledged: [] }, /still unknown/],
  ['a transaction that took too long', { rows: [{ ...row, seconds: 121 }] }, /took 121 s/],
  ['a payment in flight', { inFlight: 1 }, /1 payments are still in flight/],
  ['a callback that waits', { callbacks: [{ ...callback, state: 'waiting' }] }, /is waiting/],
  ['a callback that was lost', { arrivals: () => [] }, /never arrived/],
  [
    'callbacks out of order',
    { callbacks: [callback, { ...callback, id: 'c-2', sequence: 2 }], arrivals: () => [2, 1] },
    /arrived as 2, 1/,
  ],
];

describe('the consistency check', () => {
  it('finds nothing in a consistent run', () => {
    expect(violationsIn(consistentRun())).toEqual([]);
    expect(violationsIn({ ...consistentRun(), rows: [row, captured], journal: [line, captureLine] })).toEqual([]);
    // A repeated callback is no violation: delivery is at least once.
    const twice = { callbacks: [callback, { ...callback, id: 'c-2', sequence: 2 }], arrivals: () => [1, 1, 2, 1] };
    expect(violationsIn({ ...consistentRun(), ...twice })).toEqual([]);
  });

  it('accepts listed and refunded differences', () => {
    const late = { ...row, id: twin, status: 'fail' };
    const lateLine = { ...line, key: twin };
    const rows = [row, late];
    expect(violationsIn({ ...consistentRun(), rows, journal: [line, lateLine], unresolved: [item] })).toEqual([]);
    const voided = { ...line, key: 'v-1', kind: 'void', original: twin };
    const closed = { unresolved: [{ ...item, open: false }] };
    expect(violationsIn({ ...consistentRun(), rows, journal: [line, lateLine, voided], ...closed })).toEqual([]);
    const disputed = { ...row, id: captureKey, kind: 'chargeback', minor: '2000' };
    expect(violationsIn({ ...consistentRun(), rows: [row, disputed], journal: [line, chargedBack] })).toEqual([]);
    // A request that is 60 s late leaves its payment open that much longer.
    expect(violationsIn({ ...consistentRun(), rows: [{ ...row, seconds: 170 }], lateSeconds: 60 })).toEqual([]);
  });

  it.each(inconsistencies)('finds %s', (_, difference, message) => {
    const violations = violationsIn({ ...consistentRun(), ...difference });
    expect(violations.join('\n')).toMatch(message);
  });
});
