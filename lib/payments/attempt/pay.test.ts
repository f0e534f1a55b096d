import { afterAll, expect, test, vi } from 'vitest';
import { executeAttempt } from './pay.ts';
import type { PayInput, PreparedAttempt } from './prepare.ts';

vi.hoisted(() => vi.resetModules());
vi.mock('./provider-call.ts', async (original) => ({
  ...(await original<typeof import('./provider-call.ts')>()),
  callProvider: () => Promise.reject(new Error('the process has no memory left')),
}));

test('an attempt whose call throws is no longer in progress for the defence against card testing', async () => {
  const input = { caller: { merchant: { name: 'Bowls' } }, instrument: {}, now: new Date() } as PayInput;
  const testingKeys = { card: 'throws', address: 'throws', bin: 'throws' };
  for (let index = 0; index < 50; index += 1) {
    const prepared = { payment: { id: 'p', declines: 0 }, transaction: { id: `throws ${index}`, testingKeys } };
    // An attempt that is stopped is not sent: it would be stored as declined.
    await expect(executeAttempt(prepared as unknown as PreparedAttempt, input)).rejects.toThrow('no memory left');
  }
});

// The files after this one get the modules themselves.
afterAll(() => {
  vi.resetModules();
});
