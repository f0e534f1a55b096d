import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../e2e/support/text-table.ts';
import { totp } from '../../e2e/support/totp.ts';
import { base32, keyUri, stepOf } from './totp.ts';

const secret = '12345678901234567890';

describe('the code of a time', () => {
  // RFC 6238, appendix B, the last six digits.
  it.each(
    rowsOf(`
      59          | 287082
      1111111109  | 081804
      1111111111  | 050471
      1234567890  | 005924
      2000000000  | 279037
      20000000000 | 353130
    `),
  )('%s seconds since 1970: %s', (seconds = '', code = '') => {
    expect(stepOf(secret, code, new Date(Number(seconds) * 1000))).toBe(Math.floor(Number(seconds) / 30));
  });
});

describe('the step of a code', () => {
  const step = Math.floor(1_234_567_890 / 30);
  const at = new Date(1_234_567_890_000);

  it.each([-1, 0, 1])('is found %s steps away', (away) => {
    expect(stepOf(secret, totp(base32(secret), step + away), at)).toBe(step + away);
  });

  it.each([-2, 2, 100])('is not found %s steps away', (away) => {
    expect(stepOf(secret, totp(base32(secret), step + away), at)).toBeNull();
  });

  it.each(['', '5924', '0005924', '00592x', '00592é'])('is none for %j', (code) => {
    expect(stepOf(secret, code, at)).toBeNull();
  });
});

describe('a secret to be typed', () => {
  // RFC 4648, section 10, without the padding.
  it.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('%j is %s', (text, wanted) => {
    expect(base32(text)).toBe(wanted);
  });

  it('is part of the URI with the issuer and the account', () => {
    expect(keyUri('foobar', 'Florin pay.example', 'a+b@example.com')).toBe(
      'otpauth://totp/Florin%20pay.example:a%2Bb%40example.com?secret=MZXW6YTBOI&issuer=Florin%20pay.example&digits=6&period=30',
    );
  });
});
