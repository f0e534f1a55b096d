// What the sandbox provider shows the payer of a method, by the method's experience: the `present` member of its
// answers (docs/providers/contract.md), made of the order and of nothing random, so that a second look shows the same.
import { isCryptocurrency } from '../../core/currencies.ts';
import { maskEmail, maskPhone } from '../../core/mask.ts';
import { formatAmount } from '../../core/money.ts';
import type { QrScheme } from '../../core/presentation.ts';
import type { Experience, Method } from '../../methods/method.ts';
import { qrPayload, sandboxPayee } from '../../methods/qr-payload.ts';
import { bankRows, digitsOf, type Row, row } from './bank-details.ts';
import { boletoOf } from './boleto.ts';
import { coinAddress, coinAmount, coinMemo, networkOf } from './cryptocurrencies.ts';
import type { Present } from './operation.ts';
import type { PaymentRequest } from './wire.ts';

/** The part of an order that a presentation needs. `id` is the provider's own, `baseUrl` that of its pages. */
export const shownOf = (order: PaymentRequest, id: string, baseUrl: string) => ({
  id,
  baseUrl,
  key: order.reference,
  amount: { minor: order.minor, currency: order.currency },
  orderNumber: order.order.number,
  description: order.order.description,
  merchantName: order.descriptor || 'Sandbox merchant',
  payer: order.payer ?? {},
  parameters: order.parameters ?? {},
  credentials: order.credentials ?? {},
});

type Shown = ReturnType<typeof shownOf>;
type Coded = Pick<Shown, 'key' | 'amount' | 'orderNumber' | 'description' | 'merchantName'>;

const lifeSeconds: Readonly<Record<Present['kind'], number>> = {
  app: 15 * 60,
  qr: 15 * 60,
  confirm: 5 * 60,
  details: 3 * 24 * 3600,
  message: 24 * 3600,
  crypto: 3600,
  code: 5 * 60,
};

/** The codes of ips are valid for a minute and renewable, as at the bank; others are valid as long as the payment. */
const ipsSeconds = 60;
const ipsPaymentSeconds = 30 * 60;

/** The presentation, its validity, and when the payment expires without the payer. */
export type Shows = { present: Present; expiresSeconds: number; lapsesSeconds: number };

/** The presentation of this method; null for a redirect or if nothing is left to do. */
export function showFor(method: Method, experience: Experience, order: Shown): Shows | null {
  const make = makers[experience];
  const present = make?.(method, order);
  if (!present) return null;
  const isRenewable = present.kind === 'qr' && present.renewable === true;
  const expiresSeconds = isRenewable ? ipsSeconds : lifeSeconds[present.kind];
  return { present, expiresSeconds, lapsesSeconds: isRenewable ? ipsPaymentSeconds : expiresSeconds };
}

/** A new code for a payment whose last one has expired. `count` is the number of codes so far. */
export function renewQr(scheme: QrScheme, order: Coded, count: number) {
  return { present: qrOf(scheme, order, `${order.key}${count}`), expiresSeconds: ipsSeconds };
}

type Maker = (method: Method, order: Shown) => Present;

const makers: { readonly [experience in Experience]?: Maker } = {
  app: (method, order) => ({ kind: 'app', url: appLink(method, order) }),
  qr: ({ qr = 'text' }, order) => qrOf(qr, order, order.key),
  confirm: (_method, order) => ({ kind: 'confirm', ...sentTo(order) }),
  code: (_method, order) => ({ kind: 'code', ...sentTo(order) }),
  details: detailsOf,
  message: ({ id }, { baseUrl, key }) => ({
    kind: 'message',
    channel: id.includes('sms') ? 'sms' : 'email',
    url: `${baseUrl}/sandbox/finish/${encodeURIComponent(key)}`,
  }),
  crypto: cryptoOf,
};

function payloadOf(scheme: QrScheme, { amount, orderNumber, description, merchantName }: Coded, reference: string) {
  const payeeAccount = sandboxPayee(scheme, amount.currency);
  return qrPayload(scheme, { amount, orderNumber, description, merchantName, payeeAccount, reference });
}

// A scheme supports certain currencies. A code in another one is the provider's own text, as some real ones are.
function codeOf(scheme: QrScheme, order: Coded, reference: string): { scheme: QrScheme; payload: string } {
  try {
    return { scheme: scheme, payload: payloadOf(scheme, order, reference) };
  } catch (err) {
    if (!(err instanceof RangeError)) throw err;
    const { amount, orderNumber } = order;
    const sum = `${formatAmount(amount.minor, amount.currency)} ${amount.currency}`;
    return { scheme: 'text', payload: ['SANDBOX', orderNumber, sum, reference].join('\n') };
  }
}

