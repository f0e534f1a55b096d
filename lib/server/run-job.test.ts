import { expect, it, vi } from 'vitest';
import { log, metrics } from '../telemetry/index.ts';
import { runJob } from './run-job.ts';

it('counts a failed round, which is no success', async () => {
  const logged = vi.spyOn(log, 'error').mockReturnValue(undefined);
  const failures = async () =>
    (await metrics.jobFailures.get()).values.find(({ labels }) => labels.job === 'of a test')?.value ?? 0;
  const fail = () => Promise.reject(new Error('no such table'));
  expect([await failures(), await runJob({ name: 'of a test', run: fail }, new Date()), await failures()]).toEqual([
    0,
    null,
    1,
  ]);
  expect(await runJob({ name: 'of a test', run: async () => 0 }, new Date())).toBe(0);
  expect(logged).toHaveBeenCalledOnce();
  logged.mockRestore();
});
