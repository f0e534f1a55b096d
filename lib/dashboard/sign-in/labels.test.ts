import { describe, expect, it } from 'vitest';
import { signInErrorText } from './labels';

describe('why somebody could not sign in', () => {
  it.each([
    [
      'wrong',
      '7',
      "E-mail and password don't fit together. 7 tries are left, then the account is locked for 30 minutes.",
    ],
    ['wrong', '1', "E-mail and password don't fit together. 1 try is left, then the account is locked for 30 minutes."],
    ['wrong', null, "E-mail and password don't fit together."],
    ['wrong', '<b>', "E-mail and password don't fit together."],
    ['locked', '30', 'Too many wrong tries. This account is locked for 30 minutes.'],
    ['locked', '1', 'Too many wrong tries. This account is locked for 1 minute.'],
    [
      'code',
      '7',
      'This code does not fit. A new one comes every 30 seconds. 7 tries are left, then the account is locked for 30 minutes.',
    ],
    ['recovery', null, 'This recovery code does not fit, or was used already.'],
    ['gone', null, 'The sign-in took too long. Start again with your password.'],
    ['slow', '12', 'Too many tries came from your network. Wait 12 seconds and try again.'],
    ['slow', null, 'Too many tries came from your network. Wait a moment and try again.'],
  ] as const)('%s %s', (kind, count, text) => {
    expect(signInErrorText(kind, count)).toBe(text);
  });
});
