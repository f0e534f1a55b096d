import { expect, it, vi } from 'vitest';
import { scriptsReady } from './script-check.ts';

it('is not ready once two checks in a row are missing', async () => {
  expect(await scriptsReady()).toBe('not checked by this process yet');
  const later = performance.now() + 12 * 60_000;
  const clock = vi.spyOn(performance, 'now').mockReturnValue(later);
  await expect(scriptsReady()).rejects.toThrow('not checked for 12 minutes');
  clock.mockRestore();
});
