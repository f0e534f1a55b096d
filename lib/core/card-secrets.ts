/**
 * Sensitive authentication data of cards in texts and members: security codes, PINs and tracks. They may be stored
 * nowhere after the authorisation (PCI DSS 3.3.1), so they are removed wherever shops and providers write them.
 */
import { isSecurityCodeName, maskCardNumbers, withPlainDigits } from './card-text.ts';

export const mask = '[scrubbed]';
const trackMask = '[track]';
// The tracks of a card contain its security code: `%B4111...^NAME^...?` and `;4111...=...?`.
const track = /%?\bB(?:\d ?){12,19}\^[^^?]{0,64}\^[^?]{0,128}\??|;?(?<!\d)\d{12,19}[=Dd]\d{7,}\??/g;
/** The rest of a track whose number was written in groups and is masked by now. */
const trackRest = /[%;]?B?\d{6}\*{3,9}\d{4} ?(?:[=Dd] ?\d{7,}|\^[^^?]{0,64}\^[^?]{0,128})\??/g;
const xmlElement = /(<([\w:.-]+)(?:\s[^<>]*)?>(?:<!\[CDATA\[)?)([^<\]]+)/g;
// JSON quoted inside a text can escape letters and digits.
const escapedSign = /\\{1,8}u00([2-7][0-9a-f])/gi;
const spokenCode = /\b((cvv|cvc|cvn|cvd|csc|cid|cav|security[ _-]?code)2?\W{1,3})\d{3,4}(?!\d)/gi;
// A word, and the separator that makes it a name: `"name":` of JSON quoted inside a text, `name=` or `name: ` of forms
// and headers. Words without a separator are consumed whole; matching again from each letter would take minutes for
// long ones.
const wordAndSign = /([\w[\]%.-]+)(\\*["']?\s*[:=]\s*(?:\[\s*(?=["'\\\d]))?)?/g;
// A text may end, or be cut, inside of a value.
const quotedValue = /(\\{0,31}["']).*?(?:\1|$)/sy;
const bareValue = /[^&\s"'\\,;<{}[\]]+/y;
// A value that is not masked is searched for further names: without a limit each of them would be read to the end of the
// text. No track is longer.
const shortQuotedValue = /(\\{0,31}["']).{0,256}?(?:\1|$)/sy;
const shortBareValue = /[^&\s"'\\,;<{}[\]]{1,256}/y;

// `{"name":"cvv","value":"123"}`, also quoted inside a text.
const namedValue =
  /((?:\\{0,31}["'])(?:name|key)\\{0,31}["']\s{0,9}:\s{0,9}\\{0,31}["']([\w[\]%.-]{1,64})\\{0,31}["']\s{0,9},\s{0,9}\\{0,31}["']value\\{0,31}["']\s{0,9}:\s{0,9}\\{0,31}["']?)([^"'\\,}\]]{1,256})/gi;

/**
 * Which values are masked: by their names. With `isValue` a name alone does not decide, and neither does the form of a
 * track without its signs. `isSpoken` decides about `cvv 123`, whose sign (`cvv: 123`) is in `before`.
 */
type Rule = {
  isNamed: (name: string) => boolean;
  isValue?: (name: string, value: string) => boolean;
  isSpoken?: (name: string, before: string) => boolean;
};

/** `text` with the values of certain names, spoken security codes and tracks replaced. */
export function maskNamed(text: string, rule: Rule): string {
  const { isNamed, isValue, isSpoken } = rule;
  const isTrack = (found: string) => !isValue || /^[%;B]/.test(found) || maskCardNumbers(found) !== found;
  const isMasked = (name: string, value: string) => isNamed(name) && isValue?.(name, value) !== false;
  const marked = unescaped(text)
    .replace(track, (found) => (isTrack(found) ? trackMask : found))
    .replace(xmlElement, (whole, tag: string, name: string, value: string) =>
      isMasked(name, value) ? tag + mask : whole,
    )
    .replace(namedValue, (whole, before: string, name: string, value: string) =>
      isMasked(name, value) ? before + mask : whole,
    );
  return (/[:=]/.test(marked) ? maskAssigned(marked, rule) : marked).replace(
    spokenCode,
    (whole, before: string, name: string) => (isSpoken?.(name, before) === false ? whole : before + mask),
  );
}

const unescaped = (text: string) =>
  text.replace(escapedSign, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

// The value of a name that is not secret is searched too: it may contain a name (`error: token=...`).
function maskAssigned(text: string, { isNamed, isValue }: Rule): string {
  const [ofQuoted, ofBare] = isValue ? [shortQuotedValue, shortBareValue] : [quotedValue, bareValue];
  let out = '';
  let from = 0;
  wordAndSign.lastIndex = 0;
  for (let match = wordAndSign.exec(text); match; match = wordAndSign.exec(text)) {
    const [whole, name = '', sign] = match;
    if (sign === undefined || !isNamed(name)) continue;
    const at = match.index + whole.length;
    ofQuoted.lastIndex = at;
    ofBare.lastIndex = at;
    const quoted = ofQuoted.exec(text);
    const value = quoted ?? ofBare.exec(text);
    if (!value || isValue?.(name, value[0]) === false) continue;
    const quote = quoted?.[1] ?? '';
    out += text.slice(from, at) + quote + mask + quote;
    from = at + value[0].length;
    wordAndSign.lastIndex = from;
  }
  return out + text.slice(from);
}

/** A provider's text with security codes and tracks of cards replaced, and the middle digits of card numbers. */
export function scrubCardData(text: string): string {
  return maskNumbers(maskNamed(text, { isNamed: isSecurityCodeName }));
}

/**
 * The same for a text of a shop or payer. It is unchanged unless it contains card data. With `isBeside` it is beside
 * card data, which decides about doubtful names.
 */
export function scrubWrittenText(text: string, isBeside?: () => boolean): string {
  const scrubbed = maskNumbers(maskNamed(text, { isNamed: isSecretName, isValue: isCardSecret }));
  if (scrubbed === unescaped(text)) return text;
  return hasCardData(text) || isBeside?.() ? scrubbed : text;
}

/** Whether a text has a card number, a track, or the name of a code for certain. */
const hasCardData = (text: string) =>
  maskNumbers(maskNamed(text, { isNamed: isSecretName, isValue: isSurelySecret, isSpoken: isSurelySpoken })) !==
  unescaped(text);

// `CSC 2026` and `CVC 2025` can be events, and `Cid 123` a street.
const isSurelySpoken = (name: string, before: string) =>
  /^(?:cvv|security)/i.test(name) || (/^cv/i.test(name) && /[:=]/.test(before));

/** A text with tracks of cards replaced, and everything else as it is: that of a field that takes other numbers. */
export const withoutTracks = (text: string) =>
  text.replace(track, (found) => (maskCardNumbers(found) === found ? found : trackMask));

const maskNumbers = (text: string) => maskCardNumbers(text).replace(trackRest, trackMask);

/** Names of a code for certain. */
const surelyCode =
  /(?:cvv|cvc|cvn|cvd|(?<!gift|bonus|club|loyalty|member|membership|store|voucher)cardcode|card(?:security|verification)(?:code|value))(?:code|value|number)?$|^card(?:csc|cid|cav|cve|cvp)(?:code|value|number)?$/;
const surelyPin = /pinblock$|^(?:card|atm|encrypted)pin(?:code|number)?$/;
/** `cid` can be a customer, a verification code that of an e-mail, and `pin` a postal code: they need card data beside. */
const doubtful =
  /^pin(?:code|number)?$|csc(?:code|value|number)?$|^(?:cid|cav|cve|cvp)(?:code|value|number)?$|verificationcode$|(?:gift|bonus|club|loyalty|member|membership|store|voucher)cardcode$/;
const trackName = /track(?:[123](?:equivalent)?(?:data)?|(?:equivalent)?data)$/;

const keyOf = (name: string) => name.toLowerCase().replace(/%5[bd]|[^a-z0-9]/g, '');
const lettersOf = (name: string) => keyOf(name).replace(/[0-9]/g, '');
const isSure = (letters: string) => surelyCode.test(letters) || surelyPin.test(letters);

function isSecretName(name: string): boolean {
  const letters = lettersOf(name);
  return (
    isSecurityCodeName(letters) || surelyPin.test(letters) || doubtful.test(letters) || trackName.test(keyOf(name))
  );
}

/** Whether a member, or a name and a value in a text, is a code for certain; the name of one is enough. */
function isSurelySecret(name: string, value: unknown): boolean {
  const letters = lettersOf(name);
  return isSure(letters) || (!doubtful.test(letters) && isCardSecret(name, value));
}

/**
 * Whether a member can be a card's security code, PIN or track. The name does not decide alone: a code has at least three
 * digits, under a name that is not a code's for certain three or four and nothing else, and a track has twenty.
 */
function isCardSecret(name: string, value: unknown): boolean {
  if (!isSecretName(name)) return false;
  const letters = lettersOf(name);
  const text = withPlainDigits(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
  const digits = text.replace(/[^0-9]+/g, '').length;
  if (isSure(letters)) return digits >= 3;
  if (trackName.test(keyOf(name))) return digits >= 20;
  return /^[^0-9]{0,3}[0-9]{3,4}[^0-9]{0,3}$/.test(text);
}

/** Whether a member is a card's security code, PIN or track. `isBeside`: it is beside card data. */
export const isCardMember = (name: string, value: unknown, isBeside: () => boolean) =>
  isCardSecret(name, value) && (isSurelySecret(name, value) || isBeside());

/** Whether an object, or a list of names and values, has a card number, a track, or the name of a code for certain. */
export function holdsCardData(data: object): boolean {
  if (Array.isArray(data)) return data.some((inner) => isPair(inner) && holdsCardData(inner));
  return Object.entries(data).some(([name, value]) => {
    const leaves = [value].flat().filter((leaf) => typeof leaf === 'string' || typeof leaf === 'number');
    return isSurelySecret(valueName(data, name), value) || leaves.some((leaf) => showsCard(String(leaf)));
  });
}

const maskedNumber = /(?<!\d)\d{6}[*x•.]{2,9}\d{4}(?!\d)/i;
const showsCard = (text: string) => hasCardData(text) || maskedNumber.test(text);

/** The name of a member's value, which in `{ "name": "cvv", "value": "123" }` is that of the pair. */
export function valueName(data: object, member: string): string {
  return member === 'value' && isPair(data) ? String(data.name ?? data.key) : member;
}

/** Whether an object is a pair of name and value. */
function isPair(data: unknown): data is { name?: unknown; key?: unknown } {
  if (typeof data !== 'object' || data === null || !('value' in data)) return false;
  const { name, key = name } = data as { name?: unknown; key?: unknown };
  return typeof (name ?? key) === 'string';
}
