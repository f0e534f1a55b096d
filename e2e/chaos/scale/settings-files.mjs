// The settings of PostgreSQL and PgBouncer are the very files that docs/scaling.md shows; only names and addresses differ.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));

/** Where the settings called `name` are. */
export const settingsFile = (name) => join(folder, name);

/**
 * The settings called `name` with `values` in the place of `${NAME}`; each that they name has to be there.
 * @param {string} name
 * @param {Record<string, string | number>} values
 */
export function fill(name, values) {
  return readFileSync(settingsFile(name), 'utf8').replace(/\$\{(\w+)\}/g, (_all, wanted) => {
    if (values[wanted] === undefined) throw new Error(`${name} needs ${wanted}.`);
    return String(values[wanted]);
  });
}
