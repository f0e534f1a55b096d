/** Reads and validates the payer's form. A card number or code is never sent back to the page. */

import type { CardData } from '../connectors/index.ts';
import { type BrandId, type Expiry, numberError, parseExpiry } from '../core/cards.ts';
import { hasStates, isCountry } from '../core/countries.ts';
import type { LocaleCode } from '../core/locales.ts';
import type { CardView, PartyDetails, Payment } from '../core/payment.ts';
import type { BrowserInfo } from '../core/provider-data.ts';
import { storable } from '../core/storable.ts';
import { findState } from '../core/subdivisions.ts';
import type { Message } from '../core/translations.ts';
import { maskFreeText } from '../core/written-texts.ts';
import {
  type CardFieldName,
  normalizeField,
  type PayerFieldName,
  payerFieldNames,
  typedFieldError,
} from '../methods/fields.ts';
import type { Method } from '../methods/method.ts';
import { checkTypedParameters } from '../methods/parameters.ts';
import { isAccepted } from '../routing/index.ts';
import { fitsPostalCode, inPageOrder } from './address-form.ts';
import type { DeclineAlert, FieldName } from './contract.ts';
import { type MethodFormFields, parameterFieldName, phoneFor } from './required-fields.ts';

/** No field accepts more characters. Longer input is cut to this length and then fails the length check. */
const typedCharactersMax = 300;
/** More parameters than any method has. */
const parametersMax = 40;

export type TypedValues = { [name in FieldName]?: string };

/** Longer than any wallet's token. */
const tokenCharactersMax = 16 * 1024;

export type Submission = {
  typed: TypedValues;
  /** The row that the form belongs to; default: the card. */
  method: string;
  savedCard: string | null;
  /** The payer has ticked the box that offers to save the card. */
  savesCard: boolean;
  /** '1' or '0': the checkbox that remembers the method; null: the form has none. */
  remember: string | null;
  /** The wallet's token; null if longer than any wallet's token. */
  walletToken: string | null;
  attempt: string;
  total: string;
  guard: string;
  language: string | null;
  browser: BrowserInfo;
};

const cardFieldNames = [
  'card_number',
  'card_expiry',
  'card_cvv',
  'card_holder',
  'payee_card_number',
] as const satisfies CardFieldName[];

const beginningOf = <Value extends string | null>(value: Value, most: number) =>
  (value === null ? null : storable(value.slice(0, most))) as Value;

/** Reads the known fields of a form; others are ignored. Card numbers in names and addresses are masked. */
export function readSubmission(fields: URLSearchParams, headers: Headers): Submission {
  const text = (name: string) => beginningOf(fields.get(name), typedCharactersMax);
  const typed: TypedValues = {};
  for (const name of [...cardFieldNames, ...payerFieldNames, 'consent', 'zip_checked', 'document_checked'] as const) {
    const value = text(name);
    if (value !== null) typed[name] = value;
  }
  const token = fields.get('payment_token');
  const parameters = [...fields].filter(([name]) => name.startsWith('parameter_')).slice(0, parametersMax);
  for (const [name, value] of parameters) typed[name as FieldName] = beginningOf(value, typedCharactersMax);
  return {
    typed: maskFreeText(typed).data,
    method: text('method') || 'card',
    savedCard: text('saved_card') || null,
    savesCard: text('save_card') === '1',
    // A hidden field before the checkbox says that the form has one.
    remember: fields.getAll('remember').at(-1) ?? null,
    walletToken: token !== null && token.length <= tokenCharactersMax ? token : null,
    attempt: text('attempt') ?? '',
    total: text('total') ?? '',
    guard: text('guard') ?? '',
    language: text('lang'),
    browser: readBrowser(fields, headers),
  };
}

