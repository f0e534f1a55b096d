// Three PostgreSQL nodes under Patroni, each in a network namespace with a disk for its WAL, and three members of etcd.
import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import pg from 'pg';
import { type Account, launch } from './launch.ts';
import { until } from './polling.ts';
import { type Programs, run } from './programs.ts';
import { fill } from './settings-files.ts';

const network = '10.0.0.0/16';
const etcdNetwork = '10.0.1.0/24';
const etcdAddresses = ['10.0.1.1', '10.0.1.2', '10.0.1.3'];
const nodeAddresses = ['10.0.2.1', '10.0.2.2', '10.0.2.3'];
const walSize = '2g';
const fillWal = "select pg_logical_emit_message(false, '', repeat('x', 1000)) from generate_series(1, 16000)";

/** What the nodes run on. */
export type Place = { folder: string; programs: Programs; account: Account };
type Machine = { name: string; address: string; home: string; wal: string; account: Account };
type Passwords = Record<'florin' | 'postgres' | 'replicator', string>;
/** What Patroni reports about its node, and about all nodes. */
type Status = { server_version?: number; replication?: { state: string }[] };
type Members = { members?: { role: string }[] };

export type Node = ReturnType<typeof nodeAt>;
export type Cluster = Awaited<ReturnType<typeof openCluster>>;

/** Starts etcd and the nodes, and waits until both standbys follow. */
export async function openCluster(place: Place) {
  openNetwork();
  await startEtcd(place);
  const passwords = { florin: newPassword(), postgres: newPassword(), replicator: newPassword() };
  const nodes = nodeAddresses.map((address, index) => nodeAt(`node${index + 1}`, address, { ...place, passwords }));
  for (const node of nodes) node.start();
  const cluster = {
    nodes,
    passwords,
    /** The node with the leader's lock, if there is one. */
    primary: () =>
      Promise.any(
        nodes.map(async (node) => {
          if ((await node.ask('primary'))?.status !== 200) throw new Error(`${node.name} is not the primary`);
          return node;
        }),
      ).catch(() => undefined),
    /** Waits until both standbys follow, of which one may replace the primary; returns the primary. */
    healthy: () =>
      until('the cluster is not healthy', async () => {
        const primary = await cluster.primary();
        const { replication = [] } = (await primary?.status()) ?? {};
        const { members = [] } = (await primary?.members()) ?? {};
        const standbys = replication.filter(({ state }) => state === 'streaming');
        // What PostgreSQL calls synchronous is only a candidate when Patroni has recorded it.
        return standbys.length === nodes.length - 1 && members.some(({ role }) => role === 'sync_standby') && primary;
      }),
    /** Waits for another primary than `former`. */
    replaced: (former: Node) =>
      until(`${former.name} is not replaced`, async () => {
        const primary = await cluster.primary();
        return primary !== former && primary;
      }),
    /** Makes another node the primary, as an operator does. */
    switchOver(primary: Node) {
      const args = ['switchover', 'florin', '--leader', primary.name, '--force'];
      run(place.programs.patronictl, ['-c', primary.file, ...args]);
    },
  };
  const primary = await cluster.healthy();
  await primary.query(`create role florin login password '${passwords.florin}'`);
  await primary.query('create database florin owner florin');
  await primary.query('create table written (at timestamptz not null default now())');
  return cluster;
}

const newPassword = () => randomBytes(24).toString('hex');
const ip = (command: string) => run('ip', command.split(' '));

// Everything but the nodes is in the namespace of the test, at this end of the bridge.
function openNetwork() {
  mkdirSync('/run/netns', { recursive: true });
  run('mount', ['-t', 'tmpfs', 'tmpfs', '/run/netns']);
  ip('link set lo up');
  ip('link add bridge type bridge');
  for (const address of ['10.0.0.1', ...etcdAddresses]) ip(`address add ${address}/16 dev bridge`);
  ip('link set bridge up');
}

// The machine of a node: a network namespace behind the bridge, and a disk for its WAL.
function openMachine({ name, address, home, wal, account }: Machine) {
  for (const path of [home, wal]) mkdirSync(path, { mode: 0o700 });
  chownSync(home, account.uid, account.gid);
  run('mount', ['-t', 'tmpfs', '-o', `size=${walSize},mode=700,uid=${account.uid},gid=${account.gid}`, 'tmpfs', wal]);
  ip(`netns add ${name}`);
  ip(`link add ${name} type veth peer name eth0 netns ${name}`);
  ip(`link set ${name} master bridge up`);
  ip(`-n ${name} address add ${address}/16 dev eth0`);
  for (const device of ['lo', 'eth0']) ip(`-n ${name} link set ${device} up`);
}

