// Converts the validation schemas to JSON Schema for OpenAPI 3.1. Checks in code are described by `meta` beside them
// (fields.ts), fields by field-help.ts.
import { z } from 'zod';
import type { Schema } from '../core/openapi.ts';
import { type CardSetLine, cardSetLines } from '../methods/card-sets.ts';
import { type ParameterLine, parameterLines } from '../methods/catalog/lines.ts';
import { methods } from '../methods/catalog.ts';
import { formatOf } from '../methods/formats.ts';
import {
  helpOf,
  isFlag,
  processingSchema,
  processingShapes,
  type RegisteredAction,
  unwrapSchema,
} from '../protocols/index.ts';

type Mutable = { -readonly [name in keyof Schema]: Schema[name] };
type Properties = { [name: string]: Schema };

/** A field of a request, by its path. */
export type Field = { path: string; required: boolean };

/** Returns the schema of a request; of a request with two shapes, both. */
export function requestSchema(registered: RegisteredAction): Schema {
  const { row, protocol, action } = registered;
  const schema = typeof row.schema === 'function' ? row.schema(null) : row.schema;
  const shape = schema === processingSchema ? processingShapes : unwrapSchema(schema).schema;
  const converted = jsonSchema(shape, protocol !== 'checkout');
  const documented = documentFields(converted, action, '');
  if (protocol === 'checkout') return withParameters(documented, registered);
  const properties = {
    action: { const: action, type: 'string', description: 'The operation.' },
    ...documented.properties,
  };
  return withParameters(
    { ...documented, properties, required: ['action', ...(documented.required ?? [])] },
    registered,
  );
}

/** Returns the schema of a response with an example. */
export function responseSchema(schema: z.ZodType): Schema {
  const { $schema: _dialect, ...converted } = z.toJSONSchema(schema, { io: 'output' }) as Schema;
  return { ...converted, examples: [exampleOf(converted)] };
}

function jsonSchema(schema: z.ZodType, isForm: boolean): Schema {
  const { $schema: _dialect, ...converted } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: json }) => {
      const def = zodSchema._zod.def as unknown as { type: string; options?: z.ZodType[] };
      if (def.type === 'undefined') json['x-refused'] = true;
      // Any other value counts as absent.
      if (def.type === 'catch') {
        const { default: _none, ...accepted } = json;
        for (const name of Object.keys(json)) delete json[name];
        json.anyOf = [accepted, {}];
      }
      // A form contains only texts.
      if (!isForm || !isFlag(def)) return;
      delete json.anyOf;
      Object.assign(json, { type: 'string', enum: ['Y', 'N'] });
    },
  }) as Schema;
  return converted;
}

/** Adds field descriptions and removes fields that are always refused, which `x-refused` lists by name. */
function documentFields(schema: Schema, action: string, prefix: string): Schema {
  if (schema.anyOf && !schema.properties) {
    return { ...schema, anyOf: schema.anyOf.map((each) => documentFields(each, action, prefix)) };
  }
  if (!schema.properties) return schema;
  const properties: Properties = {};
  const refused: string[] = [];
  for (const [name, inner] of Object.entries(schema.properties)) {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    if (inner['x-refused']) refused.push(name);
    else if (!inner['x-inside']) properties[name] = withDescription(documentFields(inner, action, path), action, path);
  }
  // Unknown fields are ignored.
  const { additionalProperties: _none, ...others } = schema;
  return { ...others, properties, ...(refused.length > 0 && { 'x-refused': refused }) };
}

function withDescription(schema: Schema, action: string, path: string): Schema {
  const { help } = helpOf(action, path);
  const text = [help, schema.description].filter(Boolean).join(' ');
  return text === '' ? schema : { ...schema, description: text };
}

/** Adds the parameters of methods, which the catalogue defines. */
function withParameters(schema: Schema, { protocol }: RegisteredAction): Schema {
  const existing = schema.properties?.parameters;
  if (!existing) return schema;
  const ids = methodsWithParameters().map(({ id }) => id);
  const refs = Object.fromEntries(
    ['card', ...ids].map((id) => [id, { $ref: `#/components/schemas/parameters.${id}` }]),
  );
  const parameters: Mutable = { type: 'object', description: existing.description };
  if (protocol === 'checkout') parameters.properties = refs;
  if (protocol === 's2s_card') Object.assign(parameters, refs.card);
  if (protocol === 's2s_apm') parameters['x-by-brand'] = Object.fromEntries(Object.entries(refs).slice(1));
  return { ...schema, properties: { ...schema.properties, parameters } };
}

const methodsWithParameters = () => methods.filter(({ parameters, payout }) => (parameters ?? payout) !== undefined);