function qrOf(scheme: QrScheme, order: Coded, reference: string): Present {
  const code = codeOf(scheme, order, reference);
  return { kind: 'qr', ...code, ...(code.scheme === 'ips' && { renewable: true }) };
}

function appLink({ qr }: Method, order: Shown): string {
  const code = qr === 'upi' ? codeOf('upi', order, order.key) : null;
  return code?.scheme === 'upi' ? code.payload : `sandboxpay://pay/${order.id}`;
}

const textOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

function phoneOf({ payer, parameters }: Shown): string {
  const own = Object.entries(parameters).find(([name]) => /phone|mobile|msisdn/i.test(name) && !/payee/i.test(name));
  return textOf(payer.phone) || textOf(own?.[1]);
}

function sentTo(order: Shown): { sent_to?: string } {
  const address = phoneOf(order) || textOf(order.payer.email) || textOf(order.payer.identifier);
  return address === '' ? {} : { sent_to: masked(address) };
}

const masked = (address: string) => (address.includes('@') ? maskEmail(address) : maskPhone(address));

function detailsOf(method: Method, order: Shown): Present {
  const { amount, key } = order;
  const sum = `${formatAmount(amount.minor, amount.currency)} ${amount.currency}`;
  // A reference issued before the payment is the one that the shop's point of sale knows.
  const reference = textOf(order.credentials.reference) || digitsOf(`reference ${key}`, 12);
  const pair = [row('reference', reference), row('amount', sum)];
  const places = method.voucher ? [row('places', 'Example Mart, Sample Pharmacy')] : [];
  const rows = [row('beneficiary', order.merchantName), ...payTo(method, order), ...pair, ...places];
  if (!method.voucher) return { kind: 'details', rows };
  if (amount.currency === 'BRL') {
    const { barcode, line } = boletoOf(amount.minor, key);
    return { kind: 'details', rows: [...rows, row('Linha digitável', line)], barcode, symbology: 'itf' };
  }
  const barcode = `${reference.replace(/\D/g, '')}${amount.minor.toString().padStart(10, '0')}`;
  return { kind: 'details', rows, barcode };
}

function payTo({ id, voucher }: Method, { amount, key }: Shown): Row[] {
  if (voucher) return [row('agreement', digitsOf(`agreement ${id}`, 6))];
  if (/upi/.test(id)) return [row('upi_id', sandboxPayee('upi', 'INR'))];
  if (/p2c/.test(id)) return [row('bank', 'Example Bank'), row('card_number', '2200 0000 0000 0004')];
  return bankRows(amount.currency, `account ${key}`);
}

const coinNames = [
  'crypto_type',
  'cryptoCurrency',
  'paymentCurrency',
  'withdrawCurrency',
  'toCurrency',
  'crypto_currency',
];

/** The coin of the order, or of the method's name, or of the order's currency. */
export function coinOf({ id }: Pick<Method, 'id'>, parameters: Record<string, unknown>, currency: string): string {
  const named = coinNames.map((name) => textOf(parameters[name])).find((coin) => coin !== '');
  const own = /^crypto-([a-z]{2,10})$/.exec(id)?.[1];
  const coin = (named ?? own ?? (isCryptocurrency(currency) ? currency : 'USDT'))
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '');
  return coin.length >= 2 ? coin.slice(0, 10) : 'USDT';
}

/** The network of the order; empty if it names none. */
export function askedNetwork(parameters: Record<string, unknown>): string {
  return textOf(parameters.crypto_network) || textOf(parameters.network_type) || textOf(parameters.network);
}

function cryptoOf(method: Method, order: Shown): Present {
  const { parameters, key, amount } = order;
  const coin = coinOf(method, parameters, amount.currency);
  const network = networkOf(coin, askedNetwork(parameters));
  const memo = coinMemo(network, key);
  const bech32 = parameters.bech32 === true || parameters.bech32 === 'true' || parameters.bech32 === '1';
  return {
    kind: 'crypto',
    address: coinAddress(network, key, bech32),
    network: network.name,
    currency: coin,
    // These addresses accept any amount: whatever arrives is the payment.
    ...(!method.id.startsWith('crypto-') && { amount: coinAmount(amount, coin) }),
    ...(memo !== undefined && { memo }),
  };
}
