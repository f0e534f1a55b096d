// The settings of Patroni, PgBouncer and HAProxy are the files that docs/operations/high-availability.md shows, with names and
// addresses filled in. Those of the proxies belong to the Dockerfile and compose.yaml.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/project.ts';

const folders = [join(root, 'scripts', 'image'), import.meta.dirname];

/** The path of a settings file. */
export const settingsFile = (name: string): string =>
  folders.map((folder) => join(folder, name)).find(existsSync) ?? name;

/** The settings file `name` with `${NAME}` replaced by `values`; a missing value is an error. */
export function fill(name: string, values: Record<string, string | number>): string {
  return readFileSync(settingsFile(name), 'utf8').replace(/\$\{(\w+)\}/g, (_all, wanted: string) => {
    if (values[wanted] === undefined) throw new Error(`${name} needs ${wanted}.`);
    return String(values[wanted]);
  });
}
