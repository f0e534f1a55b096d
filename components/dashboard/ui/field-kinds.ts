// Fields in short: `number('priority', 'Priority', { help })` is the field of kind `number` with that name and label.
import type { Option } from '../../../lib/dashboard/lists/contract.ts';
import type { Field, Section } from './described.tsx';

type KindName = NonNullable<Field<object>['kind']>;
type More<Values, Name> = Omit<Extract<Field<Values>, { kind?: Name }>, 'kind' | 'name' | 'label'>;

/** A function for each kind of a form's fields. */
export function fieldsOf<Values>() {
  const of =
    <Name extends KindName>(kind: Name) =>
    (name: Field<Values>['name'], label: string, more?: More<Values, Name>) =>
      ({ kind, name, label, ...more }) as Field<Values>;
  return {
    text: of('text'),
    number: of('number'),
    count: of('count'),
    amount: of('amount'),
    area: of('area'),
    secret: of('secret'),
    select: of('select'),
    radio: of('radio'),
    toggle: of('switch'),
    boxes: of('boxes'),
    chips: of('chips'),
    list: of('list'),
    own: of('own'),
    /** A section of fields alone. */
    section: (id: string, title: string, fields: readonly Field<Values>[]): Section<Values> => ({ id, title, fields }),
  };
}

type Named = { id: string; name: string };
type Listed = string | readonly [value: string, label: string, help?: string] | Named;

/** The options of a field: values with their labels and help, values that are their own label, or named objects. */
export const optionsOf = (...listed: readonly Listed[]): Option[] =>
  listed.map((each) => {
    if (typeof each === 'string') return { value: each, label: each };
    if ('id' in each) return { value: each.id, label: each.name };
    const [value, label, help] = each;
    return { value, label, help };
  });
