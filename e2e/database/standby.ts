// A standby server of the test database: a copy of its data folder that replays the primary's log by streaming.
import { cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import pg from 'pg';
import { freePort } from '../../scripts/ports.ts';
import { runAs } from '../../scripts/postgres.ts';

export type Standby = {
  /** Its database, for the processes of the service. */
  url: string;
  sql(text: string): Promise<Record<string, unknown>[]>;
  /** Sends a signal to its processes. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
};

/** Starts a standby of the primary at `url`, whose user is a superuser and whose files are on this machine. */
export async function startStandby(url: string): Promise<Standby> {
  const primary = new pg.Client({ connectionString: url });
  await primary.connect();
  const { rows } = await primary.query(
    "select current_setting('data_directory') as data, pg_backup_start('standby', true)",
  );
  const { data } = rows[0] as { data: string };
  const copy = `${data}-standby`;
  const { uid, gid } = statSync(data);
  const account = process.getuid?.() === 0 ? { uid, gid } : undefined;
  rmSync(copy, { recursive: true, force: true });
  // The log is streamed from the primary; sockets, locks and statistics are of its process.
  const left = /^(pg_wal|pg_stat_tmp|pg_replslot|pg_notify|pg_subtrans)\/.|^(postmaster\.(pid|opts)|server\.log)$/;
  cpSync(data, copy, { recursive: true, filter: (file) => !left.test(relative(data, file)) });
  const stopped = await primary.query('select labelfile from pg_backup_stop(wait_for_archive => false)');
  writeFileSync(join(copy, 'backup_label'), stopped.rows[0].labelfile);
  writeFileSync(join(copy, 'standby.signal'), '');
  await primary.end();
  if (account) await giveTo(account, copy);

  const address = new URL(url);
  const from = [
    ...[`host=${address.hostname}`, `port=${address.port}`, `user=${address.username}`],
    `password=${address.password}`,
  ].join(' ');
  const port = await freePort();
  const settings = [
    `port=${port}`,
    "listen_addresses='127.0.0.1'",
    "unix_socket_directories=''",
    'max_connections=200',
  ];
  writeFileSync(join(copy, 'postgresql.auto.conf'), `${settings.join('\n')}\nprimary_conninfo='${from}'\n`);
  const binary = readFileSync(join(data, 'postmaster.opts'), 'utf8').split(' ')[0] ?? '';
  const control = (...args: string[]) =>
    runAs(account, copy, join(dirname(binary), 'pg_ctl'), [...args, '-D', copy, '-w', '-t', '60']);
  const started = await control('start', '-l', join(copy, 'server.log'));
  if (started.code !== 0) throw new Error(`the standby did not start\n${started.output}${logOf(copy)}`);
  address.port = String(port);
  return {
    url: address.href,
    async sql(text) {
      const client = new pg.Client({ connectionString: address.href });
      await client.connect();
      try {
        return (await client.query(text)).rows;
      } finally {
        await client.end();
      }
    },
    async signal(name) {
      const pid = Number(readFileSync(join(copy, 'postmaster.pid'), 'utf8').split('\n')[0]);
      for (const each of [pid, ...childrenOf(pid)]) process.kill(each, name);
    },
    async remove() {
      if (existsSync(copy)) await control('stop', '-m', 'immediate');
      rmSync(copy, { recursive: true, force: true });
    },
  };
}

const logOf = (copy: string) => {
  const log = join(copy, 'server.log');
  return existsSync(log) ? readFileSync(log, 'utf8') : '';
};

/** The processes that a process has started, as Linux lists them. */
const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

/** Gives the folder to the account that runs PostgreSQL. */
async function giveTo({ uid, gid }: { uid: number; gid: number }, folder: string) {
  const { code, output } = await runAs(undefined, folder, 'chown', ['-R', `${uid}:${gid}`, folder]);
  if (code !== 0) throw new Error(output);
}
