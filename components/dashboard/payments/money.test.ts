import { describe, expect, it } from 'vitest';
import { sumsText } from './money.ts';

describe('sums per currency', () => {
  it.each([
    [[], ''],
    [['1249.00 EUR', '412.00 EUR'], '1,661.00 EUR'],
    [['18400 JPY', '0.10 EUR', '0.20 EUR'], '18,400 JPY and 0.30 EUR'],
    [['1.000 BHD', '1 JPY', '900719925474099.31 EUR'], '1.000 BHD, 1 JPY and 900,719,925,474,099.31 EUR'],
  ])('%j: %s', (lines, wanted) => {
    const amounts = lines.map((line) => ({ amount: line.split(' ')[0] ?? '', currency: line.split(' ')[1] ?? '' }));
    expect(sumsText(amounts)).toBe(wanted);
  });
});
