import { expect, it } from 'vitest';
import english from '../../messages/en.json' with { type: 'json' };
import { findMethod, methods } from '../methods/catalog.ts';
import { lineOf } from './method-line.ts';
import { tileOf } from './method-tile.ts';

// method | operation | experience, if not the method's own | line
const lines = `
ppro-ideal             | purchase |          | Pay from your bank account online
paypal                 | purchase |          | Sign in to your wallet and confirm
blik                   | purchase |          | Approve in your banking or payment app
upi-2                  | purchase |          | Approve in your banking or payment app
ppro-unionpay          | purchase |          | Pay by card on another page
ppro-bitpay            | purchase |          | Pay with cryptocurrency on another page
sz-th-qr               | purchase |          | Scan a code with your app
pix                    | purchase |          | Scan a code with your app
moov-money             | debit    |          | Approve a request on your phone
one-collection         | purchase |          | Confirm the request you receive
sofortuber             | purchase |          | Make a transfer with the details shown
axxi-transfer          | purchase | details  | Make a transfer with the details shown
paycash-mexico         | purchase |          | Pay in cash at a shop
ptn-email              | purchase |          | Pay with a link that we send you
crypto-btg             | purchase |          | Send coins from your own wallet
beeline                | purchase |          | Confirm with a code you receive
axxi-pin               | purchase |          | Pay without leaving this page
transact365-inr-payout | credit   |          | To your bank account
kora                   | credit   |          | To your wallet
m2p-withdrawal         | credit   |          | To your coin wallet
`;

it.each(
  lines
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()) as [string, string, string, string]),
)('%s (%s %s): %s', (id, operation, experience, expected) => {
  const method = findMethod(id);
  if (!method) throw new Error(`no method ${id}`);
  const line = lineOf(method, (experience || method.experience) as typeof method.experience, operation);
  expect((english as Record<string, string>)[`way.${line}`]).toBe(expected);
});

it('every method of the catalogue has a line in payments and payouts', () => {
  for (const method of methods)
    for (const operation of method.operations)
      expect(english).toHaveProperty([`way.${lineOf(method, method.experience, operation)}`]);
});

// name | letters
const names = `
iDEAL       | ID
PayPal      | PP
BLIK        | BLIK
Pix         | Pix
M-PESA      | MP
stc pay     | SP
DuitNow QR  | DN
Przelewy24  | PR
e-Xəzinə    | EX
CNFMO       | CN
`;

it.each(
  names
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()) as [string, string]),
)('%s has the letters %s', (name, letters) => {
  expect(tileOf(name).text).toBe(letters);
});

it('the letters and the colour of every method depend on its name alone', () => {
  for (const { name } of methods) {
    const { text, tone } = tileOf(name);
    expect(text).toMatch(/^[\p{L}\p{N}]{1,4}$/u);
    expect(tone).toBeGreaterThanOrEqual(0);
    expect(tone).toBeLessThan(8);
    expect(tileOf(name)).toEqual({ text, tone });
  }
  expect(new Set(methods.map(({ name }) => tileOf(name).tone)).size).toBe(8);
});
