// The benchmarks' requests as complete HTTP messages: sessions, S2S CARD sales and status requests of a merchant's
// server, and payments of the payment page's script. Order numbers and cards are all different.
import { createHash, randomInt, randomUUID } from 'node:crypto';

const order = { amount: '84.50', currency: 'EUR', description: 'Two stoneware bowls' };
const email = 'mia@mail.example';
const fromServer = { 'user-agent': 'Shop/1.0' };

/** A merchant's key and password. */
export type Merchant = { key: string; password: string };

const hex = (algorithm: 'md5' | 'sha1', text: string) => createHash(algorithm).update(text).digest('hex');
const reversed = (text: string) => [...text].reverse().join('');
const fragmentOf = (card: string) => card.slice(0, 6) + card.slice(-4);

/** The Checkout hash over values followed by the password (protocol.md 1). */
const checkoutHash = (values: string, password: string) => hex('sha1', hex('md5', (values + password).toUpperCase()));

/** A session request (protocol.md 1 and 3). */
export function sessionRequest(port: number, { key, password }: Merchant): string {
  const number = randomUUID();
  const body = {
    merchant_key: key,
    operation: 'purchase',
    methods: ['card'],
    order: { number, ...order },
    success_url: 'https://shop.example/paid',
    cancel_url: 'https://shop.example/cancelled',
    customer: { name: 'Mia Lindqvist', email, ip: '203.0.113.7' },
    hash: checkoutHash(number + order.amount + order.currency + order.description, password),
  };
  return jsonText('/api/v1/session', port, body);
}

/** A Checkout status request. */
export function statusRequest(port: number, { key, password }: Merchant, paymentId: string): string {
  const body = { merchant_key: key, payment_id: paymentId, hash: checkoutHash(paymentId, password) };
  return jsonText('/api/v1/payment/status', port, body);
}

type Sale = { card?: string; callbackUrl?: string; more?: Record<string, string>; path?: string };

/** An S2S CARD SALE, signed by formula 1 (protocol.md 1 and 5). */
export function saleRequest(
  port: number,
  { key, password }: Merchant,
  { card = newCard(), callbackUrl, more, path }: Sale = {},
): string {
  const fields = {
    action: 'SALE',
    client_key: key,
    order_id: randomUUID(),
    order_amount: order.amount,
    order_currency: order.currency,
    order_description: order.description,
    card_number: card,
    card_exp_month: '01',
    card_exp_year: '2038',
    card_cvv2: '123',
    payer_first_name: 'Mia',
    payer_last_name: 'Lindqvist',
    payer_email: email,
    payer_phone: '46701234567',
    payer_ip: '203.0.113.7',
    ...(callbackUrl && { callback_url: callbackUrl }),
    ...more,
    hash: hex('md5', (reversed(email) + password + reversed(fragmentOf(card))).toUpperCase()),
  };
  return formText(path ?? '/s2s/card/post', port, fields);
}

/** A sale with a card at Medusa (e2e/bench/medusa). */
export function medusaSaleRequest(port: number): string {
  const card = { number: newCard(), expiry_month: '01', expiry_year: '2038', security_code: '123' };
  const body = { reference: randomUUID(), amount: Number(order.amount), currency: order.currency, card };
  return jsonText('/sale', port, body);
}

/** GET_TRANS_STATUS of a SALE with this card, signed by formula 2. */
export function transStatusRequest(port: number, { key, password }: Merchant, transId: string, card: string): string {
  const hash = hex('md5', (reversed(email) + password + transId + reversed(fragmentOf(card))).toUpperCase());
  return formText('/s2s/card/post', port, { action: 'GET_TRANS_STATUS', client_key: key, trans_id: transId, hash });
}

/** CREATE_SCHEDULE, signed by formula 3: monthly for a year. */
export function scheduleRequest(port: number, { key, password }: Merchant): string {
  const plan = { name: 'Monthly', interval_length: '1', interval_unit: 'month', payments_count: '12' };
  const hash = hex('md5', reversed(password).toUpperCase());
  return formText('/s2s/card/post', port, { action: 'CREATE_SCHEDULE', client_key: key, ...plan, hash });
}

/** A request to be made; `given` are the arguments of its kind's function. */
export type Wanted = { kind: 'session' | 'sale'; port: number; merchant: Merchant; given?: Sale };

/** A request of this kind. */
export function requestOf({ kind, port, merchant, given }: Wanted): string {
  return { session: sessionRequest, sale: saleRequest }[kind](port, merchant, given);
}

/** A browser's request for a payment page. */
export function pageRequest(port: number, path: string): string {
  return httpText('GET', path, port, { ...browser, accept: 'text/html' });
}

/** The payment form as submitted by the page's script. `hidden` are names and values of the hidden fields. */
export function payRequest(port: number, path: string, hidden: string[][]): string {
  const fields: Record<string, string> = {
    ...Object.fromEntries(hidden),
    card_number: newCard(),
    card_expiry: '01 / 38',
    card_cvv: '123',
    card_holder: 'Mia Lindqvist',
    browser_language: 'en-US',
    browser_color_depth: '24',
    browser_screen_height: '844',
    browser_screen_width: '390',
    browser_timezone_offset: '-60',
    browser_java_enabled: 'false',
    browser_platform: 'Linux',
  };
  const headers = {
    ...browser,
    accept: 'application/json',
    origin: `http://127.0.0.1:${port}`,
    'sec-fetch-site': 'same-origin',
  };
  return formText(path, port, fields, headers);
}

const browser = {
  'user-agent':
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  'accept-language': 'en-US,en;q=0.9',
};

// Several processes generate cards; each starts at a random number.
let cards = randomInt(10 ** 12);

/** A Luhn-valid Visa number, unique in this run. */
export function newCard(): string {
  cards += 1;
  const digits = `4${String(cards).padStart(14, '0')}`;
  let sum = 0;
  for (const [place, digit] of [...digits].reverse().entries()) {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return digits + ((10 - (sum % 10)) % 10);
}

function jsonText(path: string, port: number, body: object) {
  const headers = { 'content-type': 'application/json', ...fromServer };
  return httpText('POST', path, port, headers, JSON.stringify(body));
}

function formText(
  path: string,
  port: number,
  fields: Record<string, string>,
  headers: Record<string, string> = fromServer,
) {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  return httpText('POST', path, port, { ...headers, ...type }, new URLSearchParams(fields).toString());
}

function httpText(method: string, path: string, port: number, headers: Record<string, string>, body = '') {
  const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers, 'content-length': Buffer.byteLength(body) });
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}
