// One model for each state of a payer's page, for the renderers' tests and for scripts/preview.ts.

import { cardFieldsOf } from '../../lib/methods/fields';
import type {
  FieldName,
  FormPage,
  MethodRow,
  OtherMethod,
  PageModel,
  PageShell,
  ReceiptPage,
} from '../../lib/payer/contract';
import { sampleLanguages, sampleNow, sampleShell } from './sample-shell';
import { presentSamples } from './samples-present';

export { sampleNow, sampleShell } from './sample-shell';

const card: MethodRow = {
  id: 'card',
  card: {
    brands: ['visa', 'mastercard', 'amex'],
    cardFields: cardFieldsOf('purchase', false),
    offerSaving: true,
    fields: [],
  },
};

const others: MethodRow[] = [
  {
    id: 'trustly',
    name: 'Bank transfer by Trustly',
    note: 'From your online bank, confirmed at once',
    kind: 'bank',
    step: 'leave',
    fields: [],
    parameters: [],
  },
  { id: 'ideal', name: 'iDEAL', kind: 'bank', step: 'leave', fields: [], parameters: [] },
  { id: 'skrill', name: 'Skrill', kind: 'wallet', step: 'leave', fields: [], parameters: [] },
  { id: 'coins', name: 'Bitcoin and other coins', kind: 'coin', step: 'address', fields: [], parameters: [] },
  { id: 'promptpay', name: 'PromptPay', kind: 'code', step: 'code', fields: [], parameters: [] },
  { id: 'phonepe', name: 'PhonePe', kind: 'app', step: 'request', fields: [{ name: 'phone' }], parameters: [] },
];

const form: FormPage = {
  ...sampleShell,
  state: 'form',
  methods: [card],
  saved: [],
  statesUrl: '/pay/sample/states?lang=en',
};

/** The card's row of a payout or transfer. */
function cardFor(operation: string, keptOnly = false): MethodRow {
  return {
    id: 'card',
    card: {
      brands: ['visa', 'mastercard'],
      cardFields: cardFieldsOf(operation, false),
      savedOnly: keptOnly,
      fields: [],
    },
  };
}

const payoutMethods: MethodRow[] = [
  {
    id: 'kora',
    name: 'Kora',
    kind: 'app',
    step: 'pay',
    fields: [{ name: 'phone' }],
    parameters: [
      { name: 'operator', input: 'choice', choices: ['mtn', 'orange'], least: 2, most: 20, optional: false },
    ],
  },
  { id: 'm2p', name: 'M2P', kind: 'coin', step: 'pay', fields: [], parameters: [] },
];

const everyField: FieldName[] = [
  'name',
  'email',
  'phone',
  'birth_date',
  'country',
  'state',
  'city',
  'district',
  'address',
  'house_number',
  'zip',
];

const receipt: ReceiptPage = {
  ...sampleShell,
  live: undefined,
  state: 'receipt',
  result: 'paid',
  how: { kind: 'card', brand: 'visa', last4: '4242' },
  at: sampleNow,
  paymentId: '0199a1c2-7d31-7f00-9a00-01937f2c5a81',
  returnUrl: 'https://orme-ceramics.example/thanks',
};

/** A method with every kind of parameter. */
const typed: MethodRow = {
  id: 'axxi-cash',
  name: 'AXXI Cash',
  kind: 'bank',
  step: 'details',
  fields: [{ name: 'phone' }],
  parameters: [
    { name: 'document_type', input: 'choice', choices: ['CPF', 'CNPJ'], least: 3, most: 4, optional: false },
    { name: 'document_number', input: 'digits', least: 11, most: 14, optional: false },
    { name: 'accountName', input: 'text', least: 2, most: 64, optional: false },
    { name: 'pin', input: 'secret', least: 4, most: 8, optional: true },
  ],
};

/** The longest possible list: the first rows with forms, the others as links. */
const many: MethodRow[] = Array.from({ length: 280 }, (_, place) => ({
  ...(others[place % others.length] as OtherMethod),
  id: `method-${place}`,
  name: `${(others[place % others.length] as OtherMethod).name} ${place + 1}`,
  href: place < 5 ? undefined : `/pay/sample?method=method-${place}`,
}));

