// The Helm chart agrees with the project: its variables, addresses, port, user, versions and values. Helm itself renders it in
// .github/workflows/check.yml.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '..');
const chart = 'scripts/image/helm';
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const namesIn = (folder: string) => readdirSync(join(root, chart, folder));
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? '');

const schema = JSON.parse(read(`${chart}/values.schema.json`));
const values = parse(read(`${chart}/values.yaml`));
const templates = namesIn('templates')
  .map((name) => read(`${chart}/templates/${name}`))
  .join('\n');
const dockerfile = read('Dockerfile');

// The settings of a deployment; those of the tests follow.
const [settingsText = ''] = read('.env.example').split('\n# == Tests ==');
const settings = all(settingsText, /^#?([A-Z][A-Z0-9_]+)=/gm);

/** Values that are confidential or may contain a password: they are in the Secret. */
const secrets = [
  ...[
    'DATABASE_URL',
    'DIRECT_DATABASE_URL',
    'DATABASE_REPLICA_URL',
    'VAULT_KEY',
    'VAULT_TOKEN',
    'METRICS_TOKEN',
    'DEMO_PASSWORD',
  ],
  ...['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'],
  ...['SMTP_URL', 'SMS_GATEWAY_TOKEN', 'EVENTS_SECRET'],
];
/** The image sets PORT, and the probes need every address of the pod. */
const ownSettings = ['PORT', 'HOST', 'JOBS', 'DRAIN_SECONDS'];

/** The values of an installation: those of the chart with the given ones. Objects are merged as Helm merges them. */
function merged(base: unknown, given: unknown): unknown {
  const isMap = (value: unknown) => value !== null && typeof value === 'object' && !Array.isArray(value);
  if (!isMap(base) || !isMap(given)) return given === undefined ? base : given;
  const [one, other] = [base, given] as [Record<string, unknown>, Record<string, unknown>];
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...keys].map((key) => [key, merged(one[key], other[key])]));
}

const validate = new Ajv({ allErrors: true }).compile(schema);

/** What the schema refuses in an installation with the given values. */
function faultsOf(given: object): string[] {
  validate(merged(values, given));
  return (validate.errors ?? []).map(({ instancePath, keyword, params }) =>
    keyword === 'additionalProperties' ? `${instancePath}/${params.additionalProperty} unknown` : instancePath,
  );
}

describe('the Helm chart', () => {
  it('has the version of the project', () => {
    const { version } = JSON.parse(read('package.json'));
    expect(parse(read(`${chart}/Chart.yaml`))).toMatchObject({ apiVersion: 'v2', version, appVersion: version });
  });

  it('takes every setting of .env.example that is no secret, and no other one', () => {
    expect([...secrets, ...ownSettings].filter((name) => !settings.includes(name))).toEqual([]);
    const public_ = settings.filter((name) => ![...secrets, ...ownSettings].includes(name));
    expect(Object.keys(schema.properties.config.properties)).toEqual(public_);
  });

  it('names only settings of .env.example in its templates', () => {
    const named = all(templates, /\bname: ([A-Z][A-Z0-9_]+),|(?<=\.config\.)([A-Z][A-Z0-9_]+)/g);
    const hosts = all(templates, /"([A-Z][A-Z0-9_]+_HOST)"/g);
    expect(hosts).toHaveLength(4);
    expect([...named, ...hosts].filter((name) => name !== '' && !settings.includes(name))).toEqual([]);
  });

  it('sends its probes to addresses of the server', () => {
    const probes = [...templates.matchAll(/(\w+)Probe:\n +httpGet: \{ path: (\S+), port: (\w+) \}/g)];
    const pathOf = Object.fromEntries(probes.map(([, kind, path]) => [kind, path]));
    expect(Object.keys(pathOf)).toEqual(['startup', 'liveness', 'readiness']);
    expect(read('lib/operations/health.ts')).toContain(`path: '${pathOf.readiness}'`);
    // A file that the server keeps in memory, under a name that stays.
    const [, kept = ''] = /const plainNames = \[(.+)\]/.exec(read('scripts/build-browser.ts')) ?? [];
    expect(all(kept, /'(.+?)'/g).map((name) => `/sdk/${name}`)).toContain(pathOf.liveness);
    expect(pathOf.startup).toBe(pathOf.liveness);
    expect(probes.map(([, , , port]) => port)).toEqual(['http', 'http', 'http']);
  });

  it('runs as the image does: its port, its user, its command and its writable folder', () => {
    expect(all(templates, /name: http, containerPort: (\d+)/g)).toEqual(all(dockerfile, / PORT=(\d+) NEXT/g));
    const [user] = all(dockerfile, /useradd --uid (\d+)/g);
    expect(all(templates, /runAs(?:User|Group): (\d+)/g)).toEqual([user, user]);
    expect(all(templates, /mountPath: \/app\/(\S+) /g)).toEqual(['.next/cache']);
    expect(dockerfile).toMatch(/install -d -o node -g node .*\.next\/cache/);
    expect(all(templates, /command: \[(.+)\]/g)).toEqual(['florin, migrate']);
    expect(dockerfile).toContain('ln -s /app/dist/florin.js /usr/local/bin/florin');
  });

  it.each(namesIn('ci'))('accepts the values of %s', (name) => {
    expect(faultsOf(parse(read(`${chart}/ci/${name}`)))).toEqual([]);
  });

  it.each([
    ['nothing', {}, ['/image/repository', '/secretName', '/config/BASE_URL', '/config/TRUSTED_PROXIES']],
    ['a secret', { config: { VAULT_KEY: 'x' } }, ['/config/VAULT_KEY unknown']],
    ['a setting of the chart', { config: { JOBS: 'on' } }, ['/config/JOBS unknown']],
    ['an unknown value', { replicas: 2 }, ['/replicas unknown']],
    ['a setting that is no text', { config: { EVENTS_LOG: true } }, ['/config/EVENTS_LOG']],
    ['a long drain', { drainSeconds: 61 }, ['/drainSeconds']],
    ['a policy without a database', { networkPolicy: { enabled: true, from: [{}] } }, ['/networkPolicy/egress']],
  ])('refuses %s by its name', (_what, given, faults) => {
    const minimal = parse(read(`${chart}/ci/minimal-values.yaml`));
    const found = faultsOf(Object.keys(given).length === 0 ? {} : (merged(minimal, given) as object));
    expect(found).toEqual(expect.arrayContaining(faults));
  });
});
