// florin migrate and florin migrate new.
import { migrate as applyMigrations, writeMigration } from '../migrate.ts';
import { directDatabaseUrl, requireDurableDatabase } from '../project.ts';
import { defineCommand, UsageError } from './command.ts';

export const migrate = defineCommand({
  usage:
    'florin migrate: applies the pending migrations to DATABASE_URL; DIRECT_DATABASE_URL where DATABASE_URL is a pooler.',
  run: async () => {
    const url = directDatabaseUrl();
    if (!url) throw new UsageError('Set DATABASE_URL to the database to migrate.');
    await requireDurableDatabase(url);
    const applied = await applyMigrations(url);
    console.log(applied.length > 0 ? `Applied ${applied.join(', ')}` : 'The database is up to date.');
  },
});

export const migrateNew = defineCommand({
  usage:
    'florin migrate new snake_case_name: writes a migration with the difference of the schema from the migrations.',
  positionals: { least: 1, most: 1 },
  run: async (_values, [name = '']) => {
    if (!/^[a-z0-9_]{1,80}$/.test(name)) throw new UsageError('The name has lower-case letters, digits and _.');
    console.log(await writeMigration(name));
  },
});
