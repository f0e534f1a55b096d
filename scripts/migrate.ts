// Migrations without Prisma's command line, which would download an engine: the official WebAssembly build of the
// engine applies prisma/migrations and keeps the ordinary _prisma_migrations table, so `prisma migrate` works as well.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type {
  ErrorCapturingSqlMigrationAwareDriverAdapterFactory,
  SqlQuery,
  SqlResultSet,
} from '@prisma/driver-adapter-utils';
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import type pg from 'pg';
import { startTemporaryPostgres } from './postgres.ts';
import { root } from './project.ts';

const schemaFolder = join(root, 'prisma', 'schema');
const migrationsFolder = join(root, 'prisma', 'migrations');
const lockText = 'provider = "postgresql"\n';
const noFilter = { externalTables: [], externalEnums: [] };

type Pg = typeof pg;
type Bindings = typeof import('@prisma/schema-engine-wasm/schema_engine_bg') & {
  __wbg_set_wasm: (exports: WebAssembly.Exports) => void;
};
type QueryResult = { fields: { dataTypeID: number }[] };
/** What is used of Prisma's adapter; `performIO` and `onError` are not public. */
type Adapter = {
  queryRaw: (query: SqlQuery) => Promise<SqlResultSet>;
  executeScript: (script: string) => Promise<void>;
  dispose: () => Promise<void>;
  underlyingDriver: () => pg.Pool;
  performIO: (query: SqlQuery) => Promise<QueryResult>;
  onError: (error: unknown) => never;
};
type Factory = Record<'connect' | 'connectToShadowDb', () => Promise<Adapter>>;

/** Applies the pending migrations; returns the names of those applied. */
export async function migrate(databaseUrl: string): Promise<string[]> {
  return withEngine(databaseUrl, async (engine) => {
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList: migrations(), filters: noFilter });
    return appliedMigrationNames;
  });
}

/** The SQL that leads from the migrations to the schema folder; an empty text if they agree. */
export async function difference(): Promise<string> {
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

async function withEngine<T>(databaseUrl: string, work: (engine: SchemaEngine) => Promise<T>): Promise<T> {
  const { bindMigrationAwareSqlAdapterFactory } = await import('@prisma/driver-adapter-utils');
  const { SchemaEngine } = await loadEngine();
  const { factory, close } = await adapterFactory(databaseUrl);
  const bound = bindMigrationAwareSqlAdapterFactory(factory);
  const engine = await SchemaEngine.new({ datamodels: schemaFiles() }, () => {}, bound);
  try {
    return await work(engine);
  } catch (thrown) {
    const failure = registeredError(bound, thrown) ?? thrown;
    throw new Error(
      `The database could not be migrated: ${failure instanceof Error ? failure.message : JSON.stringify(failure)}`,
    );
  } finally {
    engine.free();
    await close();
  }
}

// The engine throws the number of an error that the adapter has registered.
function registeredError(bound: ErrorCapturingSqlMigrationAwareDriverAdapterFactory, thrown: unknown): unknown {
  const id = (thrown as { id?: number } | null)?.id;
  const error = id === undefined ? undefined : bound.errorRegistry.consumeError(id);
  return error && 'error' in error ? error.error : undefined;
}

// Prisma's adapter with three fixes: it cannot read columns of type "char", which the catalogue tables have; it splits
// scripts at every semicolon, while PostgreSQL runs a whole script in one transaction; and it ignores the shadow
// database's name next to a connection string, so the address is passed in parts.
async function adapterFactory(databaseUrl: string) {
  const { PrismaPg } = await import('@prisma/adapter-pg');
  const { default: pg } = await import('pg');
  const { host, port, user, password, database, ssl } = new pg.Client({ connectionString: databaseUrl });
  const factory = new PrismaPg({ host, port, user, password, database, ssl, max: 1, allowExitOnIdle: true });
  const patched = factory as unknown as Factory;
  const pools: pg.Pool[] = [];
  for (const name of ['connect', 'connectToShadowDb'] as const) {
    const connect = patched[name].bind(factory);
    patched[name] = async () => {
      const adapter = await connect();
      const pool = adapter.underlyingDriver();
      pools.push(pool);
      adapter.queryRaw = await characterReader(adapter, pg.types.builtins);
      adapter.executeScript = async (script) => {
        await pool.query(script).catch((error: unknown) => adapter.onError(error));
      };
      adapter.dispose = async () => {};
      return adapter;
    };
  }
  return { factory, close: () => Promise.all(pools.map((pool) => pool.end())) };
}

// Lets the adapter read "char" columns as text and reports their real type to the engine.
async function characterReader(adapter: Adapter, { CHAR, TEXT }: Pg['types']['builtins']) {
  const { ColumnTypeEnum } = await import('@prisma/driver-adapter-utils');
  const { queryRaw } = adapter;
  return async (query: SqlQuery): Promise<SqlResultSet> => {
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
let loading: Promise<Bindings> | undefined;
function loadEngine(): Promise<Bindings> {
  loading ??= instantiateEngine();
  return loading;
}

async function instantiateEngine(): Promise<Bindings> {
  const bytes = readFileSync(
    join(dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm')), 'schema_engine_bg.wasm'),
  );
  const bindings = (await import('@prisma/schema-engine-wasm/schema_engine_bg')) as Bindings;
  // The engine reports its own crash to this global before it stops.
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: {
      set_message: (message: string) => {
        throw new Error(`The schema engine crashed: ${message}`);
      },
    },
  });
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': bindings });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  return bindings;
}

function schemaFiles(): [string, string][] {
  return readdirSync(schemaFolder)
    .filter((name) => name.endsWith('.prisma'))
    .sort()
    .map((name) => [join(schemaFolder, name), readFileSync(join(schemaFolder, name), 'utf8')]);
}

function migrations(): MigrationList {
  const names = existsSync(migrationsFolder)
    ? readdirSync(migrationsFolder).filter((name) => existsSync(join(migrationsFolder, name, 'migration.sql')))
    : [];
  return {
    baseDir: migrationsFolder,
    lockfile: { path: './migration_lock.toml', content: lockText },
    shadowDbInitScript: '',
    migrationDirectories: names
      .sort()
      .map((path) => ({
        path,
        migrationFile: {
          path: 'migration.sql',
          content: { tag: 'ok', value: readFileSync(join(migrationsFolder, path, 'migration.sql'), 'utf8') },
        },
      })),
  };
}

/** Writes the migration `name` with the difference of the schema from the migrations; returns what was done. */
export async function writeMigration(name: string): Promise<string> {
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
