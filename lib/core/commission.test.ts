import { describe, expect, it } from 'vitest';
import { quote, readFeeOptions } from './commission.ts';
import { formatAmount, parseAmount } from './money.ts';

// amount | currency | percent | fixed | payer bears | commission | total
const table = `
  100.00       | EUR | 1.5      | 0.30 | yes | 1.80   | 101.80
  100.00       | EUR | 1.5      | 0.30 | no  | 1.80   | 100.00
  100.00       | EUR | 0        | 0    | yes | 0.00   | 100.00
  0.33         | EUR | 1.5      | 0    | yes | 0.00   | 0.33
  0.34         | EUR | 1.5      | 0    | yes | 0.01   | 0.35
  84.50        | EUR | 2.375    | 0.25 | yes | 2.26   | 86.76
  1000         | JPY | 1.25     | 0.30 | yes | 13     | 1013
  1000         | JPY | 0.95     | 0.49 | yes | 10     | 1010
  1.000        | KWD | 0.05     | 0    | yes | 0.001  | 1.001
  999999999999.99 | EUR | 99.99999999 | 999999999.99999999 | yes | 1000999999899.99 | 2000999999899.98
`;

describe('a commission', () => {
  const rows = table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  it.each(rows)(
    'of %s %s at %s %% and %s, borne by the payer: %s',
    (amount, currency, percent, fixed, bears, ...wanted) => {
      const parsed = parseAmount(amount as string, currency as string);
      if (!parsed.ok) throw new Error(parsed.fault);
      const options = readFeeOptions({ percent, fixed, payer_bears: bears === 'yes' });
      const { commissionMinor, totalMinor } = quote({ minor: parsed.minor, currency: currency as string }, options);
      expect([commissionMinor, totalMinor].map((minor) => formatAmount(minor, currency as string))).toEqual(wanted);
    },
  );
});

describe('fee options', () => {
  it('default to zero', () => {
    expect(readFeeOptions({})).toEqual({ percent: '0', fixed: '0', payerBears: false });
    expect(readFeeOptions(null)).toEqual({ percent: '0', fixed: '0', payerBears: false });
  });

  it.each([{ percent: 1.5 }, { percent: '-1' }, { fixed: '0,30' }, { fixed: '1e3' }, { percent: '1.123456789' }])(
    'refuse %j',
    (stored) => {
      expect(() => readFeeOptions(stored)).toThrow(RangeError);
    },
  );
});
