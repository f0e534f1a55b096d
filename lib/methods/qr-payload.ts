/**
 * The payload of a payment code by scheme: the text that a payer's banking app reads. Live providers usually return
 * their own; the sandbox's provider and connectors whose provider returns none use this one.
 */
import { currencies } from '../core/currencies.ts';
import { formatAmount } from '../core/money.ts';
import type { QrScheme } from '../core/presentation.ts';
import { asciiName, type QrInput } from './qr-input.ts';
import { ipsPayload } from './qr-ips.ts';

/**
 * The payload of a code. Throws a RangeError if no valid code is possible: an account that is not one of the scheme's,
 * an unsupported currency, an amount that is not positive. Texts are cut and cleaned as the scheme requires.
 */
export function qrPayload(scheme: QrScheme, input: QrInput): string {
  if (input.amount.minor <= 0n) throw new RangeError('The amount of a code must be positive');
  return writers[scheme](input);
}

const writers: { readonly [scheme in QrScheme]: (input: QrInput) => string } = {
  ips: ipsPayload,
  pix,
  promptpay,
  qris,
  duitnow,
  qrph,
  upi,
  text,
};

/** Payees of the sandbox: well-formed accounts that do not exist. */
export function sandboxPayee(scheme: QrScheme, currency: string): string {
  if (scheme === 'ips') return ipsPayees[currency] ?? ipsPayees.RSD;
  return sandboxPayees[scheme];
}

const ipsPayees: Readonly<Record<string, string>> & { RSD: string } = {
  RSD: '999-1234567890-48',
  EUR: 'ME25505000012345678951',
  BAM: '9990001234567842',
  MKD: '999000123456756',
};

const sandboxPayees: { readonly [scheme in Exclude<QrScheme, 'ips'>]: string } = {
  pix: '123e4567-e12b-12d1-a456-426655440000',
  promptpay: '099999999999999',
  qris: 'ID1020000000001',
  duitnow: '999999/SANDBOX000001',
  qrph: 'TESTPHM1XXX/SANDBOX000001',
  upi: 'florin.sandbox@upi',
  text: 'sandbox',
};

/** The last fields of every EMVCo code. */
function common(input: QrInput, currency: string, country: string, more: { amount?: string; category?: string } = {}) {
  if (input.amount.currency !== currency) throw new RangeError(`The currency of this code must be ${currency}`);
  const fields: EmvField[] = [
    ['52', more.category ?? '0000'],
    ['53', currencies[currency]?.numeric],
    ['54', more.amount ?? formatAmount(input.amount.minor, currency)],
    ['58', country],
    ['59', asciiName(input.merchantName, 25, 'MERCHANT')],
    ['60', asciiName(input.merchantCity ?? '', 15, capitals[country] ?? country)],
  ];
  return fields;
}

/** The standard requires a city, and not all merchants have one. */
const capitals: Readonly<Record<string, string>> = {
  BR: 'BRASILIA',
  TH: 'BANGKOK',
  ID: 'JAKARTA',
  MY: 'KUALA LUMPUR',
  PH: 'MANILA',
};

/** The letters and digits of a reference; a long one keeps its end, because identifiers begin with a time. */
const label = (reference: string, length: number) => reference.replace(/[^A-Za-z0-9]/g, '').slice(-length);

const template = (tag: string, ...fields: EmvField[]): EmvField => [tag, fields];

function partsOf(account: string, pattern: RegExp): string[] {
  const match = pattern.exec(account);
  if (!match) throw new RangeError('The account of the payee does not match this scheme');
  return match.slice(1);
}

