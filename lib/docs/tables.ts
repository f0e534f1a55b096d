// The tables of the documentation that come from the code, as Markdown, so that they cannot say anything else than it does.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { groupDigits } from '../core/cards';
import { errorConditions } from '../core/error-conditions';
import { type ErrorKey, errors, fieldErrorTexts } from '../core/errors';
import { locales } from '../core/locales';
import {
  hasSetting,
  type MappingSetting,
  mappingProtocols,
  mappingSettings,
  moreRows,
  payerRows,
  protocolNames,
} from '../core/mapping-options';
import { type SandboxCard, sandboxCards } from '../core/sandbox-cards';
import { type Event, type State, states, transitions } from '../core/states';
import { actionHelp, actionRegistry, checkoutStatus, checks, s2sStatus } from '../protocols';
import { callbackTables } from './callback-tables';
import { tableOf } from './markdown-table';
import { methodTables } from './method-tables';
import { referenceTables } from './reference-tables';
import { signatureTables } from './signature-tables';

const code = (text: string) => `\`${text}\``;

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
  return tableOf(['Number', 'Date', 'What happens', 'Reason'], rows);
}

function errorTable(): string {
  const rows = Object.entries(errors) as [ErrorKey, (typeof errors)[ErrorKey]][];
  return tableOf(
    ['Code', 'HTTP', 'Message', 'When'],
    rows.map(([key, { code: number, http, message }]) => [
      code(String(number)),
      String(http),
      message,
      errorConditions[key],
    ]),
  );
}

const checkTable = () =>
  tableOf(
    ['', 'What is looked at', 'What is refused'],
    checks.map(({ name, refuses }, at) => [String(at + 1), name, refuses]),
  );

const fieldTexts: Record<keyof typeof fieldErrorTexts, string> = {
  blank: 'A required field is missing or empty.',
  positive: 'An amount is zero or negative where it must not be.',
  notValid: 'The type, the shape or the length is wrong.',
  notUrl: 'It is not an http or https address, or it cannot be reached where it has to be.',
  notChoice: 'It is none of the words that are possible here.',
};

const fieldTextTable = () =>
  tableOf(
    ['Text', 'When'],
    Object.entries(fieldTexts).map(([key, condition]) => [
      fieldErrorTexts[key as keyof typeof fieldErrorTexts],
      condition,
    ]),
  );

const stateMeanings: Record<State, string> = {
  prepare: 'The session is open, or an attempt is under way.',
  threeds: 'The payer is at the bank for 3-D Secure.',
  redirect: "The payer is at the provider's page.",
  pending: 'The money is held, or a bank has not answered yet.',
  settled: 'The money is taken.',
  declined: 'The attempt failed. Another one may follow while the session lasts.',
  refund: 'All of it was given back.',
  reversal: 'The held money was released, or a debit was taken back.',
  void: 'It was undone on the day of the payment.',
  chargeback: "The payer's bank took the money back.",
};

const stateTable = () =>
  tableOf(
    ['State', 'On Checkout', 'On S2S', 'Meaning'],
    states.map((state) => [
      code(checkoutStatus[state]),
      code(checkoutStatus[state]),
      code(s2sStatus[state]),
      stateMeanings[state],
    ]),
  );

const eventMeanings: Record<Event, string> = {
  challenge: 'the bank asks for 3-D Secure',
  redirect: 'the provider asks for the payer',
  hold: 'the money was held',
  await: 'the payer or their bank has yet to act elsewhere',
  settle: 'the money was taken',
  decline: 'the attempt was declined',
  capture: 'the held money was captured',
  release: 'the held money was released',
  expire: 'the hold ran out',
  refund: 'all that was left was refunded',
  refundPart: 'a part was refunded',
  void: 'the payment was voided',
  reverse: 'a debit was taken back',
  chargeback: 'the payer disputed the payment',
  win: 'the last open dispute was won',
  winRefunded: 'the last open dispute was won; the payment had been refunded',
  winVoided: 'the last open dispute was won; the payment had been voided',
  winReversed: 'the last open dispute was won; the debit had been taken back',
  retry: 'another attempt begins',
};

function moveTable(): string {
  const rows = states.flatMap((from) =>
    (Object.entries(transitions[from]) as [Event, State][]).map(([event, to]) => [
      code(checkoutStatus[from]),
      eventMeanings[event],
      code(checkoutStatus[to]),
    ]),
  );
  return tableOf(['From', 'When', 'To'], rows);
}

