// The commands of florin, with one line each. A command is a module of this folder, or a tool under e2e that is started as
// it is with its arguments.
import type { Command } from './command.ts';

/** A row of the table; its name has one word, or two where the first names a group. */
export type Row = { name: string; summary: string } & ({ load: () => Promise<Command> } | { file: string });

const operate: Row[] = [
  {
    name: 'start',
    summary: 'Prepares settings, database and build, and serves (npm start)',
    load: async () => (await import('./start.ts')).start,
  },
  {
    name: 'migrate',
    summary: 'Applies the pending migrations to DATABASE_URL',
    load: async () => (await import('./migrate.ts')).migrateCommand,
  },
  {
    name: 'config check',
    summary: 'Checks the settings and names what is wrong',
    load: async () => (await import('./config.ts')).configCheck,
  },
  {
    name: 'config print',
    summary: 'Prints the settings in effect, without secrets',
    load: async () => (await import('./config.ts')).configPrint,
  },
  {
    name: 'user invite',
    summary: 'Invites a user of the dashboard and prints the link',
    load: async () => (await import('./user-invite.ts')).userInvite,
  },
  {
    name: 'vault rotate',
    summary: 'Rotates the data key, the fingerprint key or VAULT_KEY',
    load: async () => (await import('./vault.ts')).vaultRotate,
  },
  {
    name: 'vault find',
    summary: 'Lists the vault rows of a card number from standard input',
    load: async () => (await import('./vault.ts')).vaultFind,
  },
  {
    name: 'backup',
    summary: 'Writes a backup into a new folder while the service runs',
    load: async () => (await import('./backup.ts')).backup,
  },
  {
    name: 'restore',
    summary: 'Restores a backup into an empty database',
    load: async () => (await import('./backup.ts')).restore,
  },
  {
    name: 'ledger verify',
    summary: 'Checks the ledger of the database against its invariants',
    file: 'e2e/audit/verify.ts',
  },
  {
    name: 'inventory',
    summary: 'Prints the scripts of the payment pages, or checks a running server',
    load: async () => (await import('./inventory.ts')).inventory,
  },
  {
    name: 'reset',
    summary: 'Empties the data folder with the embedded database',
    load: async () => (await import('./reset.ts')).reset,
  },
];

const integrate: Row[] = [
  {
    name: 'catalog',
    summary: 'Prints the catalogue of payment methods as JSON',
    load: async () => (await import('./catalog.ts')).catalog,
  },
  {
    name: 'openapi',
    summary: 'Prints the OpenAPI document of a protocol',
    load: async () => (await import('./openapi.ts')).openapi,
  },
  {
    name: 'listen',
    summary: 'Receives callbacks on this machine, prints and forwards them',
    load: async () => (await import('./listen.ts')).listen,
  },
  {
    name: 'provider check',
    summary: 'Checks a provider or adapter against the provider contract',
    load: async () => (await import('./provider-check.ts')).providerCheck,
  },
  {
    name: 'wallet decrypt',
    summary: 'Decrypts a token of Apple Pay or Google Pay',
    load: async () => (await import('./wallet-decrypt.ts')).walletDecrypt,
  },
];

const develop: Row[] = [
  {
    name: 'dev',
    summary: 'Serves with reload on change (npm run dev)',
    load: async () => (await import('./dev.ts')).dev,
  },
  {
    name: 'build',
    summary: 'Builds browser scripts, server and pages (npm run build)',
    load: async () => (await import('./build.ts')).buildCommand,
  },
  {
    name: 'test',
    summary: 'Runs all checks and tests (npm test)',
    load: async () => (await import('./test.ts')).test,
  },
  {
    name: 'test-server',
    summary: 'Keeps the server of the end-to-end tests running',
    load: async () => (await import('./test-server.ts')).testServer,
  },
  {
    name: 'generate',
    summary: "Generates the database client from Prisma's schema",
    load: async () => (await import('./generate.ts')).generate,
  },
  {
    name: 'migrate new',
    summary: 'Writes a migration from the migrations to the schema',
    load: async () => (await import('./migrate.ts')).migrateNew,
  },
  {
    name: 'docs',
    summary: 'Writes the generated documentation (npm run docs)',
    load: async () => (await import('./docs.ts')).docs,
  },
  {
    name: 'routes',
    summary: 'Prints the tables of routes as JSON',
    load: async () => (await import('./routes.ts')).routesCommand,
  },
  {
    name: 'words',
    summary: 'Checks names and prose against the glossary',
    load: async () => (await import('./words.ts')).words,
  },
  {
    name: 'imports',
    summary: 'Checks the import rules',
    load: async () => (await import('./imports.ts')).imports,
  },
  {
    name: 'sbom',
    summary: 'Writes the software bill of materials',
    load: async () => (await import('./sbom.ts')).sbom,
  },
  {
    name: 'seed',
    summary: 'Fills the sandbox with payments of a year',
    load: async () => (await import('./seed.ts')).seed,
  },
  {
    name: 'screenshots',
    summary: 'Takes the screenshot of the README',
    load: async () => (await import('./screenshots.ts')).screenshots,
  },
  {
    name: 'client',
    summary: 'Builds the package of the client SDK',
    load: async () => (await import('./build-client.ts')).client,
  },
  { name: 'preview', summary: 'Takes pictures of the payment pages in every language', file: 'scripts/preview.ts' },
];

const prove: Row[] = [
  {
    name: 'ledger self-test',
    summary: 'Checks that the ledger check finds every corruption',
    file: 'e2e/audit/self-test.ts',
  },
  { name: 'scan', summary: 'Checks that no card data is stored anywhere', file: 'e2e/scan/scan-cards.ts' },
  { name: 'bench', summary: 'Runs every benchmark on one build', file: 'e2e/bench/main.ts' },
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
  }).map(([part, summary]) => ({ name: `bench ${part}`, summary, file: `e2e/bench/${part}.ts` })),
  ...Object.entries({
    crash: 'Kills processes and PostgreSQL under load',
    races: 'Sends the same request many times at once',
    faults: 'Faults of providers, networks and clocks',
    callbacks: 'Faulty receivers, and killed deliveries',
    fair: 'A hanging provider delays its own merchant only',
    restore: 'The restore drill',
    scale: 'Failover of PostgreSQL and restarts behind a balancer',
    malformed: 'Mutated requests at every address',
    signatures: "Hashes that a payer holds sign no merchant's request",
  }).map(([part, summary]) => ({ name: `chaos ${part}`, summary, file: `e2e/chaos/${part}.ts` })),
];

/** All commands by their group's title. */
export const groups: Record<string, Row[]> = {
  Operate: operate,
  Integrate: integrate,
  Develop: develop,
  'Measure and prove': prove,
};

export const rows: Row[] = Object.values(groups).flat();
