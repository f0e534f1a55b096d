/**
 * The parameters of a method, as its row of the catalogue writes them: the check of a request against them, the fields
 * that the payer is asked for because the request lacks them, and the check of what the payer has typed. One reading for
 * Checkout, S2S APM and the page.
 */
import { digitsOf } from '../core/cards';
import { type FieldError, fieldErrorTexts } from '../core/errors';
import type { Message } from '../core/words';
import { choiceNames } from './catalog/choices';
import { type ParameterLine, parameterLines } from './catalog/lines';
import { checkOf, type FormatInput, inputOf } from './formats';
import type { Method, MethodOperation } from './method';
import { checkParameters, type ParameterTree, readTable, treeOf } from './parameter-table';
import { ruleOf } from './rules';

/** A parameter as the page asks for it. `least` and `most` count characters; `format` is the catalogue's word. */
export type ParameterField = FormatInput & {
  name: string;
  format: string;
  optional: boolean;
  /** How choices are called that have a proper name. */
  names?: { readonly [choice: string]: string };
};

/** What narrows a table: payouts have parameters of their own, and some lines count for a country or a currency only. */
export type ParameterScope = {
  /** The payer's country, alpha-2. Where it is not known, lines of certain countries do not count. */
  country?: string;
  operation?: MethodOperation;
  /** The payment's currency; kora's payouts need it. */
  currency?: string;
};

export type MethodParametersOptions = ParameterScope & {
  /** What the faults' paths begin with: `parameters.<id>` on Checkout, `parameters` on S2S APM. */
  path: string;
  /** Whether what a page would ask for is demanded, because there is no page. */
  demandCollected: boolean;
};

/**
 * Checks a method's parameters and gives what goes on to the provider: known ones in their usual form with defaults and
 * fixed values filled in, unknown ones as they came. Faults name the parameter: `parameters.yapily.payee_country`.
 */
export function checkMethodParameters(
  method: Method,
  given: unknown,
  { path, demandCollected, ...scope }: MethodParametersOptions,
): { values: Record<string, unknown>; faults: FieldError[] } {
  const lines = parameterLinesOf(method, scope);
  const tree = treeFor(lines, demandCollected);
  const checked = checkParameters(tree, withDefaults(method, given), { path, demanded: ['own'] });
  const values = { ...checked.values, ...method.adds };
  const lists = missingLists(lines, values).map((name) => ({ path: `${path}.${name}`, text: fieldErrorTexts.blank }));
  const faults = [...checked.errors, ...lists.filter((fault) => !isNamed(checked.errors, fault.path))];
  faults.push(...ruleOf(method.id)(values, path).filter((fault) => !isNamed(faults, fault.path)));
  return { values, faults };
}

/** What the page asks for: the collected parameters that the request lacks, in the order of the table. */
export function parametersToCollect(
  method: Method,
  given: Record<string, unknown>,
  country?: string,
  scope: Omit<ParameterScope, 'country'> = {},
): ParameterField[] {
  return parameterLinesOf(method, { ...scope, country })
    .filter(({ name, need }) => /^[CA]$/.test(need) && isBlank(given[name]))
    .map(({ name, format, need }) => {
      const field = { name, format, optional: need === 'A', ...inputOf(format) };
      const names = field.choices && choiceNames[name];
      return names ? { ...field, names } : field;
    });
}

/** Checks what the payer has typed into fields that `parametersToCollect` gave; one message for each field at fault. */
export function checkTypedParameters(
  _method: Method,
  fields: readonly ParameterField[],
  typed: Record<string, string>,
): { values: Record<string, string>; faults: { [name: string]: Message } } {
  const values: [string, string][] = [];
  const faults: [string, Message][] = [];
  for (const field of fields) {
    const text = (Object.hasOwn(typed, field.name) ? (typed[field.name] ?? '') : '').trim();
    if (text === '' && field.optional) continue;
    const found = checkTypedParameter(field, text);
    if (found.fault) faults.push([field.name, found.fault]);
    else values.push([field.name, found.value]);
  }
  return { values: Object.fromEntries(values), faults: Object.fromEntries(faults) };
}

type TypedResult = { value: string; fault?: undefined } | { fault: Message };

function checkTypedParameter({ format, input, least, most }: ParameterField, text: string): TypedResult {
  if (text === '') return { fault: { key: input === 'choice' ? 'error.parameter.choose' : 'error.parameter.empty' } };
  const tidy = /^(digits|phone)$/.test(input) ? digitsOf(text).replace(/[()./]/g, '') : text;
  const count = [...tidy].length;
  if (count > most) return { fault: { key: 'error.long', values: { count: most } } };
  if (count < least) return { fault: { key: 'error.short', values: { count: least } } };
  const checked = checkOf(format)(tidy);
  if ('value' in checked) return { value: String(checked.value) };
  if (input === 'email' || input === 'phone') return { fault: { key: `error.${input}.wrong` } };
  return { fault: { key: input === 'choice' ? 'error.parameter.choose' : 'error.parameter.wrong' } };
}

/**
 * Checks the request's own fields against what the method demands of them beyond the protocol (a phone number of Benin,
 * a longer description). `fields` has them by their names on S2S; `pathOf` gives the caller's own path of a name.
 * A missing one is at fault only with `demanded`, because a page can still ask for it.
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

/** Whether the method takes a value in one of the request's own fields, by its name on S2S (`payer_phone`). */
export function acceptsRequestField(method: Method, name: string, value: string): boolean {
  return requestFieldErrors(method, { [name]: value }, false).length === 0;
}

/** A method's values parted: those that may be stored as they are, and those that nobody must read (a voucher's code). */
export function splitSecretParameters(
  { parameters, payout }: Method,
  values: Record<string, unknown>,
): { open: Record<string, unknown>; secret: Record<string, string> } {
  const lines = [...parameterLines(parameters), ...parameterLines(payout)];
  const names = new Set(lines.flatMap(({ name, format }) => (inputOf(format).input === 'secret' ? [name] : [])));
  const all = Object.entries(values);
  return {
    open: Object.fromEntries(all.filter(([name]) => !names.has(name))),
    secret: Object.fromEntries(all.filter(([name]) => names.has(name)).map(([name, value]) => [name, String(value)])),
  };
}

/** The lines of parameters that count for an operation, a country and a currency. */
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
  const made = trees.get(table) ?? treeOf(readTable('own', table));
  trees.set(table, made);
  return made;
}

const isBlank = (value: unknown) => value === undefined || value === null || value === '';
const isNamed = (faults: readonly FieldError[], path: string) =>
  faults.some((fault) => fault.path === path || fault.path.startsWith(`${path}.`) || fault.path.startsWith(`${path}[`));

function withDefaults({ defaults }: Method, given: unknown): unknown {
  if (!defaults || (!isBlank(given) && (typeof given !== 'object' || Array.isArray(given)))) return given;
  const known = Object.entries(given ?? {}).filter(([, value]) => !isBlank(value));
  return { ...defaults, ...Object.fromEntries(known) };
}

// A table has no line for a list itself: it is demanded where something is demanded of its members.
function missingLists(lines: readonly ParameterLine[], values: Record<string, unknown>): string[] {
  const demanded = lines.filter(({ name, need }) => need === 'R' && name.includes('[]'));
  const names = new Set(demanded.map(({ name }) => name.slice(0, name.indexOf('['))));
  return [...names].filter((name) => isBlank(values[name]));
}
