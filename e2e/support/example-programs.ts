// Runs the programs of the documentation like their readers: from a file, with the password in the environment.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/ports.ts';

const php = process.env.PHP_PATH || 'php';
const python = process.env.PYTHON_PATH || 'python3';

const kinds: Record<string, { file: string; command: (file: string) => string[] }> = {
  sh: { file: 'example.sh', command: (file) => ['bash', '-eu', file] },
  js: { file: 'example.mjs', command: (file) => [process.execPath, file] },
  php: { file: 'example.php', command: (file) => [php, file] },
  python: { file: 'example.py', command: (file) => [python, file] },
};

/** The languages that the tests can run. */
export const runnable = Object.keys(kinds);

export type ProgramResult = { code: number | null; said: string };

/** `files` are stored beside the program, by name. */
type Given = { environment?: Record<string, string>; input?: string; files?: Record<string, string> };

// The program does not inherit the environment of the tests.
const surroundings = (more: Record<string, string> = {}): NodeJS.ProcessEnv => ({
  NODE_ENV: 'production',
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  LANG: 'C.UTF-8',
  ...more,
});

/** Runs a program until it ends. */
export async function runProgram(language: string, text: string, options: Given = {}): Promise<ProgramResult> {
  const folder = await mkdtemp(join(tmpdir(), 'florin-example-'));
  try {
    const { file, command } = kindOf(language);
    await writeFiles(folder, { ...options.files, [file]: text });
    const [name = '', ...args] = command(file);
    const child = spawn(name, args, { cwd: folder, env: surroundings(options.environment) });
    child.stdin.on('error', () => {});
    child.stdin.end(options.input ?? '');
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    const code = await new Promise<number | null>((done, fail) => {
      child.on('error', fail);
      child.on('close', done);
    });
    return { code, said: output };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A program that receives callbacks, and its response to a delivery. */
export type Receiver = {
  /** The address of a server; none of a script. */
  url?: string;
  receive: (headers: Record<string, string>, body: string) => Promise<number>;
  /** Its output so far. */
  said: () => string;
  close: () => Promise<void>;
};

/** Starts a receiver: a server in three languages, and in the shell a script that a web server would run. */
export async function startReceiver(
  language: string,
  text: string,
  password: string,
  files: Record<string, string> = {},
): Promise<Receiver> {
  const folder = await mkdtemp(join(tmpdir(), 'florin-receiver-'));
  // The receiver's temporary files are removed with its folder.
  const environment = { FLORIN_PASSWORD: password, TMPDIR: folder };
  if (language === 'sh') return scriptReceiver(text, environment, folder);
  const { file, command } = kindOf(language);
  await writeFiles(folder, { ...files, [file]: text });
  const port = await freePort();
  const [name = '', ...args] = language === 'php' ? [php, '-S', `127.0.0.1:${port}`, file] : command(file);
  const env = surroundings({ ...environment, PORT: String(port) });
  const child = spawn(name, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  await answering(child, port);
  return {
    url: `http://localhost:${port}`,
    receive: async (headers, body) => {
      const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body });
      await answer.arrayBuffer();
      return answer.status;
    },
    said: () => output,
    close: async () => {
      const ended = new Promise((done) => child.once('close', done));
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

function scriptReceiver(text: string, environment: Record<string, string>, folder: string): Receiver {
  let printed = '';
  return {
    receive: async (headers, body) => {
      const variables = Object.entries(headers).map(([name, value]) => [
        `HTTP_${name.toUpperCase().replaceAll('-', '_')}`,
        value,
      ]);
      const options = { environment: { ...environment, ...Object.fromEntries(variables) }, input: body };
      const { said } = await runProgram('sh', text, options);
      printed += said;
      const status = /^Status: (\d{3})/m.exec(said)?.[1];
      if (status === undefined) throw new Error(`The script returned no status: ${said}`);
      return Number(status);
    },
    said: () => printed,
    close: () => rm(folder, { recursive: true }),
  };
}

async function writeFiles(folder: string, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

function kindOf(language: string) {
  const kind = kinds[language];
  if (!kind) throw new Error(`unknown language ${language}`);
  return kind;
}

async function answering(child: ChildProcess, port: number): Promise<void> {
  const until = Date.now() + 20_000;
  while (Date.now() < until && child.exitCode === null) {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '' }).catch(() => null);
    if (answer) {
      await answer.arrayBuffer();
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`a receiver did not start on port ${port}`);
}