/** Returns the schemas of parameters by component name. */
export function parameterSchemas(protocol: RegisteredAction['protocol']): Properties {
  const schemas: Properties = {};
  if (protocol !== 's2s_apm') schemas['parameters.card'] = cardParameters(protocol === 'checkout' ? 'checkout' : 's2s');
  if (protocol === 's2s_card') return schemas;
  for (const { id, name, parameters, payout } of methodsWithParameters()) {
    const lines = [...parameterLines(parameters), ...parameterLines(payout)];
    schemas[`parameters.${id}`] = { ...treeOf(lines.map(lineOf)), description: `Parameters of ${name}.` };
  }
  return schemas;
}

type Line = { name: string; format: string; text: string };

const needs: { readonly [need: string]: string } = {
  R: 'Required',
  C: 'Collected on the payment page if absent; required without a payment page',
  A: 'Optional on the payment page',
  O: 'Optional',
};

function lineOf({ name, format, need, where }: ParameterLine): Line {
  const place = where === '' ? '' : ` (${where})`;
  return { name, format, text: `${needs[need]}${place}: ${formatOf(format).text}.` };
}

function cardParameters(protocol: 'checkout' | 's2s'): Schema {
  const needTexts: { readonly [need: string]: string } = {
    R: 'Required in',
    C: 'Required by some providers in',
    O: 'Optional in',
  };
  const lineFor = ({ set, operations, name, format, need }: CardSetLine): Line => ({
    name,
    format,
    text: `${needTexts[need]} set ${set} (${operations.join(', ')}): ${formatOf(format).text}.`,
  });
  return {
    ...treeOf(cardSetLines(protocol).map(lineFor)),
    description: 'The card parameter sets. The merchant account determines which of them a payment needs.',
  };
}

type Node = { lines: Line[]; members: Map<string, Node>; each?: Node };
const emptyNode = (): Node => ({ lines: [], members: new Map() });

/** Converts lines with paths (`cart.items[].price`) to nested objects. A name accepts any of its lines. */
function treeOf(lines: readonly Line[]): Schema {
  const root = emptyNode();
  for (const line of lines) {
    let node = root;
    for (const part of line.name.replaceAll('[]', '.[]').split('.')) {
      const inner: Node = (part === '[]' ? node.each : node.members.get(part)) ?? emptyNode();
      if (part === '[]') node.each = inner;
      else node.members.set(part, inner);
      node = inner;
    }
    node.lines.push(line);
  }
  return schemaOf(root);
}

function schemaOf({ lines, members, each }: Node): Schema {
  if (each) return { type: 'array', items: schemaOf(each) };
  if (members.size > 0) {
    return {
      type: 'object',
      properties: Object.fromEntries([...members].map(([name, node]) => [name, schemaOf(node)])),
    };
  }
  const description = lines.map(({ text }) => text).join(' ');
  const kinds = [...new Map(lines.map(({ format }) => [format, formatOf(format).schema])).values()] as Schema[];
  const [only] = kinds;
  return only && kinds.length === 1 ? { ...only, description } : { anyOf: kinds, description };
}

/** Returns the fields of a request in schema order; of two shapes, those of both. */
export function fieldsIn(schema: Schema, prefix = '', parentRequired = true): Field[] {
  const shapes = schema.properties ? [schema] : (schema.anyOf ?? []);
  const fields = new Map<string, Field>();
  for (const { properties = {}, required = [] } of shapes) {
    for (const [name, inner] of Object.entries(properties)) {
      const path = prefix === '' ? name : `${prefix}.${name}`;
      const isRequired = parentRequired && required.includes(name) && shapes[0]?.properties?.[name] !== undefined;
      const members = path === 'parameters' ? [] : fieldsIn(inner, path, isRequired);
      for (const field of members.length > 0 ? members : [{ path, required: isRequired }]) {
        if (!fields.has(field.path)) fields.set(field.path, field);
      }
    }
  }
  return [...fields.values()];
}

/** Returns an example value: the constant, example or first choice, or an object of the required members. */
export function exampleOf(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.examples) return schema.examples[0];
  if (schema.enum) return schema.enum[0];
  if (schema.properties) {
    const names = schema.required ?? [];
    return Object.fromEntries(names.map((name) => [name, exampleOf(schema.properties?.[name] ?? {})]));
  }
  const shapes = schema.anyOf ?? schema.oneOf;
  if (shapes?.[0]) return exampleOf(shapes[0]);
  if (schema.type === 'array') return [exampleOf(schema.items ?? {})];
  if (schema.type === 'object') return {};
  return schema.type === 'null' ? null : 'text';
}
