// Which merchant accounts may carry a payment, as a text table: Payment Mode against auth, currency, operation, zero.
import { describe, expect, it } from 'vitest';
import type { Mid } from './merchants';
import { eligibleMids } from './routing';

const mid: Mid = {
  id: 'mid',
  name: 'MID',
  enabled: true,
  priority: 100,
  paymentMode: 'sms_dms',
  connector: 'http',
  settings: { url: 'http://provider.test', apiKey: 'k', signingSecret: 'whsec_c2VjcmV0' },
  methods: ['card'],
  currencies: [],
  operations: [],
  overrideLinkTarget: null,
  cardOnFileSupport: false,
  refundSupport: 'api',
  zeroAmounts: false,
  holdDays: 7,
  dailyLimitMinor: null,
  monthlyLimitMinor: null,
};

const wanted = {
  operation: 'purchase',
  authorizeOnly: false,
  currency: 'EUR',
  amountMinor: 100n,
  method: 'card',
} as const;

const table = `
sms      auth=false  yes
sms      auth=true   no
dms      auth=false  no
dms      auth=true   yes
sms_dms  auth=false  yes
sms_dms  auth=true   yes
`;

describe('eligibleMids', () => {
  it.each(table.trim().split('\n'))('%s', (line) => {
    const [mode, auth, fits] = line.split(/\s+/);
    const mids = [{ ...mid, paymentMode: mode as Mid['paymentMode'] }];
    const found = eligibleMids(mids, { ...wanted, authorizeOnly: auth === 'auth=true' });
    expect(found).toHaveLength(fits === 'yes' ? 1 : 0);
  });

  const narrower: [string, Partial<Mid>, Partial<Parameters<typeof eligibleMids>[1]>, number][] = [
    ['another currency', { currencies: ['USD'] }, {}, 0],
    ['its currency', { currencies: ['USD', 'EUR'] }, {}, 1],
    ['another method', { methods: ['ips'] }, {}, 0],
    ['any method', { methods: ['ips'] }, { method: undefined }, 1],
    ['another operation', { operations: ['debit'] }, {}, 0],
    ['an account that is off', { enabled: false }, {}, 0],
    ['an unknown connector', { connector: 'gone' }, {}, 0],
    ['a zero amount', {}, { amountMinor: 0n }, 0],
    ['a zero amount where it is supported', { zeroAmounts: true }, { amountMinor: 0n }, 1],
    ['a debit, which has no authorization', { paymentMode: 'dms' }, { operation: 'debit' }, 1],
  ];
  it.each(narrower)('%s', (_name, differs, asks, count) => {
    expect(eligibleMids([{ ...mid, ...differs }], { ...wanted, ...asks })).toHaveLength(count);
  });

  it('keeps the order of priority', () => {
    const mids = [
      { ...mid, id: 'first' },
      { ...mid, id: 'off', enabled: false },
      { ...mid, id: 'second' },
    ];
    expect(eligibleMids(mids, wanted).map((each) => each.id)).toEqual(['first', 'second']);
  });
});
