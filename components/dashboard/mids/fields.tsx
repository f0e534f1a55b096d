// The form of a MID as data, the same for creating and changing.
import {
  limitCurrencyOf,
  type MidChoices,
  type MidPage,
  type MidValues,
  type StoredSecrets,
} from '../../../lib/dashboard/mids/contract.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { type Field, fieldsOf, listText, Note, optionsOf, type Section } from '../ui/index.ts';
import { Credentials } from './credentials.tsx';
import { otherLimits } from './limits.ts';

type Options = {
  choices: MidChoices;
  stored: StoredSecrets;
  /** For an existing MID: its recent volume, and the URL for the provider's notifications. */
  page?: Pick<MidPage, 'use' | 'notifyUrl'>;
  /** The second row: the merchant, which cannot be changed. */
  merchant: Field<MidValues & { merchantId: string }>;
};

type MidSection = Section<MidValues>;

const { text, count, amount, select, radio, toggle, chips, list, secret, own, section } = fieldsOf<MidValues>();

export function midSections({ choices, stored, page, merchant }: Options): MidSection[] {
  return [
    general(merchant as unknown as Field<MidValues>),
    mode(page?.use),
    methods(choices),
    connector(choices, stored, page?.notifyUrl),
    {
      id: 'credentials',
      title: 'Method credentials',
      about: ({ methods: chosen }) =>
        chosen.some((method) => choices.credentials[method])
          ? 'Additional credentials of single methods. They are sent to the provider with payments of their method only.'
          : 'None of the selected methods needs additional credentials.',
      children: <Credentials choices={choices} stored={stored} />,
    },
    cards(choices),
    links,
    limits,
    fees,
    wallets,
    refunds,
  ];
}

const general = (merchant: Field<MidValues>) =>
  section('general', 'General', [
    text('name', 'Name', {
      help: 'Internal name: shown in routing rules, routing logs and the overview.',
      maxLength: 100,
    }),
    merchant,
    count('priority', 'Priority', {
      help: 'Without a routing rule the lowest number is tried first, then the next after a soft decline.',
    }),
  ]);

const modeOptions = optionsOf(
  ['sms', 'SMS', 'Sale only'],
  ['dms', 'DMS', 'Authorise now, capture later'],
  ['sms_dms', 'SMS/DMS', 'The request decides'],
);

const mode = (use: MidPage['use'] | undefined) =>
  section('mode', 'Payment mode', [
    radio('paymentMode', 'Mode', {
      wide: true,
      help: 'How the MID handles purchases with and without an authorisation request.',
      options: modeOptions,
      note: ({ paymentMode }) => {
        const lost = paymentMode === 'dms' ? use?.sales : paymentMode === 'sms' ? use?.holds : 0;
        if (!lost) return null;
        return (
          <Note tone="warn">
            {lost.toLocaleString('en')} {paymentMode === 'dms' ? 'payments without' : 'authorisations with'}{' '}
            <code className="mono">auth</code> in the last 7 days. With {paymentMode === 'dms' ? 'DMS' : 'SMS'} they
            need another MID.
          </Note>
        );
      },
    }),
  ]);

const currencyOf = (text: string) => {
  const code = text.trim().toUpperCase();
  return /^[A-Z0-9]{3,6}$/.test(code) ? code : null;
};

const methods = (choices: MidChoices): MidSection => ({
  id: 'methods',
  title: 'Currencies and methods',
  short: 'Currencies, methods',
  fields: [
    chips('currencies', 'Currencies', {
      help: 'ISO 4217 or crypto codes. Empty accepts every currency; limits use the first one.',
      clean: currencyOf,
      placeholder: 'Add currency',
      show: listText('all currencies'),
    }),
    list('methods', 'Methods', {
      help: "The methods of the MID, by the contract's identifiers.",
      options: choices.methods.map(({ value, label, group }) => ({ value, label: value, help: label, group })),
      mono: true,
      tall: true,
      placeholder: 'Add method',
      show: listText('none'),
    }),
    list('operations', 'Operations', {
      help: 'Restrict the operations this MID may process.',
      options: choices.operations,
      none: 'All operations',
      placeholder: 'Add operation',
      show: listText('all'),
    }),
  ],
});

const isExternal = ({ provider }: MidValues) => provider === 'own';
const keyField = { size: 'middle', when: isExternal } as const;

const connector = (choices: MidChoices, stored: StoredSecrets, notifyUrl?: string): MidSection => ({
  id: 'connector',
  title: 'Connector',
  about: 'The connection to the provider and its credentials. They are encrypted and never shown again.',
  fields: [
    select('connector', 'Connector', { options: choices.connectors }),
    radio('provider', 'Provider', {
      wide: true,
      when: () => choices.sandbox,
      options: optionsOf(
        ['sandbox', 'Sandbox simulator', 'Simulates every outcome; no keys needed'],
        ['own', 'External provider', 'At its own URL'],
      ),
    }),
    text('url', 'URL', {
      type: 'url',
      mono: true,
      placeholder: 'https://provider.example/v1',
      when: isExternal,
      help: "Base URL of the provider's API. Re-enter the credentials when you change the host: they are never sent to another one.",
    }),
    secret('apiKey', 'API key', { ...keyField, stored: stored.apiKey ? 'Stored' : undefined }),
    secret('signingSecret', 'Signing secret', {
      ...keyField,
      stored: stored.signingSecret ? 'Stored' : undefined,
      help: 'Verifies that a notification comes from the provider.',
    }),
    count('timeoutSeconds', 'Provider timeout', {
      unit: 'seconds',
      help: 'After this the status is polled. Empty means 30 seconds.',
    }),
    ...(notifyUrl ? [notifications(notifyUrl)] : []),
  ],
});

