// The memory of a process while it is under load: its resident set, asked of the system again and again.
import { execFile } from 'node:child_process';

/**
 * Watches the process until `stop`, which gives the megabytes that were seen, every `everySeconds`.
 * @returns {{ stop: () => number[] }}
 */
export function watchMemory(pid, everySeconds = 1) {
  const seen = [];
  const look = () =>
    execFile('ps', ['-o', 'rss=', '-p', String(pid)], (fault, said) => {
      if (!fault) seen.push(Number(said.trim()) / 1024);
    });
  look();
  const timer = setInterval(look, everySeconds * 1000);
  return {
    stop() {
      clearInterval(timer);
      return seen;
    },
  };
}
