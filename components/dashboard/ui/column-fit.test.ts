import { expect, test } from 'vitest';
import { columnFits, fittedColumns } from './column-fit.ts';

const columns = [
  { id: 'amount', width: 144 },
  { id: 'status', width: 176 },
  { id: 'order', width: 124 },
  { id: 'method', width: 168, hideBelow: 'lg' },
  { id: 'payer' },
  { id: 'merchant', width: 116, hideBelow: 'lg' },
  { id: 'created', width: 136 },
] as const;

test('columns leave a narrow table one by one, those for wide windows first', () => {
  expect([...columnFits(columns, 135)]).toEqual([
    ['merchant', 1103],
    ['method', 987],
    ['payer', 819],
    ['order', 715],
  ]);
});

test('whatever the width, the shown columns fit, and the first two and the last are shown', () => {
  const fits = columnFits(columns, 135);
  for (let width = 600; width <= 1440; width += 20) {
    const shown = columns.filter(({ id }) => width >= (fits.get(id) ?? 0));
    const sum = shown.reduce((all, column) => all + ('width' in column ? column.width : 104), 135);
    expect(sum, String(width)).toBeLessThanOrEqual(width);
    expect(shown.map(({ id }) => id)).toEqual(expect.arrayContaining(['amount', 'status', 'created']));
  }
});

test('a column is hidden by the next step of the container that has space for it', () => {
  const fit = Object.fromEntries(fittedColumns(columns, 135).map((column) => [column.id, column.fit]));
  expect(fit).toEqual({
    amount: undefined,
    status: undefined,
    created: undefined,
    order: 'sm:@max-[720px]:hidden',
    payer: 'sm:@max-[880px]:hidden',
    method: 'sm:@max-[1040px]:hidden',
    merchant: 'sm:@max-[1120px]:hidden',
  });
});
