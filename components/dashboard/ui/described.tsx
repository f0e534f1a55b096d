'use client';
// Forms as data: a form is a list of sections, a section a list of fields. The values are typed by the zod schema that
// reads them. Rows, local navigation, labels, shown values and secrets all come from this one description.
import type { ComponentProps, ReactNode } from 'react';
import { Controller, useFormContext, useWatch } from 'react-hook-form';
import type { ChangeLabels, Show } from './changes.tsx';
import { ChipsInput, MultiSelect } from './chips.tsx';
import {
  Checkbox,
  NumberInput,
  type Option,
  RadioList,
  SecretInput,
  Select,
  Switch,
  TextArea,
  TextInput,
} from './fields.tsx';
import { FormRow } from './form.tsx';
import { withCode } from './parts.tsx';

type Names<Values> = keyof Values & string;
// biome-ignore lint/suspicious/noExplicitAny: any component
type Own<Control extends (props: any) => ReactNode> = Partial<Omit<ComponentProps<Control>, 'name' | 'children'>>;

/** A text whose unit may follow other fields. */
type WithUnit<Values> = Omit<Own<typeof TextInput>, 'unit'> & { unit?: ReactNode | ((values: Values) => ReactNode) };

type Kind<Values> =
  | ({ kind?: 'text' } & WithUnit<Values>)
  | ({ kind: 'amount' } & WithUnit<Values>)
  | ({ kind: 'number' } & Own<typeof NumberInput>)
  /** A number as its value; null if it is empty. Any other text stays, and the server reports it. */
  | ({ kind: 'count' } & Own<typeof NumberInput>)
  | ({ kind: 'area' } & Own<typeof TextArea>)
  | ({ kind: 'secret' } & Own<typeof SecretInput>)
  /** `nullable`: the empty option is null. */
  | ({ kind: 'select'; options: readonly Option[]; nullable?: true } & Own<typeof Select>)
  | ({ kind: 'radio'; options: readonly Option[] } & Own<typeof RadioList>)
  | { kind: 'switch'; text: ReactNode }
  | { kind: 'boxes'; options: readonly Option[]; mono?: boolean; fixed?: readonly string[] }
  | ({ kind: 'chips' } & Pick<ComponentProps<typeof ChipsInput>, 'placeholder' | 'clean' | 'mono'>)
  /** `tall`: many chosen values scroll. */
  | ({ kind: 'list'; tall?: boolean } & Pick<
      ComponentProps<typeof MultiSelect>,
      'options' | 'none' | 'placeholder' | 'mono'
    >)
  /** A control of its own, labelled by the row if it is a `field`, or a value that is only shown. */
  | { kind: 'own'; control: ReactNode; field?: true };

/** One field. `name` is the schema's. */
export type Field<Values> = Kind<Values> & {
  name: Names<Values> | `${Names<Values>}.${string}`;
  label: string;
  /** The label is a contract name. */
  code?: boolean;
  /** Says so beside the label. */
  optional?: boolean;
  help?: ReactNode | ((values: Values) => ReactNode);
  when?: (values: Values) => boolean;
  /** Its label in the list of changes, if it is another. */
  listed?: string;
  /** How the list of changes shows its value; the labels of options by default. */
  show?: Show;
  validate?: (text: string) => string | undefined;
  note?: (values: Values) => ReactNode;
};

/** A section of a form, with fields, own content, or both. */
export type Section<Values> = {
  id: string;
  title: string;
  /** Its title in the local navigation, if it is another. */
  short?: string;
  about?: ReactNode | ((values: Values) => ReactNode);
  fields?: readonly Field<Values>[];
  /** Labels are above their controls, in a narrow form. */
  stacked?: boolean;
  children?: ReactNode;
  /** The fields of `children`, whose changes mark the section; its id by default. */
  marks?: readonly string[];
};

type KindName = NonNullable<Field<object>['kind']>;
type More<Values, Name> = Omit<Extract<Field<Values>, { kind?: Name }>, 'kind' | 'name' | 'label'>;

