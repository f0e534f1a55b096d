// Where things are: the project's folder, its data folder and what is kept in it.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** The folder of everything that a machine has of its own; npm run reset empties it. */
export const dataFolder = join(root, '.data');

/**
 * How a server of ours keeps its memory, as package.json and the image start it (a test compares them). The C library gives
 * back at once what V8's compilers have left, and what lives for one request only has room to die before it counts as old.
 */
export const memorySettings = {
  environment: { MALLOC_TRIM_THRESHOLD_: '131072' },
  arguments: ['--max-semi-space-size=32'],
};

const servingFile = join(dataFolder, 'serving.json');

/** Stops with a clear message when Node is older than the project needs. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Error(`Florin needs Node 20.19 or newer; this is Node ${process.versions.node}.`);
}

/** Takes the settings of the file .env into the environment; what is set already wins. */
export function readDotEnv() {
  const file = join(root, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
}

/**
 * Where PostgreSQL itself is: DIRECT_DATABASE_URL, or DATABASE_URL where no pooler stands in front. For what holds one
 * connection for a while: a lock of the session or a long look at everything.
 */
export function directDatabaseUrl() {
  const direct = process.env.DIRECT_DATABASE_URL?.trim();
  if (direct) return direct;
  if (process.env.DATABASE_POOLER?.trim() === 'transaction') {
    throw new Error('DIRECT_DATABASE_URL is missing: this needs PostgreSQL itself, and DATABASE_URL is a pooler.');
  }
  return process.env.DATABASE_URL?.trim();
}

/** The text kept in the data folder under `name`, made by `make` at the first time and readable by its owner only. */
export function kept(name, make) {
  const file = join(dataFolder, name);
  if (existsSync(file)) return { text: readFileSync(file, 'utf8').trim(), fresh: false };
  mkdirSync(dataFolder, { recursive: true });
  const text = make();
  writeFileSync(file, `${text}\n`, { mode: 0o600 });
  return { text, fresh: true };
}

/** Notes that this process serves from the data folder, and returns a function that takes the note back. */
export function noteServing(port) {
  mkdirSync(dataFolder, { recursive: true });
  writeFileSync(servingFile, JSON.stringify({ pid: process.pid, port }));
  return () => rmSync(servingFile, { force: true });
}

/** The port of the process that serves from the data folder right now, or null. */
export async function servingPort() {
  if (!existsSync(servingFile)) return null;
  const { pid, port } = JSON.parse(readFileSync(servingFile, 'utf8'));
  return isAlive(pid) && (await answers(port)) ? port : null;
}

/** Whether something on this machine accepts connections on `port`. */
export function answers(port) {
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 1_000 });
    const end = (open) => {
      socket.destroy();
      done(open);
    };
    socket.on('connect', () => end(true));
    socket.on('error', () => end(false));
    socket.on('timeout', () => end(false));
  });
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (fault) {
    return fault.code === 'EPERM';
  }
}
