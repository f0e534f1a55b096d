import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Task } from './worker.ts';
import { startWorkers } from './workers.ts';

test('no task is left waiting for a worker that has ended', async () => {
  const workers = startWorkers(1);
  const notATask = 'none' as unknown as Task;
  const outcomes = await Promise.allSettled([workers.perform(notATask), workers.perform(notATask)]);
  const ended = { status: 'rejected', reason: new Error('A worker ended with 1.') };
  expect([...outcomes, ...(await Promise.allSettled([workers.perform(notATask)]))]).toEqual([ended, ended, ended]);
});

test('a worker that ends without a task is reported too', async () => {
  const workers = startWorkers(2);
  workers.stop();
  await setTimeout(500);
  await expect(workers.perform({ from: 1, count: 0 })).rejects.toThrow('A worker ended with null.');
});
