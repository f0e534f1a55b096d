// Labels of a MID's settings and values, in the form and in the list of changes.

import type { CredentialField, MidChoices, MidValues } from '../../../lib/dashboard/mids/contract';
import type { Option } from '../ui';

export const modeOptions: readonly Option[] = [
  { value: 'sms', label: 'SMS', help: 'Sale only' },
  { value: 'dms', label: 'DMS', help: 'Authorise now, capture later' },
  { value: 'sms_dms', label: 'SMS/DMS', help: 'The request decides' },
];

export const targetOptions: readonly Option[] = [
  { value: '', label: 'not set' },
  ...['_blank', '_self', '_parent', '_top'].map((value) => ({ value, label: value })),
];

export const refundOptions: readonly Option[] = [
  { value: 'api', label: 'Via API and dashboard', help: 'Refund requests are sent to the provider' },
  { value: 'portal', label: 'In the provider’s portal only', help: 'Refund requests are refused' },
  { value: 'none', label: 'Not supported', help: 'Refund requests are refused' },
];

export const lateOptions: readonly Option[] = [
  {
    value: 'void',
    label: 'Void',
    help: 'Refunded if the provider can no longer void; otherwise listed under Unresolved',
  },
  { value: 'refund', label: 'Refund', help: 'Listed under Unresolved if the provider refuses' },
  { value: 'task', label: 'Manual decision', help: 'Listed under Unresolved until it is closed' },
];

export const walletOptions: readonly Option[] = [
  { value: '', label: 'Connector default', help: 'The generic HTTP connector receives decrypted wallet cards.' },
  {
    value: 'decrypted',
    label: 'Card flow',
    help: 'Tokens are decrypted here; the provider gets the card and its cryptogram.',
  },
  { value: 'token', label: 'Virtual flow', help: 'The provider gets the wallet’s token and decrypts it.' },
  { value: 'none', label: 'No wallets', help: 'The MID accepts neither.' },
];

export const providerOptions: readonly Option[] = [
  { value: 'sandbox', label: 'Sandbox simulator', help: 'Simulates every outcome; no keys needed' },
  { value: 'own', label: 'External provider', help: 'At its own URL' },
];

const labels: Record<Exclude<keyof MidValues, 'credentials'>, string> = {
  name: 'Name',
  priority: 'Priority',
  paymentMode: 'Mode',
  currencies: 'Currencies',
  methods: 'Methods',
  operations: 'Operations',
  connector: 'Connector',
  provider: 'Provider',
  url: 'URL',
  apiKey: 'API key',
  signingSecret: 'Signing secret',
  timeoutSeconds: 'Provider timeout',
  cardOnFileSupport: 'card_on_file_support',
  zeroAmounts: 'Zero-amount verification',
  cardSets: 'Additional data sets',
  payerTextMax: 'Payer text length',
  overrideLinkTarget: 'Override Link Target',
  dailyLimit: 'Daily limit',
  monthlyLimit: 'Monthly limit',
  holdDays: 'Authorisations expire after',
  feePercent: 'Percentage',
  feeFixed: 'Fixed fee',
  feePayerBears: 'Surcharge',
  wallet: 'Wallets',
  refundSupport: 'Refunds',
  lateSuccess: 'Late approvals',
};

type Fields = MidChoices['credentials'];

/** The labels of all fields, including the methods' credentials. */
export function midLabels(credentials: Fields): Record<string, string> {
  const own = credentialNames(credentials).map(([method, { name }]) => [fieldOf(method, name), `${method} ${name}`]);
  return { ...labels, ...Object.fromEntries(own) };
}

/** The fields whose values are never shown. */
export function secretFields(credentials: Fields): string[] {
  const own = credentialNames(credentials).filter(([, { secret }]) => secret);
  return ['apiKey', 'signingSecret', ...own.map(([method, { name }]) => fieldOf(method, name))];
}

function credentialNames(credentials: Fields): [string, CredentialField][] {
  return Object.entries(credentials).flatMap(([method, fields]) =>
    fields.map((field): [string, CredentialField] => [method, field]),
  );
}

/** The form field of a method's credential. */
export function fieldOf(method: string, name: string): `credentials.${string}.${string}` {
  return `credentials.${method}.${name}`;
}

const labelIn = (options: readonly Option[]) => (value: unknown) =>
  options.find((option) => option.value === value)?.label ?? String(value);

const shownOfList = 6;

/** Long lists by their length and beginning; `all` is the text of an empty list. */
const listText = (all: string) => (value: unknown) => {
  const list = Array.isArray(value) ? value.map(String) : [];
  if (list.length === 0) return all;
  const begin = list.slice(0, shownOfList).join(', ');
  return list.length > shownOfList ? `${list.length}: ${begin} …` : begin;
};

/** How values are shown in the list of changes, if they are not clear by themselves. */
export const shownValues = {
  paymentMode: labelIn(modeOptions),
  overrideLinkTarget: labelIn(targetOptions),
  refundSupport: labelIn(refundOptions),
  lateSuccess: labelIn(lateOptions),
  wallet: labelIn(walletOptions),
  provider: labelIn(providerOptions),
  currencies: listText('all currencies'),
  operations: listText('all'),
  methods: listText('none'),
};
