// The test environment of the chaos tests: PostgreSQL, several application processes that can be killed and restarted
// at the same addresses, a provider with a journal, and a callback receiver. It runs on this machine and is removed
// afterwards.
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { bundle } from '../../scripts/bundle.ts';
import { run } from '../../scripts/install.ts';
import { migrate } from '../../scripts/migrate.ts';
import { freePorts } from '../../scripts/ports.ts';
import { removePostgres, startPostgres } from '../../scripts/postgres.ts';
import { dataFolder, root } from '../../scripts/project.ts';
import type { JournalLine } from './consistency.ts';
import { killPostgres } from './kill-postgres.ts';

const folder = join(dataFolder, 'chaos');

/** The merchant's rights: all operations over all protocols. */
const everything = {
  protocols: ['checkout', 's2s_card', 's2s_apm'],
  operations: ['purchase', 'debit', 'credit', 'transfer', 'recurring'],
};

type Settings = Record<string, string>;

/** A database: its address, another one for migrations, and the settings of all or of one of the processes. */
type Database = { url: string; directUrl?: string; settings?: Settings; settingsOf?: (place: number) => Settings };

type Choice = {
  name: string;
  apps?: number;
  faults?: object;
  /** Overrides the merchant's settings (e2e/bench/seed.ts), such as `timeoutSeconds`. */
  merchant?: object;
  settings?: Settings;
  /** Starts another database for the given ports and returns its settings. */
  provideDatabase?: (ports: number[]) => Promise<Database>;
  /** Puts a proxy between the first process and its database that can hold back answers (`environment.slow`). */
  withSlowDatabase?: boolean;
};

export type Environment = Awaited<ReturnType<typeof startEnvironment>>;

/** Starts the environment. */
export async function startEnvironment({
  name,
  apps: count = 2,
  faults = {},
  merchant: more = {},
  settings: overrides = {},
  provideDatabase,
  withSlowDatabase = false,
}: Choice) {
  const home = join(folder, name);
  await removePostgres(join(home, 'postgres'));
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  const [databasePort = 0, providerPort = 0, ...appPorts] = await freePorts(2 + count);
  const postgres: Database = provideDatabase
    ? await provideDatabase(appPorts)
    : await startPostgres({ folder: join(home, 'postgres'), port: databasePort });
  await migrate(postgres.directUrl ?? postgres.url);
  const { startShopServer } = await import('../support/shop-server.ts');
  const shopServer = await startShopServer();
  const credentials = { key: randomUUID(), password: randomUUID(), digest: 'md5' as const };
  const shop = {
    ...credentials,
    callbackUrl: null,
    providerUrl: `http://127.0.0.1:${providerPort}`,
    ...everything,
    ...more,
  };
  const shared = settingsFor(postgres, overrides);
  await seedShop(home, shop, appPorts[0] ?? 0, shared);
  const provider = await startProvider(providerPort, join(home, 'journal.jsonl'), faults);
  const slow = withSlowDatabase ? await (await import('../support/slow-database.ts')).slowDatabase(postgres.url) : null;
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
    shopServer,
    credentials,
    databaseUrl: postgres.url,
    /** The database proxy of the first process, if requested. */
    slow,
    /** The settings of the processes. */
    settings: shared,
    database: {
      /** SIGKILL, like the loss of a machine. */
      kill: () => killPostgres(join(home, 'postgres')),
      start: () => startPostgres({ folder: join(home, 'postgres'), port: databasePort }),
    },
    provider: provider.controls,
    query: (text: string, values?: unknown[]) => queryOnce(postgres.url, text, values),
    /** Starts one more process, on another database. */
    async startOn(databaseUrl: string) {
      const [port] = await freePorts(1);
      const app = appAt(port, join(home, `app-${port}.log`), { ...shared, DATABASE_URL: databaseUrl });
      apps.push(app);
      await app.start();
      return app;
    },
    logs: () => apps.map(({ log }) => readFileSync(log, 'utf8')).join('\n'),
    async stop() {
      for (const app of apps) await app.kill();
      provider.child.kill('SIGKILL');
      await shopServer.close();
      await slow?.close();
      await removePostgres(join(home, 'postgres'));
    },
  };
}

function settingsFor(postgres: Database, overrides: Settings): Settings {
  return {
    NODE_ENV: 'production',
    APP_ENV: 'production',
    DATABASE_URL: postgres.url,
    VAULT_KEY: randomBytes(32).toString('base64'),
    ALLOW_PRIVATE_TARGETS: 'on',
    JOBS: 'on',
    // All requests come from one address.
    RATE_LIMITS: 'all=100000000',
    CONNECTIONS_PER_ADDRESS: '0',
    CARD_TESTING: 'session=1000000 card=1000000 address=1000000 bin=1000000 merchant=1000000',
    LOG_LEVEL: 'warn',
    NEXT_TELEMETRY_DISABLED: '1',
    ...overrides,
    ...postgres.settings,
  };
}

async function seedShop(home: string, shop: object, port: number, shared: Settings) {
  const seed = join(home, 'seed.mjs');
  await bundle('e2e/bench/seed.ts', seed);
  await run(process.execPath, [seed], {
    ...shared,
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    BENCH_MERCHANTS: JSON.stringify([shop]),
  });
}

/** The rows of a statement in the database at `url`. */
// biome-ignore lint/suspicious/noExplicitAny: the statement decides the shape of the rows.
export async function queryOnce(url: string, text: string, values?: unknown[]): Promise<any[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

async function startProvider(port: number, journal: string, faults: object) {
  const child = fork(join(root, 'e2e', 'chaos', 'provider.ts'), {
    env: { ...process.env, PORT: String(port), JOURNAL: journal, FAULTS: JSON.stringify(faults) },
  });
  await new Promise((done, fail) => {
    child.once('message', done);
    child.once('exit', (code) => fail(new Error(`The provider ended with ${code}.`)));
  });
  const controls = {
    /** All entries of the journal. */
    journal: (): JournalLine[] =>
      readFileSync(journal, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    control: (what: string, body: object = {}) =>
      fetch(`http://127.0.0.1:${port}/control/${what}`, { method: 'POST', body: JSON.stringify(body) }).then((answer) =>
        answer.json(),
      ),
  };
  return { child, controls };
}

/** The built server: by `npm run build` or by the test run. */
const built = () => process.env.FLORIN_BUILT ?? join(root, 'dist', 'server.js');

// Child processes end with the test, however it ends.
const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

function appAt(port: number, log: string, shared: Settings) {
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  return {
    url,
    log,
    isUp: () => child !== undefined && child.exitCode === null && child.signalCode === null,
    /** `more` are settings of this start only. */
    async start(more: Settings = {}) {
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
    /** Resolves with the seconds until the process answers. */
    async answers(patienceSeconds: number): Promise<number> {
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
      if (!child || !this.isUp()) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
    /** Sends a signal, such as SIGSTOP or SIGCONT. */
    signal: (name: NodeJS.Signals) => child?.kill(name),
    /** Ends the process gracefully. */
    async end(): Promise<number | null> {
      if (!child) return null;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const [code] = await ended;
      return code;
    },
  };
}
