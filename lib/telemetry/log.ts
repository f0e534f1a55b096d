// The process's log: pino, one JSON line per event on standard output. Every line passes the scrubber on its way out,
// because redaction by known paths misses what an error message or a provider's answer may carry.
import { pino } from 'pino';
import { currentRequestId } from './request-id';
import { currentTraceId } from './tracing';

const mask = '[scrubbed]';
// Compared with the key's letters only, so that card_number, cardNumber and card-number are one name.
const secretNames =
  /cardnumber|cvv|cvc|securitycode|password|passwd|secret|token|hash|authorization|cookie|apikey|vaultkey/;
const secretExactly = new Set(['pan', 'key']);
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const digit = '[0-9\\u0660-\\u0669\\u06f0-\\u06f9]';
const digitRun = new RegExp(`${digit}(?:[ \\u00a0-]?${digit}){12,}`, 'g');
// A word, and the sign that makes it a name: `"name":` of JSON that was quoted inside a text, `name=` or `name: ` of forms and
// headers. A word that names nothing is taken whole: looked at from each of its letters anew, a long one would take minutes.
const wordAndSign = /([\w[\]%.-]+)(\\*["']?\s*[:=]\s*)?/g;
const quotedValue = /(\\{0,31}["'])(.*?)\1/y;
const bareValue = /[^&\s"'\\,;{}[\]]+/y;
// Most values of a line: words, one of our identifiers, a time. They cannot hold what the slower patterns look for.
const harmless =
  /^(?:(?!.*\b(?:bearer|basic)\s)[a-z _-]*|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]{8,12}Z)$/i;

// Every pattern of names needs a sign between name and value; a scheme of credentials stands by itself.
const mayName = /[:=]|bearer|basic/i;
const anyRun = new RegExp(digitRun.source);

/** A copy of one log line without card numbers and without the values of secret names, at any depth. */
export function scrubLine(line: string): string {
  try {
    return `${JSON.stringify(scrubValue(JSON.parse(line)))}\n`;
  } catch {
    return `${scrubText(line.trimEnd())}\n`;
  }
}

/** A copy of `value` with the values of secret names masked and every text scrubbed. */
export function scrubValue(value: unknown): unknown {
  if (typeof value === 'string') return scrubText(value);
  if (typeof value === 'number') return maskCards(String(value)) === String(value) ? value : mask;
  if (Array.isArray(value)) return value.map(scrubValue);
  if (value === null || typeof value !== 'object') return value;
  const copy: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(value)) {
    copy.push([maskCards(name), isSecret(name) ? mask : scrubValue(inner)]);
  }
  return Object.fromEntries(copy);
}

/**
 * A copy of what went over the wire, for a log that its merchant reads: scrubbed as every line is, but a card number keeps
 * its first six and last four digits, which are what signatures are made over. `shown` says which secret names stay as
 * they are, by their place (`order.number`).
 */
export function scrubWire(value: unknown, shown: (path: string) => boolean, path = ''): unknown {
  if (Array.isArray(value)) return value.map((inner, place) => scrubWire(inner, shown, `${path}.${place}`));
  if (value === null || typeof value !== 'object') return scrubLeaf(value);
  const copy: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(value)) {
    const place = path === '' ? name : `${path}.${name}`;
    const secret = isSecret(name) && !shown(place);
    copy.push([maskCards(name), secret ? (cardMask(inner) ?? mask) : scrubWire(inner, shown, place)]);
  }
  return Object.fromEntries(copy);
}

function scrubLeaf(value: unknown): unknown {
  return typeof value === 'string' ? (cardMask(value, true) ?? scrubText(value)) : scrubValue(value);
}

// The name says that it is a card, or the digits do (`checked`): a number with a slip in it is a card number all the same.
function cardMask(value: unknown, checked = false): string | null {
  if (typeof value !== 'string' || value.length > 40) return null;
  const digits = asciiDigits(value);
  if (digits.length < 13 || digits.length > 19 || /[^\d\s-]/.test(value)) return null;
  if (checked && !(/^\s*[2-6]/.test(value) && passesLuhn(digits, 0, digits.length))) return null;
  return `${digits.slice(0, 6)}${'*'.repeat(digits.length - 10)}${digits.slice(-4)}`;
}

/** `text` with Luhn-valid card numbers and the values of secret names replaced. */
export function scrubText(text: string): string {
  if (harmless.test(text)) return text;
  if (!mayName.test(text)) return maskCards(text);
  return maskCards(maskNamed(text.replace(/\b(Bearer|Basic)\s+[\w+/=.~-]{6,}/gi, mask)));
}

// What follows a name that is not secret is looked through like the rest: it may be a name itself (`error: token=...`).
function maskNamed(text: string): string {
  let out = '';
  let from = 0;
  wordAndSign.lastIndex = 0;
  for (let found = wordAndSign.exec(text); found; found = wordAndSign.exec(text)) {
    const [whole, name = '', sign] = found;
    if (sign === undefined || !isSecret(name)) continue;
    const at = found.index + whole.length;
    quotedValue.lastIndex = at;
    bareValue.lastIndex = at;
    const quoted = quotedValue.exec(text);
    const value = quoted ?? bareValue.exec(text);
    if (!value) continue;
    const quote = quoted?.[1] ?? '';
    out += text.slice(from, at) + quote + mask + quote;
    from = at + value[0].length;
    wordAndSign.lastIndex = from;
  }
  return out + text.slice(from);
}

function isSecret(name: string): boolean {
  const letters = name.toLowerCase().replace(/%5[bd]|[^a-z]/g, '');
  return secretExactly.has(letters) || secretNames.test(letters);
}

// Identifiers of ours are UUIDs; their digits are not cards, and a masked one would be useless to support.
function maskCards(text: string): string {
  if (!anyRun.test(text)) return text;
  let out = '';
  let from = 0;
  for (const found of text.matchAll(uuid)) {
    out += maskRuns(text.slice(from, found.index)) + found[0];
    from = found.index + found[0].length;
  }
  return out + maskRuns(text.slice(from));
}

function maskRuns(text: string): string {
  return text.replace(digitRun, (run) => (holdsCard(asciiDigits(run)) ? '[card]' : run));
}

function asciiDigits(run: string): string {
  let digits = '';
  for (const char of run) {
    const code = char.codePointAt(0) ?? 0;
    if (code >= 0x06f0) digits += String(code - 0x06f0);
    else if (code >= 0x0660) digits += String(code - 0x0660);
    else if (code >= 0x30 && code <= 0x39) digits += char;
  }
  return digits;
}

// A card may stand behind other digits ("1 4111..."), so every window of 13 to 19 digits is tried.
function holdsCard(digits: string): boolean {
  for (let start = 0; start + 13 <= digits.length; start += 1) {
    if (!/[2-6]/.test(digits[start] ?? '')) continue;
    for (let length = 13; length <= 19 && start + length <= digits.length; length += 1) {
      if (passesLuhn(digits, start, length)) return true;
    }
  }
  return false;
}

function passesLuhn(digits: string, start: number, length: number): boolean {
  let sum = 0;
  for (let place = 0; place < length; place += 1) {
    const value = digits.charCodeAt(start + length - 1 - place) - 48;
    const doubled = place % 2 === 1 ? value * 2 : value;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

// Epoch milliseconds are 13 digits, one in ten of which passes Luhn: the time is written as text.
const placeOf = () => {
  const [request, trace] = [currentRequestId(), currentTraceId()];
  return { ...(request && { request }), ...(trace && { trace }) };
};

/** The process's logger. `log.error({ err }, 'what failed')`; never build a message out of a request's values. */
export const log = pino(
  {
    level: process.env.LOG_LEVEL?.trim() || 'info',
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: placeOf,
  },
  { write: (line: string) => process.stdout.write(scrubLine(line)) },
);
