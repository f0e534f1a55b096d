// Describes schemas in a few words, and lists the fields of a body as table rows.
import type { FieldRule, OpenApi, Operation, Schema } from '../core/openapi.ts';
import { type FormFields, formFields } from '../http/index.ts';

/** Omits the limits of JSON numbers, which are not limits of the interface. */
const bound = (value: unknown) => (Math.abs(Number(value)) >= Number.MAX_SAFE_INTEGER ? undefined : value);

const numbers = (least: unknown, most: unknown) => {
  if (least !== undefined && most !== undefined) return `${least} to ${most}`;
  if (most !== undefined) return `up to ${most}`;
  return least === undefined ? '' : `at least ${least}`;
};

const shapes: { readonly [pattern: string]: string } = {
  '^(0|[1-9][0-9]*)(\\.[0-9]+)?$': 'decimal number as text',
  '^[A-Z]{3,6}$': 'currency, capitals',
  '^[A-Za-z]{2}$': 'country, two letters',
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}$': 'day, YYYY-MM-DD',
  '^[^\\s@]+@[^\\s@]+$': 'e-mail address',
  '^[0-9A-Za-z-]+$': 'letters, digits and hyphens',
  '^[0-9A-Za-z_-]+$': 'letters, digits, hyphens and underscores',
  '^[0-9][0-9-]*$': 'digits and hyphens',
  '^(0?[1-9]|1[0-2])$': 'month, two digits',
  '^20[0-9]{2}$': 'year, four digits',
  '^[0-9]{3,4}$': 'three or four digits',
  '^[A-Z]$': 'one capital letter',
  '^[0-9]+\\.[0-9]+\\.[0-9]+$': 'X.Y.Z',
  '^0*[1-9][0-9]{0,8}$': 'whole number',
  '^0*[1-9][0-9]*$': 'whole number',
  '^[0-9]{1,4}$': 'whole number',
  '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$': 'YYYY-MM-DD hh:mm:ss, UTC',
};

const formats: { readonly [format: string]: string } = {
  uuid: 'UUID',
  uri: 'http or https address',
  date: 'day, YYYY-MM-DD',
};

/** The type of a schema: `text, 2 to 32 characters`. */
export function kindOf(schema: Schema): string {
  if (schema['x-loose']) return 'text, not checked';
  if (schema.const !== undefined) return String(schema.const);
  if (schema.enum) return `one of ${schema.enum.map(String).join(', ')}`;
  if (schema.type === 'array') return `list: ${kindOf(schema.items ?? {})}`;
  if (schema.type === 'object' || schema.properties || schema.$ref) return 'object';
  if (schema.type === 'boolean') return 'true or false';
  if (schema.type === 'null') return 'null';
  if (schema.type === 'integer')
    return joined('whole number', numbers(bound(schema.minimum), bound(schema.maximum)), '');
  if (schema.type === 'string') return textKind(schema);
  const [first, other] = schema.anyOf ?? [];
  // An empty second schema accepts values that are ignored.
  if (first && other && Object.keys(other).length === 0) return kindOf(first);
  const either = schema.anyOf ?? schema.oneOf;
  if (either?.every(({ type, enum: values }) => type === 'boolean' || values)) {
    const values = either.flatMap((each) => (each.type === 'boolean' ? [true, false] : (each.enum ?? [])));
    return `one of ${[...new Set(values.map(String))].join(', ')}`;
  }
  if (!either) return Array.isArray(schema.type) ? schema.type.join(' or ') : 'anything';
  const kinds = [...new Set(either.map(kindOf))];
  // The bounds of the schema apply to all alternatives.
  const range = numbers(schema.minimum, schema.maximum);
  return joined(kinds.join(', or '), range, '');
}

function textKind({ format, pattern, minLength, maxLength, anyOf }: Schema): string {
  if (anyOf) return 'IPv4 or IPv6 address';
  const shape = formats[String(format)] ?? shapes[String(pattern)];
  const isFixed = shape !== undefined && /UUID|YYYY|digits$|letters$|letter$|capitals|X\.Y/.test(shape);
  if (isFixed) return shape;
  const most = maxLength === 1024 && format === 'uri' ? undefined : maxLength;
  const length = minLength === maxLength && minLength !== undefined ? String(minLength) : numbers(undefined, most);
  const range = Number(minLength) > 1 && minLength !== maxLength ? numbers(minLength, most) : length;
  return joined(shape ?? 'text', range, range === '1' ? ' character' : ' characters');
}

const joined = (kind: string, range: string, unit: string) => (range === '' ? kind : `${kind}, ${range}${unit}`);

/** A row of a field table; `rules` are the rules that name the field. */
export type FieldLine = {
  path: string;
  need: 'required' | 'optional' | 'depends';
  kind: string;
  description: string;
  rules: readonly string[];
  /** Sent only if the protocol mapping enables it. */
  isSwitched: boolean;
};

