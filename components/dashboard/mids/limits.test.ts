import { expect, it } from 'vitest';
import { otherLimits } from './limits.ts';

const same = 'Equivalent limits in other currencies';

it.each([
  ['5000', ['EUR', 'PLN'], null],
  ['5000', ['EUR', 'JPY', 'KWD'], `${same}: 500,000 JPY, 500.000 KWD.`],
  ['5,000.00', ['EUR', 'JPY'], `${same}: 500,000 JPY.`],
  ['5000000', ['JPY', 'EUR'], `${same}: 50,000.00 EUR.`],
  ['1234567.89', [], `${same}: 123,456,789 JPY, 123,456.789 KWD.`],
  ['much', ['EUR', 'JPY'], null],
  ['', ['EUR', 'JPY'], null],
])('%s over %j says %s', (limit, currencies, text) => {
  expect(otherLimits(limit, currencies)).toBe(text);
});
