// florin config check and florin config print: the settings of .env and the environment, as `npm start` reads them.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  dataFolder,
  directDatabaseUrl,
  hasVaultKey,
  isSandbox,
  readDotEnv,
  requireDurableDatabase,
  root,
} from '../project.ts';
import { defineCommand } from './command.ts';

type Config = typeof import('../../lib/config/config.ts');
type Env = ReturnType<Config['readEnv']>;

const embeddedUrl = 'postgresql://127.0.0.1/florin';

async function readSettings(): Promise<Env> {
  process.chdir(root);
  readDotEnv();
  const env = { ...process.env };
  const keyFile = join(dataFolder, 'vault-key');
  // The first start of a sandbox creates the key.
  if (isSandbox() && !hasVaultKey()) {
    env.VAULT_KEY = existsSync(keyFile) ? readFileSync(keyFile, 'utf8') : Buffer.alloc(32).toString('base64');
  }
  if (!env.DATABASE_URL?.trim()) env.DATABASE_URL = embeddedUrl;
  const { readEnv } = await import('../../lib/config/config.ts');
  return readEnv(env);
}

export const configCheck = defineCommand({
  usage: `florin config check: names every invalid setting, and checks that the database of DATABASE_URL is reachable and durable.
Ends with 1 if something is wrong.`,
  run: async () => {
    const { appEnv } = await readSettings().catch((error: Error) => {
      // All problems are in the message.
      throw new Error(error.message);
    });
    const url = directDatabaseUrl();
    if (url) await requireDurableDatabase(url);
    const database = url ? 'the database is reachable and durable' : 'the embedded PostgreSQL is used';
    console.log(`The settings are valid (${appEnv}); ${database}.`);
  },
});

const variableOf = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

const secrets = new Set([
  ...['vaultKey', 'vaultToken', 'awsAccessKeyId', 'awsSecretAccessKey', 'awsSessionToken'],
  ...['demoPassword', 'testControlToken', 'smsGatewayToken', 'metricsToken', 'eventsSecret'],
]);

/** Parameters of PostgreSQL's addresses without secrets; those of other addresses are unknown. */
const harmlessParameters = new Set(['sslmode', 'connect_timeout', 'application_name', 'target_session_attrs']);

/** An address without its user, its password, and the values of its query, which libpq and collectors take secrets in. */
function withoutSecrets(address: string): string {
  const [, place = '', query] = /^([^?#]*)(?:\?([^#]*))?/.exec(address) ?? [];
  const shown = query?.split('&').map((part) => {
    const [, name] = /^([^=?]+)=/.exec(part) ?? [];
    if (name === undefined) return '***';
    return harmlessParameters.has(name) ? part : `${name}=***`;
  });
  return place.replace(/\/\/[^/]*@/, '//***@') + (shown ? `?${shown.join('&')}` : '');
}

/** The text of a setting without secrets: keys, tokens, and those of an address. */
export function printable(name: string, value: unknown): string {
  if (value === null) return 'not set';
  if (secrets.has(name) || value instanceof Uint8Array) return 'set, not shown';
  if (typeof value === 'string' && /^[a-z]+:\/\//.test(value)) return withoutSecrets(value);
  if (typeof value === 'object') {
    const count = Array.isArray(value) ? value.length : Object.keys(value).length;
    return `set, ${count} ${count === 1 ? 'entry' : 'entries'}`;
  }
  return String(value);
}

export const configPrint = defineCommand({
  usage: 'florin config print: prints the settings in effect by variable. Keys, tokens and passwords are not shown.',
  run: async () => {
    const settings = Object.entries(await readSettings()).map(
      ([name, value]) => [variableOf(name), value === embeddedUrl ? 'embedded' : printable(name, value)] as const,
    );
    const width = Math.max(...settings.map(([name]) => name.length));
    for (const [name, text] of settings) console.log(`${name.padEnd(width)}  ${text}`);
  },
});
