// What the proofs happen in: a PostgreSQL and several application processes that can be killed without warning and started
// again at the same addresses, a provider with a journal of its own, and a shop that takes callbacks. All of it is on this
// machine, and gone afterwards.
import { fork, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { bundle, importTypeScript } from '../../scripts/bundle.mjs';
import { run } from '../../scripts/install.mjs';
import { migrate } from '../../scripts/migrate.mjs';
import { freePorts } from '../../scripts/ports.mjs';
import { killPostgres, removePostgres, startPostgres } from '../../scripts/postgres.mjs';
import { dataFolder, root } from '../../scripts/project.mjs';

const folder = join(dataFolder, 'chaos');

/** What the shop of a proof can do: everything, over every protocol. */
const everything = {
  protocols: ['checkout', 's2s_card', 's2s_apm'],
  operations: ['purchase', 'debit', 'credit', 'transfer', 'recurring'],
};

/**
 * Opens it.
 * @param {{ name: string, apps?: number, faults?: object, merchant?: object, settings?: Record<string, string>, provideDatabase?: Function, withSlowDatabase?: boolean }} options
 *   `withSlowDatabase` puts a database before the first process whose answers can be kept back (`environment.slow`); `merchant` goes over the shop's settings (e2e/bench/seed.ts), `timeoutSeconds` above all; `provideDatabase` gives, for the
 *   ports of the processes, another database than one of its own, and what the processes have to be told
 */
export async function startEnvironment({
  name,
  apps: count = 2,
  faults = {},
  merchant: more = {},
  settings: given = {},
  provideDatabase,
  withSlowDatabase = false,
}) {
  const home = join(folder, name);
  await removePostgres(join(home, 'postgres'));
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  const [databasePort, providerPort, ...appPorts] = await freePorts(2 + count);
  const postgres = provideDatabase
    ? await provideDatabase(appPorts)
    : await startPostgres({ folder: join(home, 'postgres'), port: databasePort });
  await migrate(postgres.directUrl ?? postgres.url);
  const catcher = await (await importTypeScript('e2e/support/catcher.ts')).startCatcher();
  const credentials = { key: randomUUID(), password: randomUUID(), digest: 'md5' };
  const shop = {
    ...credentials,
    callbackUrl: null,
    providerUrl: `http://127.0.0.1:${providerPort}`,
    ...everything,
    ...more,
  };
  const shared = {
    NODE_ENV: 'production',
    APP_ENV: 'production',
    DATABASE_URL: postgres.url,
    VAULT_KEY: randomBytes(32).toString('base64'),
    ALLOW_PRIVATE_TARGETS: 'on',
    JOBS: 'on',
    // All of it comes from one address.
    RATE_LIMITS: 'all=100000000',
    CARD_TESTING: 'session=1000000 card=1000000 address=1000000 bin=1000000 merchant=1000000',
    LOG_LEVEL: 'warn',
    NEXT_TELEMETRY_DISABLED: '1',
    ...given,
    ...postgres.settings,
  };
  const seed = join(home, 'seed.mjs');
  await bundle('e2e/bench/seed.ts', seed);
  await run(process.execPath, [seed], {
    ...shared,
    PORT: String(appPorts[0]),
    BASE_URL: `http://127.0.0.1:${appPorts[0]}`,
    BENCH_MERCHANTS: JSON.stringify([shop]),
  });
  const journalFile = join(home, 'journal.jsonl');
  const provider = await startProvider(providerPort, journalFile, faults);
  const slow = withSlowDatabase
    ? await (await importTypeScript('e2e/support/slow-database.ts')).slowDatabase(postgres.url)
    : null;
  const apps = appPorts.map((port, place) =>
    appAt(port, join(home, `app-${place}.log`), {
      ...shared,
      ...postgres.settingsOf?.(place),
      ...(slow && place === 0 && { DATABASE_URL: slow.url }),
    }),
  );
  await Promise.all(apps.map((app) => app.start()));

  return {
    apps,
    catcher,
    credentials,
    databaseUrl: postgres.url,
    /** The database of the first process, where it is withSlowDatabase. */
    slow,
    /** What the processes were told. */
    settings: shared,
    database: {
      /** Without a word to anybody, as a lost machine would be. */
      kill: () => killPostgres(join(home, 'postgres')),
      start: () => startPostgres({ folder: join(home, 'postgres'), port: databasePort }),
    },
    provider: {
      /** Every line of the journal. */
      journal: () =>
        readFileSync(journalFile, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line)),
      control: (what, body = {}) =>
        fetch(`http://127.0.0.1:${providerPort}/control/${what}`, { method: 'POST', body: JSON.stringify(body) }).then(
          (answer) => answer.json(),
        ),
    },
    query: (text, values) => queryOnce(postgres.url, text, values),
    /** One more process, on another database. */
    async startOn(databaseUrl) {
      const [port] = await freePorts(1);
      const app = appAt(port, join(home, `app-${port}.log`), { ...shared, DATABASE_URL: databaseUrl });
      apps.push(app);
      await app.start();
      return app;
    },
    logs: () => apps.map(({ log }) => readFileSync(log, 'utf8')).join('\n'),
    async stop() {
      for (const app of apps) await app.kill();
      provider.kill('SIGKILL');
      await catcher.close();
      await slow?.close();
      await removePostgres(join(home, 'postgres'));
    },
  };
}

