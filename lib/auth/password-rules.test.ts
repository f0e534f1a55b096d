import { describe, expect, it } from 'vitest';
import { passwordError } from './password-rules.ts';

const owner = { email: 'ana.petrovic@shop.example', name: 'Ana Petrovic' };
const guessable = 'This password is easy to guess. Use several words that do not belong together.';

describe('a new password', () => {
  it.each([
    ['short 1', 'Enter at least 12 characters.'],
    [`${'words and 1 '.repeat(11)}`, 'Enter at most 128 characters.'],
    ['a sentence of my own', 'Use at least one letter and one digit.'],
    ['837465920183', 'Use at least one letter and one digit.'],
    ...[
      // Those of the security review, which were accepted.
      ...['password1234', 'Passw0rd1234', 'qwerty123456', 'letmein12345', 'florin123456'],
      // A strong end does not count: only so much is estimated.
      `${'abc1'.repeat(8)}Kx9#mmq2LpVz`,
      ...['ana.petrovic1', 'anapetrovic12', 'abc1abc1abc1', 'p4ssw0rd'.repeat(16), '1q2w3e4r5t6y'],
    ].map((text) => [text, guessable]),
  ])('%s is refused', async (text, error) => expect(await passwordError(text, owner)).toBe(error));

  it.each([
    'a sentence of my own, 1929',
    'correct horse 7 battery',
    'Kx9#mmq2LpVz',
    'žuta ćuprija nad 3 reke',
    '贈り物は 7 つの箱に入っていた',
  ])('%s is accepted', async (text) => expect(await passwordError(text, owner)).toBeNull());
});
