// The steps of `npm start` and `npm run dev` before serving: packages, settings, database, migrations.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as project from './project.ts';
import { dataFolder, step } from './project.ts';

/** Installs missing packages, and completes and validates the settings in process.env. */
export async function prepareSettings() {
  project.readDotEnv();
  const { installPackages } = await import('./install.ts');
  await installPackages();
  let freshDemoPassword: string | null = null;
  if (project.isSandbox()) {
    const newKey = () => randomBytes(32).toString('base64');
    if (!project.hasVaultKey()) process.env.VAULT_KEY = project.readOrCreate('vault-key', newKey).text;
    if (!process.env.DEMO_PASSWORD) {
      const { text, fresh } = project.readOrCreate('demo-password', () => randomBytes(12).toString('base64url'));
      process.env.DEMO_PASSWORD = text;
      if (fresh) freshDemoPassword = text;
    }
  }
  const { readEnv } = await import('../lib/config/config.ts');
  const ours = process.env.DATABASE_URL?.trim() ? {} : { DATABASE_URL: 'postgresql://127.0.0.1/florin' };
  const env = readEnv({ ...process.env, ...ours });
  process.env.PORT = String(env.port);
  process.env.BASE_URL = env.baseUrl;
  const busy = await project.servingPort();
  if (busy !== null) throw new Error(`Florin is already running on port ${busy}.`);
  if (await project.answers(env.port))
    throw new Error(`Port ${env.port} is taken. Choose another: PORT=3001 npm start`);
  return { env, freshDemoPassword };
}

/** Starts the embedded PostgreSQL unless DATABASE_URL names another, which is checked; returns how to stop it. */
export async function prepareDatabase(): Promise<() => Promise<void>> {
  if (process.env.DATABASE_URL?.trim()) {
    await project.requireDurableDatabase(process.env.DATABASE_URL);
    return async () => {};
  }
  const { startPostgres } = await import('./postgres.ts');
  const postgres = await step('Starting PostgreSQL', () => startPostgres({ folder: join(dataFolder, 'postgres') }));
  Object.assign(process.env, { DATABASE_URL: postgres.url, DIRECT_DATABASE_URL: '', DATABASE_POOLER: '' });
  return postgres.stop;
}

/** Migrates the database and seeds the sandbox. */
export async function prepareTables() {
  const { migrate } = await import('./migrate.ts');
  const { bundle } = await import('./bundle.ts');
  const { run } = await import('./install.ts');
  const seed = join(dataFolder, 'seed.mjs');
  await step('Preparing the database', async () => {
    await migrate(project.directDatabaseUrl() ?? '');
    await bundle('prisma/seed.ts', seed);
    await run(process.execPath, [seed]);
  });
}
