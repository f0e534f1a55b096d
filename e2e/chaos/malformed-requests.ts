// Valid requests of the protocols and the payer pages, and random mutations of them. The same seed produces the same
// requests.
import type { Credentials } from '../support/merchants.ts';
import type { ShopServer } from '../support/shop-server.ts';
import { type Draw, oneOf } from './seeded-random.ts';

const cardActions =
  'SALE DEBIT RECURRING_SALE RECURRING_DEBIT CARD2CARD CREDIT2CARD CAPTURE VOID CREDITVOID RETRY GET_TRANS_STATUS ' +
  'GET_TRANS_DETAILS GET_TRANS_STATUS_BY_ORDER CREATE_SCHEDULE UPDATE_SCHEDULE DELETE_SCHEDULE PAUSE_SCHEDULE ' +
  'RUN_SCHEDULE SCHEDULE_INFO DESCHEDULE';

const checkoutPaths = [
  ...['session', 'session/token', 'payment/status', 'payment/refund', 'payment/capture', 'payment/void'],
  ...['payment/retry', 'payment/recurring', 'payment/card/credit', 'card_token/remove'],
  ...['processing/purchase/card', 'processing/debit/card', 'processing/wallets', 'processing/wallets/applepay'],
];

type Fields = Record<string, unknown>;

/** A valid request and its encoding. */
export type ValidRequest = {
  method: string;
  path: string;
  fields: Fields;
  type?: string;
  headers?: Record<string, string>;
};

/** A request to send; `url` is a path. */
export type MalformedRequest = {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | Buffer<ArrayBuffer>;
};

/** Where the requests are sent, and the merchant that signs them. */
type Place = { apps: readonly { url: string }[]; credentials: Credentials; shopServer: ShopServer };

/** Valid requests of the protocols and the payer pages. */
export async function validRequests(environment: Place): Promise<ValidRequest[]> {
  const [{ cardMerchant }, { merchantClient }] = await Promise.all([
    import('../support/card-merchant.ts'),
    import('../support/merchant.ts'),
  ]);
  const url = environment.apps[0]?.url ?? '';
  const card = cardMerchant(url, environment.credentials, environment.shopServer);
  const checkout = merchantClient(url, environment.credentials, environment.shopServer);
  const session = checkout.signed(checkout.sessionBody());
  const opened = await checkout.open();
  const page = new URL(opened.url).pathname;
  const sale = card.signed(card.chargeBody('SALE'));
  const form = (path: string, fields: Fields) => ({ method: 'POST', path, fields, type: 'form' });
  return [
    ...cardActions.split(' ').map((action) => form('/s2s/card/post', { ...sale, action, trans_id: opened.token })),
    ...['SALE', 'CREDITVOID', 'CREDIT2VIRTUAL', 'DEBIT', 'GET_TRANS_STATUS'].map((action) =>
      form('/s2s/apm/post', { ...sale, action, brand: 'papara', identifier: 'success@gmail.com' }),
    ),
    ...checkoutPaths.map((path) => ({ method: 'POST', path: `/api/v1/${path}`, fields: session, type: 'json' })),
    { method: 'PUT', path: '/api/v1/session/update', fields: session, type: 'json' },
    form(page, { attempt: '0', total: '84.50 EUR', guard: 'x', card_number: '4111111111111111', method: 'card' }),
    ...['cancel', 'abandon', 'renew', 'code'].map((action) => form(`${page}/${action}`, { attempt: '0', guard: 'x' })),
    ...['', '/address', '/challenge', '/logo'].map((end) => ({
      method: 'GET',
      path: page + end,
      fields: { lang: 'ar' },
    })),
    { method: 'POST', path: '/fields/collect', fields: { card_number: '4111111111111111' }, type: 'json' },
    { method: 'GET', path: '/fields/card', fields: { lang: 'de' } },
    { method: 'GET', path: `/return/${opened.token}`, fields: {} },
    {
      method: 'POST',
      path: '/notify/http/01a1faa7-5266-7296-b035-4fc226063ec1',
      fields: { reference: 'x' },
      type: 'json',
    },
  ];
}

/** Texts that a reader may misunderstand. */
export const texts = [
  '',
  ' ',
  '0',
  '-1',
  '1e309',
  'NaN',
  '\u0000',
  '\ud800',
  '\u202e84.50',
  '٨٤٫٥٠',
  "' or 1=1 --",
  '{{7*7}}',
  '%00',
  '../../etc',
  'null',
  'true',
  '[]',
  '{}',
  '4111 1111 1111 1111',
  '9'.repeat(40),
  'a'.repeat(300),
  '💳'.repeat(80),
  '<script>',
  '\r\nX: y',
  '31.02.2026',
  '2026-02-30',
  '84.500',
  '1,5',
  'constructor',
  '__proto__',
  'https://[::1]/',
  'javascript:alert(1)',
];