/** The browser data for 3-D Secure. The script adds the values that only a script can read. */
function readBrowser(fields: URLSearchParams, headers: Headers): BrowserInfo {
  const number = (name: string) => {
    const value = fields.get(name);
    return value !== null && /^-?\d{1,5}$/.test(value) ? Number(value) : undefined;
  };
  const short = (value: string | null) => beginningOf(value, 255) || undefined;
  const scripted = fields.has('browser_screen_width');
  return {
    acceptHeaders: short(fields.get('browser_accept_headers') ?? headers.get('accept')),
    userAgent: short(headers.get('user-agent')),
    language: short(fields.get('browser_language') ?? firstLanguage(headers.get('accept-language'))),
    colorDepth: number('browser_color_depth'),
    screenHeight: number('browser_screen_height'),
    screenWidth: number('browser_screen_width'),
    timezoneOffset: number('browser_timezone_offset'),
    javaEnabled: scripted ? fields.get('browser_java_enabled') === 'true' : undefined,
    javascriptEnabled: scripted,
    platform: short(fields.get('browser_platform') ?? headers.get('sec-ch-ua-platform')?.replaceAll('"', '') ?? null),
  };
}

function firstLanguage(acceptLanguage: string | null): string | null {
  return acceptLanguage?.split(/[,;]/)[0]?.trim() || null;
}

export type FormErrors = { [name in FieldName]?: Message };

/** A rejected submit: the page shows the form again with the values entered. */
export type RefilledForm = { typed: TypedValues; errors: FormErrors; chosen?: string; alert?: DeclineAlert };

export type CheckedForm =
  /** `cvv` and `expiry` without a card belong to a saved card. */
  | { ok: true; card: CardData | null; cvv?: string; expiry?: Expiry; payeeCard?: CardData; person: PartyDetails }
  | { ok: false; errors: FormErrors };

export type PersonRequirements = { fields: PayerFieldName[]; payer: PartyDetails; language: LocaleCode; now: Date };

export type CardFormRequirements = PersonRequirements & {
  /** The required card fields, in the order of the page. */
  cardFields: readonly CardFieldName[];
  /** The brands that the merchant's accounts take; null for every brand. */
  accepted: readonly BrandId[] | null;
  saved: CardView | null;
};

/** Validates all required fields and lists every error, in the order of the page. */
export function checkSubmission(typed: TypedValues, requirements: CardFormRequirements): CheckedForm {
  const { saved, cardFields, now } = requirements;
  const errors: FormErrors = {};
  const cardNumber = saved ? saved.first6 : (typed.card_number ?? '');
  for (const name of cardFields) {
    const error = typedFieldError(name, typed[name] ?? '', { cardNumber, now });
    if (error) errors[name] = error;
    else if (name === 'card_number' && !isAccepted(requirements.accepted, cardNumber))
      errors[name] = { key: 'error.card_number.brand' };
  }
  const named = cardFields.includes('card_holder');
  const fields = requirements.fields.filter((name) => name !== 'name' || !named);
  const person = checkPerson(typed, { ...requirements, fields }, errors);
  if (Object.keys(errors).length > 0) return { ok: false, errors };
  // The name on the card is not asked for twice.
  if (fields.length < requirements.fields.length) person.name = normalizeField('name', typed.card_holder ?? '');
  const text = (name: CardFieldName) =>
    cardFields.includes(name) ? normalizeField(name, typed[name] ?? '') : undefined;
  const expiry = parseExpiry(text('card_expiry') ?? '') ?? undefined;
  const cvv = text('card_cvv');
  const payeeNumber = text('payee_card_number');
  // The expiry date of another person's card is unknown to the payer.
  const payeeCard = payeeNumber === undefined ? undefined : { number: payeeNumber, expMonth: 0, expYear: 0 };
  const common = { ok: true, cvv, expiry, payeeCard, person } as const;
  if (saved) return { ...common, card: null };
  if (!expiry) throw new Error('a validated expiry cannot be parsed');
  const { month: expMonth, year: expYear } = expiry;
  const card = { number: text('card_number') ?? '', expMonth, expYear, cvv, holder: text('card_holder') };
  return { ...common, card };
}

