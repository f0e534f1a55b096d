// The settings of PostgreSQL and PgBouncer are the files that docs/operations/high-availability.md shows, with names and addresses filled
// in.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));

/** The path of a settings file. */
export const settingsFile = (name: string) => join(folder, name);

/** The settings file `name` with `${NAME}` replaced by `values`; a missing value is an error. */
export function fill(name: string, values: Record<string, string | number>): string {
  return readFileSync(settingsFile(name), 'utf8').replace(/\$\{(\w+)\}/g, (_all, wanted: string) => {
    if (values[wanted] === undefined) throw new Error(`${name} needs ${wanted}.`);
    return String(values[wanted]);
  });
}
