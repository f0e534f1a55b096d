// The process's log: pino, one JSON line per event on standard output. Every line is scrubbed, because redaction of
// known paths misses secrets in error messages and providers' responses.
import { pino } from 'pino';
import { mask, maskNamed, valueName } from '../core/card-secrets.ts';
import { checkDigits, maskCardNumbers, withoutInvisible, withPlainDigits } from '../core/card-text.ts';
import { luhn } from '../core/cards.ts';
import { currentRequestId } from './request-id.ts';
import { currentTraceId } from './tracing.ts';

// Only the key's letters are compared, so that card_number, cardNumber and card-number are equal.
const secretNames =
  /cardnumber|cvv|cvc|cvn|cvd|csc|securitycode|cardcode|verificationvalue|authenticationvalue|cavv|cryptogram|password|passwd|secret|token|hash|authorization|cookie|apikey|vaultkey/;
const secretExactly = new Set(
  'pan pin pinblock cardpin atmpin encryptedpin key cv cid cav cve cvp cardcv cardcid cardcav cardcve cardcvp'.split(
    ' ',
  ),
);
// Longer names, and names with signs of JSON, XML, forms or tracks, are texts of another format, which can contain anything.
const isName = /^[^{}<>="&;^\\\p{Cc}]{1,64}$/u;
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const digestText = /^(?:[0-9a-f]{32}|[0-9a-f]{40})$/i;
const traceId = /^(?=.*[a-f])[0-9a-f]{32}$/;
const digitRun = /\d(?:[ \u00a0\u200b-]?\d){12,}/g;
// Most values of a line: words, UUIDs, times. They cannot contain what the slower patterns match.
const harmless =
  /^(?:(?!.*\b(?:bearer|basic)\s)[a-z _-]*|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]{8,12}Z)$/i;

const anyRun = new RegExp(digitRun.source);

/** A copy of a log line without card numbers and without the values of secret names, at any depth. */
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
    // The id of a trace can contain digits that look like a card.
    const kept = name === 'trace' && typeof inner === 'string' && traceId.test(inner);
    const secret = isSecret(valueName(value, name));
    copy.push([scrubName(name, inner), secret ? mask : kept ? inner : scrubValue(inner)]);
  }
  return Object.fromEntries(copy);
}

/**
 * A copy of a wire message for a log that its merchant reads: scrubbed like every log line, but card numbers keep their
 * first six and last four digits, which signatures use. `shown` decides by path which secret names are not masked
 * (`order.number`).
 */
export function scrubWire(value: unknown, shown: (path: string) => boolean, path = ''): unknown {
  if (Array.isArray(value)) return value.map((inner, place) => scrubWire(inner, shown, `${path}.${place}`));
  if (value === null || typeof value !== 'object') return scrubLeaf(value);
  const copy: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(value)) {
    const place = path === '' ? name : `${path}.${name}`;
    const secret = isSecret(valueName(value, name)) && !shown(place);
    const scrubbed = () => (name === 'hash' && isDigest(inner) ? inner : scrubWire(inner, shown, place));
    copy.push([scrubName(name, inner), secret ? (cardMask(inner) ?? mask) : scrubbed()]);
  }
  return Object.fromEntries(copy);
}

// One MD5 or SHA-1 in some hundreds has digits in a row among which a card number could be.
const isDigest = (value: unknown) =>
  typeof value === 'string' && digestText.test(value) && maskCardNumbers(value) === value;

function scrubName(name: string, value: unknown): string {
  const isOdd = !isName.test(name) || (isSecret(name) && /\d{3}/.test(name));
  const scrubbed = scrubText(name);
  if (isOdd || (scrubbed === name && continuesInValue(name, value))) return `[name of ${name.length} characters]`;
  return scrubbed;
}

// A card number can begin in a name and end in the value or in a name within.
function continuesInValue(name: string, value: unknown): boolean {
  if (!/\d{4}/.test(name)) return false;
  const text = `${name}=${value}`;
  return !/[a-z]/i.test(name) || (typeof value === 'string' && maskCardNumbers(text) !== text);
}

function scrubLeaf(value: unknown): unknown {
  return typeof value === 'string' ? (cardMask(value, true) ?? scrubText(value)) : scrubValue(value);
}

// Masks if the name denotes a card, or the digits do (`checked`): a mistyped number is still a card number.
function cardMask(value: unknown, checked = false): string | null {
  if (typeof value !== 'string' || value.length > 40) return null;
  const digits = value.replace(/\D+/g, '');
  if (digits.length < 13 || digits.length > 19 || /[^\d\s-]/.test(value)) return null;
  if (checked && !(/^\s*[2-6]/.test(value) && luhn(digits))) return null;
  return `${digits.slice(0, 6)}${'*'.repeat(digits.length - 10)}${digits.slice(-4)}`;
}

/** `text` with Luhn-valid card numbers and the values of secret names replaced. */
export function scrubText(text: string): string {
  if (harmless.test(text)) return text;
  const visible = withoutInvisible(text);
  const plain = /bearer|basic/i.test(visible) ? visible.replace(/\b(Bearer|Basic)\s+[\w+/=.~-]{6,}/gi, mask) : visible;
  const scrubbed = maskCards(maskNamed(plain, { isNamed: isSecret }));
  // Joiners of emojis and scripts stay where nothing is secret.
  return scrubbed === visible ? text : scrubbed;
}

function isSecret(name: string): boolean {
  const key = name.toLowerCase().replace(/%5[bd]|[^a-z]/g, '');
  return secretExactly.has(key) || secretNames.test(key);
}

// UUIDs are not cards; support needs them unmasked.
function maskCards(text: string): string {
  const plain = withPlainDigits(text);
  if (!anyRun.test(plain) && maskCardNumbers(plain) === plain) return text;
  let out = '';
  let from = 0;
  for (const match of plain.matchAll(uuid)) {
    out += maskRuns(plain.slice(from, match.index)) + match[0];
    from = match.index + match[0].length;
  }
  const masked = out + maskRuns(plain.slice(from));
  return masked === plain ? text : masked;
}

// Grouped numbers, as in 4111.1111.1111.1111, are masked as they are in texts for people.
function maskRuns(text: string): string {
  return maskCardNumbers(text.replace(digitRun, (run) => (containsCard(run.replace(/\D+/g, '')) ? '[card]' : run)));
}

// A card number may follow other digits ("1 4111..."), so every window of 13 to 19 digits is tested.
function containsCard(digits: string): boolean {
  const passes = checkDigits(digits);
  for (let start = 0; start + 13 <= digits.length; start += 1) {
    const first = digits.charCodeAt(start) - 48;
    if (first < 2 || first > 6) continue;
    for (let end = start + 13; end <= Math.min(start + 19, digits.length); end += 1) {
      if (passes(start, end)) return true;
    }
  }
  return false;
}

// Epoch milliseconds have 13 digits and one in ten passes Luhn, so the time is logged as text.
const requestFields = () => {
  const [request, trace] = [currentRequestId(), currentTraceId()];
  return { ...(request && { request }), ...(trace && { trace }) };
};

/** The process's logger. `log.error({ err }, 'what failed')`; never put a request's values into the message. */
export const log = pino(
  {
    level: process.env.LOG_LEVEL?.trim() || 'info',
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: requestFields,
  },
  { write: (line: string) => process.stdout.write(scrubLine(line)) },
);
