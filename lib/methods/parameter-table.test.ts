import { runInNewContext } from 'node:vm';
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

it('names each wrong parameter once, and the first hundred of them', () => {
  const items = treeOf(readTable('own', 'items[].price | text 64 | O'));
  const check = () => checkParameters(items, { items: Array(100_000).fill(1) }, { path: 'parameters' }).errors;
  // Takes a fifth of a second; with each path compared with all before it takes a minute.
  const errors = runInNewContext('check()', { check }, { timeout: 15_000 });
  expect(errors.map(({ path }: { path: string }) => path)).toEqual(
    Array.from({ length: 100 }, (_, place) => `parameters.items[${place}]`),
  );
}, 60_000);
