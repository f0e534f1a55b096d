// Simulations of drafts with past payments, as text tables.
import { describe, expect, test } from 'vitest';
import type { Mid } from '../../merchants/merchants.ts';
import { midWith } from '../../merchants/mid.test-data.ts';
import type { RoutingRule } from './contract.ts';
import type { PastPayment } from './dry-run.ts';
import { dryRun } from './dry-run.ts';

const mid = (id: string, differences: Partial<Mid> = {}) => midWith({ id, name: `MID ${id}`, ...differences });

const mids = [mid('A'), mid('B'), mid('C', { currencies: ['USD'] })];

/** Two numbers make a payment: its index determines the id, so that every run draws the same for it. */
function past(
  count: number,
  midId: string,
  differences: Partial<PastPayment> = {},
  wanted: object = {},
): PastPayment[] {
  return Array.from({ length: count }, (_, place) => ({
    id: `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`,
    orderNumber: `order-${place}`,
    createdAt: new Date(Date.UTC(2026, 10, 20) - place * 60_000),
    wanted: {
      operation: 'purchase',
      authorizeOnly: false,
      currency: 'EUR',
      amountMinor: 8450n,
      method: 'card',
      cardNumber: '411111',
      ...wanted,
    },
    midId,
    approved: true,
    isBound: false,
    ...differences,
  }));
}

/** `A:70 B:30`, with conditions as JSON. */
function rule(targets: string, conditions: RoutingRule['conditions'] = {}, name = 'rule'): RoutingRule {
  return {
    id: name,
    name,
    enabled: true,
    conditions,
    targets: targets.split(' ').map((each) => {
      const [midId = '', weight = '1'] = each.split(':');
      return { midId, weight: Number(weight) };
    }),
  };
}

const run = (payments: PastPayment[], now: RoutingRule[], draft: RoutingRule[]) =>
  dryRun(payments, { mids, now, draft, binCountries: null });

const shares = ({ mids: counted }: Awaited<ReturnType<typeof dryRun>>, side: 'now' | 'draft') =>
  Object.fromEntries(counted.map((each) => [each.id, each[side]]));

describe('a simulation', () => {
  // 100 payments that went to A; targets of the published rule and of the draft; moved, and where the draft routes
  // them.
  const table = `
    -          | -          |   0 | A 100 B 0 C 0   | 0
    -          | B          | 100 | A 0 B 100 C 0   | 0
    A          | A          |   0 | A 100 B 0 C 0   | 0
    A          | B          | 100 | A 0 B 100 C 0   | 0
    A:1 B:1    | A:1 B:1    |   0 | A 100 B 0 C 0   | 0
    A:1 B:9    | A:1 B:9    |   0 | A 100 B 0 C 0   | 0
    A          | C          | 100 | A 0 B 0 C 0     | 100
    A          | C B        | 100 | A 0 B 100 C 0   | 0
    B          | B          |   0 | A 0 B 100 C 0   | 0
  `;
  const rows = table
    .trim()
    .split('\n')
    .map((row) => row.split('|').map((cell) => cell.trim()) as [string, string, string, string, string]);

  test.each(rows)('from %s to %s moves %s', async (now, draft, moved, placed, without) => {
    const rulesOf = (cell: string) => (cell === '-' ? [] : [rule(cell)]);
    const result = await run(past(100, 'A'), rulesOf(now), rulesOf(draft));
    expect(result.moved).toBe(Number(moved));
    expect(result.without.draft).toBe(Number(without));
    const counts = shares(result, 'draft');
    expect(`A ${counts.A} B ${counts.B} C ${counts.C}`).toBe(placed);
  });

  test('of changed weights moves no more than the weights require', async () => {
    const payments = [...past(700, 'A'), ...past(300, 'B').map((each, place) => ({ ...each, id: `b${place}` }))];
    const simulation = await run(payments, [rule('A:70 B:30')], [rule('A:50 B:50')]);
    expect(shares(simulation, 'now')).toEqual({ A: 700, B: 300, C: 0 });
    // 0.7 less 0.5 of a thousand: 200, within the random variation.
    expect(simulation.moved).toBeGreaterThan(150);
    expect(simulation.moved).toBeLessThan(250);
    expect(shares(simulation, 'draft')).toEqual({ A: 700 - simulation.moved, B: 300 + simulation.moved, C: 0 });
  });

  test('finds the same a second time', async () => {
    const again = () => run(past(500, 'A'), [rule('A:70 B:30')], [rule('A:10 B:90')]);
    expect(await again()).toEqual(await again());
  });

  test('names the rules that decide, and the payments that move', async () => {
    const payments = [
      ...past(2, 'A', {}, { currency: 'USD' }),
      ...past(3, 'A').map((each, at) => ({ ...each, id: `e${at}` })),
    ];
    const draft = [rule('C', { currencies: ['USD'] }, 'dollars'), rule('A', { amountTo: '100' }, 'small')];
    const found = await run(payments, [], draft);
    expect(found.rules).toEqual({ dollars: 2, '': 3 });
    expect(found.moves).toEqual([
      { id: payments[0]?.id, orderNumber: 'order-0', amount: '84.50', currency: 'USD', from: 'MID A', to: 'MID C' },
      { id: payments[1]?.id, orderNumber: 'order-1', amount: '84.50', currency: 'USD', from: 'MID A', to: 'MID C' },
    ]);
    expect([found.from, found.to]).toEqual(['2026-11-19T23:58:00.000Z', '2026-11-20T00:00:00.000Z']);
  });

  test('lists a hundred moves and counts them all', async () => {
    const found = await run(past(250, 'A'), [], [rule('B')]);
    expect([found.moved, found.moves.length]).toEqual([250, 100]);
  });

  test('leaves a subsequent charge with its MID', async () => {
    const found = await run(past(10, 'A', { isBound: true }), [], [rule('B')]);
    expect([found.moved, shares(found, 'draft').A]).toEqual([0, 10]);
  });

  test('reports how many payments it cannot decide without more digits', async () => {
    const draft = [rule('B', { bins: ['41111199'] }, 'one bank'), rule('A', { bins: ['555555'] }, 'another')];
    expect((await run(past(10, 'A'), [], draft)).undecided).toBe(10);
    expect((await run(past(10, 'A'), [], [rule('B', { bins: ['4111'] })])).undecided).toBe(0);
    expect((await run(past(10, 'A'), [], [{ ...(draft[0] as RoutingRule), enabled: false }])).undecided).toBe(0);
  });

  test('of no payments finds nothing', async () => {
    expect(await run([], [], [rule('B')])).toMatchObject({
      payments: 0,
      moved: 0,
      from: null,
      approval: null,
      moves: [],
    });
  });
});

describe('the expected approval', () => {
  test('uses what each MID approved', async () => {
    const payments = [
      ...past(30, 'A', { approved: false }),
      ...past(60, 'A').map((each, at) => ({ ...each, id: `a${at}` })),
      ...past(50, 'B').map((each, at) => ({ ...each, id: `b${at}` })),
    ];
    const result = await run(payments, [rule('A:9 B:5')], [rule('B')]);
    expect(result.approval).toEqual({ now: 0.7857, draft: 1 });
  });

  test('is not reported with too few payments', async () => {
    const payments = [...past(100, 'A'), ...past(19, 'B').map((each, at) => ({ ...each, id: `b${at}` }))];
    expect((await run(payments, [rule('A:5 B:1')], [rule('B')])).approval).toBeNull();
  });
});
