// The fields of an action, read out of the very schema that validates them, so that a form over them can never offer what
// is refused or forget what is required.
import type { z } from 'zod';
import type { Caller } from '../../merchants';
import type { RegisteredAction } from './action-registry';

export type DescribedField = {
  /** `order.amount`, `card_number`. */
  path: string;
  required: boolean;
  /** json: whatever JSON holds, or in the form protocols fields in brackets. */
  kind: 'text' | 'choice' | 'json';
  choices: string[];
};

/** What zod keeps of a schema, as far as it is looked at here. */
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

/** Past what only changes a value before or after it is checked. */
export function unwrapSchema(schema: z.ZodType): { schema: z.ZodType; def: Def; required: boolean } {
  const def = defOf(schema);
  if (def.innerType && /^(optional|nullable|catch|default)$/.test(def.type)) {
    return { ...unwrapSchema(def.innerType), required: false };
  }
  if (def.type !== 'pipe' || !def.in || !def.out) return { schema, def, required: true };
  const before = unwrapSchema(def.in);
  return before.def.type === 'transform'
    ? unwrapSchema(def.out)
    : before.def.type === 'unknown'
      ? unwrapSchema(def.out)
      : before;
}

/** Not asked for: the hash is made, the action is chosen, and some members are only there to be refused. */
const hidden = new Set(['hash', 'outside']);

/** The fields of an action in the order of its schema. */
export function fieldsOf({ row, protocol, action }: RegisteredAction, caller: Caller | null): DescribedField[] {
  const schema = typeof row.schema === 'function' ? row.schema(caller) : row.schema;
  const { def } = unwrapSchema(schema);
  const inApm = protocol === 's2s_apm';
  return membersOf(def.shape ?? {}, '', true, protocol === 'checkout' ? ['true', 'false'] : ['Y', 'N']).filter(
    ({ path }) =>
      !hidden.has(path) && !(inApm && cardOnlyFields.has(path)) && !(path === 'auth' && action.startsWith('DEBIT2')),
  );
}

// S2S APM reads these to refuse them.
const cardOnlyFields = new Set([
  ...['card_number', 'card_exp_month', 'card_exp_year', 'card_cvv2', 'card_token', 'payment_token'],
  ...['mpi_data', 'schedule_id', 'recurring_init', 'req_token'],
]);

function membersOf(
  shape: Record<string, z.ZodType>,
  prefix: string,
  needed: boolean,
  flags: string[],
): DescribedField[] {
  return Object.entries(shape).flatMap(([name, schema]): DescribedField[] => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const { def, required } = unwrapSchema(schema);
    const common = { path, required: required && needed, choices: [] as string[] };
    if (def.type === 'undefined') return [];
    if (def.shape) return membersOf(def.shape, path, required && needed, flags);
    if (def.entries) return [{ ...common, kind: 'choice', choices: Object.values(def.entries) }];
    if (isFlag(def)) return [{ ...common, kind: 'choice', choices: flags }];
    if (/^(unknown|record|array)$/.test(def.type))
      return [{ ...common, kind: unvalidatedTexts.has(name) ? 'text' : 'json' }];
    return [{ ...common, kind: 'text' }];
  });
}

// Texts that are not validated, so that their schemas say nothing.
const unvalidatedTexts = new Set(['payer_state', 'payer_language', 'state', 'language', 'auth', 'with_hosted_fields']);

/** Whether a value is true or false, however it is written. */
export const isFlag = ({ options }: Pick<Def, 'options'>) =>
  options?.some((option) => defOf(option).type === 'boolean') ?? false;
