// The settings of a scaled-out deployment exist once: what the test runs on is what docs/operations/high-availability.md shows and what the
// image and the compose file take. What cannot be built here is at least compared with what there is.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fill } from './settings-files.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? '');

const documented = new Set(all(read('.env.example'), /^#?([A-Z_0-9]+)=/gm));
const compose = read('compose.yaml');
const dockerfile = read('Dockerfile');

describe('the settings of the scale test', () => {
  it.each(['postgresql.conf', 'pg_hba.conf', 'pgbouncer.ini', 'haproxy.cfg'])('are in the docs: %s', (name) => {
    expect(read('docs/operations/high-availability.md')).toContain(`\n${read(`e2e/chaos/scale/${name}`)}\`\`\``);
  });

  it('wait for the standby, and are those of transaction mode', () => {
    const node = fill('postgresql.conf', { NODE: 'florin_a', ADDRESS: '10.0.0.1', NETWORK: '10.0.0.0/24' });
    expect(node).toMatch(/^cluster_name = 'florin_a'$/m);
    expect(node).toMatch(/^synchronous_commit = on$/m);
    expect(read('e2e/chaos/scale/pgbouncer.ini')).toMatch(/^pool_mode = transaction$/m);
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

  it('give PgBouncer and HAProxy every variable that their settings name', () => {
    const wanted = [
      ...all(read('e2e/chaos/scale/pgbouncer.ini'), /\$\{(\w+)\}/g),
      ...all(read('e2e/chaos/scale/haproxy.cfg'), /\$\{(\w+)\}/g),
    ];
    const settings = [...all(compose, /^ {6}([A-Z_0-9]+):/gm), ...all(dockerfile, /\b(ADDRESS|PORT|FOLDER)=/g)];
    expect(wanted.filter((name) => !settings.includes(name))).toEqual([]);
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
