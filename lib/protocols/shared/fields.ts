// The field types of requests as zod schemas with the contract's error texts (protocol.md 8). `meta` describes the
// checks for the OpenAPI documents. Lengths count characters, as databases do, and not UTF-16 units.
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { z } from 'zod';
import { appSchemeOf } from '../../core/app-schemes.ts';
import { hasCardData } from '../../core/card-addresses.ts';
import { scrubWrittenText } from '../../core/card-secrets.ts';
import { isCardContact } from '../../core/cards.ts';
import { hasStates, isCountry } from '../../core/countries.ts';
import { exponentOf } from '../../core/currencies.ts';
import { isDate } from '../../core/dates.ts';
import { errors, type FieldError, fieldErrorTexts, throwApiError, throwFieldErrors } from '../../core/errors.ts';
import { parseAmount } from '../../core/money.ts';
import type { FieldRule } from '../../core/openapi.ts';
import { parseWebUrl } from '../../http/index.ts';
import { parametersMax } from '../../methods/parameter-table.ts';

type Issue = { input?: unknown };

/** An absent field is blank; any other type is not valid. */
export const wrongType = (issue: Issue) =>
  issue.input === undefined ? fieldErrorTexts.blank : fieldErrorTexts.notValid;

/** A text of `least` to `most` characters. */
export function text(least: number, most: number) {
  return z
    .string({ error: wrongType })
    .refine((value) => value.trim() !== '', fieldErrorTexts.blank)
    .refine((value) => isWithin(value, least, most), fieldErrorTexts.notValid)
    .meta({ minLength: least, maxLength: most, pattern: '\\S' });
}

function isWithin(value: string, least: number, most: number): boolean {
  // A character has at most two UTF-16 units, so most texts need no counting.
  if (value.length > 2 * most || value.length < least) return false;
  const count = [...value].length;
  return count >= least && count <= most;
}

/** A text that matches a pattern, up to `most` characters. */
export function patternText(pattern: RegExp, most = 255) {
  return text(1, most)
    .refine((value) => pattern.test(value), fieldErrorTexts.notValid)
    .meta({ pattern: pattern.source });
}

/** A boolean in any notation that clients use (protocol.md 3). */
export const flag = z
  .union([z.boolean(), z.literal([0, 1]), z.enum(['true', 'false', '1', '0', 'Y', 'N'])], { error: wrongType })
  .transform((value) => ['true', '1', 'Y'].includes(String(value)));

/** A boolean of the form protocols: `Y` or `N`. */
export const formFlag = z
  .union([z.boolean(), z.enum(['Y', 'N'])], { error: wrongType })
  .transform((value) => value === true || value === 'Y');

/** Payer data. Any text that fits into its column is accepted, because it must not cause a refusal. */
export const payerText = text(1, 255);

/**
 * A text of `least` to `most` characters that passes the check. One that is too long is not valid anyway: it is not
 * searched, which takes long.
 */
export const checkedText = (least: number, most: number, passes: (value: string) => boolean) =>
  text(least, most).refine((value) => value.length > 2 * most || passes(value), fieldErrorTexts.notValid);

/** A phone number in any notation; a card number is none. */
export const phone = checkedText(1, 255, (value) => !isCardContact(value));

/** The id of a form of the merchant, without card data. */
export const formId = checkedText(1, 64, (value) => scrubWrittenText(value) === value);

const urlMax = 1024;
const isLongUrl = (value: string) => value.length > urlMax;

const urlText = (isUrl: (value: string) => boolean) =>
  z
    .string({ error: wrongType })
    .refine((value) => !isLongUrl(value), fieldErrorTexts.notValid)
    .refine((value) => isLongUrl(value) || isUrl(value), fieldErrorTexts.notUrl)
    .refine((value) => isLongUrl(value) || !hasCardData(value), fieldErrorTexts.notValid)
    .meta({ format: 'uri', maxLength: urlMax });

/** A return URL: a web URL, or a URL with an app's own scheme. */
export const returnUrl = urlText((value) => parseWebUrl(value) !== null || appSchemeOf(value) !== null);

/** An http or https URL without user name and password, up to 1024 characters. */
export const webUrl = urlText((value) => parseWebUrl(value) !== null);

export function choice<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, {
    error: (issue) => (issue.input === undefined ? fieldErrorTexts.blank : fieldErrorTexts.notChoice),
  });
}

const emailPattern = /^[^\s@]+@[^\s@]+$/;

/** An e-mail address of up to `most` characters; a card number before the @ makes none. */
export const emailOf = (most: number, least = 1) =>
  checkedText(least, most, (value) => emailPattern.test(value) && !isCardContact(value)).meta({
    pattern: emailPattern.source,
  });

