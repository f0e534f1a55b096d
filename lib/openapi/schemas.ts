// From the schemas that validate to JSON Schema, as OpenAPI 3.1 has it. What a check demands in code stands beside it as
// meta (fields.ts); what a field is stands in field-help.ts. Nothing is written down here a second time.
import { z } from 'zod';
import type { Schema } from '../core/openapi';
import { type CardSetLine, cardSetLines } from '../methods/card-sets';
import { methods } from '../methods/catalog';
import { type ParameterLine, parameterLines } from '../methods/catalog/lines';
import { describeFormat } from '../methods/format-descriptions';
import { helpOf, isFlag, processingSchema, processingShapes, type RegisteredAction, unwrapSchema } from '../protocols';

type Mutable = { -readonly [name in keyof Schema]: Schema[name] };
type Properties = { [name: string]: Schema };

/** A field of a request, by its path. */
export type Field = { path: string; required: boolean };

/** What a request may hold; of two shapes, both. */
export function requestSchema(spoken: RegisteredAction): Schema {
  const { row, protocol, action } = spoken;
  const schema = typeof row.schema === 'function' ? row.schema(null) : row.schema;
  const shape = schema === processingSchema ? processingShapes : unwrapSchema(schema).schema;
  const made = jsonSchema(shape, protocol !== 'checkout');
  const told = finished(made, action, '');
  if (protocol === 'checkout') return withParameters(told, spoken);
  const properties = { action: { const: action, type: 'string', description: 'The operation.' }, ...told.properties };
  return withParameters({ ...told, properties, required: ['action', ...(told.required ?? [])] }, spoken);
}

/** What an answer holds, with one that is like it as its example. */
export function responseSchema(schema: z.ZodType): Schema {
  const { $schema: _dialect, ...made } = z.toJSONSchema(schema, { io: 'output' }) as Schema;
  return { ...made, examples: [exampleOf(made)] };
}

function jsonSchema(schema: z.ZodType, isForm: boolean): Schema {
  const { $schema: _dialect, ...made } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: json }) => {
      const def = zodSchema._zod.def as unknown as { type: string; options?: z.ZodType[] };
      if (def.type === 'undefined') json['x-refused'] = true;
      // Whatever does not fit counts as absent.
      if (def.type === 'catch') {
        const { default: _none, ...fitting } = json;
        for (const name of Object.keys(json)) delete json[name];
        json.anyOf = [fitting, {}];
      }
      // A form has texts only.
      if (!isForm || !isFlag(def)) return;
      delete json.anyOf;
      Object.assign(json, { type: 'string', enum: ['Y', 'N'] });
    },
  }) as Schema;
  return made;
}

/** With what every field is, and without those that are only read to be refused, which are listed by name. */
function finished(schema: Schema, action: string, prefix: string): Schema {
  if (schema.anyOf && !schema.properties) {
    return { ...schema, anyOf: schema.anyOf.map((each) => finished(each, action, prefix)) };
  }
  if (!schema.properties) return schema;
  const properties: Properties = {};
  const refused: string[] = [];
  for (const [name, inner] of Object.entries(schema.properties)) {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    if (inner['x-refused']) refused.push(name);
    else if (!inner['x-inside']) properties[name] = described(finished(inner, action, path), action, path);
  }
  // Fields that nobody knows are not read.
  const { additionalProperties: _none, ...others } = schema;
  return { ...others, properties, ...(refused.length > 0 && { 'x-refused': refused }) };
}

function described(schema: Schema, action: string, path: string): Schema {
  const { help } = helpOf(action, path);
  const text = [help, schema.description].filter(Boolean).join(' ');
  return text === '' ? schema : { ...schema, description: text };
}

