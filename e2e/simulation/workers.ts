// Runs the tasks of the simulation in one process per core.
import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism, setPriority } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/project.ts';
import type { Done, Task } from './worker.ts';

/** Starts workers; each performs one task at a time. */
export function startWorkers(count = availableParallelism()) {
  const file = join(root, 'e2e', 'simulation', 'worker.ts');
  const execArgv = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=64'];
  // React's form for production is faster.
  const env: NodeJS.ProcessEnv = { ...process.env, NODE_ENV: 'production' };
  const free: ChildProcess[] = Array.from({ length: count }, () => fork(file, [], { execArgv, env }));
  const all = [...free];
  // Servers under test beside them answer in time.
  for (const { pid } of all) if (pid) setPriority(pid, 10);
  const waiting: (() => void)[] = [];
  const failing = new Set<(error: Error) => void>();
  let failure: Error | undefined;

  // A worker that ends, at work or not, leaves tasks undone: all of them fail with its message.
  function end(code: number | null) {
    failure ??= new Error(`A worker ended with ${code}.`);
    for (const go of waiting.splice(0)) go();
    for (const fail of failing) fail(failure);
  }
  for (const worker of all) worker.once('exit', end);

  /** Performs a task in the next free worker. */
  async function perform(task: Task): Promise<Done> {
    while (free.length === 0 && !failure) await new Promise<void>((go) => waiting.push(go));
    if (failure) throw failure;
    const worker = free.pop() as ChildProcess;
    try {
      return await new Promise((done, fail) => {
        failing.add(fail);
        worker.once('message', (message) => {
          failing.delete(fail);
          done(message as Done);
        });
        // A closed channel is followed by the end of the worker, which says more.
        worker.send(task, () => {});
      });
    } finally {
      free.push(worker);
      waiting.shift()?.();
    }
  }

  return {
    count,
    perform,
    stop() {
      for (const worker of all) worker.kill();
    },
  };
}