export const email = emailOf(255, 2);

/** A valid calendar date, `YYYY-MM-DD`. */
export const day = z
  .string({ error: wrongType })
  .refine(isDate, fieldErrorTexts.notValid)
  .meta({ format: 'date', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' });

/** `schedule_start_date`. The limit keeps the last date of a schedule of a thousand years valid. */
export const startDay = day.refine((value) => value < '3000', fieldErrorTexts.notValid);

export const ipAddress = z
  .string({ error: wrongType })
  .refine((value) => isIP(value) !== 0, fieldErrorTexts.notValid)
  .meta({ pattern: '^[0-9A-Fa-f:.]+(%.+)?$', anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] });

/** ISO 3166-1 alpha-2 in either case; the output is in capitals. */
export const country = z
  .string({ error: wrongType })
  .meta({ pattern: '^[A-Za-z]{2}$' })
  .transform((value) => value.toUpperCase())
  .refine(isCountry, fieldErrorTexts.notValid);

/** Three letters, up to six for cryptocurrencies. Routing refuses an unknown currency (204012). */
export const currency = z.string({ error: wrongType }).regex(/^[A-Z]{3,6}$/, fieldErrorTexts.notValid);

/** A decimal text. {@link amountError} checks its decimals together with the currency. */
export const amount = z
  .string({ error: wrongType })
  .refine((value) => value.trim() !== '', fieldErrorTexts.blank)
  .meta({ pattern: '^(0|[1-9][0-9]*)(\\.[0-9]+)?$' });

export const uuid = z
  .string({ error: wrongType })
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, errors.notUuid.message)
  .meta({ format: 'uuid', pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' });

/** The error of an amount, except for zero; null if it is valid. An unknown currency is no error of the amount. */
export function amountError(value: string, inCurrency: unknown): string | null {
  if (/^-[0-9]+(\.[0-9]+)?$/.test(value)) return fieldErrorTexts.positive;
  const known = typeof inCurrency === 'string' && exponentOf(inCurrency) !== null;
  const parsed = parseAmount(value, known ? inCurrency : 'EUR');
  if (parsed.ok) return parsed.minor <= minorMax ? null : fieldErrorTexts.notValid;
  return parsed.fault === 'decimals' && !known ? null : fieldErrorTexts.notValid;
}

// The maximum of a signed 64-bit column.
const minorMax = 2n ** 63n - 1n;

/** Adds rules between fields, which run even if single fields have errors. `texts`: the rules for OpenAPI documents. */
export function withRules<Schema extends z.ZodType>(
  schema: Schema,
  rules: (value: UncheckedBody) => FieldError[],
  texts: readonly FieldRule[],
): Schema {
  const refined = schema.superRefine(
    (value, context) => {
      if (typeof value !== 'object' || value === null) return;
      for (const error of rules(value as UncheckedBody)) {
        context.addIssue({ code: 'custom', path: error.path.split('.'), message: error.text });
      }
    },
    { when: () => true },
  );
  return refined.meta({ 'x-rules': texts }) as Schema;
}

/** An object with members of any type: a rule sees the sent value of a field with an error. */
export type UncheckedBody = { readonly [name: string]: unknown };

/** A text field that its schema does not validate. */
export const unvalidatedText = z.unknown().optional().meta({ 'x-loose': true });

/** The rule of a payer's state as text. */
export const stateRule = (path: string): FieldRule => ({
  fields: [path],
  text: 'Used in CA, US, JP, AU and IN only, with up to 255 characters; ignored elsewhere.',
});

/** Fields that have the same schema. `NoInfer` keeps their names where an object of any fields is expected. */
export const eachOf = <Name extends string, Schema extends z.ZodType>(names: readonly Name[], schema: Schema) =>
  Object.fromEntries(names.map((name) => [name, schema])) as Record<NoInfer<Name>, Schema>;

const languageTag = /^[a-z]{1,8}(?:[-_](?:[a-z]{1,8}|[0-9]{3})){0,3}$/i;

/**
 * The language of the payer's pages: a tag such as `pt-BR`, or `und` (BCP 47) for other texts, which are not stored. Unknown
 * languages are no error: the pages are in English.
 */
export function languageOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  return languageTag.test(value.trim()) ? value.trim().slice(0, 16) : 'und';
}

/** Checkout's `billing_address`. `state` is used in five countries only and removed for others. */
export const billingAddress = withRules(
  z.object(
    {
      country: country.optional(),
      state: unvalidatedText,
      ...eachOf(['city', 'district', 'address'], payerText.optional()),
      house_number: text(1, 9).optional(),
      zip: payerText.optional(),
      phone: phone.optional(),
      phone_country_code: patternText(/^[0-9][0-9-]*$/, 10).optional(),
      language: unvalidatedText,
    },
    { error: wrongType },
  ),
  ({ country: code, state }) => {
    if (typeof code !== 'string' || !hasStates(code.toUpperCase()) || state === undefined) return [];
    return payerText.safeParse(state).success ? [] : [{ path: 'state', text: fieldErrorTexts.notValid }];
  },
  [stateRule('state')],
).transform(({ state, language, ...address }) => ({
  ...address,
  state: address.country && hasStates(address.country) ? (state as string | undefined) : undefined,
  language: languageOf(language),
}));

/** The token of a stored card. */
export const cardToken = patternText(/^[0-9A-Za-z-]+$/, 128);

/** Checkout's `customer`, for a payer or payee. */
export const customer = z.object(
  { name: payerText.optional(), email: email.optional(), birth_date: day.optional(), ip: ipAddress.optional() },
  { error: wrongType },
);

const customDataMax = 16 * 1024;

/** Any JSON value, up to 16 KB as text. */
export const customData = z
  .unknown()
  .refine((value) => JSON.stringify(value ?? null).length <= customDataMax, { error: fieldErrorTexts.notValid });

/** PHP encodes an empty object as an empty list. */
const objectOf = <Member extends z.ZodType>(member: Member) =>
  z.preprocess(
    (value) => (isEmptyList(value) ? {} : value),
    z.record(z.string(), member, { error: fieldErrorTexts.notValid }),
  );

/** No request names more methods. */
export const methodsMax = 400;
// Each member that is no object would be an error.
const hasFewMembers = (value: unknown) =>
  typeof value !== 'object' || value === null || Object.keys(value).length <= methodsMax;

/** Objects by method identifier, with a limit for all of them. */
export const methodParameters = z.preprocess(
  (value) => (hasFewMembers(value) ? value : null),
  objectOf(objectOf(z.unknown())).refine((value) => JSON.stringify(value).length <= parametersMax, {
    error: fieldErrorTexts.notValid,
  }),
);

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Removes blank members of a body and of named objects in it: shops send templates with empty optional fields. */
export function withoutBlanks(body: unknown, objects: readonly string[]): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const present: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    if (value === null || (typeof value === 'string' && value.trim() === '') || isEmptyList(value)) continue;
    present[name] = objects.includes(name) ? withoutBlanks(value, []) : value;
  }
  return present;
}

