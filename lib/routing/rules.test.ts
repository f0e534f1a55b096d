// Eligible accounts, their order and the routing log, as text tables.
import { describe, expect, it } from 'vitest';
import type { Mid, Rule } from '../merchants/merchants.ts';
import { midWith } from '../merchants/mid.test-data.ts';
import { chooseMids, eligibleMids, routingLogOf } from './candidates.ts';

const mid = midWith({});

const wanted = {
  operation: 'purchase',
  authorizeOnly: false,
  currency: 'EUR',
  amountMinor: 100n,
  method: 'card',
} as const;

const table = `
sms      auth=false  yes
sms      auth=true   no
dms      auth=false  no
dms      auth=true   yes
sms_dms  auth=false  yes
sms_dms  auth=true   yes
`;

describe('eligibleMids', () => {
  it.each(table.trim().split('\n'))('%s', (line) => {
    const [mode, auth, fits] = line.split(/\s+/);
    const mids = [{ ...mid, paymentMode: mode as Mid['paymentMode'] }];
    const found = eligibleMids(mids, { ...wanted, authorizeOnly: auth === 'auth=true' });
    expect(found).toHaveLength(fits === 'yes' ? 1 : 0);
  });

  const narrower: [string, Partial<Mid>, Partial<Parameters<typeof eligibleMids>[1]>, number][] = [
    ['another currency', { currencies: ['USD'] }, {}, 0],
    ['its currency', { currencies: ['USD', 'EUR'] }, {}, 1],
    ['another method', { methods: ['ips'] }, {}, 0],
    ['any method', { methods: ['ips'] }, { method: undefined }, 1],
    ['another operation', { operations: ['debit'] }, {}, 0],
    ['an account that is off', { enabled: false }, {}, 0],
    ['an unknown connector', { connector: 'gone' }, {}, 0],
    ['a card of a wallet', {}, { digitalWallet: 'applepay' }, 1],
    ['one where the provider takes it', { capabilities: { wallet: 'decrypted' } }, { digitalWallet: 'googlepay' }, 1],
    ['one where it takes tokens', { capabilities: { wallet: 'token' } }, { digitalWallet: 'applepay' }, 0],
    ['one where it takes no wallets', { capabilities: { wallet: 'none' } }, { digitalWallet: 'googlepay' }, 0],
    ['an encrypted token', { capabilities: { wallet: 'token' } }, { walletToken: true }, 1],
    ['one where the provider takes cards too', {}, { walletToken: true }, 1],
    ['one where it takes none', { capabilities: { wallet: 'none' } }, { walletToken: true }, 0],
    ['a card where wallets pass tokens', { capabilities: { wallet: 'token' } }, { digitalWallet: null }, 1],
    ['a zero amount', {}, { amountMinor: 0n }, 0],
    ['a zero amount where it is supported', { zeroAmounts: true }, { amountMinor: 0n }, 1],
    ['a debit, which has no authorization', { paymentMode: 'dms' }, { operation: 'debit' }, 1],
  ];
  it.each(narrower)('%s', (_name, differs, asks, count) => {
    expect(eligibleMids([{ ...mid, ...differs }], { ...wanted, ...asks })).toHaveLength(count);
  });

  it('keeps the order of priority', () => {
    const mids = [
      { ...mid, id: 'first' },
      { ...mid, id: 'off', enabled: false },
      { ...mid, id: 'second' },
    ];
    expect(eligibleMids(mids, wanted).map((each) => each.id)).toEqual(['first', 'second']);
  });
});

// name | conditions | targets with their weights
const ruleTable = `
dollars     | {"currencies":["USD"]}                          | a
large       | {"amountFrom":"100000"}                         | b c:0
mastercard  | {"brands":["mastercard"],"amountTo":"5000"}     | c
dutch       | {"binCountries":["NL","BE"]}                    | b
our bin     | {"bins":["4242"]}                               | c b
by method   | {"methods":["ips"]}                             | a
off         | {"currencies":["EUR"]}                          | off
`;

// currency minor card | the accounts in order | why the first is taken
const routeTable = `
EUR 8450   4111111111111111 | a b c | priority
USD 8450   4111111111111111 | a     | rule: dollars
USD 900000 4111111111111111 | a     | rule: dollars
EUR 100000 4111111111111111 | b     | rule: large
EUR 99999  4111111111111111 | a b c | priority
EUR 5000   5555555555554444 | c     | rule: mastercard
EUR 5001   5555555555554444 | a b c | priority
EUR 8450   4000000000000119 | b     | rule: dutch
EUR 8450   4000008400001280 | a b c | priority
EUR 8450   400000           | b     | rule: dutch
EUR 8450   4242424242424242 | c b   | rule: our bin
EUR 8450   -                | a b c | priority
`;

