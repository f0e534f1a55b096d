/**
 * The parameters of a method by its row in the catalogue: the check of a request, the fields that the payer must fill
 * in because the request lacks them, and the check of the typed values. Shared by Checkout, S2S APM and the page.
 */
import { digitsOf } from '../core/cards.ts';
import { type FieldError, fieldErrorTexts } from '../core/errors.ts';
import type { Message } from '../core/translations.ts';
import { type ParameterLine, parameterLines } from './catalog/lines.ts';
import { operators } from './catalog/mobile-operators.ts';
import { acceptsOthers, bareNumber, documentError, isNumeric, usualDocuments } from './documents.ts';
import { checkOf, type FormatInput, formatOf } from './formats.ts';
import type { Method, MethodOperation } from './method.ts';
import { checkParameters, type ParameterTree, readTable, treeOf } from './parameter-table.ts';

/** Choices with proper names, by the parameter's name, then by the choice's wire value. */
export const choiceNames: { readonly [parameter: string]: { readonly [choice: string]: string } } = {
  bank: {
    bancolombia: 'Bancolombia',
    'banco-de-bogota': 'Banco de Bogotá',
    davivienda: 'Davivienda',
    bbva: 'BBVA',
    nequi: 'Nequi',
    daviplata: 'DaviPlata',
  },
  mobile_money_operator: Object.fromEntries(operators.map(({ slug, name }) => [slug, name])),
};

/** A parameter on the page. `least` and `most` count characters; `format` is the catalogue's. */
export type ParameterField = FormatInput & {
  name: string;
  format: string;
  optional: boolean;
  /** The documents that the payer chooses from, whose number a text is. */
  documentNames?: readonly string[];
};

/** The selection of lines: payouts have separate parameters, and some lines apply to a country or a currency only. */
export type ParameterScope = {
  /** The payer's country, alpha-2. Without it, lines of certain countries do not apply. */
  country?: string;
  operation?: MethodOperation;
  /** The payment's currency; kora's payouts need it. */
  currency?: string;
};

export type MethodParametersOptions = ParameterScope & {
  /** The prefix of the errors' paths: `parameters.<id>` on Checkout, `parameters` on S2S APM. */
  path: string;
  /** Whether collected parameters are required because there is no page. */
  demandCollected: boolean;
};

/**
 * Checks a method's parameters and returns the values for the provider: known ones normalised, with defaults and fixed
 * values, unknown ones unchanged. Errors name the parameter: `parameters.yapily.payee_country`.
 */
export function checkMethodParameters(
  method: Method,
  input: unknown,
  { path, demandCollected, ...scope }: MethodParametersOptions,
): { values: Record<string, unknown>; faults: FieldError[] } {
  const lines = parameterLinesOf(method, scope);
  const tree = treeFor(lines, demandCollected);
  const checked = checkParameters(tree, withDefaults(method, input), { path, demanded: ['own'] });
  const values = { ...checked.values, ...method.adds };
  const lists = missingLists(lines, values).map((name) => ({ path: `${path}.${name}`, text: fieldErrorTexts.blank }));
  const fieldErrors = [...checked.errors, ...lists.filter((fieldError) => !isNamed(checked.errors, fieldError.path))];
  fieldErrors.push(...ruleOf(method.id)(values, path).filter((fieldError) => !isNamed(fieldErrors, fieldError.path)));
  return { values, faults: fieldErrors };
}

/** The parameters to collect on the page: those that the request lacks, in the order of the table. */
export function parametersToCollect(
  method: Method,
  input: Record<string, unknown>,
  country?: string,
  scope: Omit<ParameterScope, 'country'> = {},
): ParameterField[] {
  const lines = parameterLinesOf(method, { ...scope, country });
  const type = lines.find(({ name }) => name === 'document_type');
  return lines
    .filter(({ name, need }) => /^[CA]$/.test(need) && isBlank(input[name]))
    .map(({ name, format, need }) => {
      const field = { name, format, optional: need === 'A', ...formatOf(format).input };
      const isNumber = field.document === undefined && /^(document_number|personal_id)$/.test(name);
      return isNumber ? { ...field, ...documentsOf(type, country) } : field;
    });
}

