// Kills an embedded PostgreSQL as a power cut would.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Home } from '../../scripts/postgres.ts';
import { errorCode } from '../../scripts/project.ts';

/**
 * Kills the PostgreSQL of `folder` and all its processes at once with SIGKILL. The next start recovers what was
 * committed.
 */
export async function killPostgres(folder: string): Promise<void> {
  const { data }: Home = JSON.parse(readFileSync(join(folder, 'home.json'), 'utf8'));
  const main = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const all = [main, ...childrenOf(main)];
  for (const pid of all) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      // Ended meanwhile.
      if (errorCode(error) !== 'ESRCH') throw error;
    }
  }
  // A remaining process would go on writing under the next server.
  while (all.some(isRunning)) await new Promise((wake) => setTimeout(wake, 20));
  // Where init does not reap zombies, the process id stays in use and PostgreSQL believes the old server runs.
  rmSync(join(data, 'postmaster.pid'), { force: true });
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc').flatMap((name) =>
    /^\d+$/.test(name) && statusOf(Number(name))?.parent === pid ? [Number(name)] : [],
  );
}

// A zombie that its parent has not reaped holds no resources.
function isRunning(pid: number) {
  const status = statusOf(pid);
  return status !== null && status.state !== 'Z';
}

// The name may contain blanks and brackets; state and parent follow the last bracket.
function statusOf(pid: number) {
  try {
    const [state, parent] = (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '').split(' ');
    return { state, parent: Number(parent) };
  } catch {
    return null;
  }
}
