// The resident set size of a process under load, sampled at intervals.
import { execFile } from 'node:child_process';

/** Samples the process until `stop`, which returns the samples in megabytes. */
export function watchMemory(pid: number, everySeconds = 1): { stop: () => number[] } {
  const seen: number[] = [];
  const measure = () =>
    execFile('ps', ['-o', 'rss=', '-p', String(pid)], (error, said) => {
      if (!error) seen.push(Number(said.trim()) / 1024);
    });
  measure();
  const timer = setInterval(measure, everySeconds * 1000);
  return {
    stop() {
      clearInterval(timer);
      return seen;
    },
  };
}