/** Validates the payer fields and adds their errors to `errors`. */
function checkPerson(typed: TypedValues, requirements: PersonRequirements, errors: FormErrors): PartyDetails {
  const person: PartyDetails = {};
  const country = countryOf(typed, requirements);
  for (const name of inPageOrder(requirements.fields, requirements.language, country)) {
    if (name === 'state' && !hasStates(country)) continue;
    const text = typed[name] ?? '';
    const error =
      typedFieldError(name, text, { now: requirements.now }) ??
      (name === 'zip' ? zipError(typed, country) : listError(name, text, country, requirements.language));
    if (error) errors[name] = error;
    else if (name === 'state') person.state = findState(country, text, requirements.language) ?? undefined;
    else person[name] = normalizeField(name, text);
  }
  return person;
}

/** The country that decides on the state: the one just chosen, else the request's. */
export function countryOf(
  typed: TypedValues,
  { fields, payer }: { fields: readonly PayerFieldName[]; payer: PartyDetails },
): string {
  return (
    (fields.includes('country') ? normalizeField('country', typed.country ?? '') : payer.country?.toUpperCase()) ?? ''
  );
}

function listError(name: PayerFieldName, text: string, country: string, language: LocaleCode): Message | null {
  if (name === 'country' && !isCountry(country)) return { key: 'error.country.empty' };
  if (name === 'state' && findState(country, text, language) === null) return { key: 'error.state.empty' };
  return null;
}

/** A postal code that does not look like one of its country is pointed out once, because the data may be outdated. */
function zipError({ zip = '', zip_checked }: TypedValues, country: string): Message | null {
  return zip === zip_checked || fitsPostalCode(country, normalizeField('zip', zip)) ? null : { key: 'error.zip.check' };
}

/** Values that may be redisplayed after an error: never a card's number or code, nor a card number in another field. */
export function redisplayable(typed: TypedValues): TypedValues {
  const { card_number: _number, card_cvv: _cvv, payee_card_number: _payee, ...rest } = typed;
  return Object.fromEntries(Object.entries(rest).filter(([, text]) => numberError(text ?? '') !== null));
}

/** Does the same for a method other than a card: its parameters and payer fields, normalised for the provider. */
export function checkMethodForm(
  typed: TypedValues,
  method: Method,
  { fields, parameters }: MethodFormFields,
  context: Pick<PersonRequirements, 'language' | 'now'> & { payment: Payment },
) {
  const { payer } = context.payment;
  const input = Object.fromEntries(parameters.map(({ name }) => [name, typed[parameterFieldName(name)] ?? '']));
  const checked = checkTypedParameters(parameters, input, typed.document_checked);
  const parameterErrors = Object.entries(checked.faults).map(([name, message]) => [parameterFieldName(name), message]);
  const errors: FormErrors = Object.fromEntries(parameterErrors);
  const requirements: PersonRequirements = { ...context, fields, payer };
  const person = checkPerson(typed, requirements, errors);
  if (method.asks?.includes('phone') && !errors.phone) {
    const phone = phoneFor(method, countryOf(typed, requirements), person.phone ?? payer.phone ?? '');
    if (phone === null) errors.phone = { key: 'error.phone.wrong' };
    else person.phone = phone;
  }
  if (Object.keys(errors).length > 0) return { ok: false as const, errors };
  const isSecret = (name: string) => parameters.some((field) => field.name === name && field.input === 'secret');
  const values = Object.entries(checked.values);
  return {
    ok: true as const,
    person,
    parameters: Object.fromEntries(values.filter(([name]) => !isSecret(name))),
    secret: Object.fromEntries(values.filter(([name]) => isSecret(name))),
    shownFields: [...parameters.map(({ name }) => parameterFieldName(name)), ...fields],
  };
}
