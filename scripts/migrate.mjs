// Migrations without Prisma's command line, which would download an engine: the official WebAssembly build of the
// engine applies prisma/migrations and keeps the ordinary _prisma_migrations table, so `prisma migrate` works as well.
//   node scripts/migrate.mjs        applies pending migrations to DATABASE_URL, bypassing a pooler (DIRECT_DATABASE_URL)
//   npm run migrate:new -- <name>   writes a new migration: the difference of the schema from the migrations
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startTemporaryPostgres } from './postgres.mjs';
import { directDatabaseUrl } from './project.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const schemaFolder = join(root, 'prisma', 'schema');
const migrationsFolder = join(root, 'prisma', 'migrations');
const lockText = 'provider = "postgresql"\n';
const noFilter = { externalTables: [], externalEnums: [] };

/**
 * Applies the pending migrations.
 * @param {string} databaseUrl
 * @returns {Promise<string[]>} the names of those applied
 */
export async function migrate(databaseUrl) {
  return withEngine(databaseUrl, async (engine) => {
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList: migrations(), filters: noFilter });
    return appliedMigrationNames;
  });
}

/** The SQL that leads from the migrations to the schema folder; an empty text if they agree. */
export async function difference() {
  const postgres = await startTemporaryPostgres();
  try {
    return await withEngine(postgres.url, async (engine) => {
      const { stdout } = await engine.diff({
        from: { tag: 'migrations', ...migrations() },
        to: { tag: 'schemaDatamodel', files: schemaFiles().map(([path, content]) => ({ path, content })) },
        script: true,
        exitCode: null,
        filters: noFilter,
      });
      return !stdout || /^-- This is an empty migration/.test(stdout) ? '' : stdout;
    });
  } finally {
    await postgres.stop();
  }
}

async function withEngine(databaseUrl, work) {
  const { bindMigrationAwareSqlAdapterFactory } = await import('@prisma/driver-adapter-utils');
  const { SchemaEngine } = await loadEngine();
  const factory = await adapterFactory(databaseUrl);
  const bound = bindMigrationAwareSqlAdapterFactory(factory);
  const engine = await SchemaEngine.new({ datamodels: schemaFiles() }, () => {}, bound);
  try {
    return await work(engine);
  } catch (thrown) {
    const failure = bound.errorRegistry?.consumeError?.(thrown?.id)?.error ?? thrown;
    throw new Error(
      `The database could not be migrated: ${failure instanceof Error ? failure.message : JSON.stringify(failure)}`,
    );
  } finally {
    engine.free();
    await factory.close();
  }
}

// Prisma's adapter with three fixes: it cannot read columns of type "char", which the catalogue tables have; it splits
// scripts at every semicolon, while PostgreSQL runs a whole script in one transaction; and it ignores the shadow
// database's name next to a connection string, so the address is passed in parts.
async function adapterFactory(databaseUrl) {
  const { PrismaPg } = await import('@prisma/adapter-pg');
  const { default: pg } = await import('pg');
  const { host, port, user, password, database, ssl } = new pg.Client({ connectionString: databaseUrl });
  const factory = new PrismaPg({ host, port, user, password, database, ssl, max: 1, allowExitOnIdle: true });
  const pools = [];
  for (const name of ['connect', 'connectToShadowDb']) {
    const connect = factory[name].bind(factory);
    factory[name] = async () => {
      const adapter = await connect();
      const pool = adapter.underlyingDriver();
      pools.push(pool);
      adapter.queryRaw = await characterReader(adapter, pg.types.builtins);
      adapter.executeScript = async (script) => {
        await pool.query(script).catch((error) => adapter.onError(error));
      };
      adapter.dispose = async () => {};
      return adapter;
    };
  }
  factory.close = () => Promise.all(pools.map((pool) => pool.end()));
  return factory;
}

// Lets the adapter read "char" columns as text and reports their real type to the engine.
async function characterReader(adapter, { CHAR, TEXT }) {
  const { ColumnTypeEnum } = await import('@prisma/driver-adapter-utils');
  const { queryRaw } = adapter;
  return async (query) => {
    const { fields, ...rest } = await adapter.performIO(query);
    const characters = fields.map((field) => field.dataTypeID === CHAR);
    for (const field of fields) if (field.dataTypeID === CHAR) field.dataTypeID = TEXT;
    const answered = Object.create(adapter, { performIO: { value: async () => ({ fields, ...rest }) } });
    const read = await queryRaw.call(answered, query);
    return {
      ...read,
      columnTypes: read.columnTypes.map((type, at) => (characters[at] ? ColumnTypeEnum.Character : type)),
    };
  };
}

// The package's entry imports the .wasm file as a module, which Node supports only behind a flag.
let loading;
function loadEngine() {
  loading ??= instantiateEngine();
  return loading;
}

async function instantiateEngine() {
  const bytes = readFileSync(
    join(dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm')), 'schema_engine_bg.wasm'),
  );
  const bindings = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  // The engine reports its own crash to this global before it stops.
  globalThis.PRISMA_WASM_PANIC_REGISTRY = {
    set_message: (message) => {
      throw new Error(`The schema engine crashed: ${message}`);
    },
  };
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': bindings });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return bindings;
}

function schemaFiles() {
  return readdirSync(schemaFolder)
    .filter((name) => name.endsWith('.prisma'))
    .sort()
    .map((name) => [join(schemaFolder, name), readFileSync(join(schemaFolder, name), 'utf8')]);
}

function migrations() {
  const names = existsSync(migrationsFolder)
    ? readdirSync(migrationsFolder).filter((name) => existsSync(join(migrationsFolder, name, 'migration.sql')))
    : [];
  return {
    baseDir: migrationsFolder,
    lockfile: { path: './migration_lock.toml', content: lockText },
    shadowDbInitScript: '',
    migrationDirectories: names.sort().map((path) => ({
      path,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok', value: readFileSync(join(migrationsFolder, path, 'migration.sql'), 'utf8') },
      },
    })),
  };
}

async function writeMigration(name) {
  const sql = await difference();
  if (sql === '') return 'The migrations already lead to the schema: nothing to write.';
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const folder = join(migrationsFolder, `${stamp}_${name}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'migration.sql'), sql);
  const lockPath = join(migrationsFolder, 'migration_lock.toml');
  if (!existsSync(lockPath)) writeFileSync(lockPath, lockText);
  return `Wrote ${join('prisma', 'migrations', `${stamp}_${name}`, 'migration.sql')}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [command, name] = process.argv.slice(2);
  if (command === 'new' && /^[a-z0-9_]{1,80}$/.test(name ?? '')) console.log(await writeMigration(name));
  else if (command === undefined && directDatabaseUrl()) {
    const { requireDurableDatabase } = await import('./durability.mjs');
    await requireDurableDatabase(directDatabaseUrl());
    const applied = await migrate(directDatabaseUrl());
    console.log(applied.length > 0 ? `Applied ${applied.join(', ')}` : 'The database is up to date.');
  } else {
    console.error('Usage: DATABASE_URL=... node scripts/migrate.mjs   or   npm run migrate:new -- snake_case_name');
    process.exitCode = 1;
  }
}
