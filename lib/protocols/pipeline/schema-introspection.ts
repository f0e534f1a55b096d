// Reads the fields of an action from the schema that validates them, so that a form and the validation cannot differ.
import type { z } from 'zod';
import type { Caller } from '../../merchants/index.ts';
import type { RegisteredAction } from './action-registry.ts';

export type DescribedField = {
  /** `order.amount`, `card_number`. */
  path: string;
  required: boolean;
  /** `json`: any JSON value, or in the form protocols fields in brackets. */
  kind: 'text' | 'choice' | 'json';
  choices: string[];
};

/** The part of zod's schema definition that is used here. */
type Def = {
  type: string;
  in?: z.ZodType;
  out?: z.ZodType;
  innerType?: z.ZodType;
  shape?: Record<string, z.ZodType>;
  entries?: Record<string, string>;
  options?: z.ZodType[];
};

const defOf = (schema: z.ZodType) => schema._zod.def as unknown as Def;

/** Removes wrappers that only change a value before or after its validation. */
export function unwrapSchema(schema: z.ZodType): { schema: z.ZodType; def: Def; required: boolean } {
  const def = defOf(schema);
  if (def.innerType && /^(optional|nullable|catch|default)$/.test(def.type)) {
    return { ...unwrapSchema(def.innerType), required: false };
  }
  if (def.type !== 'pipe' || !def.in || !def.out) return { schema, def, required: true };
  const before = unwrapSchema(def.in);
  return before.def.type === 'transform' || before.def.type === 'unknown' ? unwrapSchema(def.out) : before;
}

/** Not shown: the hash is computed, and `outside` is internal. */
const hidden = new Set(['hash', 'outside']);

/** Returns the fields of an action in the order of its schema. */
export function fieldsOf({ row, protocol, action }: RegisteredAction, caller: Caller | null): DescribedField[] {
  const schema = typeof row.schema === 'function' ? row.schema(caller) : row.schema;
  const { def } = unwrapSchema(schema);
  return membersOf(def.shape ?? {}, '', true, protocol === 'checkout' ? ['true', 'false'] : ['Y', 'N']).filter(
    ({ path }) => !hidden.has(path) && !(path === 'auth' && action.startsWith('DEBIT2')),
  );
}

function membersOf(
  shape: Record<string, z.ZodType>,
  prefix: string,
  parentRequired: boolean,
  flags: string[],
): DescribedField[] {
  return Object.entries(shape).flatMap(([name, schema]): DescribedField[] => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const { def, required } = unwrapSchema(schema);
    const common = { path, required: required && parentRequired, choices: [] as string[] };
    // Fields that a schema has only to refuse them.
    if (def.type === 'undefined' || schema.meta()?.['x-refused']) return [];
    if (def.shape) return membersOf(def.shape, path, required && parentRequired, flags);
    if (def.entries) return [{ ...common, kind: 'choice', choices: Object.values(def.entries) }];
    if (isFlag(def)) return [{ ...common, kind: 'choice', choices: flags }];
    if (/^(unknown|record|array)$/.test(def.type))
      return [{ ...common, kind: unvalidatedTexts.has(name) ? 'text' : 'json' }];
    return [{ ...common, kind: 'text' }];
  });
}

// Text fields without validation, whose schema type is unknown.
const unvalidatedTexts = new Set(['payer_state', 'payer_language', 'state', 'language', 'auth', 'with_hosted_fields']);

/** Reports whether a schema is a flag in any of its notations. */
export const isFlag = ({ options }: Pick<Def, 'options'>) =>
  options?.some((option) => defOf(option).type === 'boolean') ?? false;
