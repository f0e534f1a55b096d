// The processor time of this process and of those that it has started, as Linux counts it.
import { execFileSync } from 'node:child_process';
import { platform } from 'node:os';
import { expect, test } from 'vitest';
import { parentOf, processorSeconds } from './processor-time.ts';

const busy = `const start = process.cpuUsage(); while (process.cpuUsage(start).user < 200_000);`;

test('what an ended process has used counts for the one that has started it', () => {
  const before = processorSeconds(process.pid);
  if (before === null) return expect(platform()).not.toBe('linux');
  const parent = execFileSync(process.execPath, ['--eval', `${busy} console.log(process.ppid)`], { encoding: 'utf8' });
  expect(Number(parent)).toBe(process.pid);
  expect((processorSeconds(process.pid) ?? 0) - before).toBeGreaterThan(0.15);
  expect(parentOf(process.pid)).toBe(process.ppid);
});

test('a process that does not exist has no times', () => {
  expect([processorSeconds(2 ** 30), parentOf(2 ** 30)]).toEqual([null, null]);
});
