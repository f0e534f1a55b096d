// A sample of each screen of a payment that is completed elsewhere.
import type { CodeImage, PresentPage, StepOf } from '../../lib/payer/contract';
import { sampleNow, sampleShell } from './sample-shell';

/** A sample code of 29 modules: its three finder patterns, and pseudo-random modules that are the same every time. */
function sampleCode(): CodeImage {
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

const soon = (seconds: number): Date => new Date(sampleNow.getTime() + seconds * 1000);

/** A payment in progress; its session's end no longer matters. */
const present: Omit<PresentPage, 'method' | 'kind' | 'step'> = {
  ...sampleShell,
  state: 'present',
  live: { eventsUrl: '/pay/sample/events', stateUrl: '/pay/sample/state', version: 'present-1' },
  abandonUrl: '/pay/sample/abandon',
};

const ips: PresentPage = {
  ...present,
  order: { ...sampleShell.order, amount: { minor: 984_000n, currency: 'RSD' } },
  method: 'IPS',
  kind: 'code',
  step: {
    kind: 'qr',
    scheme: 'ips',
    code: sampleCode(),
    saveUrl: '/pay/sample/code.png',
    renewUrl: '/pay/sample/renew',
    expired: false,
    expiresAt: soon(42),
  },
};

const transfer: PresentPage = {
  ...present,
  method: 'Bank transfer',
  kind: 'bank',
  step: {
    kind: 'details',
    rows: [
      { name: 'reference', value: 'FL 7Q4K 28' },
      { name: 'amount', value: '84.50 EUR' },
      { name: 'iban', value: 'DE89370400440532013000' },
      { name: 'bic', value: 'COBADEFFXXX' },
      { name: 'beneficiary', value: 'Orme Ceramics Ltd' },
    ],
  },
};

const coin: PresentPage = {
  ...present,
  method: 'Tether',
  kind: 'coin',
  step: {
    kind: 'crypto',
    address: 'TXa9r4mWQ2Zb7kP1uVc8sNfE5yHdL3JgK6',
    network: 'Tron',
    currency: 'USDT',
    amount: '91.27',
    code: sampleCode(),
    expiresAt: soon(848),
  },
};

const oneTimeCode: PresentPage = {
  ...present,
  method: 'Beeline',
  kind: 'app',
  step: { kind: 'code', sentTo: '+7 701 ••• 18 27', wrong: false, codeUrl: '/pay/sample/code', expiresAt: soon(112) },
};

/** Each step and its main variants, by a name that can be a file name. */
export const presentSamples: Record<string, PresentPage> = {
  'present-app': {
    ...present,
    method: 'PhonePe',
    kind: 'app',
    step: { kind: 'app', url: 'upi://pay?pa=orme@sandbox', code: sampleCode(), expiresAt: soon(271) },
  },
  'present-qr': ips,
  'present-qr-expired': { ...ips, step: { ...(ips.step as StepOf<'qr'>), expired: true } },
  'present-qr-copy': {
    ...ips,
    order: { ...sampleShell.order, amount: { minor: 48_000n, currency: 'BRL' } },
    method: 'PIX',
    step: {
      ...(ips.step as StepOf<'qr'>),
      scheme: 'pix',
      copy: '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Orme Ceramics6008BRASILIA62070503***63041D3D',
      renewUrl: undefined,
      expiresAt: soon(1500),
    },
  },
  'present-qr-wallet': {
    ...ips,
    method: 'GCash',
    step: { ...(ips.step as StepOf<'qr'>), scheme: 'text', expiresAt: soon(9) },
  },
  'present-confirm': {
    ...present,
    method: 'PhonePe',
    kind: 'app',
    step: { kind: 'confirm', sentTo: '+381 64 ••• 18 27', expiresAt: soon(271) },
  },
  'present-details': transfer,
  'present-ticket': {
    ...present,
    method: 'AXXI Cash',
    kind: 'code',
    step: {
      kind: 'details',
      rows: [
        { name: 'agreement', value: '482913' },
        { name: 'voucher', value: '93021774560118273345' },
        { name: 'amount', value: '84.50 EUR' },
        { name: 'Counter', value: 'Any branch' },
      ],
      voucherUrl: '/pay/sample/ticket',
      expiresAt: soon(3 * 86_400),
    },
    testUrl: 'https://bank.example/play',
    testBar: { outcomes: [] },
  },
  'present-email': {
    ...present,
    method: 'Link by email',
    kind: 'app',
    step: { kind: 'message', channel: 'email', to: 'm•••@mail.example', expiresAt: soon(3500) },
  },
  'present-sms': {
    ...present,
    method: 'Link by SMS',
    kind: 'app',
    step: { kind: 'message', channel: 'sms', to: '+46 70 ••• 45 67' },
  },
  'present-crypto': coin,
  'present-crypto-any': {
    ...coin,
    method: 'Bitcoin',
    step: {
      ...(coin.step as StepOf<'crypto'>),
      address: 'bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh',
      network: 'Bitcoin',
      currency: 'BTC',
      amount: undefined,
      memo: '4071882',
      expiresAt: undefined,
    },
  },
  'present-code': oneTimeCode,
  'present-code-wrong': { ...oneTimeCode, step: { ...(oneTimeCode.step as StepOf<'code'>), wrong: true } },
};
