// Two PostgreSQL nodes with synchronous replication, and the actions of a failover manager.
import { randomBytes } from 'node:crypto';
import { appendFileSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { removePostgres, runAs } from '../../../scripts/postgres.ts';
import { killPostgres } from '../kill-postgres.ts';
import { fill } from './settings-files.ts';

const host = '127.0.0.1';
const patienceSeconds = 60;

/** PostgreSQL's programs, the folder of the nodes, and the account that they run as. */
type Place = { bin: string; folder: string; account?: { uid: number; gid: number } };
type User = 'florin' | 'replicator' | 'postgres';
type Node = ReturnType<typeof nodeAt>;

/**
 * Creates and starts both nodes, the second as the standby of the first. `opened` collects the functions that stop and
 * remove the nodes.
 */
export async function openCluster({
  bin,
  folder,
  ports,
  account,
  opened,
}: Place & { ports: number[]; opened: (() => unknown)[] }) {
  const passwords = { florin: newPassword(), replicator: newPassword(), postgres: newPassword() };
  const keyring = join(folder, 'pgpass');
  writeFileSync(keyring, `*:*:*:replicator:${passwords.replicator}\n`, { mode: 0o600 });
  commandsOf({ bin, folder, account }).give(keyring);
  const node = (name: string, port = 0) => nodeAt(name, port, { bin, folder, account, passwords, keyring });
  let [primary, standby]: [Node, Node] = [node('florin_a', ports[0]), node('florin_b', ports[1])];
  const homes = [primary.home, standby.home];
  opened.push(async () => {
    for (const home of homes) await removePostgres(home);
  });
  await primary.make();
  await primary.start();
  await primary.ask("alter system set synchronous_standby_names = ''");
  await primary.reload('');
  for (const name of ['florin', 'replicator'] as const) {
    await primary.ask(
      `create role ${name} login password '${passwords[name]}' ${name === 'florin' ? '' : 'replication'}`,
    );
  }
  await primary.ask('create database florin owner florin');
  await follow();

  /** Creates the standby from the primary; commits wait for it as soon as it has caught up. */
  async function follow() {
    await standby.copy(primary);
    await standby.start();
    await until('the standby does not catch up', async () => {
      const rows = await primary.ask("select 1 from pg_stat_replication where state = 'streaming'");
      return rows.length > 0;
    });
    await primary.ask('alter system reset synchronous_standby_names');
    await primary.reload('ANY 1 (florin_a, florin_b)');
    await until('the standby is not synchronous', async () => {
      const rows = await primary.ask("select 1 from pg_stat_replication where sync_state = 'quorum'");
      return rows.length > 0;
    });
  }

  return {
    passwords,
    primary: () => primary,
    /** SIGKILL, like the loss of a machine. */
    kill: () => killPostgres(primary.home),
    /** Promotes the standby, which runs without a synchronous standby for now. */
    async failOver() {
      await standby.promote();
      [primary, standby] = [standby, primary];
      await primary.ask("alter system set synchronous_standby_names = ''");
      await primary.reload('');
    },
    /** Brings the lost node back as a standby copy of the new primary. */
    async rebuild() {
      await removePostgres(standby.home);
      await follow();
    },
  };
}

/** Runs PostgreSQL's commands, and gives files to the account that they run as. */
function commandsOf({ bin, folder, account }: Place) {
  const run = async (command: string, args: string[]) => {
    const { code, output } = await runAs(account, folder, join(bin, command), args);
    if (code !== 0) throw new Error(`${command} failed:\n${output}`);
  };
  const give = (path: string) => account && chownSync(path, account.uid, account.gid);
  return { run, give };
}

/** A node in its own folder, at its own port. */
function nodeAt(
  name: string,
  port: number,
  { bin, folder, account, passwords, keyring }: Place & { passwords: Record<User, string>; keyring: string },
) {
  const home = join(folder, name);
  const data = join(home, 'data');
  const { run, give } = commandsOf({ bin, folder, account });
  const configure = () => {
    const values = { NODE: name, ADDRESS: host, NETWORK: `${host}/32` };
    writeFileSync(join(data, 'florin.conf'), fill('postgresql.conf', values));
    writeFileSync(join(data, 'pg_hba.conf'), fill('pg_hba.conf', values));
    give(join(data, 'florin.conf'));
  };
  const url = (user: User, database: string) => `postgresql://${user}:${passwords[user]}@${host}:${port}/${database}`;
  return {
    name,
    port,
    url,
    home,
    async make() {
      prepare();
      const file = join(folder, 'initial');
      writeFileSync(file, passwords.postgres, { mode: 0o600 });
      give(file);
      const access = ['-U', 'postgres', '--pwfile', file, '-A', 'scram-sha-256'];
      await run('initdb', ['-D', data, ...access, '-E', 'UTF8', '--locale=C.UTF-8']);
      appendFileSync(join(data, 'postgresql.conf'), "include 'florin.conf'\n");
      configure();
    },
    /** A standby copy of another node. */
    async copy(other: { port: number }) {
      prepare();
      const from = `host=${host} port=${other.port} user=replicator passfile=${keyring} application_name=${name}`;
      await run('pg_basebackup', ['-d', from, '-D', data, '-R', '-X', 'stream', '-c', 'fast']);
      configure();
    },
    async start() {
      const flags = `-c port=${port} -c unix_socket_directories=''`;
      await run('pg_ctl', ['start', '-D', data, '-w', '-t', '60', '-l', join(home, 'server.log'), '-o', flags]);
    },
    promote: () => run('pg_ctl', ['promote', '-D', data, '-w', '-t', '60']),
    ask: (text: string) => askOnce(url('postgres', 'postgres'), text),
    /** Reloads the settings and waits for these synchronous standbys. */
    async reload(names: string) {
      await this.ask('select pg_reload_conf()');
      await until(`${name} has other standbys`, async () => {
        const [row] = await this.ask('show synchronous_standby_names');
        return row.synchronous_standby_names === names;
      });
    },
    log: () => (existsSync(join(home, 'server.log')) ? readFileSync(join(home, 'server.log'), 'utf8') : ''),
  };
  function prepare() {
    mkdirSync(home, { recursive: true });
    give(home);
    writeFileSync(join(home, 'home.json'), JSON.stringify({ bin, data }));
  }
}

const newPassword = () => randomBytes(24).toString('hex');

// biome-ignore lint/suspicious/noExplicitAny: the statement decides the shape of the rows.
async function askOnce(connectionString: string, text: string): Promise<any[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function until(what: string, isSo: () => Promise<boolean>) {
  const end = Date.now() + patienceSeconds * 1000;
  while (Date.now() < end) {
    if (await isSo()) return;
    await new Promise((wake) => setTimeout(wake, 100));
  }
  throw new Error(`After ${patienceSeconds} s: ${what}.`);
}
