// Paths of the project and its data folder, the values stored there, and the deployment's settings for commands.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** The folder of all local state; npm run florin -- reset empties it. */
export const dataFolder = join(root, '.data');

/**
 * Memory settings of the server, also in package.json and the image (a test compares them). The C library returns freed
 * memory of V8's compilers at once, and request-scoped objects die before promotion to the old space. The heap grows by
 * 60 per cent before a full collection: on a machine with much memory, V8 would let 100 MB of live objects grow to 400,
 * whose collection takes a processor from the database for 60 ms. Pretenuring would allocate short-lived objects in the
 * old generation after a busy second.
 */
export const memorySettings = {
  environment: { MALLOC_TRIM_THRESHOLD_: '131072' },
  arguments: ['--max-semi-space-size=32', '--heap-growing-percent=60', '--no-allocation-site-pretenuring'],
};

const servingFile = join(dataFolder, 'serving.json');

/** The code of a system error. */
export const errorCode = (error: unknown) => (error as NodeJS.ErrnoException | null)?.code;

/** The message of anything thrown. */
export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Loads the settings of the file .env into the environment; existing values take precedence. */
export function readDotEnv() {
  const file = join(root, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
}

/** Whether the settings are those of a sandbox. */
export const isSandbox = () => (process.env.APP_ENV?.trim() || 'sandbox') === 'sandbox';

/** Whether the settings have the key of the vault, by itself or in a file. */
export const hasVaultKey = () => Boolean(process.env.VAULT_KEY?.trim() || process.env.VAULT_KEY_FILE?.trim());

/**
 * The address of PostgreSQL itself: DIRECT_DATABASE_URL, or DATABASE_URL without a pooler. For work that needs one
 * connection for a while: session locks and long reads.
 */
export function directDatabaseUrl(): string | undefined {
  const direct = process.env.DIRECT_DATABASE_URL?.trim();
  if (direct) return direct;
  if (process.env.DATABASE_POOLER?.trim() === 'transaction') {
    throw new Error('DIRECT_DATABASE_URL is missing: this needs PostgreSQL itself, and DATABASE_URL is a pooler.');
  }
  return process.env.DATABASE_URL?.trim();
}

/** The text stored in the data folder under `name`, created by `make` at first and readable by its owner only. */
export function readOrCreate(name: string, make: () => string): { text: string; fresh: boolean } {
  const file = join(dataFolder, name);
  if (existsSync(file)) return { text: readFileSync(file, 'utf8').trim(), fresh: false };
  mkdirSync(dataFolder, { recursive: true });
  const text = make();
  writeFileSync(file, `${text}\n`, { mode: 0o600 });
  return { text, fresh: true };
}

/** Records that this process serves from the data folder, and returns a function that removes the record. */
export function noteServing(port: number): () => void {
  mkdirSync(dataFolder, { recursive: true });
  writeFileSync(servingFile, JSON.stringify({ pid: process.pid, port }));
  return () => rmSync(servingFile, { force: true });
}

/** The port of the process that serves from the data folder, or null. */
export async function servingPort(): Promise<number | null> {
  if (!existsSync(servingFile)) return null;
  const { pid, port } = JSON.parse(readFileSync(servingFile, 'utf8')) as { pid: number; port: number };
  return isAlive(pid) && (await answers(port)) ? port : null;
}

/** Whether `port` accepts connections on this machine. */
export function answers(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 1_000 });
    const end = (open: boolean) => {
      socket.destroy();
      done(open);
    };
    socket.on('connect', () => end(true));
    socket.on('error', () => end(false));
    socket.on('timeout', () => end(false));
  });
}

function isAlive(pid: number) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** Runs `work` with a progress line and returns its result. */
export async function step<T>(label: string, work: () => Promise<T>): Promise<T> {
  const started = Date.now();
  process.stdout.write(`  ${label} ... `);
  try {
    const result = await work();
    process.stdout.write(`${seconds(Date.now() - started)}\n`);
    return result;
  } catch (error) {
    process.stdout.write('failed\n');
    throw error;
  }
}

function seconds(milliseconds: number) {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** Completes this process's settings like `npm start`, with a maximum of database connections; returns how to end. */
export async function completeSettings(poolSize: number): Promise<() => Promise<void>> {
  process.chdir(root);
  readDotEnv();
  process.env.DATABASE_POOL_SIZE = String(poolSize);
  const file = join(dataFolder, 'vault-key');
  const usesService = !isSandbox() && process.env.VAULT_KMS?.trim();
  if (!hasVaultKey() && !usesService && existsSync(file)) process.env.VAULT_KEY = readFileSync(file, 'utf8').trim();
  if (process.env.DATABASE_URL?.trim()) {
    process.env.DATABASE_URL = directDatabaseUrl();
    process.env.DATABASE_POOLER = '';
    return async () => {};
  }
  if (!existsSync(join(dataFolder, 'postgres', 'home.json'))) {
    throw new Error('There is no database: set DATABASE_URL, or start Florin once.');
  }
  const { startPostgres } = await import('./postgres.ts');
  const serving = await servingPort();
  const { url, stop } = await startPostgres({ folder: join(dataFolder, 'postgres') });
  process.env.DATABASE_URL = url;
  return serving === null ? stop : async () => {};
}

/** Rejects a database that can lose committed payments in a power cut. */
export async function requireDurableDatabase(databaseUrl: string): Promise<void> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
  } catch (error) {
    throw new Error(`The database of DATABASE_URL cannot be reached: ${messageOf(error) || errorCode(error)}`);
  }
  try {
    for (const name of ['fsync', 'synchronous_commit']) {
      const { rows } = await client.query(`show ${name}`);
      if (rows[0][name] === 'off')
        throw new Error(`The database runs with ${name} off and can lose payments. Turn it on.`);
    }
  } finally {
    await client.end();
  }
}
