import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { withClient } from '../telemetry/index.ts';

type Row = { minute: Date; reason: string; address: string; count: number };

const { stored, clock } = vi.hoisted(() => ({ stored: [] as Row[], clock: { now: new Date(0) } }));
vi.mock('../db/clock.ts', () => ({ now: () => clock.now }));
vi.mock('../db/index.ts', () => ({
  rowSet: () => ({ from: '', encode: (rows: Row[]) => rows }),
  statement:
    () =>
    async ({ refusals = [] }: { refusals?: Row[] }) => {
      stored.push(...refusals);
      return [];
    },
  transaction: () => undefined,
}));

// Other tests of this process have the module with a database.
vi.resetModules();
afterAll(() => {
  vi.resetModules();
});
const { countRefusal, flushRefusals, slowRefusal, unknownPasskeyRefusal } = await import('./refused-requests.ts');

// Other tests of this process count refused requests too.
beforeEach(async () => {
  await flushRefusals();
  stored.length = 0;
});

/** A refused request of each of these networks. */
function refuse(second: number, networks: number[], refusal = slowRefusal): void {
  clock.now = new Date(second * 1000);
  for (const network of networks) {
    const client = { address: `2001:db8:7:${network.toString(16)}::1` } as Parameters<typeof withClient>[0];
    withClient(client, () => countRefusal(refusal));
  }
}

async function refuseIn(...refused: Parameters<typeof refuse>): Promise<void> {
  refuse(...refused);
  await flushRefusals();
}

const networks = (from: number, to: number) => Array.from({ length: to - from }, (_, place) => from + place);
const entries = () => [...new Set(stored.map(({ minute, reason, address }) => [+minute, reason, address].join()))];
const total = () => stored.reduce((sum, { count }) => sum + count, 0);

test('a minute has at most 100 addresses of a cause, however often counts are stored, and the others together', async () => {
  for (let second = 0; second < 60; second += 1) {
    await refuseIn(second, networks(60 * second, 60 * second + 60));
    await refuseIn(second, networks(60 * second, 60 * second + 60), unknownPasskeyRefusal);
  }
  expect(total()).toBe(2 * 60 * 60);
  expect(entries()).toHaveLength(2 * 101);
  expect(entries().filter((entry) => entry.endsWith('other addresses'))).toHaveLength(2);
  // An address that is counted apart stays so, and the next minute has its own.
  await refuseIn(59, [5]);
  expect(stored.at(-1)).toMatchObject({ address: '2001:db8:7:5::/64', count: 1 });
  await refuseIn(60, [7000]);
  expect(stored.at(-1)).toMatchObject({ address: '2001:db8:7:1b58::/64', minute: new Date(60_000) });
});

test('a minute has at most 200 addresses of all causes, and the others of each cause together', async () => {
  const reasons = Array.from({ length: 12 }, (_, place) => `reason ${place}`);
  for (const [second, reason] of reasons.entries())
    await refuseIn(180 + second, networks(0, 60), { ...slowRefusal, reason });
  const others = entries().filter((entry) => entry.endsWith('other addresses'));
  expect([entries().length - others.length, others.length, total()]).toEqual([200, 9, 12 * 60]);
  // An address that is counted apart stays so.
  await refuseIn(199, [5], { ...slowRefusal, reason: 'reason 0' });
  expect(stored.at(-1)).toMatchObject({ address: '2001:db8:7:5::/64', count: 1 });
  await refuseIn(240, [5], { ...slowRefusal, reason: 'reason 11' });
  expect(stored.at(-1)).toMatchObject({ address: '2001:db8:7:5::/64', minute: new Date(240_000) });
});

test('a second has at most 100 addresses of all causes', async () => {
  const reasons = ['one', 'two', 'three'];
  for (const reason of reasons) refuse(120, networks(0, 80), { ...slowRefusal, reason });
  await flushRefusals();
  expect(entries().filter((entry) => !entry.endsWith('other addresses'))).toHaveLength(100);
  expect(total()).toBe(240);
});