/** The documents of a number without a format: those of the types to choose from, else the usual ones of the country. */
function documentsOf(type?: ParameterLine, country?: string): Partial<ParameterField> {
  if (type) return { documentNames: formatOf(type.format).input.choices };
  const document = usualDocuments(country);
  return document === undefined ? {} : { document, input: isNumeric(document) ? 'digits' : 'text' };
}

/**
 * Checks the values that the payer typed into the fields of `parametersToCollect`; one message per invalid field.
 * `document` is the number that was pointed out before, if any.
 */
export function checkTypedParameters(
  fields: readonly ParameterField[],
  typed: Record<string, string>,
  document = '',
): { values: Record<string, string>; faults: { [name: string]: Message } } {
  const values: [string, string][] = [];
  const fieldErrors: [string, Message][] = [];
  for (const field of fields) {
    const text = (Object.hasOwn(typed, field.name) ? (typed[field.name] ?? '') : '').trim();
    if (text === '' && field.optional) continue;
    const result = checkTypedParameter(field, text, document.trim());
    if (result.fault) fieldErrors.push([field.name, result.fault]);
    else values.push([field.name, result.value]);
  }
  return { values: Object.fromEntries(values), faults: Object.fromEntries(fieldErrors) };
}

type TypedResult = { value: string; fault?: undefined } | { fault: Message };

function checkTypedParameter(field: ParameterField, text: string, pointedOut: string): TypedResult {
  const { format, input, least, most, document } = field;
  if (document !== undefined) {
    const fault = documentError(document, text);
    if (!fault) return { value: bareNumber(text) };
    if (text === '' || text !== pointedOut || !acceptsOthers(document)) return { fault };
  }
  if (text === '') return { fault: { key: input === 'choice' ? 'error.parameter.choose' : 'error.parameter.empty' } };
  const isNumber = /^(digits|phone)$/.test(input);
  const normalised = document ? bareNumber(text) : isNumber ? digitsOf(text).replace(/[()./]/g, '') : text;
  const count = [...normalised].length;
  if (count > most) return { fault: { key: 'error.long', values: { count: most } } };
  if (count < least) return { fault: { key: 'error.short', values: { count: least } } };
  const checked = checkOf(format)(normalised);
  if ('value' in checked) return { value: String(checked.value) };
  if (input === 'email' || input === 'phone') return { fault: { key: `error.${input}.wrong` } };
  return { fault: { key: input === 'choice' ? 'error.parameter.choose' : 'error.parameter.wrong' } };
}

/**
 * Checks the request's own fields against the method's requirements beyond the protocol (a phone number of Benin, a
 * longer description). `fields` has them by their S2S names; `pathOf` returns the caller's path of a name. A missing
 * field is an error only with `demanded`, because a page can still ask for it.
 */
export function requestFieldErrors(
  method: Method,
  fields: Readonly<Record<string, unknown>>,
  demanded: boolean,
  pathOf: (name: string) => string = (name) => name,
): FieldError[] {
  return parameterLines(method.fields).flatMap(({ name, format, need }) => {
    const value = fields[name];
    if (isBlank(value)) return demanded && need === 'R' ? [{ path: pathOf(name), text: fieldErrorTexts.blank }] : [];
    const checked = checkOf(format)(value);
    return 'fault' in checked ? [{ path: pathOf(name), text: checked.fault }] : [];
  });
}

/** Whether the method accepts a value in one of the request's own fields, by its S2S name (`payer_phone`). */
export function acceptsRequestField(method: Method, name: string, value: string): boolean {
  return requestFieldErrors(method, { [name]: value }, false).length === 0;
}

