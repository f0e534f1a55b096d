import { afterAll, beforeEach, expect, it, vi } from 'vitest';

vi.hoisted(() => vi.resetModules());
const sent = vi.hoisted(() => ({ row: {} as object, bodies: [] as string[], saved: [] as string[] }));
const stub = vi.hoisted(() => {
  const attempt = {
    ...{
      id: '0190a1b2-0000-7000-8000-000000000002',
      kind: 'sale',
      attemptId: null,
      method: 'papara',
      status: 'redirect',
    },
    ...{ providerData: {}, createdAt: new Date('2026-03-01T12:00:05Z'), currency: 'EUR', amountMinor: 8450n },
    // Names that are no form: as flat fields they have another order.
    action: {
      ...{ kind: 'redirect', url: 'https://bank.example', method: 'POST' },
      params: { 'data[amount]': '1', order: '7', orderId: 'x' },
    },
  };
  const payment = {
    ...{
      id: '0190a1b2-0000-7000-8000-000000000001',
      protocol: 's2s_apm',
      operation: 'purchase',
      orderNumber: 'order-7',
    },
    ...{ orderAmount: '84.50', currency: 'EUR', amountMinor: 8450n, description: 'Cups', method: 'papara', card: null },
    ...{ payer: { email: 'ana@example.com' }, payee: {}, parameters: {}, customData: null, attemptId: attempt.id },
  };
  const mapping = {
    digest: 'md5',
    uppercase: 'ascii',
    callbackFields: [],
    statusFields: [],
    redirectParameters: false,
  };
  const key = { id: 'k', environment: 'sandbox', key: 'key', password: 'f3b1c5d79e2a4b6c8d0e1f2a3b4c5d6e' };
  return { attempt, payment, caller: { merchant: { id: 'm', name: 'Orme' }, key, mapping, mids: [] } };
});
vi.mock('../payments/index.ts', async (original) => ({
  ...(await original<object>()),
  findPaymentWithTransaction: async () => ({ payment: stub.payment, transaction: stub.attempt }),
  lastAttempt: async () => stub.attempt,
}));
vi.mock('../merchants/index.ts', async (original) => ({
  ...(await original<object>()),
  callerOf: async () => stub.caller,
}));
vi.mock('../http/index.ts', async (original) => ({
  ...(await original<object>()),
  guardedClient: () => ({
    post: async (_url: string, body: string) => {
      sent.bodies.push(body);
      return { httpStatus: 200, error: null, durationMs: 1 };
    },
  }),
}));
vi.mock('./queue.ts', async (original) => {
  const save = (name: string) => async (_id: string, body: unknown) => {
    sent.saved.push(name);
    return body;
  };
  const saves = { saveBody: save('unsigned'), saveSignedBody: save('signed'), stripBody: save('stripped') };
  return { ...(await original<object>()), ...saves, claimDue: async () => [sent.row], recordAttempt: async () => {} };
});

import { deliverDue } from './deliver.ts';

afterAll(() => vi.resetModules());
beforeEach(() => {
  Object.assign(sent, { bodies: [], saved: [] });
});

const row = {
  ...{ id: '0190a1b2-0000-7000-8000-00000000000c', paymentId: stub.payment.id, transactionId: stub.attempt.id },
  ...{ merchantId: 'm', sequence: 3, outcome: 'success', orderState: 'redirect', reason: null, amountMinor: 8450n },
  ...{ url: 'https://shop.example/callbacks', address: 'https://shop.example', attempts: 0, createdAt: new Date() },
  ...{ stored: null, body: null, snapshot: null },
};

async function deliver(changes: object): Promise<string> {
  sent.row = { ...row, ...changes };
  await deliverDue(new Date(), 1000);
  return sent.bodies.at(-1) ?? '';
}

it('a body that cannot be signed again is stored and repeated as it was sent', async () => {
  const first = await deliver({ type: 'redirect' });
  expect(decodeURIComponent(first)).toContain('data[amount]');
  expect(sent.saved).toEqual(['signed']);
  expect(await deliver({ type: 'redirect', body: first, attempts: 1 })).toBe(first);
  expect(sent.saved).toEqual(['signed']);
});

it('any other body is stored without its hash', async () => {
  const first = await deliver({ type: 'sale' });
  expect(new URLSearchParams(first).get('hash')).toMatch(/^[0-9a-f]{32}$/);
  expect(await deliver({ type: 'sale', body: first, attempts: 1 })).toBe(first);
  expect(sent.saved).toEqual(['unsigned', 'stripped']);
});
