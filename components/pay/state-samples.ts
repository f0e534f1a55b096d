// One model for each state of a payer's page, for the preview of branding, the renderers' tests and `florin preview`.
import type { AddressForm } from '../../lib/core/page-data.ts';
import type {
  FormPage,
  OtherMethod,
  PageModel,
  PageShell,
  PayerFormField,
  PresentPage,
  PresentStep,
} from '../../lib/payer/contract.ts';
import {
  sampleReceipt as receipt,
  sampleCard,
  sampleCode,
  sampleDeclinedForm,
  sampleForm,
  sampleMethods,
  sampleNow,
  sampleSchedule,
  sampleShell,
} from './samples.ts';

export { sampleNow, sampleShell } from './samples.ts';

const list = sampleForm.methods;
const form: FormPage = { ...sampleForm, methods: list.slice(0, 1) };
const payout: FormPage = { ...form, purpose: 'credit', methods: [sampleCard('credit')] };
const transfer: FormPage = { ...form, purpose: 'transfer', methods: [sampleCard('transfer')] };

const payoutMethods: OtherMethod[] = [
  {
    id: 'kora',
    name: 'Kora',
    kind: 'wallet',
    line: 'toWallet',
    step: 'pay',
    fields: [{ name: 'phone' }],
    parameters: [
      { name: 'operator', input: 'choice', choices: ['mtn', 'orange'], least: 2, most: 20, optional: false },
    ],
  },
  { id: 'm2p', name: 'M2P', kind: 'coin', line: 'toCoins', step: 'pay', fields: [], parameters: [] },
];

const everyField = 'name email phone birth_date country state city district address house_number zip'.split(
  ' ',
) as PayerFormField['name'][];

/** The address form of lib/payer, in English; a page in another language gets its own. */
const americanAddress: AddressForm = {
  rows: [['address', 'house_number'], ['district'], ['city'], ['state', 'zip']],
  states: [
    { code: 'AL', name: 'Alabama' },
    { code: 'NY', name: 'New York' },
  ],
  labels: {
    address: 'Street address',
    house_number: 'House number',
    district: 'District',
    city: 'City',
    state: 'State',
    zip: 'ZIP code',
  },
  errors: { 'address.empty': 'Enter your street address.' },
};

/** A method with every kind of parameter. */
const typed: OtherMethod = {
  id: 'axxi-cash',
  name: 'AXXI Cash',
  kind: 'code',
  line: 'shop',
  step: 'details',
  fields: [{ name: 'phone' }],
  parameters: [
    { name: 'document_type', input: 'choice', choices: ['CPF', 'CNPJ'], least: 3, most: 4, optional: false },
    { name: 'document_number', input: 'text', least: 11, most: 18, optional: false, document: 'cpf-or-cnpj' },
    { name: 'bank_cuil', input: 'digits', least: 11, most: 13, optional: true, document: 'cuil' },
    { name: 'accountName', input: 'text', least: 2, most: 64, optional: false },
    { name: 'pin', input: 'secret', least: 4, most: 8, optional: true },
  ],
};

/** The longest possible list: the first rows with forms, the others as links. */
const many: OtherMethod[] = Array.from({ length: 280 }, (_, place) => {
  const method = sampleMethods[place % sampleMethods.length] as OtherMethod;
  const href = place < 4 ? undefined : `/pay/sample?method=method-${place}`;
  const tile = { text: method.name.slice(0, 2).toUpperCase(), tone: place % 8 };
  return { ...method, id: `method-${place}`, name: `${method.name} ${place + 1}`, tile, href };
});

const saved = {
  id: 's1',
  brand: 'visa',
  last4: '4242',
  expiry: '08/28',
  expired: false,
  cardFields: ['card_cvv' as const],
};

const typing = { url: '/pay/sample/remind' };
const again = { ...receipt, isNew: false, email: typing };
/** A final state is not followed. */
const ended: PageShell = { ...sampleShell, live: undefined };
const cart = 'https://orme-ceramics.example/cart';
const abandonUrl = '/pay/sample/abandon';
const testCards = [
  ['approve', '01 / 38'],
  ['decline', '02 / 38'],
  ['challenge', '05 / 38'],
  ['redirect', '12 / 38'],
  ['down', '07 / 38'],
] as const;

const soon = (seconds: number): Date => new Date(sampleNow.getTime() + seconds * 1000);

/** A payment in progress; its session's end no longer matters. */
function present<Step extends PresentStep>(
  method: string,
  kind: PresentPage['kind'],
  step: Step,
): PresentPage & { step: Step } {
  const live = { eventsUrl: '/pay/sample/events', stateUrl: '/pay/sample/state', version: 'present-1' };
  return { ...sampleShell, state: 'present', live, abandonUrl, method, kind, step };
}

