import { expect, it } from 'vitest';
import { maskEmail, maskPhone } from './mask.ts';

it.each([
  ['ana@example.com', 'a•••@example.com'],
  ['é@example.com', 'é•••@example.com'],
  ['"a@b"@example.com', '"•••@example.com'],
  ['@example.com', '•••'],
  ['nobody', '•••'],
])('the e-mail address %s is shown as %s', (address, shown) => {
  expect(maskEmail(address)).toBe(shown);
});

it.each([
  ['+381 60 1234567', '+381 ••• 67'],
  ['00381601234567', '003 ••• 67'],
  ['123456', '•••'],
  ['', '•••'],
])('the phone number "%s" is shown as %s', (number, shown) => {
  expect(maskPhone(number)).toBe(shown);
});
