/**
 * Tables of request parameters, one line per field, and the check of a request against them. A line is `name | format |
 * R, C, A or O`, with several names where they share the rest; a name may be a path into objects (`shipping.street1`) and lists (`cart.items[].price`).
 */
import { type FieldError, fieldErrorsMax, fieldErrorTexts } from '../core/errors.ts';
import { cellsOf } from './catalog/lines.ts';
import { type Check, checkOf } from './formats.ts';

/** Characters of a payment's parameters as JSON: they are stored with it, and with each payment that follows from it. */
export const parametersMax = 32 * 1024;

/** One field of a table. */
export type Parameter = {
  path: string[];
  check: Check;
  /** Its format in the table. */
  format: string;
  /** R: required if its set is. C: the provider may require it. A: the payer may be asked for it. O: optional. */
  need: 'R' | 'C' | 'A' | 'O';
  /** The set that it belongs to. */
  set: string;
};

/** Fields by name; a list has the fields of each member. */
export type ParameterTree = { members: Map<string, ParameterTree>; each?: ParameterTree; leaf?: Parameter };

/** The result of a check: the values for the provider, and the first field errors. */
export type CheckedParameters = { values: Record<string, unknown>; errors: FieldError[] };

/**
 * The parameters of a table's text. `column` selects the format: 0 for the second cell, 1 for the fourth, which
 * defaults to the second and omits the field if it is `-`. Throws for an invalid line.
 */
export function readTable(set: string, table: string, column: 0 | 1 = 0): Parameter[] {
  return cellsOf(table).flatMap(([names = '', usual = '', need = '', other]) => {
    if (!/^[RCAO]$/.test(need)) throw new Error(`no parameter: ${names}`);
    const format = column === 1 ? (other ?? usual) : usual;
    if (format === '-') return [];
    const shared = { check: checkOf(format), format, need: need as Parameter['need'], set };
    return names.split(' ').map((name) => ({ path: segmentsOf(name), ...shared }));
  });
}

const segmentsOf = (name: string) => name.replaceAll('[]', '.[]').split('.');

/** The tree of several tables. Throws if two of them define the same name. */
export function treeOf(parameters: readonly Parameter[]): ParameterTree {
  const root: ParameterTree = { members: new Map() };
  for (const parameter of parameters) {
    let node = root;
    for (const segment of parameter.path) {
      const inner = (segment === '[]' ? node.each : node.members.get(segment)) ?? { members: new Map() };
      if (segment === '[]') node.each = inner;
      else node.members.set(segment, inner);
      node = inner;
    }
    if (node.leaf) throw new Error(`${parameter.path.join('.')} is in two tables`);
    node.leaf = parameter;
  }
  return root;
}

/**
 * Checks values against a tree. A blank optional field counts as absent; a required field of a demanded set must be
 * present. Unknown values are passed on unchanged, because a provider may have its own. Paths begin with `path` and
 * name members of lists by position: `parameters.card.cart.items[0].price`.
 */
export function checkParameters(
  tree: ParameterTree,
  input: unknown,
  { path, demanded = [] }: { path: string; demanded?: readonly string[] },
): CheckedParameters {
  const fieldErrors: FieldError[] = [];
  const walk = { faults: fieldErrors, demanded };
  const found = unflatten(input, tree, path, fieldErrors);
  const values = (checkMembers(walk, tree, found, path) ?? {}) as Record<string, unknown>;
  if (JSON.stringify(values).length > parametersMax) fieldErrors.push({ path, text: fieldErrorTexts.notValid });
  const known = new Set<string>();
  const errors = fieldErrors.filter((error) => !known.has(error.path) && known.add(error.path));
  return { values, errors: errors.slice(0, fieldErrorsMax) };
}

type Walk = { faults: FieldError[]; demanded: readonly string[] };
type Members = { [name: string]: unknown };

const isBlank = (value: unknown) => value === undefined || value === null || value === '';
const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;
const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);

function checkNode(walk: Walk, node: ParameterTree, value: unknown, path: string): unknown {
  if (node.leaf) return checkLeaf(walk, node.leaf, value, path);
  if (isBlank(value) && node.each) return undefined;
  return node.each ? checkList(walk, node.each, value, path) : checkMembers(walk, node, value, path);
}