async function startEtcd({ folder, programs, account }: Place) {
  const MEMBERS = etcdAddresses.map((address, index) => `etcd${index + 1}=http://${address}:2380`).join(',');
  for (const [index, ADDRESS] of etcdAddresses.entries()) {
    const name = `etcd${index + 1}`;
    const settings = fill('etcd.env', { NAME: name, DATA: join(folder, name), ADDRESS, MEMBERS });
    launch(programs.etcd, [], { folder, name, account, env: parseEnv(settings) });
  }
  await until('etcd is not healthy', async () => {
    const answers = etcdAddresses.map((address) => fetch(`http://${address}:2379/health`).catch(() => null));
    return (await Promise.all(answers)).every((answer) => answer?.ok);
  });
}

function nodeAt(
  name: string,
  address: string,
  { folder, programs, account, passwords }: Place & { passwords: Passwords },
) {
  const home = join(folder, name);
  const file = join(home, 'patroni.yml');
  const wal = join(home, 'wal');
  const namespace = `/run/netns/${name}`;
  let child: ReturnType<typeof launch> | undefined;
  let [bin] = programs.postgres;
  openMachine({ name, address, home, wal, account });
  const processes = () => ip(`netns pids ${name}`).split('\n').filter(Boolean).map(Number);
  const ask = (path: string) =>
    fetch(`http://${address}:8008/${path}`, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
  const answer = async (path: string) => (await ask(path))?.json().catch(() => null) ?? null;

  const node = {
    name,
    file,
    address,
    ask,
    status: (): Promise<Status | null> => answer('patroni'),
    members: (): Promise<Members | null> => answer('cluster'),
    /** From the next start on PostgreSQL is the one after the upgrade. */
    upgrade() {
      bin = programs.postgres[1];
    },
    start() {
      const values = { NODE: name, ADDRESS: address, NETWORK: network, DATA: join(home, 'data'), WAL: wal };
      const secrets = { POSTGRES_PASSWORD: passwords.postgres, REPLICATOR_PASSWORD: passwords.replicator };
      const ETCD = etcdAddresses.map((each) => `${each}:2379`).join(',');
      writeFileSync(file, fill('patroni.yml', { ...values, ...secrets, ETCD, BIN: bin }));
      chownSync(file, account.uid, account.gid);
      const inside = [`--net=${namespace}`, '--setuid', String(account.uid), '--setgid', String(account.gid)];
      child = launch('nsenter', [...inside, programs.patroni, file], { folder, name });
    },
    /** Ends Patroni and PostgreSQL gracefully. */
    async stop() {
      child?.kill('SIGTERM');
      await child?.ended;
    },
    /** Sends a signal to PostgreSQL, and to Patroni unless `only` it; twice, for processes that start meanwhile. */
    signal(signal: NodeJS.Signals, only?: 'postgres') {
      for (const pid of [...processes(), ...processes()]) {
        if (only && pid === child?.pid) continue;
        try {
          process.kill(pid, signal);
        } catch {
          // It has ended.
        }
      }
    },
    cut: () => ip(`-n ${name} route add blackhole ${etcdNetwork}`),
    reconnect: () => ip(`-n ${name} route del blackhole ${etcdNetwork}`),
    /** Shrinks the disk of the WAL to what is used, and writes records of usual size until PostgreSQL fails. */
    async fillDisk() {
      const used = run('df', ['--output=used', '-B1', wal]).split('\n')[1]?.trim();
      run('mount', ['-o', `remount,size=${used}`, wal]);
      await until(`the disk of ${name} is not full`, () =>
        node.query(fillWal).then(
          () => false,
          () => true,
        ),
      );
    },
    freeDisk: () => run('mount', ['-o', `remount,size=${walSize}`, wal]),
    query: (text: string, seconds = 15) =>
      queryOnce(`postgresql://postgres:${passwords.postgres}@${address}:5432/postgres`, text, seconds),
  };
  return node;
}

// biome-ignore lint/suspicious/noExplicitAny: the statement decides the shape of the rows.
async function queryOnce(connectionString: string, text: string, seconds: number): Promise<any[]> {
  const milliseconds = seconds * 1000;
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: milliseconds,
    query_timeout: milliseconds,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(text)).rows;
  } finally {
    // A statement that still runs would delay the end.
    void client.end();
  }
}
