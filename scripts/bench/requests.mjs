// The requests of the API benchmark as whole HTTP texts: what a merchant's server sends to open a session, and what the
// script of the payment page sends to pay. Order numbers and cards are all different, as they are in life.
import { createHash, randomUUID } from 'node:crypto';

const order = { amount: '84.50', currency: 'EUR', description: 'Two stoneware bowls' };

/** One session request of a merchant (protocol.md 1 and 3). */
export function sessionRequest(port, { key, password }) {
  const number = randomUUID();
  const body = {
    merchant_key: key,
    operation: 'purchase',
    methods: ['card'],
    order: { number, ...order },
    success_url: 'https://shop.example/paid',
    cancel_url: 'https://shop.example/cancelled',
    customer: { name: 'Mia Lindqvist', email: 'mia@mail.example', ip: '203.0.113.7' },
    hash: hashOf(number, password),
  };
  const headers = { 'content-type': 'application/json', 'user-agent': 'Shop/1.0' };
  return httpText('POST', '/api/v1/session', port, headers, JSON.stringify(body));
}

function hashOf(number, password) {
  const input = number + order.amount + order.currency + order.description + password;
  const inner = createHash('md5').update(input.toUpperCase()).digest('hex');
  return createHash('sha1').update(inner).digest('hex');
}

/** A payment page as a browser asks for it. */
export function pageRequest(port, path) {
  return httpText('GET', path, port, { ...browser, accept: 'text/html' });
}

/** The submit of a payment page's form by its script. `hidden` are names and values of the form's hidden fields. */
export function payRequest(port, path, hidden) {
  const fields = new URLSearchParams({
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
  });
  const headers = {
    ...browser,
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
    origin: `http://127.0.0.1:${port}`,
    'sec-fetch-site': 'same-origin',
  };
  return httpText('POST', path, port, headers, fields.toString());
}

const browser = {
  'user-agent':
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  'accept-language': 'en-US,en;q=0.9',
};

let cards = 0;

// A Luhn-valid Visa number that no request before had.
function newCard() {
  cards += 1;
  const digits = `4${String(cards).padStart(14, '0')}`;
  let sum = 0;
  for (const [place, digit] of [...digits].reverse().entries()) {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return digits + ((10 - (sum % 10)) % 10);
}

function httpText(method, path, port, headers, body = '') {
  const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers, 'content-length': Buffer.byteLength(body) });
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}
