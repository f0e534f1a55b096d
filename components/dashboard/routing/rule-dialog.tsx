'use client';
// The dialog of one rule: conditions and targets. Shares are computed while the weights are entered.
import { useEffect, useMemo } from 'react';
import { Controller, FormProvider, useFieldArray, useForm, useFormContext, useWatch } from 'react-hook-form';
import { brands } from '../../../lib/core/cards';
import { countryCodes } from '../../../lib/core/countries';
import { currencies } from '../../../lib/core/currencies';
import type { RoutingPage, RoutingRule, RuleConditions } from '../../../lib/dashboard/routing/contract';
import {
  Button,
  ChipsInput,
  Dialog,
  errorText,
  FormRow,
  IconButton,
  MultiSelect,
  Note,
  RequestFailed,
  Select,
  TextInput,
} from '../ui';
import { amountCurrency, amountText, anyCurrency, minorOf, percentText } from './labels';

type Fields = {
  name: string;
  currencies: string[];
  methods: string[];
  brands: string[];
  bins: string[];
  binCountries: string[];
  amountFrom: string;
  amountTo: string;
  targets: { midId: string; weight: string }[];
};

type Props = {
  /** The edited rule; null without one. */
  rule: RoutingRule | null;
  /** Its place in the draft, from 0, which errors refer to. */
  place: number;
  isNew: boolean;
  page: RoutingPage;
  onSave: (rule: RoutingRule) => Promise<void>;
  onClose: () => void;
};

export function RuleDialog({ rule, place, isNew, page, onSave, onClose }: Props) {
  const form = useForm<Fields>({ defaultValues: toFields(rule) });
  const { reset } = form;
  useEffect(() => reset(toFields(rule)), [rule, reset]);
  const save = form.handleSubmit(async (fields) => {
    const read = fromFields(fields);
    if ('faults' in read) {
      for (const [name, message] of Object.entries(read.faults)) form.setError(name as keyof Fields, { message });
      return;
    }
    try {
      await onSave({ ...(rule as RoutingRule), ...read });
      onClose();
    } catch (thrown) {
      showErrors(thrown, place, (name, message) => form.setError(name as keyof Fields, { message }));
    }
  });
  const error = form.formState.errors.root?.message;
  const foot = (
    <>
      <span>Saved in the draft; payments follow it after publishing</span>
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="primary" busy={form.formState.isSubmitting} onClick={save} keys="Ctrl ↵">
        {isNew ? 'Add rule' : 'Save changes'}
      </Button>
    </>
  );
  const title = isNew ? 'Add rule' : `Edit ${rule?.name ?? ''}`;
  return (
    <Dialog open={rule !== null} onClose={onClose} title={title} foot={foot} onConfirm={save} wide>
      <FormProvider {...form}>
        <form
          noValidate
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <FormRow label="Name" name="name" stacked>
            <TextInput {...form.register('name')} />
          </FormRow>
          <h3 className="-mb-1 text-base font-semibold">Conditions</h3>
          <Conditions methods={page.methods} />
          <h3 className="-mb-1 text-base font-semibold">Route to</h3>
          <Targets page={page} />
          {/* Enter in a field submits. */}
          <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
        </form>
        {error ? (
          <Note tone="bad" role="alert">
            {error}
          </Note>
        ) : null}
      </FormProvider>
    </Dialog>
  );
}

function toFields(rule: RoutingRule | null): Fields {
  const { currencies: codes, methods, brands: ids, bins, binCountries, amountFrom, amountTo } = rule?.conditions ?? {};
  return {
    name: rule?.name ?? '',
    currencies: codes ?? [],
    methods: methods ?? [],
    brands: ids ?? [],
    bins: bins ?? [],
    binCountries: binCountries ?? [],
    amountFrom: amountText(amountFrom, codes),
    amountTo: amountText(amountTo, codes),
    targets: (rule?.targets ?? []).map(({ midId, weight }) => ({ midId, weight: String(weight) })),
  };
}

function fromFields(
  fields: Fields,
): Pick<RoutingRule, 'name' | 'conditions' | 'targets'> | { faults: Record<string, string> } {
  const errors: Record<string, string> = {};
  const conditions: RuleConditions = {};
  for (const list of ['currencies', 'methods', 'brands', 'bins', 'binCountries'] as const) {
    if (fields[list].length > 0) conditions[list] = fields[list];
  }
  for (const end of ['amountFrom', 'amountTo'] as const) {
    const minor = minorOf(fields[end], fields.currencies);
    if (minor === null) errors[end] = `Enter the amount ${amountHint(fields.currencies)}.`;
    else if (minor !== undefined) conditions[end] = minor;
  }
  const targets = fields.targets.map(({ midId, weight }) => ({ midId, weight: Number(weight) }));
  if (targets.some(({ midId }) => midId === '')) errors.targets = 'Choose a MID in every line.';
  if (fields.targets.some(({ weight }) => !/^\d{1,7}$/.test(weight.trim()))) {
    errors.targets = 'A weight is a whole number.';
  }
  if (Object.keys(errors).length > 0) return { faults: errors };
  return { name: fields.name.trim(), conditions, targets };
}