async function queryOnce(url, text, values) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

function startProvider(port, journal, faults) {
  const child = fork(join(root, 'e2e', 'chaos', 'provider.mjs'), {
    env: { ...process.env, PORT: String(port), JOURNAL: journal, FAULTS: JSON.stringify(faults) },
  });
  return new Promise((done, fail) => {
    child.once('message', () => done(child));
    child.once('exit', (code) => fail(new Error(`The provider ended with ${code}.`)));
  });
}

/** Where `npm run build` leaves the server, or where the tests have built it. */
const built = () => process.env.FLORIN_BUILT ?? join(root, 'dist', 'server.js');

// None outlives the proof, however that ends.
const children = new Set();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

function appAt(port, log, shared) {
  const url = `http://127.0.0.1:${port}`;
  let child;
  return {
    url,
    log,
    isUp: () => child !== undefined && child.exitCode === null && child.signalCode === null,
    /** `more` are settings of this life of it alone. */
    async start(more = {}) {
      const file = openSync(log, 'a');
      child = spawn(process.execPath, [built()], {
        cwd: root,
        env: { ...process.env, ...shared, PORT: String(port), BASE_URL: shared.BASE_URL ?? url, ...more },
        stdio: ['ignore', file, file],
      });
      const own = child;
      children.add(own);
      own.once('exit', () => children.delete(own));
      await this.answers(60);
    },
    /** Resolves with the seconds until it takes work. */
    async answers(patienceSeconds) {
      const started = performance.now();
      const secondsGone = () => (performance.now() - started) / 1000;
      while (secondsGone() < patienceSeconds) {
        const answer = await fetch(`${url}/healthz`).catch(() => null);
        if (answer?.status === 200) return secondsGone();
        if (!this.isUp()) break;
        await new Promise((wake) => setTimeout(wake, 50));
      }
      throw new Error(`${url} does not answer:\n${readFileSync(log, 'utf8').split('\n').slice(-15).join('\n')}`);
    },
    async kill() {
      if (!this.isUp()) return;
      const ended = new Promise((done) => child.once('exit', done));
      child.kill('SIGKILL');
      await ended;
    },
    /** SIGSTOP and SIGCONT above all. */
    signal: (name) => child.kill(name),
    /** Asks it to end, and waits until it has. */
    async end() {
      const ended = new Promise((done) => child.once('exit', done));
      child.kill('SIGTERM');
      return ended;
    },
  };
}
