/**
 * Validates typed values field by field: the payment page runs it on the server and its script while the payer types.
 * It returns a message's key, so that both show the same text in the payer's language.
 */
import {
  cvvLength,
  digitsOf,
  holderNameError,
  isCardContact,
  isCvv,
  isExpired,
  numberError,
  parseExpiry,
  tidyName,
} from '../core/cards.ts';
import { isBirthDate } from '../core/dates.ts';
import type { Message } from '../core/translations.ts';

/** Minimum and maximum length of the plain fields (protocol.md section 3, request limits). */
const lengths = {
  name: [2, 32],
  email: [2, 255],
  phone: [1, 32],
  birth_date: [10, 10],
  country: [2, 2],
  state: [2, 32],
  city: [2, 40],
  district: [2, 32],
  address: [2, 32],
  house_number: [1, 9],
  zip: [2, 10],
} as const;

/** A field that is not one of the card fields. */
export type PayerFieldName = keyof typeof lengths;
/** Every field that a payer can type, by its wire name. */
export type TypedFieldName = PayerFieldName | CardFieldName;
/** The four card fields, and the number of the card that receives a transfer. */
export type CardFieldName = 'card_number' | 'card_expiry' | 'card_cvv' | 'card_holder' | 'payee_card_number';

/**
 * The required card fields: a new card needs all of them, a stored card only its security code; a payout never needs
 * the code (contract, Resources), and a transfer also needs the receiving card.
 */
export function cardFieldsOf(operation: string, isStored: boolean): CardFieldName[] {
  if (operation === 'credit') return isStored ? ['card_expiry'] : ['card_number', 'card_expiry'];
  const own: CardFieldName[] = isStored ? ['card_cvv'] : ['card_number', 'card_expiry', 'card_cvv', 'card_holder'];
  return operation === 'transfer' ? [...own, 'payee_card_number'] : own;
}

/** The payer's fields in display order. */
export const payerFieldNames = Object.keys(lengths) as PayerFieldName[];

/** The context of a check: the card number determines the length of the security code. */
export type FieldContext = { cardNumber?: string; now: Date };

const errorMessage = (key: string, count?: number): Message =>
  count === undefined ? { key: `error.${key}` } : { key: `error.${key}`, values: { count } };

/** The normalised value: one space between words, digits of any script as 0-9 in numeric fields. */
export function normalizeField(name: TypedFieldName, text: string): string {
  switch (name) {
    case 'card_number':
    case 'payee_card_number':
    case 'card_cvv':
      return digitsOf(text);
    case 'phone':
      return digitsOf(text)
        .replace(/[()./]/g, '')
        .replace(/^00/, '+');
    case 'birth_date':
      return digitsOf(text).replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
    case 'email':
      return text.trim();
    case 'country':
      return text.trim().toUpperCase();
    case 'zip':
    case 'house_number':
      return tidyName(text).replace(/[٠-٩۰-۹０-９]/g, (digit) => digitsOf(digit));
    default:
      return tidyName(text);
  }
}

/**
 * The error of a typed value, or null. `text` is as typed; an empty one is an error, so call this for required fields
 * only. List fields (country, state) are checked for presence only: the server knows their members.
 */
export function typedFieldError(name: TypedFieldName, text: string, context: FieldContext): Message | null {
  switch (name) {
    case 'card_number':
    case 'payee_card_number':
      return cardNumberError(name, text);
    case 'card_expiry':
      return expiryError(text, context.now);
    case 'card_cvv':
      return isCvv(text, context.cardNumber ?? '')
        ? null
        : errorMessage('card_cvv.empty', cvvLength(context.cardNumber ?? '') ?? 3);
    case 'card_holder':
    case 'name':
      return personError(name, text);
    default:
      return plainFieldError(name, normalizeField(name, text), context.now);
  }
}

function cardNumberError(name: 'card_number' | 'payee_card_number', text: string): Message | null {
  const problem = numberError(text);
  if (problem === null) return null;
  if (problem === 'blank') return errorMessage(`${name}.empty`);
  const short = problem === 'length' && digitsOf(text).length < 16;
  return errorMessage(short ? 'card_number.short' : `${name}.wrong`);
}

function expiryError(text: string, now: Date): Message | null {
  if (digitsOf(text) === '') return errorMessage('card_expiry.empty');
  const expiry = parseExpiry(text);
  if (expiry === null) return errorMessage('card_expiry.wrong');
  return isExpired(expiry, now) ? errorMessage('card_expiry.past') : null;
}

function personError(name: 'card_holder' | 'name', text: string): Message | null {
  const problem = holderNameError(text);
  if (problem === null) return null;
  if (problem === 'blank') return errorMessage(`${name}.empty`);
  return problem === 'length' ? errorMessage('long', 32) : errorMessage(`${name}.${problem}`);
}

const shapes: { [name in PayerFieldName]?: (value: string, now: Date) => boolean } = {
  // One @, no spaces, and a domain with a dot; stricter checks reject valid addresses.
  email: (value) => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(value) && !isCardContact(value),
  phone: (value) => /^\+?\d{6,15}$/.test(value),
  birth_date: isBirthDate,
};

function plainFieldError(name: Exclude<PayerFieldName, 'name'>, value: string, now: Date): Message | null {
  if (value === '') return errorMessage(`${name}.empty`);
  const fits = shapes[name];
  if (fits && !fits(value, now)) return errorMessage(`${name}.wrong`);
  const [least, most] = lengths[name];
  const count = [...value].length;
  if (count > most) return errorMessage('long', most);
  return count < least ? errorMessage('short', least) : null;
}
