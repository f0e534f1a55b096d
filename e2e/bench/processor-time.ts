// The processor time of processes, from Linux's /proc.
import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second. */
const ticks = 100;

type Times = { parent: number; own: number; ended: number };

/** The times of a process; null if it has ended, or where the system has no /proc. */
function timesOf(pid: number | string): Times | null {
  try {
    // The name before the last bracket may have blanks.
    const fields = (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '').split(' ');
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
    return { parent: Number(fields[1]), own: (user + system) / ticks, ended: (endedUser + endedSystem) / ticks };
  } catch {
    return null;
  }
}

/** The process that has started another one. */
export const parentOf = (pid: number): number | null => timesOf(pid)?.parent ?? null;

/** The processor seconds of a process and of all that it has started so far; null where the system has no /proc. */
export function processorSeconds(pid: number): number | null {
  const all = timesOf(pid);
  if (!all) return null;
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const running = children.map((name) => timesOf(name)).filter((each) => each?.parent === pid);
  return all.own + all.ended + running.reduce((sum, each) => sum + (each?.own ?? 0), 0);
}
