// Models of payment pages with an invented order, and the parts that all samples share (state-samples.ts).
import type { Agreement } from '../../lib/core/agreement.ts';
import { locales } from '../../lib/core/locales.ts';
import { cardFieldsOf } from '../../lib/methods/fields.ts';
import type {
  CardForm,
  CodeImage,
  FormPage,
  MethodRow,
  OtherMethod,
  PageShell,
  ReceiptPage,
} from '../../lib/payer/contract.ts';

export const sampleNow = new Date('2026-11-20T14:06:00Z');

/** The data that all samples share: shop, order and addresses. */
export const sampleShell: PageShell = {
  merchant: { name: 'Orme Ceramics', site: 'orme-ceramics.example', logo: { src: '/logo.svg', square: true } },
  order: {
    number: '10428',
    description: 'Two stoneware bowls, ash glaze',
    amount: { minor: 8450n, currency: 'EUR' },
    email: 'm•••@mail.example',
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
  email: { url: '/pay/sample/remind', to: 'm•••@mail.example' },
};

/** A sample code of 29 modules: its three finder patterns, and pseudo-random modules that are the same every time. */
export function sampleCode(): CodeImage {
  const size = 29;
  let seed = 7;
  const noise = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % 5 < 2;
  };
  const eyes: [number, number][] = [
    [0, 0],
    [size - 7, 0],
    [0, size - 7],
  ];
  let path = '';
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const eye = eyes.find(([left, top]) => x >= left - 1 && x <= left + 7 && y >= top - 1 && y <= top + 7);
      const ring = eye && Math.max(Math.abs(x - eye[0] - 3), Math.abs(y - eye[1] - 3));
      if (ring === undefined ? noise() : ring !== 2 && ring < 4) path += `M${x} ${y}h1v1h-1z`;
    }
  }
  return { size, path };
}

/** Later charges that the payer agrees to, from `first` on. */
export const sampleSchedule = (first: Date): Agreement => ({
  kind: 'schedule',
  amount: { minor: 990n, currency: 'EUR' },
  every: { count: 1, unit: 'month' },
  first,
  count: 12,
});
