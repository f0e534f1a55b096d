// The programs of the scale test, from Debian's packages.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const packages = { postgres: 'postgresql', pgbouncer: 'pgbouncer', haproxy: 'haproxy' };

/** The paths of the programs; `postgres` is PostgreSQL's folder. */
type Programs = Record<keyof typeof packages, string>;

/**
 * Finds PostgreSQL, PgBouncer and HAProxy. Missing packages are installed by root and reported to other users. `bin` is
 * PostgreSQL's folder.
 */
export function findPrograms() {
  const missing = missingOf(installedPrograms());
  if (missing.length > 0) install(missing);
  const left = missingOf(installedPrograms());
  if (left.length > 0) throw new Error(`${left.join(' and ')} cannot be found after the installation.`);
  const found = installedPrograms() as Programs;
  const versions = {
    postgres: versionOf(join(found.postgres, 'postgres'), ['--version']),
    pgbouncer: versionOf(found.pgbouncer, ['--version']),
    haproxy: versionOf(found.haproxy, ['-v']),
  };
  return { bin: found.postgres, pgbouncer: found.pgbouncer, haproxy: found.haproxy, versions };
}

function install(missing: string[]) {
  const command = `apt-get install -y --no-install-recommends ${missing.join(' ')}`;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Error(`The scale test needs programs that are not installed. On Debian, as root: ${command}`);
  }
  for (const line of ['apt-get update -qq', command]) {
    console.log(line);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const { status, stderr } = spawnSync('/bin/sh', ['-c', line], { env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${line} failed:\n${stderr}`);
  }
}

const missingOf = (found: Partial<Programs>) =>
  Object.entries(packages).flatMap(([name, needed]) => (found[name as keyof Programs] ? [] : [needed]));

function installedPrograms(): Partial<Programs> {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/bin'];
  const find = (name: string) => folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  return { postgres: newestPostgres(), pgbouncer: find('pgbouncer'), haproxy: find('haproxy') };
}

// Debian keeps each major version in its own folder, outside PATH.
function newestPostgres() {
  const home = '/usr/lib/postgresql';
  const versions = existsSync(home) ? readdirSync(home).map(Number).filter(Number.isInteger) : [];
  return versions
    .sort((one, other) => other - one)
    .map((version) => join(home, String(version), 'bin'))
    .find((bin) => existsSync(join(bin, 'pg_basebackup')));
}

function versionOf(program: string, args: string[]) {
  return /\d+(\.\d+)+/.exec(spawnSync(program, args, { encoding: 'utf8' }).stdout)?.[0] ?? 'unknown';
}
