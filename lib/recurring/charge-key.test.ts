import { afterAll, beforeEach, expect, it, vi } from 'vitest';

vi.hoisted(() => vi.resetModules());
const stub = vi.hoisted(() => ({ key: 'k1', keys: [] as string[], asked: [] as unknown[] }));
const subscription = vi.hoisted(() => ({
  ...{ id: 's', done: 0, retries: 0, begunSlot: null, paymentId: null, amount: null, chainToken: 't', scheduleId: 'p' },
}));
vi.mock('../db/clock.ts', () => ({ isClockWrong: () => false }));
vi.mock('../db/index.ts', () => ({ statement: () => async () => [] }));
vi.mock('../telemetry/index.ts', () => ({
  log: { warn: () => {}, error: (fields: unknown) => stub.asked.push(fields) },
}));
vi.mock('../jobs/index.ts', () => ({
  roundMilliseconds: 1,
  newConcurrencyLimiter: () => ({
    busy: () => [],
    claim: async (_most: number, _rows: unknown, task: (row: object) => { run: () => Promise<void> }) => {
      await task({ account: 'a', merchant: 'm' }).run();
      return 1;
    },
  }),
}));
vi.mock('../schedules/index.ts', () => ({
  subscriptionColumns: '',
  leewayMilliseconds: 1,
  toSubscription: () => subscription,
  readSlot: async () => ({ subscription, schedule: { paymentsCount: 3 }, at: new Date(0), dueAt: new Date(0) }),
  readSlotAttempts: async () => ({ state: 'none' }),
  decideSlot: () => ({ what: 'charge', at: new Date(0), planned: new Date(0), shift: 0, missed: [] }),
  beginSlot: async () => true,
  slotPaymentId: () => 'charge',
  attemptName: () => '1',
  moveToNextSlot: async () => {},
}));
const first = { keyId: 'k1', protocol: 's2s_card', orderNumber: 'o', orderAmount: '1.00', currency: 'EUR' };
vi.mock('../payments/index.ts', () => ({
  findChainByToken: async () => ({ first }),
  findPayment: async () => null,
  isRejectedByClock: () => false,
  paySubsequent: async ({ key }: { key: string }) => {
    stub.keys.push(key);
    return { payment: { inFlightId: null }, transaction: { status: 'success' } };
  },
}));
const mapping = { scheduleRetries: 3, scheduleRetryHours: 24, missedSlots: 'one' };
vi.mock('../merchants/index.ts', () => ({
  callerOf: async ({ keyId }: { keyId: string }) => ({ key: keyId, mapping }),
  currentCallerOf: async (...asked: unknown[]) => {
    stub.asked.push(asked);
    return { key: stub.key, mapping };
  },
}));

import { chargeDue } from './charge.ts';

// The files after this one get the modules themselves.
afterAll(() => vi.resetModules());

beforeEach(() => {
  Object.assign(stub, { keys: [], asked: [] });
});

it('a charge is made with the key that its first payment’s key has become by then', async () => {
  const now = new Date('2026-12-01T12:00:00Z');
  for (const key of ['k1', 'k2']) {
    stub.key = key;
    await chargeDue(now);
  }
  expect(stub.keys).toEqual(['k1', 'k2']);
  expect(stub.asked).toEqual([
    [first, now],
    [first, now],
  ]);
});