/** Fields in short: `number('priority', 'Priority', { help })` is the field of kind `number` with that name and label. */
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

type Listed = string | readonly [value: string, label: string, help?: string] | { id: string; name: string };

/** The options of a field: values with their labels and help, values that are their own label, or named objects. */
export const optionsOf = (...listed: readonly Listed[]): Option[] =>
  listed.map((each) => {
    if (typeof each === 'string') return { value: each, label: each };
    if ('id' in each) return { value: each.id, label: each.name };
    const [value, label, help] = each;
    return { value, label, help };
  });

type Described = { sections: { id: string; title: string }[]; words: Required<ChangeLabels> };

/** The local navigation and the texts of the list of changes. */
export function readSections<Values>(sections: readonly Section<Values>[]): Described {
  const words: { labels: Record<string, string>; show: Record<string, Show>; secrets: string[] } = {
    labels: {},
    show: {},
    secrets: [],
  };
  for (const field of sections.flatMap(({ fields = [] }) => fields)) {
    const { name, label, listed = label, show = choiceText(field) } = field;
    words.labels[name] = listed;
    if (show) words.show[name] = show;
    if (field.kind === 'secret') words.secrets.push(name);
  }
  return { sections: sections.map(({ id, title, short = title }) => ({ id, title: short })), words };
}

function choiceText<Values>(field: Field<Values>): Show | undefined {
  if (field.kind !== 'radio' && field.kind !== 'select') return undefined;
  const { options } = field;
  return (value) => options.find((option) => option.value === (value ?? ''))?.label ?? String(value);
}

/** Long lists by their length and beginning; `empty` is the text of an empty list. */
export const listText =
  (empty: string, most = 6): Show =>
  (value) => {
    const list = Array.isArray(value) ? value.map(String) : [];
    const begin = list.slice(0, most).join(', ');
    return list.length === 0 ? empty : list.length > most ? `${list.length}: ${begin} …` : begin;
  };

/** All sections of a form. */
export function Sections<Values extends object>({ of }: { of: readonly Section<Values>[] }) {
  return of.map((section) => <DescribedSection key={section.id} {...(section as unknown as Section<object>)} />);
}

function DescribedSection({ id, title, about, fields = [], stacked, children }: Section<object>) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="border-t border-line py-[18px] first:border-t-0">
      <h2 id={`${id}-title`} className="text-base font-semibold">
        {title}
      </h2>
      {about ? (
        <p className="mt-1 max-w-[720px] text-xs text-ink3">
          {typeof about === 'function' ? <Watched text={about} /> : about}
        </p>
      ) : null}
      <div className="mt-3.5 grid gap-4">
        <Fields of={fields} stacked={stacked} />
        {children}
      </div>
    </section>
  );
}

function Watched({ text }: { text: (values: object) => ReactNode }) {
  return text(useWatch() as object);
}

type FieldsProps<Values> = { of: readonly Field<Values>[]; stacked?: boolean };

/** The rows of fields, in a section or in a dialog (`stacked`). */
export function Fields<Values extends object>({ of, stacked }: FieldsProps<Values>) {
  return (of as unknown as readonly Field<object>[]).map((field) =>
    isWatched(field) ? (
      <WatchedRow key={field.name} field={field} stacked={stacked} />
    ) : (
      <Row key={field.name} field={field} help={field.help as ReactNode} stacked={stacked} />
    ),
  );
}

const isWatched = (field: Field<object>) =>
  field.when !== undefined || field.note !== undefined || typeof field.help === 'function' || unitOf(field) !== null;

/** The unit of a field that follows other fields. */
const unitOf = (field: Field<object>) => ('unit' in field && typeof field.unit === 'function' ? field.unit : null);

/** Words between backticks are code. */
const coded = (text: ReactNode) => (typeof text === 'string' ? withCode(text) : text);