const ips = {
  ...present('IPS', 'code', {
    kind: 'qr',
    scheme: 'ips',
    code: sampleCode(),
    saveUrl: '/pay/sample/code.png',
    renewUrl: '/pay/sample/renew',
    expired: false,
    expiresAt: soon(42),
  }),
  order: { ...sampleShell.order, amount: { minor: 984_000n, currency: 'RSD' } },
};

const coin = present('Tether', 'coin', {
  kind: 'crypto',
  address: 'TXa9r4mWQ2Zb7kP1uVc8sNfE5yHdL3JgK6',
  network: 'Tron',
  currency: 'USDT',
  amount: '91.27',
  code: sampleCode(),
  expiresAt: soon(848),
});

const oneTimeCode = present('Beeline', 'app', {
  kind: 'code',
  sentTo: '+7 701 ••• 18 27',
  wrong: false,
  codeUrl: '/pay/sample/code',
  expiresAt: soon(112),
});

const later = { cancelUrl: undefined, later: { returnUrl: 'https://orme-ceramics.example/thanks' } };
const reminder = { url: '/pay/sample/remind', to: 'm•••@mail.example' };
const wrongEmail = { url: reminder.url, typed: 'mia@mail', error: { key: 'error.email.wrong' } };
const bankTransfer = present('Bank transfer', 'bank', {
  kind: 'details',
  rows: [
    { name: 'reference', value: 'FL 7Q4K 28' },
    { name: 'amount', value: '84.50 EUR' },
    { name: 'iban', value: 'DE89370400440532013000' },
    { name: 'bic', value: 'COBADEFFXXX' },
    { name: 'beneficiary', value: 'Orme Ceramics Ltd' },
  ],
});

/** Each step and its main variants. */
const presentSamples: Record<string, PresentPage> = {
  'present-app': present('PhonePe', 'app', {
    kind: 'app',
    url: 'upi://pay?pa=orme@sandbox',
    code: sampleCode(),
    expiresAt: soon(271),
  }),
  'present-qr': ips,
  'present-qr-expired': { ...ips, step: { ...ips.step, expired: true } },
  'present-qr-copy': {
    ...ips,
    order: { ...sampleShell.order, amount: { minor: 48_000n, currency: 'BRL' } },
    method: 'PIX',
    step: {
      ...ips.step,
      scheme: 'pix',
      copy: '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Orme Ceramics6008BRASILIA62070503***63041D3D',
      renewUrl: undefined,
      expiresAt: soon(1500),
    },
  },
  'present-qr-upi': {
    ...ips,
    order: { ...sampleShell.order, amount: { minor: 480_000n, currency: 'INR' } },
    method: 'UPI',
    step: { ...ips.step, scheme: 'upi', copy: 'upi://pay?pa=orme@sandbox&am=4800.00', renewUrl: undefined },
  },
  'present-qr-wallet': { ...ips, method: 'GCash', step: { ...ips.step, scheme: 'text', expiresAt: soon(9) } },
  'present-confirm': present('PhonePe', 'app', { kind: 'confirm', sentTo: '+381 64 ••• 18 27', expiresAt: soon(271) }),
  'present-details': { ...bankTransfer, ...later, reminder },
  'present-details-reminded': { ...bankTransfer, ...later, reminder: { ...reminder, sentTo: reminder.to } },
  'present-details-wrong-email': { ...bankTransfer, ...later, reminder: wrongEmail },
  'present-ticket': {
    ...present('AXXI Cash', 'code', {
      kind: 'details',
      rows: [
        { name: 'agreement', value: '482913' },
        { name: 'voucher', value: '93021774560118273345' },
        { name: 'amount', value: '84.50 EUR' },
        { name: 'Counter', value: 'Any branch' },
      ],
      voucher: {
        barcode: {
          text: '4829130000008450',
          bars: {
            modules: 143,
            path: 'M10 0h2v1h-2zM13 0h1v1h-1zM16 0h3v1h-3zM21 0h3v1h-3zM25 0h3v1h-3zM29 0h2v1h-2zM32 0h3v1h-3zM37 0h2v1h-2zM41 0h1v1h-1zM43 0h1v1h-1zM46 0h2v1h-2zM49 0h3v1h-3zM54 0h2v1h-2zM57 0h2v1h-2zM61 0h2v1h-2zM65 0h2v1h-2zM68 0h2v1h-2zM72 0h2v1h-2zM76 0h2v1h-2zM79 0h2v1h-2zM83 0h2v1h-2zM87 0h1v1h-1zM90 0h4v1h-4zM95 0h1v1h-1zM98 0h2v1h-2zM103 0h1v1h-1zM105 0h3v1h-3zM109 0h2v1h-2zM113 0h2v1h-2zM117 0h2v1h-2zM120 0h2v1h-2zM125 0h3v1h-3zM129 0h1v1h-1zM131 0h2v1h-2z',
          },
        },
        places: 'OXXO, 7-Eleven, Farmacias del Ahorro',
        url: '/pay/sample/ticket',
      },
      calendarUrl: '/pay/sample/deadline.ics',
      expiresAt: soon(3 * 86_400),
    }),
    ...later,
    testUrl: 'https://bank.example/play',
    testBar: { outcomes: [] },
  },
  'present-email': {
    ...present('Link by email', 'app', {
      kind: 'message',
      channel: 'email',
      to: 'm•••@mail.example',
      expiresAt: soon(3500),
    }),
    ...later,
  },
  'present-sms': present('Link by SMS', 'app', { kind: 'message', channel: 'sms', to: '+46 70 ••• 45 67' }),
  'present-crypto': { ...coin, ...later },
  'present-crypto-any': {
    ...coin,
    method: 'Bitcoin',
    step: {
      ...coin.step,
      address: 'bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh',
      network: 'Bitcoin',
      currency: 'BTC',
      amount: undefined,
      memo: '4071882',
      expiresAt: undefined,
    },
  },
  'present-code': oneTimeCode,
  'present-code-wrong': { ...oneTimeCode, step: { ...oneTimeCode.step, wrong: true } },
};

