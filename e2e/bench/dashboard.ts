// npm run bench -- dashboard [--payments 1000000] [--built] [--only text]: response times of the dashboard over a
// million payments: lists, every filter, every kind of search, the first byte of an export. Its own database, the
// production server, one request at a time. Docs: docs/contributing/benchmarks.md.
//   --built   measures the last build, even if the sources have changed since
//   --short   a hundred thousand payments
import { randomBytes } from 'node:crypto';
import { freePorts } from '../../scripts/ports.ts';
import { step } from '../../scripts/project.ts';
import { seedMany } from '../audit/seed-many.ts';
import { command, type Options, type Part } from './benchmark-part.ts';
import { boundMilliseconds, type Measured, measureDashboard } from './dashboard-cases.ts';
import { printColumns } from './report.ts';
import { type Stack, withStack } from './stack.ts';

/** Signs in as the demo's account manager, who sees every merchant; returns the session cookie. */
export async function signIn(url: string, password: string): Promise<string> {
  const response = await fetch(`${url}/dashboard/api/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email: 'manager@demo.test', password }),
  });
  if (response.status !== 200) throw new Error(`Signing in was answered ${response.status}: ${await response.text()}`);
  return (response.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
}

async function setUp(stack: Stack, payments: number) {
  const [port] = await freePorts(1);
  const password = randomBytes(12).toString('base64url');
  const settings = { APP_ENV: 'sandbox', JOBS: 'off', DEMO_PASSWORD: password };
  await stack.seed('prisma/seed.ts', port, settings);
  const env = stack.settingsOf(port, settings);
  await step(`Writing ${payments.toLocaleString('en')} payments`, () =>
    seedMany({ databaseUrl: stack.databaseUrl, payments, env }),
  );
  await step('Starting the server', () => stack.serve(port, settings));
  const url = `http://127.0.0.1:${port}`;
  return { url, cookie: await signIn(url, password) };
}

function print(results: Measured[]) {
  const shown = (milliseconds: number) => milliseconds.toFixed(milliseconds < 10 ? 1 : 0);
  console.log('\nMilliseconds until the answer is there:\n');
  printColumns([
    ['', '', 'rows', 'p50', 'p95', ''],
    ...results.map(({ group, name, found, p50, p95 }) => [
      group,
      name,
      String(found ?? ''),
      shown(p50),
      shown(p95),
      p95 > boundMilliseconds ? `over ${boundMilliseconds}` : '',
    ]),
  ]);
}

async function measure(stack: Stack, { payments: wanted, only = '', short }: Options) {
  const payments = Math.ceil(Number(wanted ?? (short ? 100_000 : 1_000_000)) / 100) * 100;
  const server = await setUp(stack, payments);
  const results = await step('Asking', () => measureDashboard({ ...server, database: stack.database, only }));
  print(results);
  const slow = results.filter(({ p95 }) => p95 > boundMilliseconds);
  const named = slow.map(({ group, name, p95 }) => `${group}: ${name} (${p95.toFixed(0)})`);
  console.log(`\nOver ${boundMilliseconds} ms at the 95th percentile: ${named.join(', ') || 'nothing'}.`);
  const list = results.find(({ group, name }) => group === 'list' && name === 'newest');
  const figures = [
    {
      name: `Kinds of questions over ${boundMilliseconds} ms at the p95, of ${results.length}`,
      value: slow.length,
      unit: '',
      most: 0,
    },
    { name: 'The newest payments, p95', value: list?.p95 ?? null, unit: 'ms', most: boundMilliseconds },
  ];
  return { figures, raw: { payments, results } };
}

export const part: Part = {
  name: 'dashboard',
  title: 'The dashboard over a million payments',
  run: (options) => withStack((stack) => measure(stack, options)),
};

await command(import.meta.url, part);
