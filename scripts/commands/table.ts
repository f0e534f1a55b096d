// The commands of florin, with one line each. A command is a module of this folder, or a tool under e2e that is started
// as it is with its arguments.
import { command, deployment, type Row } from './deployment.ts';

const tool = (name: string, summary: string, file: string): Row => ({ name, summary, file });

/** All commands by their group's title. */
export const groups: Record<string, Row[]> = {
  Operate: [
    command('start', 'Prepares settings, database and build, and serves (npm start)', () => import('./start.ts')),
    ...deployment,
    command(
      'inventory',
      'Prints the scripts of the payment pages, or checks a running server',
      () => import('./inventory.ts'),
    ),
    command('reset', 'Empties the data folder with the embedded database', () => import('./reset.ts')),
  ],
  Integrate: [
    command('catalog', 'Prints the catalogue of payment methods as JSON', () => import('./print.ts')),
    command('openapi', 'Prints the OpenAPI document of a protocol', () => import('./print.ts')),
    command('listen', 'Receives callbacks on this machine, prints and forwards them', () => import('./listen.ts')),
    command(
      'provider check',
      'Checks a provider or adapter against the provider contract',
      () => import('./provider-check.ts'),
    ),
    command('wallet decrypt', 'Decrypts a token of Apple Pay or Google Pay', () => import('./wallet-decrypt.ts')),
  ],
  Develop: [
    command('dev', 'Serves with reload on change (npm run dev)', () => import('./dev.ts')),
    command('build', 'Builds browser scripts, server and pages (npm run build)', () => import('./build.ts')),
    command('test', 'Runs all checks and tests (npm test)', () => import('../../e2e/runner/test.ts')),
    command(
      'test-server',
      'Keeps the server of the end-to-end tests running',
      () => import('../../e2e/runner/test-server.ts'),
    ),
    command('generate', "Generates the database client from Prisma's schema", () => import('./build.ts')),
    command('migrate new', 'Writes a migration from the migrations to the schema', () => import('./migrate.ts')),
    command('docs', 'Writes the generated documentation (npm run docs)', () => import('./docs.ts')),
    command('routes', 'Prints the tables of routes as JSON', () => import('./print.ts')),
    command('words', 'Checks names and prose against the glossary', () => import('./words.ts')),
    command('imports', 'Checks the import rules', () => import('./imports.ts')),
    command('sbom', 'Writes the software bill of materials', () => import('./sbom.ts')),
    command('advisories', 'Reads the security advisories for the packages', () => import('./advisories.ts')),
    command('seed', 'Fills the sandbox with payments of a year', () => import('./seed.ts')),
    command('screenshots', 'Takes the screenshot of the README', () => import('../../e2e/preview/screenshots.ts')),
    command('client', 'Builds the package of the client SDK', () => import('./build.ts')),
    tool('preview', 'Takes pictures of the payment pages in every language', 'e2e/preview/main.ts'),
  ],
  'Measure and prove': [
    tool('ledger self-test', 'Checks that the ledger check finds every corruption', 'e2e/audit/self-test.ts'),
    tool('scan', 'Checks that no card data is stored anywhere', 'e2e/scan/scan-cards.ts'),
    tool('image', 'Builds the container image, pays once on it and scans it', 'e2e/image/main.ts'),
    tool('bench', 'Runs every benchmark on one build', 'e2e/bench/main.ts'),
    ...Object.entries({
      api: 'Sessions, sales and status requests a second',
      callbacks: 'Delay and rate of callbacks',
      schedules: 'Ten thousand charges due at once',
      overload: 'Three times the peak rate of sales',
      page: 'Size and speed of the payment page on a slow phone',
      start: 'Time from npm start to ready',
      dashboard: 'Response times of the dashboard over a million payments',
      growth: 'Cost of requests with a growing number of payments',
      soak: 'Half an hour at half of the peak rate',
      'other-service': 'The sales of another open system, Medusa, beside those of Florin',
      capacity: 'A deployment for ten thousand sales a second, computed',
    }).map(([part, summary]) => tool(`bench ${part}`, summary, `e2e/bench/${part}.ts`)),
    ...Object.entries({
      crash: 'Kills processes and PostgreSQL under load',
      races: 'Sends the same request many times at once',
      faults: 'Faults of providers, networks and clocks',
      callbacks: 'Faulty receivers, and killed deliveries',
      fair: 'A hanging provider delays its own merchant only',
      sets: 'Statements over sets, compared with the same rows one by one',
      restore: 'The restore drill',
      scale: 'Failover of PostgreSQL under Patroni and restarts behind a balancer',
      malformed: 'Mutated requests at every address',
      fuzz: 'Mutated inputs of every parser',
      security: 'Every attack of the security review',
      signatures: "Hashes that a payer holds sign no merchant's request",
    }).map(([part, summary]) => tool(`chaos ${part}`, summary, `e2e/chaos/${part}.ts`)),
    tool('chaos simulate', 'Simulated histories of the money path, each by its seed', 'e2e/simulation/simulate.ts'),
    tool('chaos mutations', 'Plants faults that simulated histories must find', 'e2e/simulation/mutate.ts'),
  ],
};

export const rows: Row[] = Object.values(groups).flat();
