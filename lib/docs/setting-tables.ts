// Generates the table of environment variables: groups and descriptions from .env.example, allowed values from the
// validation.
import { EnvError, readEnv } from '../config/index.ts';
import { tableOf } from './markdown-table.ts';
import { fileText } from './page-source.ts';

type Setting = { name: string; example: string; about: string };

/** Returns the variables of .env.example by group; the comment above a variable describes it. */
export function settingGroups(): { title: string; settings: Setting[] }[] {
  const groups: { title: string; settings: Setting[] }[] = [];
  let comment: string[] = [];
  for (const line of fileText('.env.example').split('\n')) {
    const [, title] = /^# == (.+) ==$/.exec(line) ?? [];
    const [, name, example = ''] = /^#?([A-Z][A-Z0-9_]+)=(.*)$/.exec(line) ?? [];
    if (title !== undefined) groups.push({ title, settings: [] });
    else if (name !== undefined) groups.at(-1)?.settings.push({ name, example, about: comment.join(' ') });
    if (line.startsWith('# ') && title === undefined) comment.push(line.slice(2).trim());
    else comment = [];
  }
  return groups;
}

/** The allowed values, read from the message for an invalid value: `a whole number from 1 to 200`. */
function valuesOf(name: string): string {
  try {
    readEnv({ DATABASE_URL: 'postgresql://localhost/none', VAULT_KEY: 'a'.repeat(64), [name]: '\u0001' });
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    const [, values] = new RegExp(`${name} should be (.+)\\.`).exec(error.message) ?? [];
    return values ?? '';
  }
  return '';
}

const code = (text: string) => (text === '' ? '' : `\`${text}\``);

function settingTables(): string {
  return settingGroups()
    .map(({ title, settings }) => {
      const rows = settings.map(({ name, example, about }) => [code(name), code(example), valuesOf(name), about]);
      return `## ${title}\n\n${tableOf(['Variable', 'Default or example', 'Value', 'Meaning'], rows)}`;
    })
    .join('\n\n');
}

/** By the names that templates use. */
export const environmentTables: Readonly<Record<string, () => string>> = { settings: settingTables };