/** The parameters of methods, which are rows of the catalogue and no schema. */
function withParameters(schema: Schema, { protocol }: RegisteredAction): Schema {
  const given = schema.properties?.parameters;
  if (!given) return schema;
  const ids = methodsWithParameters().map(({ id }) => id);
  const refs = Object.fromEntries(
    ['card', ...ids].map((id) => [id, { $ref: `#/components/schemas/parameters.${id}` }]),
  );
  const parameters: Mutable = { type: 'object', description: given.description };
  if (protocol === 'checkout') parameters.properties = refs;
  if (protocol === 's2s_card') Object.assign(parameters, refs.card);
  if (protocol === 's2s_apm') parameters['x-by-brand'] = Object.fromEntries(Object.entries(refs).slice(1));
  return { ...schema, properties: { ...schema.properties, parameters } };
}

const methodsWithParameters = () => methods.filter(({ parameters, payout }) => (parameters ?? payout) !== undefined);

/** The schemas of parameters by the names of their components. */
export function parameterSchemas(protocol: RegisteredAction['protocol']): Properties {
  const found: Properties = {};
  if (protocol !== 's2s_apm') found['parameters.card'] = cardParameters(protocol === 'checkout' ? 'checkout' : 's2s');
  if (protocol === 's2s_card') return found;
  for (const { id, name, parameters, payout } of methodsWithParameters()) {
    const lines = [...parameterLines(parameters), ...parameterLines(payout)];
    found[`parameters.${id}`] = { ...treeOf(lines.map(lineOf)), description: `Parameters of ${name}.` };
  }
  return found;
}

type Line = { name: string; format: string; text: string };

const needs: { readonly [need: string]: string } = {
  R: 'Required',
  C: 'The payment page asks for it; required without a page',
  A: 'The payment page asks for it; optional',
  O: 'Optional',
};

function lineOf({ name, format, need, where }: ParameterLine): Line {
  const place = where === '' ? '' : ` (${where})`;
  return { name, format, text: `${needs[need]}${place}: ${describeFormat(format).text}.` };
}

function cardParameters(protocol: 'checkout' | 's2s'): Schema {
  const words: { readonly [need: string]: string } = {
    R: 'Required in',
    C: 'Required by some providers in',
    O: 'Optional in',
  };
  const lineFor = ({ set, operations, name, format, need }: CardSetLine): Line => ({
    name,
    format,
    text: `${words[need]} set ${set} (${operations.join(', ')}): ${describeFormat(format).text}.`,
  });
  return {
    ...treeOf(cardSetLines(protocol).map(lineFor)),
    description: 'The card parameter sets. The MID decides which of them a payment needs.',
  };
}

type Node = { lines: Line[]; members: Map<string, Node>; each?: Node };
const emptyNode = (): Node => ({ lines: [], members: new Map() });

/** Lines by their paths (`cart.items[].price`) as nested objects. A name with several lines takes any of them. */
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
  const kinds = [...new Map(lines.map(({ format }) => [format, describeFormat(format).schema])).values()] as Schema[];
  const [only] = kinds;
  return only && kinds.length === 1 ? { ...only, description } : { anyOf: kinds, description };
}

/** The fields of a request in its own order, parents before members; of two shapes, those of both. */
export function fieldsIn(schema: Schema, prefix = '', needed = true): Field[] {
  const shapes = schema.properties ? [schema] : (schema.anyOf ?? []);
  const found = new Map<string, Field>();
  for (const { properties = {}, required = [] } of shapes) {
    for (const [name, inner] of Object.entries(properties)) {
      const path = prefix === '' ? name : `${prefix}.${name}`;
      const isNeeded = needed && required.includes(name) && shapes[0]?.properties?.[name] !== undefined;
      const members = path === 'parameters' ? [] : fieldsIn(inner, path, isNeeded);
      for (const field of members.length > 0 ? members : [{ path, required: isNeeded }]) {
        if (!found.has(field.path)) found.set(field.path, field);
      }
    }
  }
  return [...found.values()];
}

/** A value that fits a schema of ours: its example, its only word, its first one, or one made of its members. */
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