/** Every state and its main variants, by a name that can be a file name. */
export const samples: Record<string, PageModel> = {
  form,
  'form-list': { ...form, methods: [card, ...others] },
  'form-many': { ...form, methods: [card, ...many] },
  'form-chosen': {
    ...form,
    methods: [card, ...many.map((row, place) => (place === 70 ? { ...row, href: undefined } : row))] as MethodRow[],
    chosen: 'method-70',
  },
  'form-parameters': { ...form, methods: [typed] },
  'form-parameters-errors': {
    ...form,
    methods: [typed],
    values: { parameter_document_type: 'CPF', parameter_document_number: '1234', phone: '+55 11 91234 5678' },
    errors: {
      parameter_document_number: { key: 'error.short', values: { count: 11 } },
      parameter_accountName: { key: 'error.parameter.empty' },
    },
  },
  'form-declined-method': {
    ...form,
    methods: [card, ...others],
    chosen: 'skrill',
    alert: { kind: 'bank', method: 'Skrill' },
  },
  'form-errors': {
    ...form,
    methods: [card, ...others],
    values: { card_expiry: '08 / 24', card_holder: 'Mia Lindqvist' },
    errors: {
      card_expiry: { key: 'error.card_expiry.past' },
      card_cvv: { key: 'error.card_cvv.empty', values: { count: 3 } },
    },
  },
  'form-billing': {
    ...form,
    methods: [
      {
        id: 'card',
        card: {
          brands: ['visa', 'mastercard'],
          cardFields: cardFieldsOf('purchase', false),
          fields: everyField.map((name) => ({ name: name as never, optional: name === 'district' })),
        },
      },
    ],
    values: { country: 'US' },
  },
  'form-saved': {
    ...form,
    methods: [card, ...others.slice(0, 2)],
    saved: [
      { id: 's1', brand: 'visa', last4: '4242', expiry: '08/28', expired: false, cardFields: ['card_cvv'] },
      { id: 's2', brand: 'mastercard', last4: '5100', expiry: '11/27', expired: false, cardFields: ['card_cvv'] },
      { id: 's3', brand: 'amex', last4: '1008', expiry: '03/26', expired: true, cardFields: ['card_cvv'] },
    ],
  },
  payout: { ...form, purpose: 'credit', methods: [cardFor('credit')] },
  'payout-kept': {
    ...form,
    purpose: 'credit',
    methods: [cardFor('credit', true)],
    saved: [{ id: 's1', brand: 'visa', last4: '6519', expiry: '08/28', expired: false, cardFields: ['card_expiry'] }],
  },
  'payout-methods': { ...form, purpose: 'credit', methods: [cardFor('credit'), ...payoutMethods] },
  'payout-method': { ...form, purpose: 'credit', methods: payoutMethods.slice(0, 1) },
  'payout-method-receipt': { ...receipt, purpose: 'credit', how: { kind: 'method', name: 'Kora' } },
  'payout-declined': { ...form, purpose: 'credit', methods: [cardFor('credit')], alert: { kind: 'bank' } },
  'payout-receipt': { ...receipt, purpose: 'credit' },
  transfer: { ...form, purpose: 'transfer', methods: [cardFor('transfer')] },
  'transfer-errors': {
    ...form,
    purpose: 'transfer',
    methods: [cardFor('transfer')],
    errors: { payee_card_number: { key: 'error.payee_card_number.wrong' } },
  },
  'transfer-receipt': { ...receipt, purpose: 'transfer', payee: '6519' },
  'form-declined-bank': {
    ...form,
    methods: [card, ...others.slice(0, 3)],
    alert: { kind: 'bank' },
    values: { card_holder: 'Mia Lindqvist' },
  },
  'form-declined-data': {
    ...form,
    alert: { kind: 'data', field: 'card_cvv' },
    values: { card_expiry: '08 / 28', card_holder: 'Mia Lindqvist' },
  },
  'form-declined-funds': { ...form, alert: { kind: 'funds' } },
  'form-declined-technical': { ...form, alert: { kind: 'technical' } },
  'form-declined-unconfirmed': { ...form, alert: { kind: 'unconfirmed' } },
  'form-brand': {
    ...form,
    merchant: { ...form.merchant, accent: '#f7c843', radius: 14 },
    methods: [card, ...others.slice(0, 3)],
  },
  'form-sandbox': {
    ...form,
    testBar: {
      chosen: 'approve',
      outcomes: [
        { id: 'approve', number: '4111111111111111', expiry: '01 / 38', cvv: '123' },
        { id: 'decline', number: '4111111111111111', expiry: '02 / 38', cvv: '123' },
        { id: 'challenge', number: '4111111111111111', expiry: '05 / 38', cvv: '123' },
        { id: 'redirect', number: '4111111111111111', expiry: '12 / 38', cvv: '123' },
        { id: 'down', number: '4111111111111111', expiry: '07 / 38', cvv: '123' },
      ],
    },
    values: { card_number: '4111 1111 1111 1111', card_expiry: '01 / 38', card_cvv: '123', card_holder: 'Test Payer' },
  },
  'form-zero': { ...form, order: { ...form.order, amount: { minor: 0n, currency: 'EUR' } } },
  'form-long': {
    ...form,
    methods: [card, ...others],
    merchant: { ...form.merchant, name: 'Keramikwerkstatt Großschönau GmbH & Co. KG', site: undefined },
    order: {
      ...form.order,
      description: 'Steinzeugschüsseln mit Ascheglasur, zwei Stück, in Handarbeit gedreht',
      amount: { minor: 128_450n, currency: 'RSD' },
      email: 'maximiliane.von-der-grossschoenauer-keramik@werkstatt.example',
    },
  },
  'form-closing': {
    ...form,
    live: { ...(form.live as NonNullable<PageShell['live']>), expiresAt: new Date(sampleNow.getTime() + 271_000) },
  },
  challenge: { ...sampleShell, state: 'challenge', frameUrl: '/frame', abandonUrl: '/pay/sample/abandon' },
  'waiting-unknown': { ...sampleShell, state: 'waiting' },
  'waiting-method': { ...sampleShell, state: 'waiting', method: 'Skrill', abandonUrl: '/pay/sample/abandon' },
  ...presentSamples,
  redirecting: {
    ...sampleShell,
    state: 'redirecting',
    to: 'iDEAL',
    target: '_blank',
    action: { url: 'https://bank.example/start', method: 'POST', params: { id: '1' } },
  },
  continue: { ...sampleShell, state: 'continue', url: '/pay/sample?step=1', target: '_blank' },
  receipt,
  'receipt-authorised': { ...receipt, result: 'authorised' },
  'receipt-zero': { ...receipt, order: { ...receipt.order, amount: { minor: 0n, currency: 'EUR' } } },
  'already-paid': { ...sampleShell, live: undefined, state: 'alreadyPaid', returnUrl: receipt.returnUrl },
  returned: { ...sampleShell, live: undefined, cancelUrl: undefined, state: 'returned' },
  'returned-continue': {
    ...sampleShell,
    live: undefined,
    cancelUrl: undefined,
    state: 'returned',
    url: receipt.returnUrl,
    target: '_top',
  },
  expired: {
    ...sampleShell,
    live: undefined,
    state: 'expired',
    expiredAt: sampleNow,
    money: 'none',
    returnUrl: 'https://orme-ceramics.example/cart',
  },
  'expired-unknown': { ...sampleShell, live: undefined, state: 'expired', expiredAt: sampleNow, money: 'unknown' },
  cancelled: {
    ...sampleShell,
    live: undefined,
    state: 'cancelled',
    reason: 'payer',
    returnUrl: 'https://orme-ceramics.example/cart',
  },
  'cancelled-declines': {
    ...sampleShell,
    live: undefined,
    state: 'cancelled',
    reason: 'declines',
    returnUrl: 'https://orme-ceramics.example/cart',
  },
  'frame-leave': { state: 'frameLeave', action: { url: '/acs', method: 'POST', params: { creq: 'eyJ' } } },
  'frame-return': { state: 'frameReturn', pageUrl: '/pay/sample' },
  'unknown-link': { state: 'unknownLink', languages: sampleLanguages, pageUrl: '/pay/nothing' },
  error: { state: 'error', languages: sampleLanguages, pageUrl: '/pay/sample', reference: '7f2c5a81' },
};