/** Splits a method's values into those that may be stored in clear and secrets (a voucher's code). */
export function splitSecretParameters(
  { parameters, payout }: Method,
  values: Record<string, unknown>,
): { open: Record<string, unknown>; secret: Record<string, string> } {
  const lines = [...parameterLines(parameters), ...parameterLines(payout)];
  const names = new Set(lines.flatMap(({ name, format }) => (formatOf(format).input.input === 'secret' ? [name] : [])));
  const all = Object.entries(values);
  return {
    open: Object.fromEntries(all.filter(([name]) => !names.has(name))),
    secret: Object.fromEntries(all.filter(([name]) => names.has(name)).map(([name, value]) => [name, String(value)])),
  };
}

/** The lines of parameters that apply to an operation, a country and a currency. */
export function parameterLinesOf(method: Method, { country, operation, currency }: ParameterScope): ParameterLine[] {
  const table = operation === 'credit' && method.payout !== undefined ? method.payout : method.parameters;
  return parameterLines(table).filter(({ where }) => appliesTo(where, country, currency));
}

function appliesTo(where: string, country: string | undefined, currency: string | undefined): boolean {
  const words = where.split(' ').filter((word) => word !== '');
  if (words[0] === 'not') return !words.includes(country ?? '');
  return words.length === 0 || words.some((word) => word === country || word === currency);
}

const trees = new Map<string, ParameterTree>();

function treeFor(lines: readonly ParameterLine[], demandCollected: boolean): ParameterTree {
  const table = lines
    .map(({ name, format, need }) => `${name} | ${format} | ${need === 'C' && demandCollected ? 'R' : need}`)
    .join('\n');
  const cached = trees.get(table) ?? treeOf(readTable('own', table));
  trees.set(table, cached);
  return cached;
}

const isBlank = (value: unknown) => value === undefined || value === null || value === '';
const isNamed = (fieldErrors: readonly FieldError[], path: string) =>
  fieldErrors.some(
    (fieldError) =>
      fieldError.path === path || fieldError.path.startsWith(`${path}.`) || fieldError.path.startsWith(`${path}[`),
  );

function withDefaults({ defaults }: Method, input: unknown): unknown {
  if (!defaults || (!isBlank(input) && (typeof input !== 'object' || Array.isArray(input)))) return input;
  const known = Object.entries(input ?? {}).filter(([, value]) => !isBlank(value));
  return { ...defaults, ...Object.fromEntries(known) };
}

// Tables have no line for a list itself: it is required if one of its members' fields is.
function missingLists(lines: readonly ParameterLine[], values: Record<string, unknown>): string[] {
  const demanded = lines.filter(({ name, need }) => need === 'R' && name.includes('[]'));
  const names = new Set(demanded.map(({ name }) => name.slice(0, name.indexOf('['))));
  return [...names].filter((name) => isBlank(values[name]));
}

type Rule = (values: Record<string, unknown>, path: string) => FieldError[];

const numbers: { readonly [type: string]: RegExp } = {
  DNI: /^[0-9]{8}$/,
  CE: /^[A-Za-z0-9]{6,12}$/,
  PAS: /^[A-Za-z0-9]{5,12}$/,
  RUC: /^(10|15|16|17|20)[0-9]{9}$/,
};

const rules: { readonly [id: string]: Rule } = {
  // Peru: the number has the format of its document type.
  'smlpz-out-peru': ({ idType, identity }, path) => {
    const form = numbers[String(idType)];
    const isInvalid = form !== undefined && typeof identity === 'string' && !form.test(identity);
    return isInvalid ? [{ path: `${path}.identity`, text: fieldErrorTexts.notValid }] : [];
  },
  // Only USDT exists on both networks; the default is eth.
  awcc: (values) => {
    if (values.crypto_type === 'USDT') values.network_type ??= 'eth';
    else delete values.network_type;
    return [];
  },
  // A file without a name is ignored.
  'yo-uganda-limited': (values) => {
    if (values.NarrativeFileName === undefined) delete values.NarrativeFileBase64;
    return [];
  },
};

const none: Rule = () => [];

/** The rule of a method; most methods have none. */
export function ruleOf(id: string): Rule {
  return rules[id] ?? none;
}
