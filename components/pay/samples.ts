// One model for each state of a payer's page, for the tests of the renderers and for scripts/preview.mjs.

import { locales } from '../../lib/core/locales';
import { cardFieldsOf } from '../../lib/methods/fields';
import type { FieldName, FormPage, Frame, MethodRow, PageModel, ReceiptPage } from './model';

const languages = locales.map(({ code, bcp47, name }) => ({ code, lang: bcp47, name }));

/** The moment of every sample. */
export const sampleNow = new Date('2026-11-20T14:06:00Z');

export const sampleFrame: Frame = {
  merchant: {
    name: 'Orme Ceramics',
    site: 'orme-ceramics.example',
    logo: { src: '/logo.svg', square: true },
  },
  order: {
    number: '10428',
    description: 'Two stoneware bowls, ash glaze',
    amount: { minor: 8450n, currency: 'EUR' },
    email: 'mia.lindqvist@mail.example',
  },
  pageUrl: '/pay/sample',
  cancelUrl: '/pay/sample/cancel',
  hidden: { guard: 'c0ffee', attempt: '1' },
  languages,
  legal: { privacy: '/privacy', terms: '/terms' },
  live: {
    eventsUrl: '/pay/sample/events',
    stateUrl: '/pay/sample/state',
    version: 'form',
    expiresAt: new Date(sampleNow.getTime() + 3_600_000),
  },
};

const card: MethodRow = {
  id: 'card',
  card: {
    brands: ['visa', 'mastercard', 'amex'],
    asked: cardFieldsOf('purchase', false),
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
  },
  { id: 'ideal', name: 'iDEAL', kind: 'bank', step: 'leave', fields: [] },
  { id: 'skrill', name: 'Skrill', kind: 'wallet', step: 'leave', fields: [] },
  { id: 'coins', name: 'Bitcoin and other coins', kind: 'coin', step: 'details', fields: [] },
  { id: 'promptpay', name: 'PromptPay', kind: 'code', step: 'code', fields: [] },
  { id: 'phonepe', name: 'PhonePe', kind: 'app', step: 'request', fields: [{ name: 'phone' }] },
];

const form: FormPage = {
  ...sampleFrame,
  state: 'form',
  methods: [card],
  saved: [],
  statesUrl: '/pay/sample/states?lang=en',
};

/** The card's row of a page that is not for paying. */
function cardFor(operation: string, keptOnly = false): MethodRow {
  return {
    id: 'card',
    card: { brands: ['visa', 'mastercard'], asked: cardFieldsOf(operation, false), keptOnly, fields: [] },
  };
}

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
  ...sampleFrame,
  live: undefined,
  state: 'receipt',
  result: 'paid',
  how: { kind: 'card', brand: 'visa', last4: '4242' },
  at: sampleNow,
  paymentId: '0199a1c2-7d31-7f00-9a00-01937f2c5a81',
  returnUrl: 'https://orme-ceramics.example/thanks',
};

/** Every state and its telling variants, by a name that serves as a file's name. */
export const samples: Record<string, PageModel> = {
  form,
  'form-list': { ...form, methods: [card, ...others] },
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
          asked: cardFieldsOf('purchase', false),
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
      { id: 's1', brand: 'visa', last4: '4242', expiry: '08/28', expired: false, asked: ['card_cvv'] },
      { id: 's2', brand: 'mastercard', last4: '5100', expiry: '11/27', expired: false, asked: ['card_cvv'] },
      { id: 's3', brand: 'amex', last4: '1008', expiry: '03/26', expired: true, asked: ['card_cvv'] },
    ],
  },
  payout: { ...form, purpose: 'credit', methods: [cardFor('credit')] },
  'payout-kept': {
    ...form,
    purpose: 'credit',
    methods: [cardFor('credit', true)],
    saved: [{ id: 's1', brand: 'visa', last4: '6519', expiry: '08/28', expired: false, asked: ['card_expiry'] }],
  },
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
    live: { ...(form.live as NonNullable<Frame['live']>), expiresAt: new Date(sampleNow.getTime() + 271_000) },
  },
  challenge: { ...sampleFrame, state: 'challenge', frameUrl: '/frame', abandonUrl: '/pay/sample/abandon' },
  'waiting-unknown': { ...sampleFrame, state: 'waiting', reason: 'unknown' },
  'waiting-confirmation': {
    ...sampleFrame,
    state: 'waiting',
    reason: 'confirmation',
    sentTo: '+381 64 ••• 18 27',
    abandonUrl: '/pay/sample/abandon',
  },
  redirecting: {
    ...sampleFrame,
    state: 'redirecting',
    to: 'iDEAL',
    target: '_blank',
    action: { url: 'https://bank.example/start', method: 'POST', params: { id: '1' } },
  },
  continue: { ...sampleFrame, state: 'continue', url: '/pay/sample?step=1', target: '_blank' },
  receipt,
  'receipt-authorised': { ...receipt, result: 'authorised' },
  'receipt-zero': { ...receipt, order: { ...receipt.order, amount: { minor: 0n, currency: 'EUR' } } },
  'already-paid': { ...sampleFrame, live: undefined, state: 'alreadyPaid', returnUrl: receipt.returnUrl },
  returned: { ...sampleFrame, live: undefined, cancelUrl: undefined, state: 'returned' },
  'returned-continue': {
    ...sampleFrame,
    live: undefined,
    cancelUrl: undefined,
    state: 'returned',
    url: receipt.returnUrl,
    target: '_top',
  },
  expired: {
    ...sampleFrame,
    live: undefined,
    state: 'expired',
    expiredAt: sampleNow,
    money: 'none',
    returnUrl: 'https://orme-ceramics.example/cart',
  },
  'expired-unknown': { ...sampleFrame, live: undefined, state: 'expired', expiredAt: sampleNow, money: 'unknown' },
  cancelled: {
    ...sampleFrame,
    live: undefined,
    state: 'cancelled',
    reason: 'payer',
    returnUrl: 'https://orme-ceramics.example/cart',
  },
  'cancelled-declines': {
    ...sampleFrame,
    live: undefined,
    state: 'cancelled',
    reason: 'declines',
    returnUrl: 'https://orme-ceramics.example/cart',
  },
  'frame-leave': { state: 'frameLeave', action: { url: '/acs', method: 'POST', params: { creq: 'eyJ' } } },
  'frame-return': { state: 'frameReturn', pageUrl: '/pay/sample' },
  'unknown-link': { state: 'unknownLink', languages, pageUrl: '/pay/nothing' },
  error: { state: 'error', languages, pageUrl: '/pay/sample', reference: '7f2c5a81' },
};
