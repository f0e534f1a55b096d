// Generates the tables of the documentation from code, as Markdown.
import { groupDigits } from '../core/cards';
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
import { actionHelp, actionRegistry, checkoutStatus, s2sStatus } from '../protocols';
import { callbackTables } from './callback-tables';
import { errorTables } from './error-tables';
import { tableOf } from './markdown-table';
import { methodTables } from './method-tables';
import { metricTable } from './metric-table';
import { fileText } from './page-source';
import { referenceTables } from './reference-tables';
import { environmentTables } from './setting-tables';
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
  return tableOf(['Number', 'Expiry', 'Outcome', 'Decline reason (class)'], rows);
}

const stateMeanings: Record<State, string> = {
  prepare: 'The session is open, or an attempt is in progress.',
  threeds: 'The payer is authenticating with 3-D Secure.',
  redirect: "The payer is on the provider's page.",
  pending: 'The amount is authorised, or the outcome is not known yet.',
  settled: 'The payment is captured.',
  declined: 'The attempt failed. Another attempt may follow while the session is open.',
  refund: 'The whole amount is refunded.',
  reversal: 'The authorisation is voided, or a debit is reversed.',
  void: 'The payment is voided on the day it was made.',
  chargeback: "The payer's bank has charged the payment back.",
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
  challenge: 'the issuer requires 3-D Secure',
  redirect: 'the provider requires a redirect of the payer',
  hold: 'the payment is authorised',
  await: 'the payer or their bank must act elsewhere',
  settle: 'the payment is captured at once',
  decline: 'the attempt is declined',
  capture: 'the authorisation is captured',
  release: 'the authorisation is voided',
  expire: 'the authorisation expires',
  refund: 'the remaining amount is refunded',
  refundPart: 'a part is refunded',
  void: 'the payment is voided',
  reverse: 'a debit is reversed',
  chargeback: 'the payer disputes the payment',
  win: 'the last open dispute is won',
  winRefunded: 'the last open dispute is won; the payment was refunded',
  winVoided: 'the last open dispute is won; the payment was voided',
  winReversed: 'the last open dispute is won; the debit was reversed',
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

const settingMeanings: Record<MappingSetting, string> = {
  enabled: 'Whether requests of this protocol are accepted. If not, they get 204002.',
  digest: 'MD5 or SHA-256 for every hash of this protocol. The signed values and their order stay the same.',
  orderIdReuse: 'Whether an order number can be used again: never, after failed payments (the default), or always.',
  maximumDeclines: 'The number of declines after which the payer is redirected to `cancel_url`.',
  defaultLanguage: "The language of the payment page if the request has none. Without it the payer's browser decides.",
  redirectParameters: 'Adds `payment_method` and `brand` to the query of return addresses.',
  defaultNotificationUrl: 'The address of callbacks if the request has none.',
  uppercase:
    'Which letters the hashes of callbacks and return addresses uppercase: a to z (`ascii`, the default) or every letter (`unicode`). Requests are accepted with either.',
  reversalWord: 'The status of a voided authorisation in responses and callbacks: `reversal` (the default) or `void`.',
  frameBySuccessUrl: 'Whether a page of the origin of `success_url` may frame the payment page. On by default.',
  ipAllowlist: 'The IP addresses and ranges that requests may come from. Empty: any address.',
  openPayouts:
    'Whether payouts are accepted with their hash alone. Off: only with `X-Florin-Signature` or with an IP allowlist.',
  signedRequests: 'Whether requests need the header `X-Florin-Signature` in addition to their hash.',
  scheduleRetries: 'How many times a scheduled charge is retried after a soft decline.',
  scheduleRetryHours: 'The hours between these retries.',
  missedSlots:
    'Which scheduled charges are made up for after an outage: `one`, the latest (the default), `all`, or `none`.',
  cascadeLimit: 'The maximum number of MIDs that one payment is tried at.',
  dailyLimitMinor: "The turnover of a UTC day in the currency's smallest unit. Payments over it get 204008.",
  weeklyLimitMinor: "The turnover of a week in the currency's smallest unit. Payments over it get 204015.",
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

/** The terms of docs/glossary.md, without the names and phrases that the check of the code refuses. */
function glossary(): string {
  const [, terms = ''] = /^(## .*?)(?=^## Words that are not used)/ms.exec(fileText('docs/glossary.md')) ?? [];
  return terms.trimEnd();
}

const changelog = () => fileText('CHANGELOG.md').replace(/^# .*\n+/, '');

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
  ...environmentTables,
  ...errorTables,
  ...methodTables,
  ...callbackTables,
  ...signatureTables,
  ...referenceTables,
};
