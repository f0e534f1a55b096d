// Installs the packages of the lock file if node_modules does not match it. Uses Node's own modules only.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, step } from './project.ts';
import { systemVariables } from './system-variables.ts';

/** Runs `npm ci` unless every package of the lock file is installed. */
export async function installPackages() {
  if (isInstalled()) return;
  const options = ['ci', '--include=dev', '--no-audit', '--no-fund'];
  await step('Installing packages', () => run('npm', options, {}, 1200, systemVariables()));
}

/** Prepares a run of tests: packages, the folder of its results, and none of a deployment's settings. */
export async function prepareTests(folder: string) {
  process.chdir(root);
  for (const name of ['PORT', 'BASE_URL', 'DATABASE_URL', 'VAULT_KEY', 'APP_ENV', 'LOG_LEVEL']) {
    delete process.env[name];
  }
  await installPackages();
  mkdirSync(join(root, folder), { recursive: true });
}

// npm keeps a copy of the lock file with what it installed; packages for other platforms are absent.
function isInstalled() {
  const found = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(found)) return false;
  const installed = packagesOf(found);
  const wanted = packagesOf(join(root, 'package-lock.json'));
  return Object.entries(wanted).every(([path, { version, optional, link }]) => {
    if (path === '' || link) return true;
    const there = installed[path];
    return there ? there.version === version : optional === true;
  });
}

type LockedPackage = { version?: string; optional?: boolean; link?: boolean };

function packagesOf(file: string) {
  return (JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, LockedPackage> }).packages;
}

/**
 * Runs a command in the project's folder quietly; if it fails, the end of its output becomes the error's message.
 * Returns the output. `extra` are environment variables in addition to `inherited`; after `timeoutSeconds` it is killed and
 * counts as failed.
 */
export function run(
  command: string,
  args: string[],
  extra: Record<string, string | undefined> = {},
  timeoutSeconds = 1200,
  inherited = process.env,
): Promise<string> {
  return new Promise((done, fail) => {
    const env = { ...inherited, PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true', NEXT_TELEMETRY_DISABLED: '1', ...extra };
    const child = spawn(command, args, {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output = (output + chunk).slice(-20_000);
      });
    }
    const timer = setTimeout(() => {
      output += `\nNot done after ${timeoutSeconds} s.`;
      child.kill('SIGKILL');
    }, timeoutSeconds * 1000);
    child.on('error', (error) => fail(new Error(`${command} could not be run: ${error.message}`)));
    child.on('close', (code) => {
      clearTimeout(timer);
      if (code === 0) done(output);
      else fail(new Error(`${command} ${args.join(' ')} failed:\n${gist(output)}`));
    });
  });
}

// The cause of a failure is at the start or the end of the output.
function gist(output: string) {
  const lines = output.trim().split('\n');
  return lines.length <= 80 ? lines.join('\n') : [...lines.slice(0, 40), '...', ...lines.slice(-40)].join('\n');
}
