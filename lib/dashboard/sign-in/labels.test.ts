import { describe, expect, it } from 'vitest';
import { signInErrorText } from './labels.ts';

describe('why a sign-in failed', () => {
  it.each([
    ['wrong', '7', 'Wrong email or password. 7 attempts are left, then the account is locked for 30 minutes.'],
    ['wrong', '1', 'Wrong email or password. 1 attempt is left, then the account is locked for 30 minutes.'],
    ['wrong', null, 'Wrong email or password.'],
    ['wrong', '<b>', 'Wrong email or password.'],
    ['locked', '30', 'Too many wrong attempts. This account is locked for 30 minutes.'],
    ['locked', '1', 'Too many wrong attempts. This account is locked for 1 minute.'],
    [
      'code',
      '7',
      'Wrong code. A new one appears every 30 seconds. 7 attempts are left, then the account is locked for 30 minutes.',
    ],
    ['passkey', null, 'This passkey was not accepted.'],
    ['recovery', null, 'This recovery code is wrong or was already used.'],
    ['gone', null, 'Your sign-in has expired. Start again with your password.'],
    ['slow', '12', 'Too many attempts from your network. Wait 12 seconds and try again.'],
    ['limited', '5', 'Too many attempts. Wait 5 seconds and try again.'],
    ['slow', null, 'Too many attempts from your network. Wait a moment and try again.'],
  ] as const)('%s %s', (kind, count, text) => {
    expect(signInErrorText(kind, count)).toBe(text);
  });
});