/** Only shown: it is no value of the form. */
const notifications = (url: string) =>
  own('connector.notifyUrl', 'Notifications', {
    help: 'The URL to register with the provider, if required.',
    control: (
      <span className="flex min-h-8 items-center gap-2">
        <code className="min-w-0 font-mono text-xs break-all">{url}</code>
        <CopyButton text={url} what="notification URL" />
      </span>
    ),
  });

const cards = (choices: MidChoices) =>
  section('cards', 'Cards and tokens', [
    list('cardBrands', 'Card brands', {
      help: 'The payment page shows their marks. Cards of other brands use other MIDs.',
      options: choices.cardBrands,
      none: 'All brands',
      placeholder: 'Add brand',
      show: listText('all'),
    }),
    toggle('cardOnFileSupport', 'card_on_file_support', {
      code: true,
      text: 'Sends initiator and sequence with stored cards',
    }),
    toggle('zeroAmounts', 'Zero-amount verification', {
      text: 'Verifies cards with a zero amount (account verification)',
    }),
    list('cardSets', 'Additional data sets', {
      help: 'Sets of card data that the provider requires. Payments without one use other MIDs.',
      options: choices.cardSets,
      mono: true,
      none: 'None required',
      placeholder: 'Add data set',
    }),
    count('payerTextMax', 'Payer text length', {
      unit: 'characters',
      help: 'The maximum length of names and address lines, 10 to 255. Longer texts are shortened. Empty means 255.',
    }),
  ]);

const links = section('links', 'Payer links', [
  select('overrideLinkTarget', 'Override Link Target', {
    mono: true,
    size: 'short',
    options: optionsOf(['', 'not set'], '_blank', '_self', '_parent', '_top'),
    help: 'Overrides `url_target` and `term_url_target` of every request.',
  }),
]);

const limit = (name: 'dailyLimit' | 'monthlyLimit', label: string): Field<MidValues> =>
  amount(name, label, {
    unit: ({ currencies }) => limitCurrencyOf(currencies),
    help: (values) => otherLimits(values[name], values.currencies),
  });

const limits: MidSection = {
  id: 'limits',
  title: 'Limits',
  about: ({ currencies }) =>
    `Each currency is counted separately, from midnight UTC and from the first of the month. Entered in ${limitCurrencyOf(currencies)}; empty means no limit.`,
  fields: [
    limit('dailyLimit', 'Daily limit'),
    limit('monthlyLimit', 'Monthly limit'),
    count('holdDays', 'Authorisations expire after', {
      unit: 'days',
      help: 'Authorisations that are not captured by then are voided.',
    }),
  ],
};

const fees: MidSection = {
  id: 'fees',
  title: 'Fees',
  about: 'The fee of debits over S2S APM. Both parts are added; empty means none.',
  fields: [
    amount('feePercent', 'Percentage', { unit: '%' }),
    amount('feeFixed', 'Fixed fee', { help: 'In the currency of each payment.' }),
    toggle('feePayerBears', 'Surcharge', { text: 'Surcharge the payer: the fee is added to the order amount' }),
  ],
};

const wallets: MidSection = {
  id: 'wallets',
  title: 'Wallet card flow',
  about: 'What the MID accepts from Apple Pay and Google Pay.',
  fields: [
    radio('wallet', 'Wallets', {
      options: optionsOf(
        ['', 'Connector default', 'The generic HTTP connector receives decrypted wallet cards.'],
        ['decrypted', 'Card flow', 'Tokens are decrypted here; the provider gets the card and its cryptogram.'],
        ['token', 'Virtual flow', 'The provider gets the wallet’s token and decrypts it.'],
        ['none', 'No wallets', 'The MID accepts neither.'],
      ),
    }),
  ],
};

const refunds = section('refunds', 'Refunds', [
  radio('refundSupport', 'Refunds', {
    wide: true,
    options: optionsOf(
      ['api', 'Via API and dashboard', 'Refund requests are sent to the provider'],
      ['portal', 'In the provider’s portal only', 'Refund requests are refused'],
      ['none', 'Not supported', 'Refund requests are refused'],
    ),
  }),
  radio('lateSuccess', 'Late approvals', {
    wide: true,
    help: 'What happens if the provider approves an attempt after it was declined.',
    options: optionsOf(
      ['void', 'Void', 'Refunded if the provider can no longer void; otherwise listed under Unresolved'],
      ['refund', 'Refund', 'Listed under Unresolved if the provider refuses'],
      ['task', 'Manual decision', 'Listed under Unresolved until it is closed'],
    ),
  }),
]);
