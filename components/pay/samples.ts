// Models of payment pages with an invented order, for the preview of branding; the renderers' tests build on them.
import { locales } from '../../lib/core/locales.ts';
import { cardFieldsOf } from '../../lib/methods/fields.ts';
import type { CardForm, FormPage, MethodRow, OtherMethod, PageShell, ReceiptPage } from '../../lib/payer/contract.ts';

export const sampleNow = new Date('2026-11-20T14:06:00Z');

/** The data that all samples share: shop, order and addresses. */
export const sampleShell: PageShell = {
  merchant: { name: 'Orme Ceramics', site: 'orme-ceramics.example', logo: { src: '/logo.svg', square: true } },
  order: {
    number: '10428',
    description: 'Two stoneware bowls, ash glaze',
    amount: { minor: 8450n, currency: 'EUR' },
    email: 'mia.lindqvist@mail.example',
  },
  pageUrl: '/pay/sample',
  cancelUrl: '/pay/sample/cancel',
  hidden: { guard: 'c0ffee', attempt: '1' },
  languages: locales.map(({ code, bcp47, name }) => ({ code, lang: bcp47, name })),
  legal: { privacy: '/privacy', terms: '/terms' },
  live: {
    eventsUrl: '/pay/sample/events',
    stateUrl: '/pay/sample/state',
    version: 'form',
    expiresAt: new Date(sampleNow.getTime() + 3_600_000),
  },
};

/** The card's row of an operation. */
export function sampleCard(operation = 'purchase', more: Partial<CardForm> = {}): MethodRow {
  const cardFields = cardFieldsOf(operation, false);
  return { id: 'card', card: { brands: ['visa', 'mastercard'], cardFields, fields: [], ...more } };
}

const none = { fields: [], parameters: [] };
const bank = { kind: 'bank', line: 'bank', step: 'leave' } as const;

/** Methods of every kind. */
export const sampleMethods: OtherMethod[] = [
  { ...none, id: 'trustly', name: 'Bank transfer by Trustly', ...bank, tile: { text: 'BT', tone: 0 } },
  { ...none, ...bank, id: 'ideal', name: 'iDEAL', tile: { text: 'ID', tone: 4 }, countries: ['NL'] },
  { ...none, id: 'skrill', name: 'Skrill', kind: 'wallet', line: 'wallet', step: 'leave' },
  { ...none, id: 'coins', name: 'Bitcoin and other coins', kind: 'coin', line: 'address', step: 'address' },
  { ...none, id: 'promptpay', name: 'PromptPay', kind: 'code', line: 'code', step: 'code', countries: ['TH'] },
  {
    ...none,
    id: 'phonepe',
    name: 'PhonePe',
    kind: 'app',
    line: 'request',
    step: 'request',
    fields: [{ name: 'phone' }],
  },
];

const card = sampleCard('purchase', { brands: ['visa', 'mastercard', 'amex'], offerSaving: true });

export const sampleForm: FormPage = {
  ...sampleShell,
  state: 'form',
  methods: [card, ...sampleMethods],
  saved: [],
  remember: {},
  addressUrl: '/pay/sample/address?lang=en',
};

export const sampleDeclinedForm: FormPage = {
  ...sampleForm,
  methods: [card, ...sampleMethods.slice(0, 3)],
  alert: { kind: 'bank' },
  values: { card_holder: 'Mia Lindqvist' },
};

export const sampleReceipt: ReceiptPage = {
  ...sampleShell,
  live: undefined,
  state: 'receipt',
  result: 'paid',
  how: { kind: 'card', brand: 'visa', last4: '4242' },
  at: sampleNow,
  paymentId: '0199a1c2-7d31-7f00-9a00-01937f2c5a81',
  isNew: true,
  returnUrl: 'https://orme-ceramics.example/thanks',
};
