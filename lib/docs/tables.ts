// Generates the tables of the documentation from code, as Markdown: environment variables from .env.example and their
// validation, signatures as formulas and test vectors from the recipes that verify requests.
import { EnvError, readEnv } from '../config/index.ts';
import { groupDigits } from '../core/cards.ts';
import { locales } from '../core/locales.ts';
import {
  hasSetting,
  mappingProtocols,
  mappingSettings,
  moreRows,
  payerRows,
  protocolNames,
} from '../core/mapping-options.ts';
import { type DocumentName, documentNames } from '../core/openapi.ts';
import { type SandboxCard, sandboxCards } from '../core/sandbox-cards.ts';
import { layOut, type RecipeName, recipes, type SignatureValues, sign, signedBytes } from '../core/signatures.ts';
import { type Event, type State, states, transitions } from '../core/states.ts';
import { documentOf, formulaText } from '../openapi/index.ts';
import { actionHelp, actionRegistry, checkoutStatus, type RegisteredAction, s2sStatus } from '../protocols/index.ts';
import { metrics } from '../telemetry/index.ts';
import { errorTables } from './error-tables.ts';
import { code, tableOf, textsOf } from './markdown-table.ts';
import { methodTables } from './method-tables.ts';
import { fileText } from './pages.ts';
import { snake } from './samples/sample.ts';
import { givenWords, linesOf, operationSlug, schemaAt } from './schema-description.ts';

function sandboxCardTable(): string {
  const declineOf = ({ decline, follow }: SandboxCard) => {
    const shown = decline ?? follow?.capture ?? follow?.refund ?? follow?.void;
    return shown ? `${shown.reason} (${shown.class})` : '';
  };
  const rows = sandboxCards.map((card) => [
    code(groupDigits(card.number)),
    card.expiry ? code(card.expiry) : 'any',
    card.name,
    declineOf(card),
  ]);
  return tableOf(['Number', 'Expiry', 'Outcome', 'Decline reason (class)'], rows);
}

function stateTable(): string {
  const meanings = textsOf('States', states);
  const rows = states.map((state) => {
    const name = code(checkoutStatus[state]);
    return [name, name, code(s2sStatus[state]), meanings[state]];
  });
  return tableOf(['State', 'On Checkout', 'On S2S', 'Meaning'], rows);
}

function moveTable(): string {
  const moves = states.flatMap((from) =>
    (Object.entries(transitions[from]) as [Event, State][]).map(([event, to]) => ({ from, event, to })),
  );
  const meanings = textsOf('Events', [...new Set(moves.map(({ event }) => event))]);
  const rows = moves.map(({ from, event, to }) => [
    ...[code(checkoutStatus[from]), meanings[event], code(checkoutStatus[to])],
  ]);
  return tableOf(['From', 'When', 'To'], rows);
}

const languageTable = () =>
  tableOf(
    ['Code', 'Language', 'BCP 47 tag', 'Direction'],
    locales.map(({ code: name, name: own, bcp47, dir }) => [
      code(name),
      own,
      code(bcp47),
      dir === 'rtl' ? 'right to left' : 'left to right',
    ]),
  );

function mappingFieldTable(): string {
  const words = { open: 'optional', always: 'always', never: '' };
  const names = new Map<string, string[]>();
  for (const protocol of mappingProtocols) {
    for (const row of [...payerRows(protocol), ...moreRows(protocol)]) {
      const cells = [words[row.places.required], words[row.places.callback], words[row.places.status]];
      const key = [row.names.map(code).join(', '), ...cells].join('|');
      names.set(key, [...(names.get(key) ?? []), protocolNames[protocol]]);
    }
  }
  const rows = [...names].map(([key, protocols]) => {
    const [fields = '', required = '', callback = '', status = ''] = key.split('|');
    return [fields, protocols.join(', '), required, callback, status];
  });
  return tableOf(['Fields', 'Protocols', 'Required', 'In callbacks', 'In status'], rows);
}

