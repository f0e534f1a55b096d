import { afterAll, expect, it, vi } from 'vitest';
import type { ClientIp, HttpRequest } from '../http/index.ts';
import type { AnsweredRequest } from './record.ts';

// Other files of tests share the modules of this process.
const [queueRequestRow, queueUnsignedRow] = [vi.fn(), vi.fn()];
vi.resetModules();
vi.doMock('./store.ts', () => ({ queueRequestRow, queueUnsignedRow }));
const { logAnsweredRequest } = await import('./record.ts');
afterAll(() => {
  vi.doUnmock('./store.ts');
  vi.resetModules();
});

const answered = (more: Pick<AnsweredRequest, 'refusedAt' | 'isSigned'>): AnsweredRequest => ({
  protocol: 'checkout',
  request: { headers: new Headers(), url: 'https://pay.example/api/v1/session' } as unknown as HttpRequest,
  clientIp: { address: '203.0.113.9' } as ClientIp,
  at: new Date(),
  durationMs: 1,
  body: {},
  caller: { merchant: { id: 'one' } } as AnsweredRequest['caller'],
  subject: null,
  status: 400,
  answer: {},
  errorCode: 100000,
  ...more,
});

it('a refused request of a known merchant without a verified signature counts as one that anyone can send', () => {
  logAnsweredRequest(answered({ refusedAt: 'signature', isSigned: false }));
  expect(queueUnsignedRow).toHaveBeenCalledWith(
    expect.objectContaining({ merchantId: 'one', address: '203.0.113.9' }),
    expect.anything(),
    expect.anything(),
  );
  expect(queueRequestRow).not.toHaveBeenCalled();
  logAnsweredRequest(answered({ refusedAt: 'run', isSigned: true }));
  logAnsweredRequest(answered({ refusedAt: null, isSigned: false }));
  expect(queueRequestRow).toHaveBeenCalledTimes(2);
  expect(queueUnsignedRow).toHaveBeenCalledTimes(1);
});