/** Every state and its main variants, by a name that can be a file name. */
export const samples: Record<string, PageModel> = {
  form,
  'form-list': sampleForm,
  'form-three': { ...sampleForm, methods: list.slice(0, 3) },
  'form-fourteen': { ...form, methods: [...form.methods, ...many.slice(0, 13)], find: '' },
  'form-found': { ...form, methods: [...form.methods, ...many.slice(0, 13)], find: 'thailand' },
  'form-many': { ...form, methods: [...form.methods, ...many], find: '' },
  'form-chosen': {
    ...form,
    methods: [...form.methods, ...many.map((row, place) => (place === 70 ? { ...row, href: undefined } : row))],
    chosen: 'method-70',
    find: '',
  },
  'form-parameters': { ...form, methods: [typed] },
  'form-parameters-errors': {
    ...form,
    methods: [typed],
    values: { parameter_document_type: 'CPF', parameter_document_number: '529.982.247-26', phone: '+55 11 91234 5678' },
    errors: {
      parameter_document_number: { key: 'error.document.checkDigits', values: { document: 'cpf' } },
      parameter_accountName: { key: 'error.parameter.empty' },
    },
  },
  'form-declined-method': { ...sampleForm, chosen: 'skrill', alert: { kind: 'bank', method: 'Skrill' } },
  'form-errors': {
    ...sampleForm,
    values: { card_expiry: '08 / 24', card_holder: 'Mia Lindqvist' },
    errors: {
      card_expiry: { key: 'error.card_expiry.past' },
      card_cvv: { key: 'error.card_cvv.empty', values: { count: 3 } },
    },
  },
  'form-billing': {
    ...form,
    methods: [sampleCard('purchase', { fields: everyField.map((name) => ({ name, optional: name === 'district' })) })],
    country: 'US',
    address: americanAddress,
  },
  'form-schedule': { ...form, methods: [sampleCard()], agreement: sampleSchedule(soon(30 * 24 * 3600)) },
  'form-installments': {
    ...form,
    methods: [sampleCard()],
    installments: { count: 6, each: { minor: 1409n, currency: 'EUR' }, isExact: false, isDelayed: true },
  },
  'form-recurring': { ...form, methods: [sampleCard()], consent: true, agreement: { kind: 'recurring' } },
  'form-saved': {
    ...form,
    methods: list.slice(0, 3),
    saved: [
      saved,
      { ...saved, id: 's2', brand: 'mastercard', last4: '5100', expiry: '11/27' },
      { ...saved, id: 's3', brand: 'amex', last4: '1008', expiry: '03/26', expired: true },
    ],
  },
  payout,
  'payout-kept': {
    ...payout,
    methods: [sampleCard('credit', { savedOnly: true })],
    saved: [{ ...saved, last4: '6519', cardFields: ['card_expiry'] }],
  },
  'payout-methods': { ...payout, methods: [...payout.methods, ...payoutMethods] },
  'payout-method': { ...payout, methods: payoutMethods.slice(0, 1) },
  'payout-method-receipt': { ...receipt, purpose: 'credit', how: { kind: 'method', name: 'Kora' } },
  'payout-declined': { ...payout, alert: { kind: 'bank' } },
  'payout-receipt': { ...receipt, purpose: 'credit' },
  transfer,
  'transfer-errors': { ...transfer, errors: { payee_card_number: { key: 'error.payee_card_number.wrong' } } },
  'transfer-receipt': { ...receipt, purpose: 'transfer', payee: '6519' },
  'form-declined-bank': sampleDeclinedForm,
  'form-declined-data': {
    ...form,
    alert: { kind: 'data', field: 'card_cvv' },
    values: { card_expiry: '08 / 28', card_holder: 'Mia Lindqvist' },
  },
  'form-declined-funds': { ...form, alert: { kind: 'funds' } },
  'form-declined-technical': { ...form, alert: { kind: 'technical' } },
  'form-declined-unconfirmed': { ...form, alert: { kind: 'unconfirmed' } },
  'form-declined-late': { ...form, alert: { kind: 'unconfirmed', method: 'OXXO', late: true } },
  'form-brand': { ...form, merchant: { ...form.merchant, accent: '#f7c843', radius: 14 }, methods: list.slice(0, 4) },
  'form-sandbox': {
    ...form,
    testBar: {
      chosen: 'approve',
      outcomes: testCards.map(([id, expiry]) => ({ id, number: '4111111111111111', expiry, cvv: '123' })),
    },
    values: { card_number: '4111 1111 1111 1111', card_expiry: '01 / 38', card_cvv: '123', card_holder: 'Test Payer' },
  },
  'form-zero': { ...form, order: { ...form.order, amount: { minor: 0n, currency: 'EUR' } } },
  'form-long': {
    ...sampleForm,
    merchant: { ...form.merchant, name: 'Keramikwerkstatt Großschönau GmbH & Co. KG', site: undefined },
    order: {
      ...form.order,
      description: 'Steinzeugschüsseln mit Ascheglasur, zwei Stück, in Handarbeit gedreht',
      amount: { minor: 128_450n, currency: 'RSD' },
      email: 'm•••@maximiliane-von-der-grossschoenauer-keramik.werkstatt.example',
    },
  },
  'form-closing': { ...form, live: { ...(form.live as NonNullable<PageShell['live']>), expiresAt: soon(271) } },
  challenge: { ...sampleShell, state: 'challenge', frameUrl: '/frame', abandonUrl, cardOnly: false },
  'challenge-card': { ...sampleShell, state: 'challenge', frameUrl: '/frame', abandonUrl, cardOnly: true },
  'waiting-unknown': { ...sampleShell, cancelUrl: undefined, state: 'waiting' },
  'waiting-method': { ...sampleShell, ...later, state: 'waiting', method: 'Skrill', abandonUrl },
  ...presentSamples,
  redirecting: {
    ...sampleShell,
    state: 'redirecting',
    to: 'iDEAL',
    target: '_blank',
    action: { url: 'https://bank.example/start', method: 'POST', params: { id: '1' } },
    auto: true,
    asksToLeave: true,
    abandonUrl,
  },
  continue: { ...sampleShell, state: 'continue', url: '/pay/sample?step=1', target: '_blank' },
  receipt,
  'receipt-authorised': { ...receipt, result: 'authorised' },
  'receipt-zero': { ...receipt, order: { ...receipt.order, amount: { minor: 0n, currency: 'EUR' } } },
  'receipt-again': again,
  'receipt-wrong-email': { ...again, email: { ...typing, ...wrongEmail } },
  'receipt-sent': { ...again, email: { ...typing, sentTo: 'm•••@mail.example' } },
  'receipt-returned': { ...receipt, result: 'returned', isNew: false },
  returned: { ...ended, cancelUrl: undefined, state: 'returned' },
  'returned-continue': {
    ...ended,
    cancelUrl: undefined,
    state: 'returned',
    returnUrl: receipt.returnUrl,
    target: '_top',
  },
  expired: { ...ended, state: 'expired', expiredAt: sampleNow, money: 'none', returnUrl: cart },
  'expired-unknown': { ...ended, state: 'expired', expiredAt: sampleNow, money: 'unknown' },
  cancelled: { ...ended, state: 'cancelled', reason: 'payer', returnUrl: cart },
  'cancelled-declines': { ...ended, state: 'cancelled', reason: 'declines', returnUrl: cart },
  'frame-leave': { state: 'frameLeave', action: { url: '/acs', method: 'POST', params: { creq: 'eyJ' } } },
  'frame-return': { state: 'frameReturn', pageUrl: '/pay/sample' },
  'unknown-link': { state: 'unknownLink', languages: sampleShell.languages, pageUrl: '/pay/nothing' },
  error: { state: 'error', languages: sampleShell.languages, pageUrl: '/pay/sample', reference: '7f2c5a81' },
};
