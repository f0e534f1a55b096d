// Child processes of the scale test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';

export type Account = { uid: number; gid: number };
export type Settings = Record<string, string | undefined>;

/** Starts a program; its output goes to `folder`. */
export function launch(
  program: string,
  args: string[],
  { folder, name, account, env }: { folder: string; name: string; account?: Account; env?: Settings },
) {
  const log = join(folder, `${name}.log`);
  const output = openSync(log, 'a');
  const child = spawn(program, args, {
    ...account,
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', output, output],
  });
  return {
    log,
    pid: child.pid,
    ended: once(child, 'exit'),
    hasEnded: () => child.exitCode !== null,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
  };
}
