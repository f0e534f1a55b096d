import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';

vi.hoisted(() => vi.resetModules());
const stub = vi.hoisted(() => ({ asked: 0, fails: false }));
vi.mock('../config/index.ts', () => ({ env: { metricsToken: null, appEnv: 'sandbox', jobs: false } }));
vi.mock('../telemetry/index.ts', () => ({ log: { warn: () => {} }, metrics: { rounds: new Map() } }));
vi.mock('../events/index.ts', () => ({ sinkLags: async () => [] }));
vi.mock('../vault/index.ts', () => ({ linkHmac: async () => {} }));
vi.mock('./clock-check.ts', () => ({ clockReady: async () => undefined }));
vi.mock('./script-check.ts', () => ({ scriptsReady: async () => undefined }));
vi.mock('./metrics-endpoint.ts', () => ({ hasMetricsToken: () => false }));
vi.mock('../db/index.ts', () => ({
  query: async (name: string) => {
    if (name === 'ready') stub.asked += 1;
    if (stub.fails) throw new Error('connection refused');
    return [];
  },
}));

import { ready } from './ready.ts';

const ask = async () => (await ready(new Request('http://localhost/readyz'))).body as string;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

test('any number of requests costs one round of checks a second, and none is refused', async () => {
  const bodies = await Promise.all(Array.from({ length: 100 }, ask));
  expect(new Set(bodies).size).toBe(1);
  await vi.advanceTimersByTimeAsync(900);
  await ask();
  expect(stub.asked).toBe(1);
  await vi.advanceTimersByTimeAsync(100);
  stub.fails = true;
  const { checks } = JSON.parse(await ask());
  expect([stub.asked, checks.database.ok]).toEqual([2, false]);
});

// The files after this one get the modules themselves.
afterAll(() => {
  vi.resetModules();
});