const languageTable = () =>
  tableOf(
    ['Code', 'Language', 'As browsers name it', 'Direction'],
    locales.map(({ code: name, name: own, bcp47, dir }) => [
      code(name),
      own,
      code(bcp47),
      dir === 'rtl' ? 'from right to left' : 'from left to right',
    ]),
  );

function mappingFieldTable(): string {
  const words = { open: 'by choice', always: 'always', never: '' };
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

const settingMeanings: Record<MappingSetting, string> = {
  enabled: 'Whether requests of this protocol are taken. Off: 204002.',
  digest: 'MD5 or SHA-256, in every hash of this protocol; inputs and order stay.',
  orderIdReuse:
    'Whether an order number that has a payment may come again: never, after failed payments (the default), or always.',
  maximumDeclines: 'After so many declines the payer is sent to `cancel_url`.',
  defaultLanguage: "The language of pages where the request names none. Without it the payer's browser decides.",
  redirectParameters: 'Adds `payment_method` and `brand` to the query of return addresses.',
  defaultNotificationUrl: 'Where callbacks go when a request names no address.',
  uppercase:
    'Whether the hashes of callbacks and return addresses uppercase a to z alone (`ascii`, the default) or every letter (`unicode`). Requests are accepted with either.',
  reversalWord:
    'What the release of an authorisation is called in answers and callbacks: `reversal` (the default) or `void`.',
  frameBySuccessUrl: 'Whether the origin of `success_url` may frame the payment page. On by default.',
  ipAllowlist: 'The addresses that requests may come from, each or by range. Empty: everybody.',
  openPayouts:
    'Whether payouts are taken over their hash alone. Off: only with `X-Florin-Signature` or where the mapping has an IP allowlist.',
  signedRequests: 'Whether requests need the header `X-Florin-Signature` beside their hash.',
  scheduleRetries: 'How often a scheduled charge that was declined softly is tried again.',
  scheduleRetryHours: 'How far apart these tries are.',
  missedSlots:
    'Which scheduled charges are made of those that an outage of the service missed: `one`, the latest (the default), `all`, or `none`.',
  cascadeLimit: 'How many merchant accounts one payment may be tried at.',
  dailyLimitMinor: "The turnover of a UTC day, in the currency's smallest unit. Beyond: 204008.",
  weeklyLimitMinor: "The turnover of a week, in the currency's smallest unit. Beyond: 204015.",
};

const mappingSettingTable = () =>
  tableOf(
    ['Setting', 'Protocols', 'Meaning'],
    mappingSettings.map((setting) => [
      code(setting),
      mappingProtocols
        .filter((protocol) => hasSetting(protocol, setting))
        .map((protocol) => protocolNames[protocol])
        .join(', '),
      settingMeanings[setting],
    ]),
  );

const protocolOrder = { checkout: 'Checkout', s2s_card: 'S2S CARD', s2s_apm: 'S2S APM' };

const actionTable = () =>
  tableOf(
    ['Protocol', 'Action', 'What it does'],
    actionRegistry.map(({ protocol, action, method }) => [
      protocolOrder[protocol],
      protocol === 'checkout' ? code(`${method} ${action}`) : code(action),
      actionHelp[action] ?? '',
    ]),
  );

// The file is written for people who copy it: a comment, then the variable that it explains.
function settingTable(): string {
  const rows: string[][] = [];
  let comment: string[] = [];
  for (const line of readFileSync(join(process.cwd(), '.env.example'), 'utf8').split('\n')) {
    const [, name, value = ''] = /^#?([A-Z][A-Z0-9_]+)=(.*)$/.exec(line) ?? [];
    if (name !== undefined) rows.push([code(name), value === '' ? '' : code(value), comment.join(' ')]);
    else if (line.startsWith('# ')) comment.push(line.slice(2).trim());
    else comment = [];
  }
  return tableOf(['Variable', 'Default or example', 'What it does'], rows);
}

/** By the names that the texts call them by. */
export const tables: Readonly<Record<string, () => string>> = {
  'sandbox-cards': sandboxCardTable,
  errors: errorTable,
  checks: checkTable,
  'field-texts': fieldTextTable,
  states: stateTable,
  moves: moveTable,
  languages: languageTable,
  'mapping-fields': mappingFieldTable,
  'mapping-settings': mappingSettingTable,
  actions: actionTable,
  settings: settingTable,
  ...methodTables,
  ...callbackTables,
  ...signatureTables,
  ...referenceTables,
};
