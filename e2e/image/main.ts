// npm run florin -- image: builds the container image with buildah from the Dockerfile, starts it against a PostgreSQL,
// pays once over S2S CARD, runs the commands of a deployment, scans it for what must not be there, prints its size, and starts
// the services of compose.yaml.
// Needs root, buildah and debootstrap, and no registry of images: the base images are made here. --built checks the image of
// the last build, --keep keeps the container.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { demoMerchant } from '../../lib/core/demo-merchant.ts';
import { bundle } from '../../scripts/bundle.ts';
import { freePort } from '../../scripts/ports.ts';
import { startTemporaryPostgres } from '../../scripts/postgres.ts';
import { root } from '../../scripts/project.ts';
import { saleRequest } from '../bench/requests.ts';
import { baseImages, haproxy } from './base.ts';
import { buildah, sizeOf, storage } from './buildah.ts';
import { withComposed } from './compose.ts';
import { scan } from './scan.ts';

const tag = 'localhost/florin:test';
const poolerTag = 'localhost/florin-pgbouncer:test';
const megabytesMax = 400;

type Settings = Record<string, string>;

function settingsOf(port: number, url: string): Settings {
  return {
    APP_ENV: 'sandbox',
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: url,
    VAULT_KEY: randomBytes(32).toString('base64'),
    DEMO_PASSWORD: randomBytes(12).toString('base64url'),
  };
}

const envOf = (settings: Settings) =>
  Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]);

/** Runs a command in the image and returns its output. */
const inImage = (container: string, settings: Settings, command: string[]) =>
  buildah('run', ...envOf(settings), container, '--', ...command);

async function seed(settings: Settings): Promise<void> {
  const folder = mkdtempSync(join(root, 'dist', 'seed-'));
  try {
    const file = join(folder, 'seed.mjs');
    await bundle('prisma/seed.ts', file);
    execFileSync(process.execPath, [file], {
      cwd: root,
      env: { ...process.env, ...settings },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function serve(container: string, settings: Settings): ChildProcess {
  const command = ['run', ...envOf(settings), container, '--', 'node', '--max-semi-space-size=32', 'dist/server.js'];
  return spawn('buildah', command, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, ...storage } });
}

async function ready(url: string): Promise<void> {
  for (let tries = 0; tries < 120; tries += 1) {
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await pause(500);
  }
  throw new Error('The image does not answer at /readyz.');
}

/** Sends a complete HTTP message of the benchmarks and returns the response's body. */
function send(port: number, message: string): Promise<string> {
  const [head = '', body = ''] = String(message).split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const [method, path] = first.split(' ');
  const headers = Object.fromEntries(lines.map((line) => line.split(/: ?/, 2) as [string, string]));
  return new Promise((done, fail) => {
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      incoming.on('end', () => done(text));
    });
    outgoing.on('error', fail).end(body);
  });
}

async function pay(port: number): Promise<void> {
  const response = await send(port, saleRequest(port, demoMerchant, { card: '4111111111111111' }));
  const { result, status } = JSON.parse(response);
  if (result !== 'SUCCESS' || status !== 'SETTLED') throw new Error(`The sale was not settled: ${response}`);
}

async function check(container: string): Promise<void> {
  const postgres = await startTemporaryPostgres();
  let server: ChildProcess | undefined;
  try {
    const port = await freePort();
    const settings = settingsOf(port, postgres.url);
    console.log(inImage(container, settings, ['florin', 'migrate']).trim());
    await seed(settings);
    const started = Date.now();
    server = serve(container, settings);
    await ready(settings.BASE_URL as string);
    console.log(`Ready after ${((Date.now() - started) / 1000).toFixed(1)} s.`);
    await pay(port);
    for (const path of ['/', '/docs', '/docs/reference/environment', '/dashboard/sign-in', '/shop']) {
      const { status } = await fetch(`${settings.BASE_URL}${path}`);
      if (status !== 200) throw new Error(`${path} returns ${status}.`);
    }
    console.log('A sale is settled; the pages of docs, dashboard and shop are served.');
    console.log(inImage(container, settings, ['florin', 'ledger', 'verify']).trim().split('\n').at(-1));
    console.log(inImage(container, settings, ['florin', 'config', 'check']).trim());
    const invited = ['user', 'invite', '--email', 'ann@example.com', '--role', 'administrator'];
    if (!inImage(container, settings, ['florin', ...invited]).includes('/dashboard/'))
      throw new Error('No invitation.');
  } finally {
    server?.kill('SIGTERM');
    await pause(1_000);
    await postgres.stop();
  }
}

async function build(): Promise<void> {
  await baseImages(join(tmpdir(), 'florin-image'));
  // The base images have the names of the Dockerfile, and other digests.
  const folder = mkdtempSync(join(tmpdir(), 'florin-dockerfile-'));
  const dockerfile = join(folder, 'Dockerfile');
  writeFileSync(dockerfile, readFileSync(join(root, 'Dockerfile'), 'utf8').replace(/@sha256:\w+/g, ''));
  const options = ['--pull-never', '--format', 'docker', '--file', dockerfile];
  for (const [target, name] of [
    ['florin', tag],
    ['pgbouncer', poolerTag],
  ] as const) {
    const started = Date.now();
    buildah('build', ...options, '--target', target, '--tag', name, root);
    console.log(`Built ${target} in ${((Date.now() - started) / 1000).toFixed(0)} s.`);
  }
  rmSync(folder, { recursive: true });
}

/** Starts the services of compose.yaml, pays through the balancer while each serving process is replaced, and stops them. */
async function checkCompose(): Promise<void> {
  const postgres = await startTemporaryPostgres();
  try {
    const images = { florin: tag, pgbouncer: poolerTag, haproxy };
    await withComposed({ images, url: postgres.url, seed }, async ({ port, stop }) => {
      await pay(port);
      await stop('app1');
      await pay(port);
      await stop('worker');
      await pay(port);
      console.log('The services of compose.yaml are up; sales are settled through the balancer, also without app1.');
    });
  } finally {
    await postgres.stop();
  }
}

async function main(): Promise<void> {
  if (process.getuid?.() !== 0) throw new Error('buildah needs root here.');
  if (!process.argv.includes('--built')) await build();
  const container = buildah('from', '--pull-never', tag).trim();
  try {
    const folder = buildah('mount', container).trim();
    const findings = scan(folder);
    for (const finding of findings) console.log(`  ${finding}`);
    await check(container);
    await checkCompose();
    const { image, app } = sizeOf(folder);
    console.log(`The image has ${image} MB, of which /app has ${app} MB; ${findings.length} findings.`);
    if (findings.length > 0 || image > megabytesMax) process.exitCode = 1;
  } finally {
    if (!process.argv.includes('--keep')) buildah('rm', container);
  }
}

await main();