/** BR Code of the Manual de Padroes para Iniciacao do Pix. The address of a charge defines its amount. */
function pix(input: QrInput): string {
  const { payeeAccount } = input;
  const byAddress = /^[a-z0-9.-]+\.[a-z]{2,}\/[^ ]+$/i.test(payeeAccount);
  if (!byAddress)
    partsOf(
      payeeAccount,
      /^([^ @]+@[^ @]+|\+[0-9]{8,15}|[0-9]{11}|[0-9]{14}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/,
    );
  const gui: EmvField = ['00', 'br.gov.bcb.pix'];
  const remaining = 99 - (4 + 14) - (4 + payeeAccount.length) - 4;
  const note = remaining > 0 ? asciiName(input.description, Math.min(remaining, 72), '') : '';
  const account: EmvField[] = byAddress ? [gui, ['25', payeeAccount]] : [gui, ['01', payeeAccount], ['02', note]];
  const fields = common(input, 'BRL', 'BR').filter(([tag]) => !(byAddress && tag === '54'));
  const txid = byAddress ? '***' : label(input.reference, 25) || '***';
  return writePayload([['26', account], ...fields, ['62', [['05', txid]]]]);
}

/** Thai QR: a person or company by number, or a bill, which alone has a reference. */
function promptpay(input: QrInput): string {
  const account = input.payeeAccount;
  partsOf(account, /^(0[0-9]{9}|[0-9]{13}|[0-9]{15})$/);
  const proxy: EmvField = account.length === 10 ? ['01', `0066${account.slice(1)}`] : ['02', account];
  const reference = label(input.reference, 20).toUpperCase();
  const payee =
    account.length === 15
      ? template('30', ['00', 'A000000677010112'], ['01', account], ['02', reference])
      : template('29', ['00', 'A000000677010111'], proxy);
  return writePayload([['01', '12'], payee, ...common(input, 'THB', 'TH')]);
}

/** Rupiah have two decimals in ISO 4217 but none in practice: they are written only if not zero. */
function qris(input: QrInput): string {
  partsOf(input.payeeAccount, /^(ID[0-9]{13})$/);
  const amount = formatAmount(input.amount.minor, input.amount.currency).replace(/\.00$/, '');
  return writePayload([
    ['01', '12'],
    template('51', ['00', 'ID.CO.QRIS.WWW'], ['02', input.payeeAccount], ['03', 'UMI']),
    ...common(input, 'IDR', 'ID', { amount, category: '5999' }),
    template('62', ['01', asciiName(input.orderNumber, 25, '')], ['05', label(input.reference, 25)], ['07', 'A01']),
  ]);
}

function duitnow(input: QrInput): string {
  const [acquirer, merchant] = partsOf(input.payeeAccount, /^([0-9]{6})\/([A-Za-z0-9]{1,28})$/);
  return writePayload([
    ['01', '12'],
    template('26', ['00', 'A0000006150001'], ['01', acquirer], ['02', merchant]),
    ...common(input, 'MYR', 'MY', { category: '5999' }),
    template('62', ['01', asciiName(input.orderNumber, 25, '')], ['05', label(input.reference, 25)]),
  ]);
}

function qrph(input: QrInput): string {
  const [acquirer, merchant] = partsOf(input.payeeAccount, /^([A-Z]{6}[A-Z0-9]{5})\/([A-Za-z0-9]{1,25})$/);
  return writePayload([
    ['01', '12'],
    // 010 marks a code for one payment.
    template('28', ['00', 'ph.ppmi.p2m'], ['01', acquirer], ['03', merchant], ['05', '010']),
    ...common(input, 'PHP', 'PH', { category: '5999' }),
    template('62', ['00', 'ph.ppmi.qrph'], ['05', label(input.reference, 25)], ['08', '***']),
  ]);
}

/** The deep link of NPCI's UPI linking specification. */
function upi(input: QrInput): string {
  partsOf(input.payeeAccount, /^([A-Za-z0-9._-]{2,256}@[A-Za-z0-9]{2,64})$/);
  if (input.amount.currency !== 'INR') throw new RangeError('The currency of this code must be INR');
  const fields = [
    ['pn', asciiName(input.merchantName, 50, 'MERCHANT')],
    ['tr', label(input.reference, 35)],
    ['tn', asciiName(input.description, 50, '')],
    ['am', formatAmount(input.amount.minor, 'INR')],
    ['cu', 'INR'],
  ];
  // Spaces as %20, because several apps show the + of form encoding. The @ of the address is allowed in a query.
  const query = fields
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `&${name}=${encodeURIComponent(value as string)}`);
  return `upi://pay?pa=${input.payeeAccount}${query.join('')}`;
}

/** A code of no public scheme: readable text, one value per line. */
function text(input: QrInput): string {
  const amount = `${formatAmount(input.amount.minor, input.amount.currency)} ${input.amount.currency}`;
  return [input.merchantName, input.orderNumber, amount, input.reference].join('\n');
}

/** A field: its tag, and a value or the fields of its template. Fields without a value are omitted. */
export type EmvField = readonly [tag: string, value: string | readonly EmvField[] | undefined];

const checksumTag = '63';

/** CRC-16/CCITT-FALSE (polynomial 1021, initial value FFFF) of ASCII text, four upper-case hexadecimal digits. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (let at = 0; at < text.length; at += 1) {
    crc ^= text.charCodeAt(at) << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

/**
 * Encodes fields in the given order. Throws a RangeError for a tag that is not two digits, and for a value that is
 * longer than 99 characters or not printable ASCII: readers count bytes, so other values have ambiguous lengths.
 */
export function writeFields(fields: readonly EmvField[]): string {
  return fields.map(([tag, value]) => writeField(tag, value)).join('');
}

function writeField(tag: string, fieldValue: EmvField[1]): string {
  const value = typeof fieldValue === 'string' || fieldValue === undefined ? fieldValue : writeFields(fieldValue);
  if (!value) return '';
  if (!/^[0-9]{2}$/.test(tag)) throw new RangeError(`Invalid tag: ${tag}`);
  if (value.length > 99)
    throw new RangeError(`Field ${tag} of a code has ${value.length} characters; the maximum is 99`);
  if (!/^[ -~]+$/.test(value)) throw new RangeError(`Field ${tag} of a code has characters that are not ASCII`);
  return tag + String(value.length).padStart(2, '0') + value;
}

/** A complete payload: the format indicator, the fields, and the CRC over everything before its own four digits. */
export function writePayload(fields: readonly EmvField[]): string {
  const prefix = `${writeFields([['00', '01'], ...fields])}${checksumTag}04`;
  return prefix + crc16(prefix);
}