/** A schema of a body without its blank members, as {@link withoutBlanks} removes them. */
export const ignoringBlanks = <Schema extends z.ZodType>(schema: Schema, objects: readonly string[] = []) =>
  z.preprocess((body) => withoutBlanks(body, objects), schema);

/** The windows that a link to the shop may open in. */
export const linkTargets = ['_blank', '_self', '_parent', '_top'] as const;

/**
 * What is wrong with an amount that was sent as text. Zero is for authorizations and first payments of a chain only
 * (interface.md, Resources, rule 2); whether a merchant account supports it there is a question of routing.
 */
export function orderAmountError(value: unknown, inCurrency: unknown, zeroAllowed: boolean): string | null {
  if (typeof value !== 'string' || value.trim() === '') return null;
  const error = amountError(value, inCurrency);
  return error ?? (!zeroAllowed && /^0(\.0+)?$/.test(value) ? fieldErrorTexts.positive : null);
}

/** The rule of {@link orderAmountError} as text; `zero` names the requests that may be of zero. */
export const amountRule = (path: string, zero = ''): FieldRule => ({
  fields: [path],
  text: `More than 0, with no more decimals than the currency has.${zero}`,
});

/** Converts a checked amount to minor units. Throws 204012 for an unknown currency. */
export function minorOf(amount: string, currency: string): bigint {
  const parsed = parseAmount(amount, currency);
  return parsed.ok ? parsed.minor : throwApiError('currencyNotFound');
}

/** The same for an amount whose currency is known only now; throws the field error of a wrong one. */
export function positiveMinorOf(amount: string, currency: string, path: string): bigint {
  const text = orderAmountError(amount, currency, false);
  return text ? throwFieldErrors([{ path, text }]) : minorOf(amount, currency);
}

/** Returns the digest that distinguishes a repeat of a request from a duplicate, over the texts of its order. */
export function digestOf(values: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(values)).digest();
}

/** The members that are there. */
export function withoutUndefined(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