/** Repeated often, these make careless regular expressions backtrack. */
export const units = [
  'z',
  '0',
  '3',
  '4 ',
  '4.',
  '0.',
  ' ',
  '\n',
  '%',
  '%41',
  '[',
  'a[b]',
  '.0',
  '\\',
  '"',
  'a="',
  "a='",
  'a=\\"',
  '=z',
  'a =',
  '<a ',
  '<!--',
  '-',
];

/** A text of up to 250,000 characters, mostly short. */
function longText(draw: Draw, most = 250_000): string {
  const unit = oneOf(draw, units);
  const length = 10 * (most / 10) ** draw();
  return (
    oneOf(draw, ['', ':', '@']) + unit.repeat(Math.ceil(length / unit.length)) + oneOf(draw, ['', ':', '="', '\u0000'])
  );
}

/** Each takes fields and a random source, and returns mutated fields. */
const mutations: ((fields: Fields, draw: Draw) => Fields)[] = [
  (fields, draw) => ({ ...fields, [oneOf(draw, Object.keys(fields)) ?? 'x']: oneOf(draw, texts) }),
  (fields, draw) => {
    const { [oneOf(draw, Object.keys(fields))]: _gone, ...left } = fields;
    return left;
  },
  (fields, draw) => ({
    ...fields,
    [oneOf(draw, Object.keys(fields)) ?? 'x']: oneOf(draw, [7, -0, null, true, [], {}, [[]]]),
  }),
  (fields, draw) => ({
    ...fields,
    [oneOf(draw, ['__proto__', 'constructor', 'toString', 'order[0]', 'a[b][c][d]'])]: 'x',
  }),
  (fields, draw) => ({ ...fields, [oneOf(draw, Object.keys(fields)) ?? 'x']: deep(1 + Math.floor(draw() * 60)) }),
  (fields, draw) => ({ ...fields, [oneOf(draw, Object.keys(fields)) ?? 'x']: longText(draw) }),
  (fields, draw) => ({ ...fields, [longText(draw, 20_000)]: 'x' }),
  (fields, draw) => ({
    ...fields,
    ...Object.fromEntries(Array.from({ length: Math.floor(draw() * 300) }, (_, n) => [`f${n}`, n])),
  }),
];

const deep = (levels: number) => {
  let value: unknown = 'x';
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? { a: value } : [value];
  return value;
};

/** Fields as the pairs of a form, nested ones with bracket names. */
export function pairs(fields: object, prefix = ''): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]): [string, string][] => {
    const key = prefix === '' ? name : `${prefix}[${name}]`;
    return typeof value === 'object' && value !== null ? pairs(value, key) : [[key, String(value)]];
  });
}

const wellFormed = (text: string) => text.replaceAll(/[\ud800-\udfff]/g, '');

const headerNames = ['token', 'cookie', 'accept', 'origin', 'x-forwarded-for', 'accept-language', 'user-agent'];

/** The request to send, after up to three mutations. */
export function malformed(
  { method, path, fields: valid, type, headers: validHeaders = {} }: ValidRequest,
  draw: Draw,
): MalformedRequest {
  let fields = valid;
  for (let times = Math.floor(draw() * 4); times > 0; times -= 1) fields = oneOf(draw, mutations)(fields, draw);
  if (method === 'GET') {
    const query = new URLSearchParams(pairs(fields)).toString();
    return {
      method,
      url: draw() < 0.1 ? `${path}/%ff%2e?${query}` : `${path}?${query.slice(0, 7000)}`,
      headers: validHeaders,
    };
  }
  const isForm = type === 'form' ? draw() < 0.95 : draw() < 0.05;
  let body: string | Buffer<ArrayBuffer> = isForm
    ? new URLSearchParams(pairs(fields)).toString()
    : JSON.stringify(fields);
  if (draw() < 0.15) body = corruptBytes(body, draw);
  const mediaType = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  const headers: Record<string, string> = {
    ...validHeaders,
    'content-type':
      draw() < 0.05 ? oneOf(draw, ['text/plain', 'multipart/form-data', `${mediaType};charset=utf-16`]) : mediaType,
  };
  if (draw() < 0.2)
    headers[oneOf(draw, headerNames)] = wellFormed(
      draw() < 0.3 ? longText(draw, 12_000) : oneOf(draw, texts),
    ).replaceAll(/[^\x20-\x7e]/g, '?');
  return { method, url: path, headers, body };
}

// Drops or changes bytes.
function corruptBytes(text: string, draw: Draw) {
  const bytes = Buffer.from(text);
  for (let times = 1 + Math.floor(draw() * 6); times > 0 && bytes.length > 0; times -= 1) {
    bytes[Math.floor(draw() * bytes.length)] = Math.floor(draw() * 256);
  }
  return draw() < 0.3 ? bytes.subarray(0, Math.floor(draw() * bytes.length)) : bytes;
}
