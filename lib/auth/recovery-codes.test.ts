import { expect, it } from 'vitest';
import { newRecoveryCodes, readRecoveryCode } from './recovery-codes.ts';

it('generates ten different codes that can be read back', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) {
    expect(code).toMatch(/^[a-hjkmnp-z02-9]{5}-[a-hjkmnp-z02-9]{5}$/);
    expect(readRecoveryCode(code)).toBe(code);
  }
});

it.each(['7kq2mx8h4w', ' 7KQ2M-X8H4W ', '7kq2m x8h4w', '7kq2m–x8h4w'])('reads %j', (typed) => {
  expect(readRecoveryCode(typed)).toBe('7kq2m-x8h4w');
});