type RowProps = { field: Field<object>; stacked?: boolean };

function WatchedRow({ field, stacked }: RowProps) {
  const values = useWatch() as object;
  if (field.when && !field.when(values)) return null;
  const help = typeof field.help === 'function' ? field.help(values) : field.help;
  const unit = unitOf(field)?.(values);
  const shown = unit === undefined ? field : ({ ...field, unit } as Field<object>);
  return (
    <>
      <Row field={shown} help={help} stacked={stacked} />
      {field.note?.(values)}
    </>
  );
}

function Row({ field, help, stacked }: RowProps & { help: ReactNode }) {
  const name = field.code ? <code className="mono break-all">{field.label}</code> : field.label;
  const label = field.optional ? (
    <>
      {name}
      <span className="ml-1.5 text-xs font-normal text-ink3">optional</span>
    </>
  ) : (
    name
  );
  const group = field.kind === 'own' ? !field.field : field.kind === 'radio' || field.kind === 'boxes';
  return (
    <FormRow label={label} name={field.name} help={coded(help)} group={group} stacked={stacked}>
      <Control field={field} />
    </FormRow>
  );
}

function Control({ field }: { field: Field<object> }) {
  const { register, control } = useFormContext();
  const { name, label: _label, code: _code, help: _help, when: _when, listed: _listed, show: _show, ...rest } = field;
  const { note: _note, optional: _optional, validate, ...own } = rest;
  switch (own.kind) {
    case 'own':
      return own.control;
    case 'switch':
      return <Switch {...register(name)}>{coded(own.text)}</Switch>;
    case 'boxes':
      return <Boxes {...own} name={name} />;
    case 'chips':
    case 'list': {
      const Many = own.kind === 'chips' ? ChipsInput : MultiSelect;
      const { kind: _kind, ...props } = own;
      const many = (
        <Controller
          control={control}
          name={name}
          render={({ field: bound }) => <Many {...(props as ComponentProps<typeof MultiSelect>)} {...bound} />}
        />
      );
      return 'tall' in own && own.tall ? <div className="max-h-[220px] overflow-y-auto">{many}</div> : many;
    }
    default: {
      const { kind = 'text', nullable, ...props } = own as typeof own & { nullable?: true };
      const One = controls[kind] as typeof TextInput;
      const setValueAs = nullable ? orNull : kind === 'count' ? countOf : undefined;
      return (
        <One {...(kind === 'amount' && amount)} {...(props as object)} {...register(name, { validate, setValueAs })} />
      );
    }
  }
}

const orNull = (text: string | null) => text || null;

function countOf(value: string | number | null): string | number | null {
  const text = String(value ?? '').trim();
  return /^-?\d{1,9}$/.test(text) ? Number(text) : orNull(text);
}

const amount = { size: 'short', inputMode: 'decimal', className: 'figures' } as const;

const controls = {
  text: TextInput,
  amount: TextInput,
  number: NumberInput,
  count: NumberInput,
  area: TextArea,
  secret: SecretInput,
  select: Select,
  radio: RadioList,
};

type BoxesProps = { name: string; options: readonly Option[]; mono?: boolean; fixed?: readonly string[] };

/** A few values side by side; `fixed` ones cannot be removed. */
function Boxes({ name, options, mono, fixed = [] }: BoxesProps) {
  const { register } = useFormContext();
  return (
    <div className="flex flex-wrap gap-2">
      {options.map(({ value, label }) => (
        <Checkbox
          key={value}
          id={`${name}-${value}`}
          value={value}
          {...register(name)}
          {...(fixed.includes(value) && { onClick: (event) => event.preventDefault(), 'aria-disabled': true })}
          className={`rounded-control border border-solid border-line2 px-2.5 py-0.5 ${fixed.includes(value) ? 'text-ink3' : ''}`}
        >
          <span className={mono ? 'mono' : undefined}>{label}</span>
        </Checkbox>
      ))}
    </div>
  );
}
