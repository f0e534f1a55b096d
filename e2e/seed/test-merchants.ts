// The merchants of the end-to-end tests: one per special configuration, so that parallel tests do not change each
// other's settings.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { browserFields, payerFields, threeDSFields } from '../../lib/core/mapping-options.ts';
import { methods } from '../../lib/methods/catalog.ts';
import type { Prisma } from '../../lib/prisma/client.ts';
import { operations, type SeededMerchant } from '../../prisma/seed/merchants.ts';

type TestMid = SeededMerchant['mids'][number];
type TestWallet = NonNullable<SeededMerchant['wallets']>[number];
type TestMapping = Omit<SeededMerchant['mappings'][number], 'rules'> & {
  /** The letters of targets are the MIDs in order. */
  rules?: { name: string; conditions: Prisma.InputJsonObject; targets: { [letter: string]: number } }[];
};

type Differences = {
  merchant?: Partial<SeededMerchant['merchant']>;
  mid?: Partial<TestMid>;
  /** Several MIDs, A first, each with a separate account at the provider. */
  mids?: Partial<TestMid>[];
  mapping?: Partial<TestMapping>;
  /** The wallets without ids. */
  wallets?: Omit<TestWallet, 'id'>[];
  /** The key expired long ago. */
  oldKey?: true;
};

/** Ids, key and password of merchant `number` follow a pattern, which e2e/support/merchants.ts repeats. */
export function merchant(number: number, name: string, differences: Differences = {}): SeededMerchant {
  const tail = String(number).padStart(8, '0');
  const id = (part: string) => `7e57${part}-0000-4000-8000-0000${tail}`;
  const hex = number.toString(16).padStart(4, '0');
  const key = (id: string, environment: 'sandbox' | 'production', letter: string) => ({
    id,
    environment,
    key: `7e57${letter}${letter}${letter}${letter}-${hex}-4000-9000-0000${tail}`,
    password: `${letter}ec2e7${hex}f1o21n${tail}pa55wo2d`,
    ...(differences.oldKey && { validUntil: new Date('2020-01-01T00:00:00Z') }),
  });
  return {
    merchant: { id: id('0001'), name: `Test ${name}`, ...differences.merchant },
    keys: [key(id('0002'), 'sandbox', 'a'), key(id('0003'), 'production', 'b')],
    mids: differences.mids
      ? differences.mids.map((mid, place) => midOf(number, name, place, mid))
      : [{ id: id('0004'), name: `${name} MID`, methods: ['card'], operations, ...differences.mid }],
    mappings: (['checkout', 's2s_card', 's2s_apm'] as const).map((protocol, place) => ({
      id: id(`000${5 + place}`),
      protocol,
      ...differences.mapping,
      rules: differences.mapping?.rules?.map(({ targets, ...rule }) => ({
        ...rule,
        targets: Object.entries(targets).map(([letter, weight]) => ({ midId: midId(number, letter), weight })),
      })),
    })),
    wallets: differences.wallets?.map((wallet, place) => ({ id: id(`000${8 + place}`), ...wallet })),
  };
}

/** MID `place` (0 is A) of a merchant with several. */
function midOf(number: number, name: string, place: number, differences: Partial<TestMid>): TestMid {
  const letter = 'ABCDEF'.charAt(place);
  return {
    id: midId(number, letter),
    name: `${name} ${letter}`,
    priority: place,
    methods: ['card'],
    operations,
    account: `test-${number}-${letter}`,
    ...differences,
  };
}

/** The id of a merchant's MID by its letter. */
export function midId(number: number, letter: string): string {
  const part = (0x40 + 'ABCDEF'.indexOf(letter)).toString(16).padStart(4, '0');
  return `7e57${part}-0000-4000-8000-0000${String(number).padStart(8, '0')}`;
}

// Interface.md, Events 4: every field that a mapping can add to a callback or status response.
const additions = {
  payer: payerFields,
  threeDS: threeDSFields,
  browser: browserFields,
  status: ['card', 'card_expiration_date', 'initiator', 'source', 'sequence', 'ARN', 'brand'],
  callback: ['RRN', 'checkout_payment_method', 'extended_data'],
};

const everyAddition: Partial<TestMapping> = {
  digest: 'sha256',
  callbackFields: Object.values(additions).flat(),
  statusFields: [...additions.status, ...additions.payer],
};

/** The callbacks contain the MID that was used. */
const tells = { callbackFields: ['extended_data'] };

const fees = (payer_bears: boolean) => ({ percent: '1.5', fixed: '0.30', payer_bears });

const required = ['first_name', 'email', 'phone', 'birth_date', 'country', 'state', 'city', 'address', 'zip'];

