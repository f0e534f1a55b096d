// The programs of the scale test, from Debian's packages.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const packages = {
  patroni: 'patroni',
  patronictl: 'patroni',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  ip: 'iproute2',
};

/** The paths of the programs, and PostgreSQL's folders before and after the minor upgrade. */
export type Programs = Record<keyof typeof packages, string> & { postgres: [string, string] };

/** Finds the programs; missing packages are installed. Two minor versions of PostgreSQL are unpacked into `folder`. */
export function findPrograms(folder: string): Programs {
  const missing = Object.entries(packages).filter(([name]) => !find(name));
  const needed = [...new Set(missing.map(([, name]) => name)), ...(installedPostgres() ? [] : ['postgresql'])];
  if (needed.length > 0) {
    run('apt-get', ['update', '-qq']);
    run('apt-get', ['install', '-y', '--no-install-recommends', ...needed]);
  }
  const found = Object.fromEntries(Object.keys(packages).map((name) => [name, find(name)]));
  return { ...found, postgres: twoVersions(folder) } as Programs;
}

/** The versions of what the test runs on. */
export function versionsOf({ patroni, etcd, haproxy, pgbouncer, postgres }: Programs) {
  const version = (program: string, flag = '--version') => /\d+(\.\d+)+/.exec(run(program, [flag]))?.[0];
  return {
    postgres: postgres.map((bin) => version(join(bin, 'postgres'))),
    patroni: version(patroni),
    etcd: version(etcd),
    haproxy: version(haproxy, '-v'),
    pgbouncer: version(pgbouncer),
  };
}

// The oldest and the newest minor version that the archive has; if it has only one, the installed one twice.
function twoVersions(folder: string): [string, string] {
  const installed = installedPostgres() ?? '';
  const name = `postgresql-${installed.split('/').at(-2)}`;
  const lines = run('apt-cache', ['madison', name]).split('\n');
  const versions = lines.flatMap((line) => line.split('|')[1]?.trim() ?? []);
  const [newest, oldest] = [versions[0], versions.at(-1)];
  if (!newest || !oldest || newest === oldest) return [installed, installed];
  const unpack = (version: string) => {
    const target = join(folder, version);
    mkdirSync(target);
    const wanted = [name, name.replace('-', '-client-')].map((each) => `${each}=${version}`);
    run('apt-get', ['download', '-qq', ...wanted], target);
    for (const file of readdirSync(target)) run('dpkg-deb', ['-x', file, '.'], target);
    return join(target, installed);
  };
  return [unpack(oldest), unpack(newest)];
}

const find = (name: string) =>
  [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/bin']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));

// Debian keeps each major version in its own folder, outside PATH.
function installedPostgres() {
  const home = '/usr/lib/postgresql';
  const versions = existsSync(home) ? readdirSync(home).map(Number).filter(Number.isInteger) : [];
  return versions
    .sort((one, other) => other - one)
    .map((version) => join(home, String(version), 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
}

/** The output of a program that has succeeded. */
export function run(program: string, args: string[], cwd?: string): string {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return stdout;
}
