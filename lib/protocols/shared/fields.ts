// The kinds of fields that requests are made of, as zod schemas whose faults carry the contract's texts (protocol.md 8).
// What a check says in code, `meta` says for the documents of the API (openapi/), beside it.
// Lengths count characters, as a merchant's database does, and not UTF-16 units.
import { isIP } from 'node:net';
import { z } from 'zod';
import { appSchemeOf } from '../../core/app-schemes';
import { hasStates, isCountry } from '../../core/countries';
import { exponentOf } from '../../core/currencies';
import { isDate } from '../../core/dates';
import { errors, type FieldError, fieldErrorTexts } from '../../core/errors';
import { parseAmount } from '../../core/money';
import type { FieldRule } from '../../core/openapi';
import { parseWebUrl } from '../../http';

type Issue = { input?: unknown };

/** Absent is blank, any other type is not valid. */
const wrongType = (issue: Issue) => (issue.input === undefined ? fieldErrorTexts.blank : fieldErrorTexts.notValid);

/** Between `least` and `most` characters. */
export function text(least: number, most: number) {
  return z
    .string({ error: wrongType })
    .refine((value) => value.trim() !== '', fieldErrorTexts.blank)
    .refine((value) => isWithin(value, least, most), fieldErrorTexts.notValid)
    .meta({ minLength: least, maxLength: most, pattern: '\\S' });
}

function isWithin(value: string, least: number, most: number): boolean {
  // A character takes at most two units, so that counting is only needed near the limit.
  if (value.length > 2 * most || value.length < least) return false;
  const count = [...value].length;
  return count >= least && count <= most;
}

/** A text of a given shape, up to `most` characters. */
export function patternText(pattern: RegExp, most = 255) {
  return text(1, most)
    .refine((value) => pattern.test(value), fieldErrorTexts.notValid)
    .meta({ pattern: pattern.source });
}

/** A boolean, in every way in which clients write one (protocol.md 3). */
export const flag = z
  .union([z.boolean(), z.literal([0, 1]), z.enum(['true', 'false', '1', '0', 'Y', 'N'])], { error: wrongType })
  .transform((value) => ['true', '1', 'Y'].includes(String(value)));

/** A boolean of the form protocols: `Y` or `N`. */
export const formFlag = z
  .union([z.boolean(), z.enum(['Y', 'N'])], { error: wrongType })
  .transform((value) => value === true || value === 'Y');

/** The payer's own data, which never costs a sale: any text that fits into a column is taken as it is. */
export const payerText = text(1, 255);

/** An address that a payer is led back to: a web address, or one of an app's own scheme. */
export const returnUrl = z
  .string({ error: wrongType })
  .refine((value) => value.length <= 1024, fieldErrorTexts.notValid)
  .refine((value) => parseWebUrl(value) !== null || appSchemeOf(value) !== null, fieldErrorTexts.notUrl)
  .meta({ format: 'uri', maxLength: 1024 });

/** An http or https address without user name and password, up to 1024 characters. */
export const webUrl = z
  .string({ error: wrongType })
  .refine((value) => value.length <= 1024, fieldErrorTexts.notValid)
  .refine((value) => parseWebUrl(value) !== null, fieldErrorTexts.notUrl)
  .meta({ format: 'uri', maxLength: 1024 });

export function choice<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, {
    error: (issue) => (issue.input === undefined ? fieldErrorTexts.blank : fieldErrorTexts.notChoice),
  });
}

const emailPattern = /^[^\s@]+@[^\s@]+$/;

export const email = text(2, 255)
  .refine((value) => emailPattern.test(value), fieldErrorTexts.notValid)
  .meta({ pattern: emailPattern.source });

