// npm run bench:dashboard [-- --payments 1000000] [--built] [--only text]: how long the dashboard's answers take over a
// million payments: lists, every filter, every kind of search, the first byte of an export. A database of its own,
// the production server, one person who waits for one answer at a time. Docs: docs/benchmarks.md.
//   --built   measures what was built last, even if the sources have changed since
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { build } from '../build.mjs';
import { step } from '../progress.mjs';
import { seedMany } from '../seed-many.mjs';
import { boundMilliseconds, measureDashboard } from './dashboard-cases.mjs';
import { machineFacts, printColumns } from './report.mjs';
import { freePorts, openStack } from './stack.mjs';

/** Signs the demo's account manager in, who sees every merchant; gives the session's cookie. */
async function signIn(url, password) {
  const response = await fetch(`${url}/dashboard/api/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email: 'manager@demo.test', password }),
  });
  if (response.status !== 200) throw new Error(`Signing in was answered ${response.status}: ${await response.text()}`);
  return (response.headers.getSetCookie()[0] ?? '').split(';')[0];
}

async function setUp(stack, payments) {
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

function print(results) {
  const shown = (milliseconds) => milliseconds.toFixed(milliseconds < 10 ? 1 : 0);
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

async function main() {
  const { values } = parseArgs({
    options: {
      payments: { type: 'string', default: '1000000' },
      built: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
    },
  });
  const payments = Math.ceil(Number(values.payments) / 100) * 100;
  console.log('Benchmark of the dashboard');
  if (!values.built) await build();
  const stack = await step('Starting PostgreSQL', openStack);
  const database = new pg.Client({ connectionString: stack.databaseUrl });
  const end = async () => {
    await database.end().catch(() => {});
    await stack.stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => end().finally(() => process.exit(130)));
  try {
    const facts = machineFacts([['Payments', payments.toLocaleString('en')]]);
    const server = await setUp(stack, payments);
    await database.connect();
    const results = await step('Asking', () => measureDashboard({ ...server, database, only: values.only }));
    printColumns(facts);
    print(results);
  } finally {
    await end();
  }
}

await main().then(
  () => process.exit(0),
  (fault) => {
    console.error(`\n${fault.stack}`);
    process.exit(1);
  },
);