function mappingSettingTable(): string {
  const meanings = textsOf('Settings of a protocol mapping', mappingSettings);
  const rows = mappingSettings.map((setting) => {
    const protocols = mappingProtocols.filter((protocol) => hasSetting(protocol, setting));
    return [code(setting), protocols.map((protocol) => protocolNames[protocol]).join(', '), meanings[setting]];
  });
  return tableOf(['Setting', 'Protocols', 'Meaning'], rows);
}

const actionTable = () =>
  tableOf(
    ['Protocol', 'Action', 'What it does'],
    actionRegistry.map(({ protocol, action, method }) => [
      protocolNames[protocol],
      protocol === 'checkout' ? code(`${method} ${action}`) : code(action),
      actionHelp[action] ?? '',
    ]),
  );

/** The terms of docs/glossary.md, without the names and phrases that the check of the code refuses. */
function glossary(): string {
  const [, terms = ''] = /^(## .*?)(?=^## Words that are not used)/ms.exec(fileText('docs/glossary.md')) ?? [];
  return terms.trimEnd();
}

const changelog = () => fileText('CHANGELOG.md').replace(/^# .*\n+/, '');

/** Florin's own metrics; the text of the page lists those of the Node process. */
function metricTable(): string {
  const own = Object.values<unknown>(metrics).filter(isMetric);
  return tableOf(
    ['Name', 'Type', 'Labels', 'Meaning'],
    own.map((metric) => [
      code(metric.name),
      metric.constructor.name.toLowerCase(),
      metric.labelNames.map(code).join(' '),
      `${metric.help}.`,
    ]),
  );
}

type Metric = { name: string; help: string; labelNames: readonly string[] };

const isMetric = (value: unknown): value is Metric =>
  typeof value === 'object' && value !== null && 'help' in value && 'labelNames' in value;

/** Fields with the same description share a row. The fields that a mapping enables are in its own table. */
function callbackTable(name: DocumentName): string {
  const { webhooks, components } = documentOf(name);
  const rows = new Map<string, string[]>();
  for (const line of linesOf(schemaAt(components.schemas, webhooks.callback.post['x-callback'].body))) {
    const { path, need, description, isSwitched } = line;
    const words = path === 'hash' ? 'The signature' : description.replace(/\.$/, '');
    const key = [givenWords[need], words].join('|');
    if (!isSwitched) rows.set(key, [...(rows.get(key) ?? []), code(path)]);
  }
  const cells = [...rows].map(([key, fields]) => [fields.join(', '), ...key.split('|')]);
  return tableOf(['Field', 'There', 'Meaning'], cells);
}

function operationIndex(): string {
  const parts = documentNames.map((name) => {
    const protocol = name.replace('-', '_') as RegisteredAction['protocol'];
    const title = protocolNames[protocol];
    const rows = actionRegistry
      .filter((each) => each.protocol === protocol)
      .map(({ action }) => {
        const operation = action.replace('/api/v1/', '');
        const address = `/docs/reference/${name}/${operationSlug(operation)}`;
        return [`[\`${operation}\`](${address})`, actionHelp[action] ?? ''];
      });
    rows.push([`[callbacks](/docs/reference/${name}/callbacks)`, 'The notification of a change to your server.']);
    return `## ${title}\n\nOverview: [${title} reference](/docs/reference/${name}).\n\n${tableOf(['Operation', 'What it does'], rows)}`;
  });
  return parts.join('\n\n');
}

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

function settingTables(): string {
  return settingGroups()
    .map(({ title, settings }) => {
      const rows = settings.map(({ name, example, about }) => {
        return [code(name), example === '' ? '' : code(example), valuesOf(name), about];
      });
      return `## ${title}\n\n${tableOf(['Variable', 'Default or example', 'Value', 'Meaning'], rows)}`;
    })
    .join('\n\n');
}

const values: Required<SignatureValues> = {
  password: '13a4822c5907ed235f3a068c76184fc3',
  payerEmail: 'doe@example.com',
  fragment: '4111111111',
  cardToken: '5f2c9a1e',
  transId: '0199d0f4-7c11-7c7e-9a52-0d6f5a1e2b3c',
  paymentId: '0199d0f4-1111-7c7e-9a52-0d6f5a1e2b3c',
  scheduleId: '0199d0f4-2222-7c7e-9a52-0d6f5a1e2b3c',
  orderId: 'order-1',
  amount: '84.50',
  currency: 'EUR',
  description: 'Two coffee cups',
  identifier: 'success@gmail.com',
  status: 'SETTLED',
  recurringInitTransId: '0199d0f4-3333-7c7e-9a52-0d6f5a1e2b3c',
  recurringToken: '0199d0f4-4444-7c7e-9a52-0d6f5a1e2b3c',
  fields: { action: 'SALE', custom_data: { basket: '7' }, order_id: 'order-1', status: 'SETTLED' },
};

/** The field of a value: `payer_email` of `payerEmail`. */
const fieldNameOf = (name: string) =>
  ({ fragment: 'card', orderId: 'order number' })[name] ?? snake(name.replace(/^fields\./, ''));

/** The formula of a recipe: `sha1(md5(upper(order number . amount)))`. */
const formulaOf = (recipe: RecipeName) => formulaText(layOut(recipe, values), ({ name }) => fieldNameOf(name), ' . ');

const all = Object.keys(recipes) as RecipeName[];
const useOf = (recipe: RecipeName) => textsOf('Uses of signatures', all)[recipe];

function tableFor(chosen: RecipeName[]): string {
  const rows = chosen.map((recipe) => [useOf(recipe), code(formulaOf(recipe))]);
  return tableOf(['For', 'Formula'], rows);
}

function vectorsFor(chosen: RecipeName[]): string {
  const rows = chosen.map((recipe) => [
    useOf(recipe),
    code(signedBytes(layOut(recipe, values)).toString('utf8')),
    code(sign(recipe, values, { digest: 'md5' })),
    code(sign(recipe, values, { digest: 'sha256' })),
  ]);
  return tableOf(['For', 'The text that is digested', 'With MD5', 'With SHA-256'], rows);
}

const ofCard = all.filter((name) => /^card\d/.test(name));
const ofApm = all.filter((name) => name.startsWith('apm'));
const ofCheckout = all.filter((name) => !ofCard.includes(name) && !ofApm.includes(name));

function vectorValues(): string {
  const { fields: _nested, ...texts } = values;
  const rows = Object.entries(texts).map(([name, text]) => [fieldNameOf(name), code(text)]);
  return tableOf(['Value', 'In the examples'], rows);
}

/** By the names that templates use. */
export const tables: Readonly<Record<string, () => string>> = {
  'sandbox-cards': sandboxCardTable,
  states: stateTable,
  moves: moveTable,
  languages: languageTable,
  'mapping-fields': mappingFieldTable,
  'mapping-settings': mappingSettingTable,
  actions: actionTable,
  changelog,
  glossary,
  metrics: metricTable,
  settings: settingTables,
  ...errorTables,
  ...methodTables,
  'callback-checkout': () => callbackTable('checkout'),
  'callback-card': () => callbackTable('s2s-card'),
  'callback-apm': () => callbackTable('s2s-apm'),
  operations: operationIndex,
  'signatures-checkout': () => tableFor(ofCheckout),
  'signatures-card': () => tableFor(ofCard),
  'signatures-apm': () => tableFor(ofApm),
  'vectors-checkout': () => vectorsFor(ofCheckout),
  'vectors-card': () => vectorsFor(ofCard),
  'vectors-apm': () => vectorsFor(ofApm),
  'vector-values': vectorValues,
};