/** A day that exists, `YYYY-MM-DD`. */
export const day = z
  .string({ error: wrongType })
  .refine(isDate, fieldErrorTexts.notValid)
  .meta({ format: 'date', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' });

/** `schedule_start_date`: a schedule spans up to a thousand years from it, and its last date has to be a date. */
export const startDay = day.refine((value) => value < '3000', fieldErrorTexts.notValid);

export const ipAddress = z
  .string({ error: wrongType })
  .refine((value) => isIP(value) !== 0, fieldErrorTexts.notValid)
  .meta({ pattern: '^[0-9A-Fa-f:.]+(%.+)?$', anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] });

/** ISO 3166-1 alpha-2, in either case; capitals inside. */
export const country = z
  .string({ error: wrongType })
  .meta({ pattern: '^[A-Za-z]{2}$' })
  .transform((value) => value.toUpperCase())
  .refine(isCountry, fieldErrorTexts.notValid);

/** Three letters, up to six for crypto. Whether the currency exists is a question of routing (204012). */
export const currency = z.string({ error: wrongType }).regex(/^[A-Z]{3,6}$/, fieldErrorTexts.notValid);

/** A decimal text; its decimals are checked together with the currency by {@link amountError}. */
export const amount = z
  .string({ error: wrongType })
  .refine((value) => value.trim() !== '', fieldErrorTexts.blank)
  .meta({ pattern: '^(0|[1-9][0-9]*)(\\.[0-9]+)?$' });

export const uuid = z
  .string({ error: wrongType })
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, errors.notUuid.message)
  .meta({ format: 'uuid', pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' });

/** What is wrong with an amount, zero aside; an unknown currency is no fault of the amount. */
export function amountError(value: string, inCurrency: unknown): string | null {
  if (/^-[0-9]+(\.[0-9]+)?$/.test(value)) return fieldErrorTexts.positive;
  const known = typeof inCurrency === 'string' && exponentOf(inCurrency) !== null;
  const parsed = parseAmount(value, known ? inCurrency : 'EUR');
  if (parsed.ok) return parsed.minor <= minorMax ? null : fieldErrorTexts.notValid;
  return parsed.fault === 'decimals' && !known ? null : fieldErrorTexts.notValid;
}

// A signed 64-bit column holds it, even where a currency has four decimals.
const minorMax = 2n ** 63n - 1n;

/** Whether a well-formed amount is zero, in whatever currency. */
export function isZero(value: unknown): boolean {
  return typeof value === 'string' && /^0(\.0+)?$/.test(value);
}

/**
 * Adds rules that look at several fields. They run even where single fields are at fault, so that all faults show. `says`
 * has them in words, for the documents of the API.
 */
export function withRules<Schema extends z.ZodType>(
  schema: Schema,
  rules: (value: UncheckedBody) => FieldError[],
  says: readonly FieldRule[],
): Schema {
  const ruled = schema.superRefine(
    (value, context) => {
      if (typeof value !== 'object' || value === null) return;
      for (const fault of rules(value as UncheckedBody)) {
        context.addIssue({ code: 'custom', path: fault.path.split('.'), message: fault.text });
      }
    },
    { when: () => true },
  );
  return ruled.meta({ 'x-rules': says }) as Schema;
}

/** An object whose members may be anything: rules see what was sent where a field is at fault. */
export type UncheckedBody = { readonly [name: string]: unknown };

/** A text that is not validated, or not everywhere. */
export const unvalidatedText = z.unknown().optional().meta({ 'x-loose': true });

/** An address as Checkout's `billing_address`. `state` counts in five countries only and is hidden elsewhere. */
export const billingAddress = withRules(
  z.object(
    {
      country: country.optional(),
      state: unvalidatedText,
      city: payerText.optional(),
      district: payerText.optional(),
      address: payerText.optional(),
      house_number: text(1, 9).optional(),
      zip: payerText.optional(),
      phone: payerText.optional(),
      phone_country_code: patternText(/^[0-9][0-9-]*$/, 10).optional(),
      language: unvalidatedText,
    },
    { error: wrongType },
  ),
  ({ country: code, state }) => {
    if (typeof code !== 'string' || !hasStates(code.toUpperCase()) || state === undefined) return [];
    return payerText.safeParse(state).success ? [] : [{ path: 'state', text: fieldErrorTexts.notValid }];
  },
  [
    {
      fields: ['state'],
      text: 'Counts in CA, US, JP, AU and IN only, with up to 255 characters; elsewhere it is not read.',
    },
  ],
).transform(({ state, language, ...address }) => ({
  ...address,
  state: address.country && hasStates(address.country) ? (state as string | undefined) : undefined,
  // Not validated: what is no known code falls back to English.
  language: typeof language === 'string' ? language.slice(0, 16) : undefined,
}));

/** A payer or payee as Checkout's `customer`. */
export const customer = z.object(
  {
    name: payerText.optional(),
    email: email.optional(),
    birth_date: day.optional(),
    ip: ipAddress.optional(),
  },
  { error: wrongType },
);

const customDataMax = 16 * 1024;

/** Anything that JSON can hold, up to 16 KB as text. */
export const customData = z.unknown().refine((value) => JSON.stringify(value ?? null).length <= customDataMax, {
  error: fieldErrorTexts.notValid,
});

/** Objects under method identifiers. An empty list is how PHP writes an empty object. */
export const methodParameters = z.preprocess(
  (value) => (isEmptyList(value) ? {} : value),
  z.record(
    z.string(),
    z.preprocess(
      (value) => (isEmptyList(value) ? {} : value),
      z.record(z.string(), z.unknown(), { error: fieldErrorTexts.notValid }),
    ),
    { error: fieldErrorTexts.notValid },
  ),
);

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/**
 * The body without members that say nothing (null, a blank text, PHP's empty list), also inside of the objects named.
 * Shops fill in templates, so that an empty optional field means an absent one.
 */
export function withoutBlanks(body: unknown, objects: readonly string[]): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    if (value === null || (typeof value === 'string' && value.trim() === '') || isEmptyList(value)) continue;
    kept[name] = objects.includes(name) ? withoutBlanks(value, []) : value;
  }
  return kept;
}

/** The windows that a link to the shop may open in. */
export const linkTargets = ['_blank', '_self', '_parent', '_top'] as const;

/**
 * What is wrong with an amount that was sent as text. Zero is for authorizations and first payments of a chain only
 * (interface.md, Resources, rule 2); whether a merchant account supports it there is a question of routing.
 */
export function orderAmountError(value: unknown, inCurrency: unknown, zeroAllowed: boolean): string | null {
  if (typeof value !== 'string' || value.trim() === '') return null;
  const fault = amountError(value, inCurrency);
  return fault ?? (isZero(value) && !zeroAllowed ? fieldErrorTexts.positive : null);
}

/** The members that are there. */
export function withoutUndefined(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