function checkLeaf({ faults, demanded }: Walk, { check, need, set }: Parameter, value: unknown, path: string): unknown {
  if (isBlank(value)) {
    if (need === 'R' && demanded.includes(set)) faults.push({ path, text: fieldErrorTexts.blank });
    return undefined;
  }
  const checked = check(value);
  if ('value' in checked) return checked.value;
  faults.push({ path, text: checked.fault });
  return undefined;
}

function checkMembers(walk: Walk, node: ParameterTree, value: unknown, path: string): unknown {
  if (!isBlank(value) && (!isObject(value) || (Array.isArray(value) && value.length > 0))) {
    walk.faults.push({ path, text: fieldErrorTexts.notValid });
    return undefined;
  }
  const members = isObject(value) && !Array.isArray(value) ? value : {};
  const entries: [string, unknown][] = [];
  for (const [name, inner] of node.members) {
    const found = checkNode(walk, inner, Object.hasOwn(members, name) ? members[name] : undefined, join(path, name));
    if (found !== undefined && !isEmpty(found)) entries.push([name, found]);
  }
  const unknown = Object.entries(members).filter(([name, extra]) => !node.members.has(name) && !isBlank(extra));
  return Object.fromEntries([...entries, ...unknown]);
}

// An object without members counts as absent.
function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

function checkList(walk: Walk, each: ParameterTree, value: unknown, path: string): unknown {
  const positions = isObject(value) ? Object.keys(value) : ['no list'];
  if (!positions.every((position) => /^(0|[1-9][0-9]{0,5})$/.test(position))) {
    walk.faults.push({ path, text: fieldErrorTexts.notValid });
    return undefined;
  }
  const inOrder = positions.sort((a, b) => Number(a) - Number(b));
  return inOrder.map((position) => checkNode(walk, each, (value as Members)[position], `${path}[${position}]`));
}

/**
 * Moves values with names like `shipping.street1` to their place in the tree: form clients write a path as one name or
 * in brackets. Only names that lead into the tree are split; others keep their dots.
 */
function unflatten(input: unknown, tree: ParameterTree, path: string, fieldErrors: FieldError[]): unknown {
  if (!isObject(input) || Array.isArray(input)) return input;
  const folded = new Map<string, string[]>();
  for (const name of Object.keys(input)) {
    const parts = name.split(/[.[\]]+/).filter((part) => part !== '');
    if (parts.length > 1 && tree.members.has(parts[0] as string)) folded.set(name, parts);
  }
  if (folded.size === 0) return input;
  const found: Members = {};
  for (const [name, value] of Object.entries(input)) {
    if (!folded.has(name)) found[name] = tree.members.has(name) ? copyOf(value) : value;
  }
  for (const [name, parts] of folded) {
    if (!place(found, parts, input[name])) fieldErrors.push({ path: join(path, name), text: fieldErrorTexts.notValid });
  }
  return found;
}

// Lists become objects by position, so that a path can lead into them.
function copyOf(value: unknown): unknown {
  if (!isObject(value)) return value;
  const copy: Members = Object.create(null);
  for (const [name, inner] of Object.entries(value)) copy[name] = copyOf(inner);
  return copy;
}

/** The deepest path of a table: `cart.items[0].recipient.street`. */
const partsMax = 5;

// The decoders of bodies check whole names, so a reserved one may be part of a dotted name.
const reserved = new Set(['__proto__', 'constructor', 'prototype']);

function place(into: Members, parts: string[], value: unknown): boolean {
  if (parts.length > partsMax || parts.some((part) => reserved.has(part))) return false;
  let level = into;
  for (const part of parts.slice(0, -1)) {
    const inner = Object.hasOwn(level, part) ? level[part] : Object.create(null);
    if (!isObject(inner)) return false;
    level[part] = inner;
    level = inner;
  }
  const last = parts.at(-1) as string;
  if (Object.hasOwn(level, last)) return false;
  level[last] = value;
  return true;
}