const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim());
const linesOf = (table: string) => table.trim().split('\n');

const rules: Rule[] = linesOf(ruleTable).map((line) => {
  const [name = '', conditions = '', targets = ''] = cellsOf(line);
  return {
    name,
    enabled: name !== 'off',
    conditions: JSON.parse(conditions),
    targets: targets.split(' ').map((target) => {
      const [midId = '', weight = '1'] = target.split(':');
      return { midId, weight: Number(weight) };
    }),
  };
});

const mids = ['a', 'b', 'c'].map((id) => ({ ...mid, id }));
const ids = (list: Mid[]) => list.map((each) => each.id).join(' ');

describe('chooseMids', () => {
  it.each(linesOf(routeTable))('%s', (line) => {
    const [payment = '', order, why] = cellsOf(line);
    const [currency = '', minor = '', card] = payment.split(/\s+/);
    const input = { ...wanted, currency, amountMinor: BigInt(minor), cardNumber: card === '-' ? undefined : card };
    const choice = chooseMids({ mids, mapping: { rules } }, input, undefined, () => 0);
    expect([ids(choice.mids), choice.why]).toEqual([order, why]);
  });

  it('keeps a chain at its account, regardless of rules', () => {
    const choice = chooseMids({ mids, mapping: { rules } }, { ...wanted, currency: 'USD' }, 'c');
    expect([ids(choice.mids), choice.why]).toEqual(['c a', 'the account of the first payment']);
  });

  it('applies the rules to a chain whose account is gone', () => {
    const choice = chooseMids({ mids, mapping: { rules } }, { ...wanted, currency: 'USD' }, 'gone');
    expect(ids(choice.mids)).toBe('a');
  });

  const weighted: Rule = {
    name: 'split',
    enabled: true,
    conditions: {},
    targets: [
      { midId: 'a', weight: 1 },
      { midId: 'b', weight: 7 },
      { midId: 'c', weight: 2 },
    ],
  };

  it.each(linesOf('0.00 a b c\n0.09 a b c\n0.10 b c a\n0.79 b c a\n0.80 c b a\n0.99 c b a'))(
    'draws the first by weight: %s',
    (line) => {
      const [drawn, ...order] = line.split(' ');
      const choice = chooseMids({ mids, mapping: { rules: [weighted] } }, wanted, undefined, () => Number(drawn));
      expect(ids(choice.mids)).toBe(order.join(' '));
    },
  );

  it('splits ten thousand payments as the weights say', () => {
    const random = seeded(20261120);
    const taken: Record<string, number> = { a: 0, b: 0, c: 0 };
    for (let count = 0; count < 10_000; count += 1) {
      const [first] = chooseMids({ mids, mapping: { rules: [weighted] } }, wanted, undefined, random).mids;
      taken[first?.id ?? ''] = (taken[first?.id ?? ''] ?? 0) + 1;
    }
    for (const [id, share] of [
      ['a', 1000],
      ['b', 7000],
      ['c', 2000],
    ] as const) {
      expect([id, Math.abs((taken[id] ?? 0) - share) < 150]).toEqual([id, true]);
    }
  });

  it('logs the skipped accounts, those at a limit and the chosen one', () => {
    const all = [
      { ...mid, id: 'off', enabled: false },
      { ...mid, id: 'dollars', currencies: ['USD'] },
      { ...mid, id: 'dms', paymentMode: 'dms' as const },
      { ...mid, id: 'ips', methods: ['ips'] },
      { ...mid, id: 'bng', capabilities: { cardSets: ['LBP', 'BNG'] } },
      { ...mid, id: 'fcp', capabilities: { cardSets: ['FCP'] } },
      ...mids,
    ];
    const choice = chooseMids(
      { mids: all, mapping: { rules: [{ ...weighted, targets: weighted.targets.slice(1) }] } },
      { ...wanted, missingSets: ['BNG'] },
      undefined,
      () => 0,
    );
    const trace = routingLogOf(
      choice,
      choice.mids.filter((each) => each.id !== 'b'),
    );
    expect(trace.map(({ midId, taken, why }) => `${midId} ${taken ? 'taken' : 'passed over'}: ${why}`)).toEqual([
      'off passed over: switched off',
      'dollars passed over: does not support EUR',
      'dms passed over: Payment Mode dms',
      'ips passed over: does not support card',
      'bng passed over: lacks parameters of set BNG',
      'fcp passed over: not in rule: split',
      'a passed over: not in rule: split',
      'b passed over: turnover limit',
      'c taken: rule: split',
    ]);
  });
});

// A linear congruential generator: the same numbers in every run.
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
