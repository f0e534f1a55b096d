// The proxies of the deployment, as child processes: PgBouncer before the nodes and HAProxy before the application.
import { spawn } from 'node:child_process';
import { chownSync, copyFileSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answers } from '../../../scripts/project.ts';
import { fill, settingsFile } from './settings-files.ts';

const host = '127.0.0.1';

/** A program to start: where, at which port, and under which account. */
type Wanted = { program: string; folder: string; port: number; account?: { uid: number; gid: number } };

/** Starts PgBouncer before the node at `primaryPort`. */
export async function startPooler({
  program,
  folder,
  port,
  primaryPort,
  passwords,
  account,
}: Wanted & { primaryPort: number; passwords: { florin: string } }) {
  const keyring = join(folder, 'userlist.txt');
  writeFileSync(keyring, `"florin" "${passwords.florin}"\n`, { mode: 0o600 });
  if (account) chownSync(keyring, account.uid, account.gid);
  const file = join(folder, 'pgbouncer.ini');
  const write = (primary: number) => {
    const values = { PRIMARY_HOST: host, PRIMARY_PORT: primary, ADDRESS: host, PORT: port, FOLDER: folder };
    writeFileSync(file, fill('pgbouncer.ini', values));
  };
  write(primaryPort);
  const child = await launch(program, [file], { folder, port, account });
  return {
    url: `postgresql://florin:${passwords.florin}@${host}:${port}/florin`,
    /** Switches to another primary. */
    setPrimary(primary: number) {
      write(primary);
      child.kill('SIGHUP');
    },
    stop: () => child.stop(),
  };
}

/** Starts HAProxy before two processes. */
export async function startBalancer({ program, folder, port, appPorts, account }: Wanted & { appPorts: number[] }) {
  const [APP_1, APP_2] = appPorts.map((each) => `${host}:${each}`);
  const env = { BALANCER: `${host}:${port}`, APP_1, APP_2 };
  // Its account may not have access to the project's folder.
  const file = join(folder, 'haproxy.cfg');
  copyFileSync(settingsFile('haproxy.cfg'), file);
  const child = await launch(program, ['-db', '-f', file], { folder, port, account, env });
  return { url: `http://${host}:${port}`, stop: () => child.stop() };
}

// Own process groups: Ctrl-C in the terminal reaches the test only, which then stops its children.
async function launch(
  program: string,
  args: string[],
  { folder, port, account, env = {} }: Omit<Wanted, 'program'> & { env?: Record<string, string | undefined> },
) {
  const log = join(folder, `${port}.log`);
  const file = openSync(log, 'a');
  const child = spawn(program, args, {
    ...account,
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', file, file],
    detached: true,
  });
  const ended = new Promise((done) => child.once('exit', done));
  for (let attempts = 0; attempts < 100 && !(await answers(port)); attempts += 1) {
    if (child.exitCode !== null) break;
    await new Promise((wake) => setTimeout(wake, 50));
  }
  if (child.exitCode !== null) throw new Error(`${program} ended:\n${readFileSync(log, 'utf8')}`);
  return {
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
