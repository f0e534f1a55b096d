// Starts the services of compose.yaml from the images that its Dockerfile builds: the migrations, PgBouncer, two serving
// processes, the worker and HAProxy. The database is the embedded PostgreSQL, in place of the image of its makers. All run
// on this machine's own network, so each gets a port, and the names of the services become addresses.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'yaml';
import { freePorts } from '../../scripts/ports.ts';
import { root } from '../../scripts/project.ts';
import { buildah, storage } from './buildah.ts';

type Settings = Record<string, string>;
type Service = { image?: string; command?: string[]; environment?: Settings; volumes?: string[] };
/** A started service: its program and what it has printed. */
type Running = { name: string; child: ChildProcess; output: string };

const host = '127.0.0.1';
const serving = ['app1', 'app2', 'worker'];

/** The images of the services, by the names that compose.yaml or the Dockerfile's stages give them. */
export type Images = { florin: string; pgbouncer: string; haproxy: string };

/**
 * Starts the services over the database at `url`. `seed` runs after the migrations; `check` gets the balancer's port and
 * functions that end a service as `docker compose stop` does.
 */
export async function withComposed(
  { images, url, seed }: { images: Images; url: string; seed: (settings: Settings) => Promise<void> },
  check: (composed: { port: number; stop: (name: string) => Promise<number | null> }) => Promise<void>,
): Promise<void> {
  const database = new URL(url);
  const [pooler, balancer, ...apps] = (await freePorts(2 + serving.length)) as [number, number, ...number[]];
  const portOf = (name: string) => apps[serving.indexOf(name)];
  const addresses: Settings = { 'pgbouncer:6432': `${host}:${pooler}`, 'db:5432': `${host}:${database.port}` };
  addresses['*:8080'] = `${host}:${balancer}`;
  for (const name of serving) addresses[`${name}:3000`] = `${host}:${portOf(name)}`;
  const services = servicesOf({ BASE_URL: `http://${host}:${balancer}`, POSTGRES_PASSWORD: database.password });
  // What .env adds, and this network. The demo merchant and its provider exist in the sandbox only.
  const more = {
    APP_ENV: 'sandbox',
    TRUSTED_PROXIES: 'loopback',
    VAULT_KEY: randomBytes(32).toString('base64'),
    DEMO_PASSWORD: randomBytes(12).toString('base64url'),
  };
  const settingsOf = (name: string): Settings => {
    const given = Object.entries(services[name]?.environment ?? {});
    return Object.fromEntries(
      given.map(([key, value]) => [
        key,
        Object.entries(addresses).reduce((text, [from, to]) => text.replace(from, to), String(value)),
      ]),
    );
  };
  const containers: string[] = [];
  const from = (image: string) => {
    const container = buildah('from', '--pull-never', image).trim();
    containers.push(container);
    return container;
  };
  const running: Running[] = [];
  const start = (name: string, container: string, command: string[], settings: Settings) =>
    running.push(run(name, container, command, settings));
  const stop = async (name: string) => {
    const { child } = running.find((service) => service.name === name) as Running;
    const ended = new Promise<number | null>((done) => child.once('exit', done));
    child.kill('SIGTERM');
    return ended;
  };
  try {
    const florin = from(images.florin);
    const pooled = { ...settingsOf('pgbouncer'), PRIMARY_HOST: host, PRIMARY_PORT: database.port };
    start('pgbouncer', from(images.pgbouncer), commandOf(images.pgbouncer), { ...pooled, PORT: String(pooler) });
    const migrate = { ...settingsOf('migrate'), ...more };
    buildah('run', ...envOf(migrate), florin, '--', ...(services.migrate?.command ?? []));
    await seed({ ...migrate, PORT: String(balancer) });
    for (const name of serving) {
      const settings = { ...settingsOf(name), ...more, PORT: String(portOf(name)) };
      start(name, florin, services[name]?.command ?? commandOf(images.florin), settings);
    }
    const proxy = from(images.haproxy);
    const [file, place] = (services.balancer?.volumes?.[0] ?? '').split(':') as [string, string];
    buildah('copy', proxy, join(root, file), place);
    start('balancer', proxy, ['haproxy', '-db', '-f', place], settingsOf('balancer'));
    for (const port of [...apps, balancer]) await answering(`http://${host}:${port}/readyz`, running);
    await check({ port: balancer, stop });
  } finally {
    for (const { child } of running) child.kill('SIGTERM');
    await pause(4_000);
    for (const { child } of running) child.kill('SIGKILL');
    for (const container of containers) buildah('rm', container);
  }
}

function servicesOf(variables: Settings): Record<string, Service> {
  const text = readFileSync(join(root, 'compose.yaml'), 'utf8');
  const filled = text.replace(/\$\{(\w+)(?::\?[^}]*)?\}/g, (_all, name: string) => variables[name] ?? '');
  return parse(filled, { merge: true }).services;
}

const envOf = (settings: Settings) =>
  Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]);

/** The command of an image, which buildah does not run by itself. */
function commandOf(image: string): string[] {
  return JSON.parse(buildah('inspect', '--type', 'image', image)).OCIv1.config.Cmd;
}

function run(name: string, container: string, command: string[], settings: Settings): Running {
  const child = spawn('buildah', ['run', ...envOf(settings), container, '--', ...command], {
    env: { ...process.env, ...storage },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const running = { name, child, output: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      running.output = `${running.output}${chunk}`.slice(-4_000);
    });
  }
  return running;
}

async function answering(url: string, running: Running[]): Promise<void> {
  for (let tries = 0; tries < 120; tries += 1) {
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await pause(500);
  }
  const printed = running.map(({ name, output }) => `${name}:\n${output}`).join('\n');
  throw new Error(`${url} does not answer.\n${printed}`);
}
