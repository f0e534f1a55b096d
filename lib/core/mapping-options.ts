/**
 * The options of a protocol mapping for each of the three protocols. The dashboard renders this table and its server
 * validates by it (contract, Resources and Events 4 to 7). Settings without effect on a protocol are not offered.
 */

import type { Protocol } from './payment.ts';

export type MappingProtocol = Protocol;

/** The displayed names of the protocols. */
export const protocolNames: Readonly<Record<MappingProtocol, string>> = {
  checkout: 'Checkout',
  s2s_card: 'S2S CARD',
  s2s_apm: 'S2S APM',
};

/** The protocols in display order. */
export const mappingProtocols = Object.keys(protocolNames) as MappingProtocol[];

/** Where a field can apply: required from the payer, sent in callbacks, returned in status responses. */
export type FieldPlace = 'required' | 'callback' | 'status';

/** `open`: configurable. `always`: the protocol always includes it. `never`: the protocol does not support it. */
export type FieldState = 'open' | 'always' | 'never';

/** A row of the matrix: one field, or several that are configured together. */
export type FieldRow = { id: string; names: readonly string[]; places: Readonly<Record<FieldPlace, FieldState>> };

/** The payer's fields by their wire names, in the order of the matrix. */
export const payerFields = [
  'payer_first_name',
  'payer_last_name',
  'payer_birth_date',
  'payer_email',
  'payer_phone',
  'payer_phone_country_code',
  'payer_address',
  'payer_address2',
  'payer_house_number',
  'payer_country',
  'payer_state',
  'payer_city',
  'payer_district',
  'payer_zip',
  'payer_ip',
] as const;

/** Fields that the protocol always requires, independent of the mapping. */
const alwaysRequired: Readonly<Record<MappingProtocol, readonly string[]>> = {
  checkout: [],
  s2s_card: ['payer_first_name', 'payer_last_name', 'payer_email', 'payer_phone', 'payer_ip'],
  s2s_apm: ['payer_ip'],
};

/** Fields that the payment page cannot ask for. */
const neverAsked = ['payer_address2', 'payer_phone_country_code', 'payer_ip'];

/** The results of 3-D Secure by their wire names. */
export const threeDSFields = [
  'threeDSServerTransID',
  'dsTransID',
  'acsTransID',
  'xid',
  'transStatus',
  'transStatusReason',
  'eci',
  'protocolVersion',
  'authenticationFlow',
];

/** The payer's browser by its wire names. */
export const browserFields = [
  'browser_color_depth',
  'browser_screen_height',
  'browser_screen_width',
  'browser_java_enabled',
  'browser_javascript_enabled',
  'browser_language',
  'browser_timezone_offset',
  'browser_user_agent',
  'browser_accept_headers',
  'browser_platform',
];

type More = { id: string; names: readonly string[]; callback: FieldState; status: FieldState; cardsOnly?: true };

const moreFields: readonly More[] = [
  { id: 'card', names: ['card', 'card_expiration_date'], callback: 'always', status: 'open', cardsOnly: true },
  { id: 'brand', names: ['brand'], callback: 'open', status: 'open' },
  { id: 'checkout_payment_method', names: ['checkout_payment_method'], callback: 'open', status: 'never' },
  { id: 'RRN', names: ['RRN'], callback: 'open', status: 'never' },
  { id: 'ARN', names: ['ARN'], callback: 'open', status: 'open', cardsOnly: true },
  { id: 'origin', names: ['initiator', 'source', 'sequence'], callback: 'open', status: 'open', cardsOnly: true },
  { id: 'threeDS', names: threeDSFields, callback: 'open', status: 'never', cardsOnly: true },
  { id: 'browser', names: browserFields, callback: 'open', status: 'never', cardsOnly: true },
  { id: 'extended_data', names: ['extended_data'], callback: 'open', status: 'never' },
];

/** The rows of the matrix for the payer's fields, in order. */
export function payerRows(protocol: MappingProtocol): FieldRow[] {
  return payerFields.map((name) => {
    const hidden = protocol === 'checkout' && neverAsked.includes(name);
    const required = alwaysRequired[protocol].includes(name) ? 'always' : hidden ? 'never' : 'open';
    return { id: name, names: [name], places: { required, callback: 'open', status: 'open' } };
  });
}

/** The rows of the matrix for all other fields of callbacks and status responses. */
export function moreRows(protocol: MappingProtocol): FieldRow[] {
  return moreFields
    .filter(({ cardsOnly }) => !cardsOnly || protocol !== 's2s_apm')
    .map(({ id, names, callback, status }) => ({ id, names, places: { required: 'never', callback, status } }));
}

/** The configurable names for a place of a protocol, in the order of the matrix. */
export function configurableNames(protocol: MappingProtocol, place: FieldPlace): string[] {
  return [...payerRows(protocol), ...moreRows(protocol)]
    .filter(({ places }) => places[place] === 'open')
    .flatMap(({ names }) => names);
}

/** The settings outside the matrix: those of hosted pages for Checkout, of schedules for the two card protocols. */
export const mappingSettings = [
  'enabled',
  'digest',
  'orderIdReuse',
  'maximumDeclines',
  'defaultLanguage',
  'redirectParameters',
  'offerSavingCards',
  'pendingUrl',
  'defaultNotificationUrl',
  'uppercase',
  'reversalWord',
  'frameBySuccessUrl',
  'ipAllowlist',
  'signedRequests',
  'openPayouts',
  'scheduleRetries',
  'scheduleRetryHours',
  'missedSlots',
  'cascadeLimit',
  'dailyLimitMinor',
  'weeklyLimitMinor',
] as const;

export type MappingSetting = (typeof mappingSettings)[number];

/** The settings of hosted pages. */
const pageSettings = [
  ...(['maximumDeclines', 'redirectParameters', 'offerSavingCards', 'pendingUrl'] as const),
  ...(['reversalWord', 'frameBySuccessUrl'] as const),
];

const missingSettings: Readonly<Record<MappingProtocol, readonly MappingSetting[]>> = {
  checkout: [],
  s2s_card: pageSettings,
  s2s_apm: [...pageSettings, 'scheduleRetries', 'scheduleRetryHours', 'missedSlots'],
};

/** Whether a protocol has a setting. */
export function hasSetting(protocol: MappingProtocol, setting: MappingSetting): boolean {
  return !missingSettings[protocol].includes(setting);
}

/** Which charges that an outage missed are made later. */
export const missedSlotOptions = ['one', 'all', 'none'] as const;
export type MissedSlots = (typeof missedSlotOptions)[number];

/** The limits of each number, inclusive. */
export const mappingBounds = {
  maximumDeclines: { least: 1, most: 99 },
  scheduleRetries: { least: 0, most: 15 },
  scheduleRetryHours: { least: 1, most: 168 },
  cascadeLimit: { least: 1, most: 10 },
  ipAllowlist: { most: 200 },
} as const;
