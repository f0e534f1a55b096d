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
  let failure: Error | undefined;

  /** Performs a task in the next free worker. */
  async function perform(task: Task): Promise<Done> {
    while (free.length === 0 && !failure) await new Promise<void>((go) => waiting.push(go));
    // The tasks of a worker that ended cannot be performed: none of the others matters.
    if (failure) throw failure;
    const worker = free.pop() as ChildProcess;
    try {
      return await new Promise((done, fail) => {
        const ended = (code: number | null) => {
          failure = new Error(`A worker ended with ${code}.`);
          for (const go of waiting.splice(0)) go();
          fail(failure);
        };
        worker.once('exit', ended);
        worker.once('message', (message) => {
          worker.off('exit', ended);
          done(message as Done);
        });
        worker.send(task);
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