/** The fields of a body, each followed by its members. For a list, the fields of its items. */
export function linesOf(schema: Schema): FieldLine[] {
  const lines = new Map<string, FieldLine>();
  collect(schema, '', schema['x-rules'] ?? [], lines);
  return [...lines.values()];
}

/** The fields of a request: required ones first, then those that depend on others; members follow their object. */
export function requestLinesOf(schema: Schema): FieldLine[] {
  const rank = { required: 0, depends: 1, optional: 2 };
  const blocks = new Map<string, FieldLine[]>();
  for (const line of linesOf(schema)) {
    const [parent = ''] = line.path.split('.');
    blocks.set(parent, [...(blocks.get(parent) ?? []), line]);
  }
  const rankOf = ([first]: FieldLine[]) => (first ? rank[first.need] : rank.optional);
  const inOrder = [...blocks.values()].sort((a, b) => rankOf(a) - rankOf(b));
  return inOrder.flatMap(([first, ...members]) =>
    first ? [first, ...members.sort((a, b) => rank[a.need] - rank[b.need])] : [],
  );
}

function collect(schema: Schema, prefix: string, rules: readonly FieldRule[], lines: Map<string, FieldLine>): void {
  const shapesOf = schema.properties ? [schema] : (schema.anyOf ?? []).filter(({ properties }) => properties);
  for (const shape of shapesOf) {
    const own = prefix === '' ? rules : [...rules, ...within(shape['x-rules'] ?? [], prefix)];
    for (const [name, inner] of Object.entries(shape.properties ?? {})) {
      const path = prefix === '' ? name : `${prefix}.${name}`;
      if (lines.has(path)) continue;
      const everywhere = shapesOf.every((each) => each.required?.includes(name));
      const somewhere = shape.required?.includes(name);
      const named = own.filter(({ fields }) => fields.includes(path)).map(({ text }) => text);
      const demanded = named.some((text) => /required|both or neither/i.test(text));
      lines.set(path, {
        path,
        need: everywhere ? 'required' : somewhere || demanded ? 'depends' : 'optional',
        kind: kindOf(inner),
        description: inner.description ?? '',
        rules: named,
        isSwitched: inner['x-switched'] === true,
      });
      if (name !== 'parameters') collect(inner.type === 'array' ? (inner.items ?? {}) : inner, path, own, lines);
    }
  }
}

const within = (rules: readonly FieldRule[], prefix: string) =>
  rules.map(({ fields, text }) => ({ text, fields: fields.map((field) => `${prefix}.${field}`) }));

/** `session/token` as an id within a page. */
export const anchorOf = (name: string) => name.replaceAll('/', '.');

/** `GET_TRANS_STATUS` as part of a path: `get-trans-status`. */
export const operationSlug = (name: string) => name.toLowerCase().replace(/[/_]/g, '-');

/** The form name of a field: `mpi_data[eci]`. */
export function formName(path: string): string {
  const [first = '', ...others] = path.split('.');
  return first + others.map((name) => `[${name}]`).join('');
}

/** A body as form fields, one `name=value` per line. */
export function formLines(body: FormFields): string[] {
  return formFields(body).map(([name, value]) => `${name}=${value}`);
}

/** The leaves of nested parameters: `cart.items[].price`. */
export function leavesOf(schema: Schema, path: string): { path: string; schema: Schema }[] {
  if (schema.type === 'array') return leavesOf(schema.items ?? {}, `${path}[]`);
  if (!schema.properties) return [{ path, schema }];
  return Object.entries(schema.properties).flatMap(([name, inner]) =>
    leavesOf(inner, path === '' ? name : `${path}.${name}`),
  );
}

/** An operation with its method and path. */
export type Placed = { operation: Operation; method: string; path: string; withToken: boolean };

/** Every operation once, with the first of its paths. */
export function placedIn({ paths }: OpenApi): Placed[] {
  const placed = new Map<string, Placed>();
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, each] of Object.entries(item)) {
      for (const operation of each['x-operations']) {
        const withToken = JSON.stringify(each.parameters ?? []).includes('"Token"');
        if (!placed.has(operation.name))
          placed.set(operation.name, { operation, method: method.toUpperCase(), path, withToken });
      }
    }
  }
  return [...placed.values()];
}

/** `Checkout reference`. */
export const titleOf = ({ info }: OpenApi) => `${info.title.replace('Florin: ', '')} reference`;

/** The schema that a reference names. */
export const schemaAt = (schemas: OpenApi['components']['schemas'], { $ref }: { $ref: string }): Schema =>
  schemas[$ref.replace('#/components/schemas/', '')] ?? {};

/** The need of a request field. */
export const needWords = { required: 'required', optional: 'optional', depends: 'depends, see its rule' };

/** The presence of a field that Florin sends. */
export const givenWords = { required: 'always', optional: 'where known', depends: 'where known' };
