// The proxies of the deployment, as child processes: HAProxy before the nodes, PgBouncer before it, and HAProxy before
// the processes of Florin.
import { chownSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answers } from '../../../scripts/project.ts';
import type { Node, Place } from './cluster.ts';
import { launch, type Settings } from './launch.ts';
import { until } from './polling.ts';
import { fill, settingsFile } from './settings-files.ts';

const host = '127.0.0.1';
const ports = { primary: 5000, pooler: 6432, balancer: 8080 };

/** Starts the proxies; returns the address of each. */
export async function startProxies(place: Place, { nodes, password, apps }: Wanted) {
  const [NODE_1, NODE_2, NODE_3] = nodes.map(({ address }) => `${address}:5432`);
  const LISTEN = `${host}:${ports.primary}`;
  const log = await startHaproxy(place, 'primary.cfg', ports.primary, { LISTEN, NODE_1, NODE_2, NODE_3 });
  // HAProxy takes all nodes for primaries until it has checked them.
  await until('HAProxy does not find the primary', async () => {
    return readFileSync(log, 'utf8').split(' is DOWN').length === nodes.length;
  });
  await startPooler(place, password);
  const [APP_1, APP_2] = apps.map((port) => `${host}:${port}`);
  await startHaproxy(place, 'haproxy.cfg', ports.balancer, { BALANCER: `${host}:${ports.balancer}`, APP_1, APP_2 });
  const database = (port: number) => `postgresql://florin:${password}@${host}:${port}/florin`;
  return {
    balancer: `http://${host}:${ports.balancer}`,
    pooler: database(ports.pooler),
    primary: database(ports.primary),
  };
}

type Wanted = { nodes: Node[]; password: string; apps: number[] };

async function startHaproxy({ folder, programs, account }: Place, name: string, port: number, env: Settings) {
  // Its account may not have access to the project's folder.
  const file = join(folder, name);
  copyFileSync(settingsFile(name), file);
  return listening(port, launch(programs.haproxy, ['-db', '-f', file], { folder, name, account, env }));
}

async function startPooler({ folder, programs, account }: Place, password: string) {
  const users = join(folder, 'userlist.txt');
  writeFileSync(users, `"florin" "${password}"\n`, { mode: 0o600 });
  chownSync(users, account.uid, account.gid);
  const name = 'pgbouncer.ini';
  const file = join(folder, name);
  const primary = { PRIMARY_HOST: host, PRIMARY_PORT: ports.primary };
  writeFileSync(file, fill(name, { ...primary, ADDRESS: host, PORT: ports.pooler, FOLDER: folder }));
  await listening(ports.pooler, launch(programs.pgbouncer, [file], { folder, name, account }));
}

// Waits until the program listens; returns the path of its log.
async function listening(port: number, { log, ...child }: ReturnType<typeof launch>) {
  await until(`nothing listens at ${port}`, async () => {
    if (child.hasEnded()) throw new Error(readFileSync(log, 'utf8'));
    return answers(port);
  });
  return log;
}