/** Every identifier of the catalogue. */
const everyMethod = methods.map(({ id }) => id);

const patient = { timeoutSeconds: 30 };

// Keys of wallet tests: made for the sandbox, valid nowhere else. e2e/support/wallet-keys.ts has their public parts.
/** The certificate, if the file has one, and the private key. */
function pemOf(name: string) {
  const text = readFileSync(join(process.cwd(), 'e2e', 'seed', 'wallet-keys', `${name}.pem`), 'utf8');
  const start = text.indexOf('-----BEGIN PRIVATE KEY-----');
  return { certificate: text.slice(0, start), privateKey: text.slice(start) };
}

/** Certificates and private keys of the merchant identifier merchant.test.florin: for EC_v1, then for RSA_v1. */
const applePayKeys = [pemOf('apple-ec'), pemOf('apple-rsa')];

/** The private key of the gateway recipient gateway:florin. */
const googlePayKey = pemOf('google').privateKey;

/** The self-signed certificate that identifies the merchant to Apple when a page requests Apple Pay. */
const applePayIdentity = pemOf('apple-identity');

const applePay = {
  merchantIdentifier: 'merchant.test.florin',
  country: 'NL',
  shopName: 'Test shop',
  processingKeys: applePayKeys,
  merchantCapabilities: ['supports3DS'],
  supportedNetworks: ['visa', 'masterCard', 'amex'],
};

const googlePay = {
  recipientId: 'gateway:florin',
  gatewayMerchantId: 'test-wallets',
  merchantId: '12345678901234567890',
  allowedAuthMethods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'],
  networks: ['VISA', 'MASTERCARD'],
  privateKeys: [googlePayKey],
};

const test = 'test' as const;
const apple = { kind: 'applepay', environment: test, settings: applePay } as const;
const google = { kind: 'googlepay', environment: test, settings: googlePay } as const;
const onPage = { ...apple, settings: { ...applePay, merchantIdentity: applePayIdentity } };
const withoutKey = applePayKeys.map(({ certificate }) => ({ certificate }));

const walletMethods = ['card', 'applepay', 'googlepay'];

