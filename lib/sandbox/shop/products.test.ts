import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { products, quantityMax, quoteOf, shopCurrencies, shownAmount } from './products.ts';

const basket = fc
  .subarray(
    products.map(({ id }) => id),
    { minLength: 1 },
  )
  .chain((ids) => fc.tuple(...ids.map((product) => fc.record({ product: fc.constant(product), quantity: count }))));
const count = fc.integer({ min: 1, max: quantityMax });

describe('the prices of the demo shop', () => {
  it('every product has a price in every currency, with its decimals', () => {
    const decimals = { EUR: 2, USD: 2, GBP: 2, JPY: 0, KWD: 3 };
    for (const { prices } of products) {
      for (const currency of shopCurrencies) {
        expect(prices[currency]).toMatch(
          new RegExp(`^[1-9]\\d*${decimals[currency] ? `\\.\\d{${decimals[currency]}}` : ''}$`),
        );
      }
    }
  });

  it('a basket is priced line by line, and its subscriptions by themselves', () => {
    const wanted = [
      { product: 'notebook', quantity: 3 },
      { product: 'bread', quantity: 2 },
    ];
    expect(quoteOf(wanted, 'KWD')).toEqual({
      lines: [
        { name: 'Notebook, dotted paper', quantity: 3, amount: '7.350' },
        { name: 'Sourdough loaf', quantity: 2, amount: '4.200' },
      ],
      total: '11.550',
      daily: '4.200',
      description: '3 × Notebook, dotted paper; 2 × Sourdough loaf',
    });
    expect(quoteOf([{ product: 'lamp', quantity: 20 }], 'JPY')).toMatchObject({ total: '192000', daily: null });
    expect(quoteOf([], 'EUR')).toMatchObject({ lines: [], total: '0.00' });
  });

  it('the total is the sum of the lines, whatever is in the basket', () => {
    fc.assert(
      fc.property(basket, fc.constantFrom(...shopCurrencies), (lines, currency) => {
        const { lines: priced, total } = quoteOf(lines, currency);
        const digits = (amount: string) => BigInt(amount.replace('.', ''));
        expect(priced.reduce((sum, { amount }) => sum + digits(amount), 0n)).toBe(digits(total));
      }),
    );
  });
});

it.each([
  ['1249.00', 'EUR', '€1,249.00'],
  ['1250', 'JPY', 'JP¥1,250'],
  ['9007199254740993.01', 'USD', 'US$9,007,199,254,740,993.01'],
  ['20.', 'EUR', '20. EUR'],
  ['0.00010000', 'BTCX', '0.00010000 BTCX'],
])('shows %s %s as %s', (amount, currency, shown) => {
  expect(shownAmount(amount, currency)).toBe(shown);
});
