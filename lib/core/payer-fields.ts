// What a payer may type on a hosted page and when it is right: one set of checks for the script in the
// browser and for the server, which believes no browser. A check answers with a message key, so that
// both sides say the same thing in the payer's language. Lengths are those of the Checkout session.
import {
  brandOf,
  type Brand,
  cvvLength,
  digitsOf,
  isCvv,
  isExpired,
  nameFault,
  numberFault,
  parseExpiry,
  tidyName,
} from './cards';
import type { Message } from './words';

/** Names of everything a payer can type; they are the names of the form's fields on the wire, too. */
export type FieldName =
  | 'card_number'
  | 'card_expiry'
  | 'card_cvv'
  | 'card_holder'
  | 'name'
  | 'email'
  | 'phone'
  | 'birth_date'
  | 'country'
  | 'state'
  | 'city'
  | 'district'
  | 'address'
  | 'house_number'
  | 'zip';

/** Fewest and most characters of the fields of free text. */
const lengths: Partial<Record<FieldName, readonly [least: number, most: number]>> = {
  card_holder: [2, 32],
  name: [2, 32],
  email: [2, 255],
  city: [2, 40],
  district: [2, 32],
  address: [2, 32],
  house_number: [1, 9],
  zip: [2, 10],
};

/** What a check needs to know beside the value. */
export type FieldSurroundings = {
  now: Date;
  /** The card number in the same form, or a saved card's brand: the code's length depends on it. */
  cardNumber?: string;
  codeLength?: 3 | 4;
  /** Brands that are accepted; absent or empty: all. */
  brands?: readonly string[];
  /** An empty value is right. */
  optional?: boolean;
};

const say = (key: string, values?: Message['values']): Message => ({ key: `error.${key}`, values });

/** The form of a value that is kept and sent on: outer space gone, inner space single, letters composed. */
export function tidyValue(name: FieldName, value: string): string {
  if (name === 'card_number' || name === 'card_cvv') return digitsOf(value);
  const tidy = tidyName(value);
  return name === 'email' ? tidy.replace(/\s/g, '') : tidy;
}

function numberMessage(value: string, brands: readonly string[] = []): Message | null {
  const fault = numberFault(value);
  if (fault === 'blank') return say('card_number.empty');
  const brand: Brand | null = brandOf(value);
  if (brand && brands.length > 0 && !brands.includes(brand.id)) return say('card_number.brand');
  if (fault === 'length' && digitsOf(value).length < 14) return say('card_number.short');
  return fault ? say('card_number.wrong') : null;
}

function expiryMessage(value: string, now: Date): Message | null {
  if (value === '') return say('card_expiry.empty');
  const expiry = parseExpiry(value);
  if (!expiry) return say('card_expiry.wrong');
  return isExpired(expiry, now) ? say('card_expiry.past') : null;
}

function codeMessage(value: string, around: FieldSurroundings): Message | null {
  const count = around.codeLength ?? cvvLength(around.cardNumber ?? '') ?? 3;
  const right = around.codeLength
    ? digitsOf(value).length === around.codeLength && /^\d+$/.test(digitsOf(value))
    : isCvv(value, around.cardNumber ?? '');
  return right ? null : say('card_cvv.empty', { count });
}

function personMessage(name: 'card_holder' | 'name', value: string): Message | null {
  const fault = nameFault(value);
  if (fault === null) return null;
  if (fault === 'length') return say('long', { count: 32 });
  return say(`${name}.${fault === 'blank' ? 'empty' : fault}`);
}

function birthMessage(value: string, now: Date): Message | null {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? [];
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const real = Number(year) >= 1900 && date.getUTCMonth() === Number(month) - 1 && date < now;
  return real ? null : say('birth_date.wrong');
}

function textMessage(name: FieldName, value: string): Message | null {
  const [least, most] = lengths[name] ?? [1, 255];
  const length = [...value].length;
  if (length < least) return say('short', { count: least });
  return length > most ? say('long', { count: most }) : null;
}

/**
 * What is wrong with one field, as a message of messages/en.json, or null. `value` may be as typed:
 * spaces around it and digits of other scripts are no fault. Whether a state belongs to its country is
 * not decided here, because the lists of states stay on the server.
 */
export function checkField(name: FieldName, value: string, around: FieldSurroundings): Message | null {
  const text = tidyValue(name, value);
  if (text === '' && around.optional) return null;
  if (name === 'card_number') return numberMessage(text, around.brands);
  if (name === 'card_expiry') return expiryMessage(text, around.now);
  if (name === 'card_cvv') return codeMessage(text, around);
  if (text === '') return say(`${name}.empty`);
  if (name === 'card_holder' || name === 'name') return personMessage(name, text);
  if (name === 'birth_date') return birthMessage(text, around.now);
  if (name === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/.test(text)) return say('email.wrong');
  if (name === 'phone') return /^\+?\d{5,15}$/.test(digitsOf(text).replace(/[().]/g, '')) ? null : say('phone.wrong');
  return textMessage(name, text);
}

/** Checks several fields of one form; the result holds only those at fault, in the order asked. */
export function checkFields(
  asked: { name: FieldName; optional?: boolean }[],
  values: Partial<Record<FieldName, string>>,
  around: Omit<FieldSurroundings, 'optional' | 'cardNumber'>,
): Partial<Record<FieldName, Message>> {
  const faults: Partial<Record<FieldName, Message>> = {};
  for (const { name, optional } of asked) {
    const fault = checkField(name, values[name] ?? '', { ...around, optional, cardNumber: values.card_number });
    if (fault) faults[name] = fault;
  }
  return faults;
}
