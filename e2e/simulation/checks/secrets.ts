// What must not be in any record: card numbers, security codes, keys and passwords.
import { type Base, lostConnection } from '../database.ts';
import { type Merchant, merchants } from '../merchants.ts';
import { cvv, environment } from '../settings.ts';
import type { World } from '../world.ts';

/** A secret as texts contain it: as it is, in a form, in an address, and as the bytes of a column. */
function formsOf(secret: string): string[] {
  const hex = Buffer.from(secret).toString('hex');
  return [secret, hex, encodeURIComponent(secret), secret.replaceAll(' ', '+')];
}

const keys = {
  VAULT_KEY: environment.VAULT_KEY,
  'the bytes of VAULT_KEY': Buffer.from(environment.VAULT_KEY, 'base64').toString('hex'),
};
const keysOf = ({ credentials, providerKeys, webhookSecret }: Merchant): [string, string][] => [
  ['the password of a merchant', credentials.password],
  ['the API key of an account', providerKeys.apiKey],
  ['the signing secret of an account', providerKeys.signingSecret],
  ['the secret of callbacks', webhookSecret.toString('base64')],
];
const allKeys = merchants.flatMap((merchant) => [...keysOf(merchant), ...keysOf(merchant.rotated)]);
const keyForms = [...allKeys, ...Object.entries(keys)].flatMap(([name, key]) =>
  formsOf(key).map((text) => ({ name, text })),
);
/** A security code as a value: its digits may occur in numbers and ids. */
const cvvPattern = new RegExp(`(?:["'=]|cv[vc]2?\\W{1,6})${cvv}(?![\\w.-])`, 'i');

/** The rows of the tables are searched in one of so many histories. */
const searchedEvery = 10;

/** The secrets that a text has. */
type Find = (text: string) => string[];

function newSearch(cards: Iterable<string>): Find {
  const numbers = [...cards].flatMap((text) => formsOf(text).map((form) => ({ name: 'a card number', text: form })));
  const all = [...keyForms, ...numbers];
  return (text) => {
    const found = all.filter((each) => text.includes(each.text)).map(({ name }) => name);
    return cvvPattern.test(text) ? [...found, 'a security code'] : found;
  };
}

/** No secret is in the log, in a response, in a callback or in a row of any table. */
export async function checkSecrets(world: World) {
  const { base, logs, answers, cards, tries, report } = world;
  const find = newSearch(cards);
  const search = (place: string, texts: string[]) => {
    for (const name of new Set(texts.flatMap(find))) report(`${name} is in ${place}`);
  };
  search('the log', logs);
  search(
    'a response',
    answers.map(({ text }) => text),
  );
  search(
    'a callback',
    tries.map(({ url, headers, body }) => `${url} ${JSON.stringify(headers)} ${body}`),
  );
  // Reading all rows takes some milliseconds.
  if (world.seed % searchedEvery !== 0) return;
  const rows = await base.rows<{ place: string; text: string }>(await statementFor(base));
  for (const { place, text } of rows) search(`the table ${place}`, [text]);
}

const errorLevel = 50;

/** The log names every failure of the service. */
export function checkLogs({ logs, report }: World) {
  for (const line of logs)
    if (/cannot happen|TypeError|ReferenceError|syntax error/.test(line) || isFailure(line))
      report(`the log has ${line.slice(0, 600)}`);
}

/** Whether a job, a handler or work in the background failed for another reason than a lost connection to the database. */
function isFailure(line: string): boolean {
  if (!line.includes('"err":')) return false;
  const { level, err } = JSON.parse(line) as { level: number; err?: { message?: string } };
  return level >= errorLevel && err?.message !== lostConnection;
}

const statements = new WeakMap<Base, string>();

/** Reads every row of every table as text. */
async function statementFor(base: Base): Promise<string> {
  const known = statements.get(base);
  if (known) return known;
  const tables = await base.rows<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind = 'r'`,
  );
  const parts = tables.map(({ name }) => `select '${name}' as place, to_jsonb(t)::text as text from "${name}" t`);
  const statement = parts.join(' union all ');
  statements.set(base, statement);
  return statement;
}