/** Errors of `rules.2.conditions.bins.0` are shown at `bins`. */
function showErrors(thrown: unknown, place: number, set: (name: string, message: string) => void): void {
  const own = `rules.${place}.`;
  const errors = thrown instanceof RequestFailed ? Object.entries(thrown.fields) : [];
  for (const [path, message] of errors) {
    const [name = ''] = path.startsWith(own) ? path.slice(own.length).replace('conditions.', '').split('.') : [];
    set(name === '' ? 'root' : name, name === '' ? `${path}: ${message}` : message);
  }
  if (errors.length === 0) set('root', errorText(thrown));
}

function amountHint(codes: readonly string[]): string {
  return `as ${amountText('100000', codes)}`;
}

const currencyOptions = Object.entries(currencies).map(([code, { name }]) => ({
  value: code,
  label: code,
  help: name,
}));
const brandOptions = brands.map(({ id, name }) => ({ value: id, label: name }));

function Conditions({ methods }: Pick<RoutingPage, 'methods'>) {
  const { register } = useFormContext<Fields>();
  const codes = useWatch<Fields, 'currencies'>({ name: 'currencies' });
  const countryOptions = useMemo(() => {
    const names = new Intl.DisplayNames('en', { type: 'region' });
    return countryCodes.map((code) => ({ value: code, label: code, help: names.of(code) ?? '' }));
  }, []);
  const methodOptions = methods.map(({ id, name }) => ({ value: id, label: id, help: name }));
  const currency = amountCurrency(codes);
  const unit = codes.length === 1 ? codes[0] : currency === null ? anyCurrency : undefined;
  const help = currency === null ? 'In EUR. Other currencies use the same number of minor units.' : undefined;
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Picked
          name="binCountries"
          label="Issuing country"
          options={countryOptions}
          none="Any"
          add="Add country"
          mono
        />
        <Picked name="currencies" label="Currency" options={currencyOptions} none="Any" add="Add currency" mono />
        <Picked name="brands" label="Card brand" options={brandOptions} none="Any" add="Add brand" />
        <Picked name="methods" label="Method" options={methodOptions} none="Any" add="Add method" mono />
        <FormRow label="Amount from" name="amountFrom" stacked help={help}>
          <TextInput inputMode="decimal" unit={unit} {...register('amountFrom')} />
        </FormRow>
        <FormRow label="Amount up to" name="amountTo" stacked>
          <TextInput inputMode="decimal" unit={unit} {...register('amountTo')} />
        </FormRow>
      </div>
      <FormRow label="BIN" name="bins" stacked help="Two to eight digits each.">
        <Controller<Fields, 'bins'>
          name="bins"
          render={({ field }) => <ChipsInput {...field} mono placeholder="Add BIN" clean={digitsIn} />}
        />
      </FormRow>
    </>
  );
}

const digitsIn = (text: string) => text.replace(/\D/g, '') || null;

type PickedProps = {
  name: 'binCountries' | 'currencies' | 'brands' | 'methods';
  label: string;
  options: { value: string; label: string; help?: string }[];
  none: string;
  add: string;
  mono?: boolean;
};

function Picked({ name, label, options, none, add, mono }: PickedProps) {
  return (
    <FormRow label={label} name={name} stacked>
      <Controller<Fields, typeof name>
        name={name}
        render={({ field }) => <MultiSelect {...field} options={options} none={none} placeholder={add} mono={mono} />}
      />
    </FormRow>
  );
}

function Targets({ page }: { page: RoutingPage }) {
  const { register, control } = useFormContext<Fields>();
  const { fields, append, remove } = useFieldArray({ control, name: 'targets' });
  const written = useWatch<Fields, 'targets'>({ name: 'targets' });
  const weights = written.map(({ weight }) => Number(weight) || 0);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const options = page.mids.map(({ id, name, enabled }) => ({ value: id, label: enabled ? name : `${name} (off)` }));
  const free = page.mids.find(({ id }) => !written.some(({ midId }) => midId === id));
  return (
    <FormRow
      label="MIDs"
      name="targets"
      stacked
      group
      help={
        page.cascadeLimit > 1
          ? 'Split by weight; after a soft decline the others follow, the highest weight first.'
          : 'Split by weight. The mapping has no cascade.'
      }
    >
      <div className="grid gap-2">
        {fields.map(({ id }, at) => (
          <div key={id} className="flex flex-wrap items-center gap-2">
            <div className="min-w-[160px] flex-1">
              <Select
                size="full"
                aria-label={`MID ${at + 1}`}
                options={[{ value: '', label: 'Choose a MID' }, ...options]}
                {...register(`targets.${at}.midId`)}
              />
            </div>
            <div className="w-[110px]">
              <TextInput
                inputMode="numeric"
                className="figures"
                aria-label={`Weight of MID ${at + 1}`}
                {...register(`targets.${at}.weight`)}
              />
            </div>
            <span className="figures w-[64px] text-right text-ink3">
              {all > 0 ? percentText((weights[at] ?? 0) / all) : '–'}
            </span>
            <IconButton label={`Remove MID ${at + 1}`} icon="cross" onClick={() => remove(at)} />
          </div>
        ))}
        {free ? (
          <span>
            <Button size="small" icon="plus" onClick={() => append({ midId: free.id, weight: '1' })}>
              Add MID
            </Button>
          </span>
        ) : null}
      </div>
    </FormRow>
  );
}