/** Every test merchant. The number is its identity; tests use the names of e2e/support/merchants.ts. */
export const testMerchants: SeededMerchant[] = [
  merchant(1, 'Plain'),
  merchant(2, 'Other'),
  merchant(3, 'SMS only', { mid: { paymentMode: 'sms' } }),
  merchant(4, 'DMS only', { mid: { paymentMode: 'dms' } }),
  merchant(5, 'Payer fields', { mapping: { requiredPayerFields: required.map((name) => `payer_${name}`) } }),
  merchant(6, 'Two declines', { mapping: { maximumDeclines: 2 } }),
  merchant(7, 'Never reuses', { mapping: { orderIdReuse: 'never' } }),
  merchant(8, 'Always reuses', { mapping: { orderIdReuse: 'always' } }),
  merchant(9, 'Distant allowlist', { mapping: { ipAllowlist: ['203.0.113.7', '198.51.100.0/24', '2001:db8::/32'] } }),
  merchant(10, 'Local allowlist', { mapping: { ipAllowlist: ['203.0.113.7', '127.0.0.0/8', '::1'] } }),
  merchant(11, 'Additions', { mapping: { ...everyAddition, redirectParameters: true } }),
  merchant(12, 'Return parameters', { mapping: { redirectParameters: true } }),
  merchant(13, 'Portal refunds', { mid: { refundSupport: 'portal' } }),
  merchant(14, 'No refunds', { mid: { refundSupport: 'none' } }),
  merchant(15, 'Zero amounts', { mid: { zeroAmounts: true } }),
  merchant(16, 'Framed', { merchant: { frameAncestors: ['http://shop.florin.test'] } }),
  merchant(17, 'Top target', { mid: { overrideLinkTarget: 'top' } }),
  // The receiver of the test that uses it listens on this port.
  merchant(18, 'Default address', { mapping: { defaultNotificationUrl: 'http://127.0.0.1:21873/by-default' } }),
  merchant(19, 'Mapping off', { mapping: { enabled: false, ipAllowlist: ['203.0.113.7'] } }),
  merchant(20, 'MID off', { mid: { enabled: false } }),
  merchant(21, 'Euro purchases', { mid: { currencies: ['EUR'], operations: ['purchase'] } }),
  merchant(22, 'German', { mapping: { defaultLanguage: 'de' } }),
  merchant(23, 'Look', {
    merchant: {
      name: 'Orme Ceramics',
      site: 'orme-ceramics.example',
      accent: '#f2c230',
      radius: 14,
      privacyUrl: 'https://orme-ceramics.example/privacy',
      termsUrl: 'https://orme-ceramics.example/terms',
    },
  }),
  merchant(24, 'Old key', { oldKey: true }),
  merchant(25, 'Daily MID limit', { mid: { dailyLimitMinor: 10000n } }),
  merchant(26, 'Monthly MID limit', { mid: { monthlyLimitMinor: 10000n } }),
  merchant(27, 'Daily mapping limit', { mapping: { dailyLimitMinor: 10000n } }),
  merchant(28, 'Weekly mapping limit', { mapping: { weeklyLimitMinor: 10000n } }),
  merchant(29, 'Closed', { merchant: { enabled: false } }),
  // A short timeout, so that a test of missing responses does not wait half a minute.
  merchant(30, 'Impatient', { mid: { timeoutSeconds: 2 } }),
  // Several MIDs.
  merchant(31, 'Three MIDs', { mids: [{}, {}, {}], mapping: tells }),
  merchant(32, 'No cascade', { mids: [{}, {}], mapping: { ...tells, cascadeLimit: 1 } }),
  merchant(33, 'Two of three', { mids: [{}, {}, {}], mapping: { ...tells, cascadeLimit: 2 } }),
  merchant(34, 'Rules', {
    mids: [{}, {}, {}],
    mapping: {
      ...tells,
      rules: [
        { name: 'dollars', conditions: { currencies: ['USD'] }, targets: { C: 1 } },
        { name: 'mastercard', conditions: { brands: ['mastercard'] }, targets: { B: 1 } },
        { name: 'dutch cards', conditions: { binCountries: ['NL'] }, targets: { C: 9, A: 0, B: 0 } },
        { name: 'large', conditions: { amountFrom: '100000' }, targets: { B: 1, C: 0 } },
      ],
    },
  }),
  merchant(35, 'Limited first', { mids: [{ dailyLimitMinor: 10000n }, {}], mapping: tells }),
  merchant(36, 'Two retries', { mapping: { scheduleRetries: 2, scheduleRetryHours: 12 } }),
  merchant(40, 'Card on file', {
    mid: { cardOnFileSupport: true },
    mapping: { callbackFields: additions.status, statusFields: additions.status },
  }),
  // Its provider requires the instalments of set BNG.
  merchant(41, 'Instalments', { mid: { capabilities: { cardSets: ['BNG'] } } }),
  // Every method of the catalogue; the second signs by SHA-256 and adds all optional fields.
  merchant(42, 'Methods', { mid: { methods: everyMethod } }),
  merchant(43, 'Methods, additions', { mid: { methods: everyMethod }, mapping: everyAddition }),
  // Commissions of debits: paid by the payer, and by the merchant.
  merchant(44, 'Payer bears', { mid: { methods: everyMethod, feeOptions: fees(true) } }),
  merchant(45, 'Merchant bears', { mid: { methods: everyMethod, feeOptions: fees(false) } }),
  // Every method, and payer fields that every form must ask for.
  merchant(51, 'Methods and fields', {
    mid: { methods: everyMethod },
    mapping: { requiredPayerFields: ['payer_email', 'payer_country'] },
  }),
  // Cards, and three methods at a separate MID with other currencies.
  merchant(52, 'Few methods', {
    mids: [{ currencies: ['EUR', 'PLN'] }, { methods: ['ips', 'paypal', 'ppro-ideal'], currencies: ['EUR', 'USD'] }],
  }),
  // MIDs whose providers require parameter sets, and one without requirements.
  merchant(60, 'Sets', {
    mids: [{ capabilities: { cardSets: ['BNG', 'ERS'] } }, {}, { capabilities: { cardSets: ['FCP'] } }, {}],
    mapping: {
      ...tells,
      rules: [
        { name: 'dollars', conditions: { currencies: ['USD'] }, targets: { C: 1 } },
        { name: 'mastercard', conditions: { brands: ['mastercard'] }, targets: { A: 1 } },
        { name: 'large', conditions: { amountFrom: '100000' }, targets: { A: 1_000_000, B: 1 } },
      ],
    },
  }),
  // Limits that many concurrent attempts try to exceed: of MIDs, of the mapping, and of a MID reached by failover. Long
  // timeouts, because the provider gets all requests at once.
  merchant(61, 'Crowded MID', {
    mids: [
      { dailyLimitMinor: 10000n, ...patient },
      { monthlyLimitMinor: 6000n, ...patient },
    ],
  }),
  merchant(62, 'Crowded mapping', { mid: patient, mapping: { dailyLimitMinor: 10000n, weeklyLimitMinor: 20000n } }),
  merchant(63, 'Crowded cascade', { mids: [patient, { dailyLimitMinor: 10000n, ...patient }] }),
  merchant(64, 'Cascade in a limit', { mids: [{}, {}], mapping: { dailyLimitMinor: 10000n } }),
  // One limit of the mapping and one of its MID, far above what the test sells.
  merchant(96, 'Other brands'),
  merchant(97, 'Limit of one session', { mid: { monthlyLimitMinor: 2000n } }),
  merchant(95, 'Limit of one', { mids: ['card', 'vcard'].map((id) => ({ methods: [id], monthlyLimitMinor: 2000n })) }),
  merchant(66, 'Counted limits', { mid: { dailyLimitMinor: 1_000_000n }, mapping: { dailyLimitMinor: 1_000_000n } }),
  // Both MIDs use a provider that the test runs.
  merchant(65, 'Own provider', {
    mids: ['a', 'b'].map((place) => ({ providerUrl: `http://127.0.0.1:21874/${place}` })),
  }),
  // Wallet payments: the first MID accepts tokens only, the other two decrypted cards.
  merchant(70, 'Wallets', {
    mids: [{ capabilities: { wallet: 'token' } }, {}, {}].map((mid) => ({ zeroAmounts: true, ...mid })),
    mapping: {
      callbackFields: [...additions.threeDS, ...additions.status, ...additions.callback],
      statusFields: additions.status,
    },
    wallets: [apple, google],
  }),
  // Settings that decrypt nothing here: Apple Pay without its private keys, Google Pay of the other environment.
  merchant(71, 'Wallets without keys', {
    wallets: [
      { ...apple, settings: { ...applePay, processingKeys: withoutKey } },
      { ...google, environment: 'production' },
    ],
  }),
  merchant(72, 'Wallet tokens only', {
    mids: [{ capabilities: { wallet: 'token' } }, { capabilities: { wallet: 'none' } }],
    wallets: [apple, google],
  }),
  // Wallet buttons on the hosted page: for tokens that are decrypted, for tokens that are passed on, and with a MID
  // that accepts neither.
  merchant(73, 'Wallet buttons', { mid: { methods: walletMethods }, wallets: [onPage, google] }),
  merchant(74, 'Wallet tokens passed on', {
    mids: [{ methods: walletMethods, capabilities: { wallet: 'token' } }, { methods: walletMethods }],
    wallets: [
      { ...onPage, settings: { ...onPage.settings, processingKeys: withoutKey } },
      { ...google, settings: { ...googlePay, privateKeys: [] } },
    ],
  }),
  merchant(75, 'Wallets not taken', {
    mid: { methods: walletMethods, capabilities: { wallet: 'none' } },
    wallets: [onPage, google],
  }),
  merchant(76, 'Wallet buttons and more', {
    mid: { methods: [...walletMethods, 'ppro-ideal'] },
    wallets: [onPage, google],
  }),
  // Clients with other needs: verifiers that convert every letter to upper case, the word void, and a separate app.
  // Its payers' declines count together, and no other test's.
  merchant(93, 'Flash sale'),
  merchant(94, 'Card brands', {
    mids: [{ cardBrands: ['visa'] }, { cardBrands: ['mastercard', 'visa', 'rupay'] }],
    mapping: { cascadeLimit: 2 },
  }),
  merchant(90, 'Other clients', {
    merchant: { appSchemes: ['myshop'] },
    mapping: { uppercase: 'unicode', reversalWord: 'void', frameBySuccessUrl: false },
  }),
  // Its provider accepts short payer texts only.
  merchant(91, 'Short texts', {
    mids: [{ providerUrl: 'http://127.0.0.1:21874/a', capabilities: { payerTextMax: 20 } }],
  }),
  merchant(92, 'Saved cards', {
    mid: { methods: everyMethod },
    mapping: { offerSavingCards: true, pendingUrl: 'https://shop.florin.test/pending' },
  }),
  // Their wallets and branding are configured by the dashboard's tests.
  merchant(80, 'Wallet settings', { mid: { methods: walletMethods } }),
  merchant(83, 'Look settings'),
  merchant(84, 'Overview'),
  merchant(85, 'Attention'),
  merchant(86, 'Charges all missed', { mapping: { missedSlots: 'all' } }),
  merchant(87, 'Charges none missed', { mapping: { missedSlots: 'none' } }),
  merchant(88, 'Late approvals', { mid: { lateSuccess: 'task' } }),
  merchant(89, 'Late approvals, refunded', { mid: { lateSuccess: 'refund' } }),
];
