import { afterEach, expect, it, vi } from 'vitest';
import * as vault from '../vault/index.ts';
import { auth } from './auth.ts';

afterEach(() => vi.restoreAllMocks());

it('is made again after a failure, and once after that', async () => {
  const secret = vi.spyOn(vault, 'sessionSecret');
  secret.mockRejectedValueOnce(new Error('no database')).mockResolvedValue(Buffer.alloc(32));
  await expect(auth()).rejects.toThrow('no database');
  expect(await auth()).toBe(await auth());
  expect(secret).toHaveBeenCalledTimes(2);
});
