import { describe, expect, it } from 'vitest';
import { ApiError } from '../../core/errors.ts';
import type { Operation } from '../../core/payment.ts';
import type { Mid } from '../../merchants/merchants.ts';
import { eligibleBeforeLimits } from './request-checks.ts';

const plain = {
  id: 'plain',
  enabled: true,
  connector: 'http',
  paymentMode: 'sms_dms',
  methods: ['card'],
  currencies: [],
  operations: [],
  zeroAmounts: false,
} as unknown as Mid;

const accounts: { [name: string]: Mid } = {
  plain,
  off: { ...plain, id: 'off', enabled: false },
  sms: { ...plain, id: 'sms', paymentMode: 'sms' },
  dms: { ...plain, id: 'dms', paymentMode: 'dms' },
  euro: { ...plain, id: 'euro', currencies: ['EUR'] },
  purchases: { ...plain, id: 'purchases', operations: ['purchase'] },
  debitsInDollars: { ...plain, id: 'debitsInDollars', operations: ['debit'], currencies: ['USD'] },
  zero: { ...plain, id: 'zero', zeroAmounts: true },
  bank: { ...plain, id: 'bank', methods: ['papara', 'blik'] },
  coins: { ...plain, id: 'coins', methods: ['awcc', 'papara'] },
  strange: { ...plain, id: 'strange', methods: ['nobodys'] },
};

// accounts | operation | auth | currency | minor units | methods | what is offered, or the refusal
const table = `
                          | purchase | no  | EUR | 100 | card            | 204002
  off                     | purchase | no  | EUR | 100 | card            | 204002
  plain                   | purchase | no  | EUR | 100 | card            | card by plain
  plain                   | purchase | no  | EUR | 100 |                 | card by plain
  plain,bank              | purchase | no  | EUR | 100 |                 | card by plain
  bank                    | purchase | no  | EUR | 100 |                 | papara,blik by bank
  strange                 | purchase | no  | EUR | 100 |                 | 204010
  plain                   | purchase | no  | EUR | 100 | nobodys         | 204010
  strange                 | purchase | no  | EUR | 100 | nobodys         | 204010
  plain                   | purchase | no  | EUR | 100 | nobodys,blik    | 204004
  plain                   | purchase | no  | EUR | 100 | nobodys,card    | card by plain
  plain                   | purchase | no  | EUR | 100 | CARD            | 204010
  plain,coins             | purchase | no  | USDT | 100 | awcc,papara,card | awcc by coins
  plain,coins             | purchase | no  | USDT | 100 | card            | 204012
  plain,coins             | purchase | no  | USDT | 100 |                 | 204012
  plain                   | purchase | no  | BTC | 100 | awcc            | 204004
  plain,bank              | purchase | no  | EUR | 100 | blik,card       | blik,card by plain,bank
  plain,bank              | purchase | no  | EUR | 100 | blik            | blik by bank
  plain                   | purchase | no  | EUR | 100 | blik,card,card  | card by plain
  plain                   | purchase | no  | EUR | 100 | blik            | 204004
  plain                   | purchase | no  | ZZZ | 100 | card            | 204012
  euro                    | purchase | no  | EUR | 100 | card            | card by euro
  euro                    | purchase | no  | USD | 100 | card            | 204012
  purchases               | debit    | no  | EUR | 100 | card            | 204005
  purchases               | debit    | no  | ZZZ | 100 | card            | 204005
  purchases,debitsInDollars | debit  | no  | EUR | 100 | card            | 204012
  sms                     | purchase | no  | EUR | 100 | card            | card by sms
  sms                     | purchase | yes | EUR | 100 | card            | 204003
  dms                     | purchase | yes | EUR | 100 | card            | card by dms
  dms                     | purchase | no  | EUR | 100 | card            | 204003
  sms,dms                 | purchase | yes | EUR | 100 | card            | card by dms
  sms                     | purchase | yes | EUR | 0   | blik            | 204003
  plain                   | purchase | yes | EUR | 0   | card            | amount: This value should be greater than 0.
  plain,zero              | purchase | yes | EUR | 0   | card            | card by zero`;

const rows = table
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()) as string[]);

function listOf(cell = ''): string[] {
  return cell.split(',').filter((word) => word !== '');
}

describe('the eligible accounts of a request', () => {
  it.each(rows)('%s: %s %s %s %s %s -> %s', (names, operation, auth, currency, minor, methods, verdict) => {
    const mids = listOf(names).map((name) => accounts[name] as Mid);
    const requirements = {
      operation: operation as Operation,
      authorizeOnly: auth === 'yes',
      currency: currency ?? '',
      amountMinor: BigInt(minor ?? 0),
      methods: listOf(methods),
      amountPath: 'order.amount',
    };
    expect(verdictOf(mids, requirements)).toBe(verdict);
  });
});

function verdictOf(mids: Mid[], requirements: Parameters<typeof eligibleBeforeLimits>[1]): string {
  try {
    const offered = eligibleBeforeLimits(mids, requirements);
    return `${offered.methods.join(',')} by ${offered.mids.map((mid) => mid.id).join(',')}`;
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    return thrown.code === 100000 ? thrown.message : String(thrown.code);
  }
}
