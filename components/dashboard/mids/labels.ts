// How the settings of an account are called and read, in the form and in the difference before saving.

import type { CredentialField, MidChoices, MidValues, PaymentMode } from '../../../lib/dashboard/mids/contract';
import type { Option } from '../ui';

export const modeNames: Readonly<Record<PaymentMode, string>> = { sms: 'SMS', dms: 'DMS', sms_dms: 'SMS/DMS' };

export const modeOptions: readonly Option[] = [
  { value: 'sms', label: 'SMS', help: 'Sale only' },
  { value: 'dms', label: 'DMS', help: 'Hold now, capture later' },
  { value: 'sms_dms', label: 'SMS/DMS', help: 'The request decides' },
];

export const targetOptions: readonly Option[] = [
  { value: '', label: 'not set' },
  ...['_blank', '_self', '_parent', '_top'].map((value) => ({ value, label: value })),
];

export const refundOptions: readonly Option[] = [
  { value: 'api', label: 'Here', help: 'Over the API and in the dashboard' },
  { value: 'portal', label: 'In the portal', help: 'The provider’s own; requests are refused' },
  { value: 'none', label: 'Not at all', help: 'Requests are refused' },
];

export const lateOptions: readonly Option[] = [
  { value: 'void', label: 'Void', help: 'Refunded where the provider no longer voids; else a task for a person' },
  { value: 'refund', label: 'Refund', help: 'A task for a person where the provider refuses' },
  { value: 'task', label: 'Ask a person', help: 'Listed under Unresolved until it is closed' },
];

export const walletOptions: readonly Option[] = [
  { value: '', label: 'As the connector says', help: 'The open provider contract takes cards out of wallets.' },
  {
    value: 'decrypted',
    label: 'Card flow',
    help: 'Tokens are opened here; the account gets the card and its cryptogram.',
  },
  { value: 'token', label: 'Virtual flow', help: 'The account gets the wallet’s own token and opens it itself.' },
  { value: 'none', label: 'No wallets', help: 'The account takes neither.' },
];

export const providerOptions: readonly Option[] = [
  { value: 'sandbox', label: 'The sandbox’s own', help: 'Plays every outcome; no keys needed' },
  { value: 'own', label: 'Another', help: 'At an address of its own' },
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
  url: 'Address',
  apiKey: 'API key',
  signingSecret: 'Signing secret',
  timeoutSeconds: 'Longest call',
  cardOnFileSupport: 'card_on_file_support',
  zeroAmounts: 'Zero amounts',
  cardSets: 'Parameter sets',
  payerTextMax: 'Payer texts',
  overrideLinkTarget: 'Override Link Target',
  dailyLimit: 'Daily limit',
  monthlyLimit: 'Monthly limit',
  holdDays: 'Authorisations expire after',
  feePercent: 'Percentage',
  feeFixed: 'Fixed part',
  feePayerBears: 'Borne by the payer',
  wallet: 'Wallets',
  refundSupport: 'Refunds',
  lateSuccess: 'Late approvals',
};

type Fields = MidChoices['credentials'];

/** The names of all fields, those of the methods' credentials among them. */
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

/** The field of the form that holds a method's credential. */
export function fieldOf(method: string, name: string): `credentials.${string}.${string}` {
  return `credentials.${method}.${name}`;
}

const labelIn = (options: readonly Option[]) => (value: unknown) =>
  options.find((option) => option.value === value)?.label ?? String(value);

const shownOfList = 6;

/** Long lists by how many they are and how they begin; `all` is what an empty one means. */
const listText = (all: string) => (value: unknown) => {
  const list = Array.isArray(value) ? value.map(String) : [];
  if (list.length === 0) return all;
  const begin = list.slice(0, shownOfList).join(', ');
  return list.length > shownOfList ? `${list.length}: ${begin} …` : begin;
};

/** How values read in the difference, where they say little by themselves. */
export const shownValues = {
  paymentMode: labelIn(modeOptions),
  overrideLinkTarget: labelIn(targetOptions),
  refundSupport: labelIn(refundOptions),
  lateSuccess: labelIn(lateOptions),
  wallet: labelIn(walletOptions),
  provider: labelIn(providerOptions),
  currencies: listText('every currency'),
  operations: listText('all'),
  methods: listText('none'),
};
