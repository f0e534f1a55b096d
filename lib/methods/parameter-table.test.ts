import { expect, it } from 'vitest';
import { checkParameters, readTable, treeOf } from './parameter-table.ts';

const tree = treeOf(readTable('own', 'memberId | text 64 | O'));
const faultsOf = (input: unknown) => checkParameters(tree, input, { path: 'parameters' }).errors;

it('limits the parameters of a payment together', () => {
  expect(faultsOf({ memberId: '1', note: 'x'.repeat(32_000) })).toEqual([]);
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, place) => [`note${place}`, 'x'.repeat(1_000)]));
  for (const input of [{ note: 'x'.repeat(33_000) }, many]) {
    expect(faultsOf(input)).toEqual([{ path: 'parameters', text: 'This value is not valid.' }]);
  }
});
