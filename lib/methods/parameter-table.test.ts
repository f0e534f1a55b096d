import { expect, it } from 'vitest';
import { checkParameters, treeOf } from './parameter-table.ts';

it('passes unknown parameters without card data', () => {
  const number = '4111111111111111';
  const secrets = { card_cvv2: '123', cvv: 123, track2: `;${number}=25121010000012300000?`, pinBlock: 'x' };
  const sent = { member: '1', ...secrets, pan: number, own: [{ ...secrets, pan: Number(number) }] };
  const pan = '411111******1111';
  expect(checkParameters(treeOf([]), sent, { path: '' }).values).toEqual({ member: '1', pan, own: [{ pan }] });
});
