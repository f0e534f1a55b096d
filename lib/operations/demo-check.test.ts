import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';

vi.hoisted(() => vi.resetModules());
const stub = vi.hoisted(() => ({ appEnv: 'production', rows: [] as { name: string }[] | null }));
vi.mock('../config/index.ts', () => ({ env: stub }));
vi.mock('../telemetry/index.ts', () => ({ log: { warn: () => {} } }));
vi.mock('../db/index.ts', () => ({
  statement: () => async () => {
    if (stub.rows === null) throw new Error('connection refused');
    return stub.rows;
  },
}));

import { DemoAccessError, refuseDemoAccess } from './demo-check.ts';

const refuse = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  refuse.mockReset();
  Object.assign(stub, { appEnv: 'production', rows: [{ name: 'the key b7e2' }, { name: 'manager@demo.test' }] });
});
afterEach(() => vi.useRealTimers());

test('production is refused with the names of what others know', async () => {
  await expect(refuseDemoAccess(refuse)).rejects.toThrow(/the key b7e2, manager@demo\.test\.\n.*install\.md/);
});

test('a sandbox and a database of its own are accepted', async () => {
  stub.appEnv = 'sandbox';
  await refuseDemoAccess(refuse);
  Object.assign(stub, { appEnv: 'production', rows: [] });
  await refuseDemoAccess(refuse);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(refuse).not.toHaveBeenCalled();
});

test('a database that does not answer is searched once it does', async () => {
  const { rows } = stub;
  stub.rows = null;
  await refuseDemoAccess(refuse);
  await vi.advanceTimersByTimeAsync(12_000);
  expect(refuse).not.toHaveBeenCalled();
  stub.rows = rows;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(refuse).toHaveBeenCalledExactlyOnceWith(expect.any(DemoAccessError));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(refuse).toHaveBeenCalledOnce();
});

// The files after this one get the modules themselves.
afterAll(() => {
  vi.resetModules();
});
