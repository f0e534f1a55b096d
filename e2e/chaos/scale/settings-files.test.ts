// The settings of a scaled-out deployment exist once: what the test runs on is what docs/operations/high-availability.md shows and what the
// image and the compose file take. What cannot be built here is at least compared with what there is.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { fill, settingsFile } from './settings-files.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? '');

const documented = new Set(all(read('.env.example'), /^#?([A-Z_0-9]+)=/gm));
const compose = read('compose.yaml');
const dockerfile = read('Dockerfile');

describe('the settings of the scale test', () => {
  it.each(['etcd.env', 'patroni.yml', 'primary.cfg', 'pgbouncer.ini', 'haproxy.cfg'])('are in the docs: %s', (name) => {
    expect(read('docs/operations/high-availability.md')).toContain(
      `\n${readFileSync(settingsFile(name), 'utf8')}\`\`\``,
    );
  });

  it('wait for a standby, keep the rule of Patroni, and are those of transaction mode', () => {
    const { dcs } = parse(readFileSync(settingsFile('patroni.yml'), 'utf8')).bootstrap;
    expect(dcs).toMatchObject({ synchronous_mode: true, synchronous_mode_strict: true });
    expect(dcs.postgresql.parameters).toMatchObject({ fsync: 'on', synchronous_commit: 'on' });
    expect(dcs.loop_wait + 2 * dcs.retry_timeout).toBeLessThanOrEqual(dcs.ttl);
    expect(read('scripts/image/pgbouncer.ini')).toMatch(/^pool_mode = transaction$/m);
  });

  it('are complete or not written', () => {
    expect(() => fill('pgbouncer.ini', { PRIMARY_HOST: 'db' })).toThrow('pgbouncer.ini needs PRIMARY_PORT.');
  });
});

describe('Dockerfile and compose.yaml', () => {
  it('name variables that Florin knows', () => {
    const settings = compose.slice(compose.indexOf('x-settings:'), compose.indexOf('services:'));
    const names = all(settings, /^ {2}([A-Z_]+):/gm);
    expect(names).toContain('DIRECT_DATABASE_URL');
    const ours = [...names, 'JOBS', ...all(dockerfile, /\b(APP_ENV|PORT)=/g)];
    expect(ours.filter((name) => !documented.has(name))).toEqual([]);
  });

  it('take the key of the vault from any of its settings', () => {
    const services: Record<string, { image?: string; env_file?: string }> = parse(compose, { merge: true }).services;
    const ours = Object.values(services).filter(({ image }) => image === 'florin');
    expect(ours.map((service) => service.env_file)).toEqual(['.env', '.env', '.env', '.env']);
    expect(compose).not.toMatch(/^ +VAULT_/m);
  });

  it('give PgBouncer and HAProxy every variable that their settings name', () => {
    const wanted = [
      ...all(read('scripts/image/pgbouncer.ini'), /\$\{(\w+)\}/g),
      ...all(read('scripts/image/haproxy.cfg'), /\$\{(\w+)\}/g),
    ];
    const settings = [...all(compose, /^ {6}([A-Z_0-9]+):/gm), ...all(dockerfile, /\b(ADDRESS|PORT|FOLDER)=/g)];
    expect(wanted.filter((name) => !settings.includes(name))).toEqual([]);
  });

  it('publish on this machine only, to the proxy with TLS', () => {
    const services: Record<string, { ports?: string[] }> = parse(compose, { merge: true }).services;
    const published = Object.values(services).flatMap(({ ports = [] }) => ports);
    expect(published).toEqual(['127.0.0.1:8080:8080']);
  });

  it('take files and stages that exist', () => {
    const copied = all(dockerfile, /^COPY (?!--from)(.+) \S+$/gm).flatMap((paths) => paths.split(' '));
    const mounted = all(compose, /^ +- \.\/(\S+?):/gm);
    const started = all(compose, /\bnode, ([^\s,\]]+)/g);
    expect(copied).toContain('package-lock.json');
    expect([...copied, ...mounted, ...started].filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const stages = all(dockerfile, /^FROM \S+ AS (\w+)$/gm);
    expect(all(compose, /target: (\w+)/g).filter((target) => !stages.includes(target))).toEqual([]);
  });
});

describe('the health check of the image', () => {
  const command = JSON.parse(/^HEALTHCHECK .*\n {2}CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]') as string[];

  it.each(['', '127.0.0.1', '127.0.0.2', '::1', 'localhost'])('asks the address of HOST=%s', async (host) => {
    const asked: string[] = [];
    const server = createServer(({ url = '' }, response) => {
      asked.push(url);
      response.end();
    });
    await new Promise<void>((done) => server.listen(0, host || '127.0.0.1', done));
    const PORT = String((server.address() as AddressInfo).port);
    const child = spawn(process.execPath, command.slice(1), { env: { ...process.env, HOST: host, PORT } });
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(asked).toEqual(['/healthz']);
    server.close();
  });
});

describe('what holds one connection for a while', () => {
  it('does not run through a pooler', () => {
    const env = { ...process.env, DATABASE_URL: 'postgresql://pooler/florin', DATABASE_POOLER: 'transaction' };
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts', 'florin.mjs'), 'migrate'], {
      env: { ...env, DIRECT_DATABASE_URL: '' },
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr).toContain('DIRECT_DATABASE_URL is missing');
  });
});
