// The operator of the deployment under test: runs the vault's commands with its database and key.
import { type ChildProcess, spawn } from 'node:child_process';
import { createDecipheriv } from 'node:crypto';
import { join } from 'node:path';

export type CommandResult = { code: number | null; output: string };

/** A running command; `said` waits for a text in its output, `ended` for its end. */
export type Running = { child: ChildProcess; said(text: string): Promise<void>; ended: Promise<CommandResult> };

/** The settings of the server under test. */
export function serverSettings(): Record<string, string> {
  const text = process.env.FLORIN_SERVER;
  if (!text) throw new Error('FLORIN_SERVER is missing: the settings of a server');
  return JSON.parse(text).settings;
}

/** Starts a command of the vault such as `rotate --fingerprint`, with `input` on its standard input. */
export const startVault = (command: string, more: Record<string, string> = {}, input = ''): Running =>
  startCommand(['vault', ...command.split(' ')], more, input);

/** Starts a command of florin on the deployment under test, or with other settings. */
export function startCommand(args: string[], more: Record<string, string> = {}, input = ''): Running {
  const script = join(import.meta.dirname, '..', '..', 'scripts', 'florin.mjs');
  const env = { ...process.env, ...serverSettings(), PORT: '', LOG_LEVEL: 'error', ...more };
  const child = spawn(process.execPath, [script, ...args], { env, stdio: 'pipe' });
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      for (const listener of listeners) listener();
    });
  }
  child.stdin.end(input);
  const ended = new Promise<CommandResult>((done) => child.once('close', (code) => done({ code, output })));
  const said = (text: string) =>
    new Promise<void>((done, fail) => {
      const check = () => {
        if (output.includes(text)) done();
      };
      listeners.add(check);
      check();
      void ended.then(() =>
        output.includes(text) ? done() : fail(new Error(`the command ended without "${text}":\n${output}`)),
      );
    });
  return { child, said, ended };
}

/** Runs a command until it ends. */
export function runVault(command: string, more?: Record<string, string>, input?: string): Promise<CommandResult> {
  return startVault(command, more, input).ended;
}

/** Runs `florin audit check` until it ends. */
export function checkAuditLog(
  args: string[] = [],
  more?: Record<string, string>,
  input?: string,
): Promise<CommandResult> {
  return startCommand(['audit', 'check', ...args], more, input).ended;
}

/** Decrypts AES-256-GCM as the vault stores it: nonce, tag, body. Throws for another key or context. */
export function decryptBytes(key: Buffer, bytes: Buffer, context: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
}
