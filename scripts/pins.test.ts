// What the images and the workflows are built from: each base image by its digest, each action by its full commit, and
// Dependabot keeps all of them up to date. What Compose and the workflows may do.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? '');

type Service = { image?: string; build?: object };

it('names every base image by tag and digest', () => {
  const dockerfile = read('Dockerfile');
  const stages = all(dockerfile, /^FROM .+ AS (\S+)$/gm);
  const bases = all(dockerfile, /^FROM (\S+)/gm).filter((name) => !stages.includes(name));
  const services: Service[] = Object.values(parse(read('compose.yaml'), { merge: true }).services);
  const pulled = services.filter(({ build }) => !build).map(({ image }) => image ?? '');
  expect([bases.length, pulled.length]).toEqual([3, 2]);
  for (const image of [...bases, ...pulled]) expect(image).toMatch(/^[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
  // One tag has one digest.
  const tags = [...bases, ...pulled].map((image) => image.split('@')[0]);
  expect(new Set([...bases, ...pulled]).size).toBe(new Set(tags).size);
});

it('names every action by its commit, with its version', () => {
  const workflows = readdirSync(join(root, '.github/workflows'));
  const used = workflows.flatMap((name) => all(read(`.github/workflows/${name}`), /\buses: (.+)$/gm));
  expect(used.length).toBeGreaterThan(20);
  for (const action of used) expect(action).toMatch(/^[\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

it('starts a database by Compose whose role is not its superuser, and trusts the own network only', () => {
  const { services, networks } = parse(read('compose.yaml'), { merge: true });
  // PostgreSQL's image makes POSTGRES_USER, by default postgres, the superuser.
  expect(services.db.environment).not.toHaveProperty('POSTGRES_USER');
  expect(services.db.volumes).toContain('./scripts/image/database.sql:/docker-entrypoint-initdb.d/florin.sql:ro');
  expect(read('scripts/image/database.sql')).toMatch(/^create role florin login password :'password';$/m);
  const [{ subnet }] = networks.default.ipam.config;
  for (const name of ['app1', 'app2', 'worker']) expect(services[name].environment.TRUSTED_PROXIES).toBe(subnet);
});

it('publishes images of commits on main only, in a protected environment', () => {
  const { environment, steps } = parse(read('.github/workflows/image.yml')).jobs.image;
  expect([environment, steps[0].with]).toEqual(['release', { 'fetch-depth': 0 }]);
  expect(steps[1].run).toBe('git merge-base --is-ancestor HEAD origin/main');
  const build = steps.find(({ id }: { id?: string }) => id === 'build').with;
  expect([build['no-cache'], Object.keys(build).filter((name) => name.startsWith('cache-'))]).toEqual([true, []]);
});

it('has updates for packages, images and actions', () => {
  const updates: { 'package-ecosystem': string }[] = parse(read('.github/dependabot.yml')).updates;
  const ecosystems = updates.map((update) => update['package-ecosystem']).sort();
  expect(ecosystems).toEqual(['docker', 'docker-compose', 'github-actions', 'npm']);
});
