'use client';
// The dialog of one rule: conditions and targets. Shares are computed while the weights are entered.
import { useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { brands } from '../../../lib/core/cards.ts';
import { countryCodes } from '../../../lib/core/countries.ts';
import { currencies, currencyName } from '../../../lib/core/currencies.ts';
import type { RoutingPage, RoutingRule, RuleConditions } from '../../../lib/dashboard/routing/contract.ts';
import {
  Button,
  Fields,
  type FormQuestion,
  FormRow,
  fieldsOf,
  IconButton,
  optionsOf,
  RequestFailed,
  Select,
  TextInput,
} from '../ui/index.ts';
import { amountCurrency, amountText, anyCurrency, minorOf, percentText } from './labels.ts';

const noLists = { currencies: [], methods: [], brands: [], bins: [], binCountries: [] };
const ends = ['amountFrom', 'amountTo'] as const;

/** The rule as it is typed: every condition, with amounts and weights as text. */
type Values = {
  name: string;
  conditions: Record<keyof typeof noLists, string[]> & Record<(typeof ends)[number], string>;
  targets: { midId: string; weight: string }[];
};

export type EditedRule = {
  rule: RoutingRule;
  /** Its place in the draft, from 0, which errors refer to. */
  place: number;
  isNew: boolean;
};

/** The form of a rule of the draft. */
export const ruleForm = (
  { rule, place, isNew }: EditedRule,
  page: RoutingPage,
  save: (rule: RoutingRule) => Promise<void>,
): FormQuestion<Values> => ({
  title: isNew ? 'Add rule' : `Edit ${rule.name}`,
  verb: isNew ? 'Add rule' : 'Save changes',
  wide: true,
  keys: 'Ctrl ↵',
  logged: 'Saved in the draft; payments follow it after publishing',
  defaultValues: toValues(rule),
  fields: [text('name', 'Name')],
  children: (
    <>
      <h3 className="-mb-1 text-base font-semibold">Conditions</h3>
      <div className="grid gap-4 sm:grid-cols-2">
        <Fields of={conditionFields(page)} stacked />
      </div>
      <Fields of={[binField]} stacked />
      <h3 className="-mb-1 text-base font-semibold">Route to</h3>
      <Targets page={page} />
    </>
  ),
  onConfirm: async (values) => {
    const read = fromValues(values);
    await save({ ...rule, ...read }).catch((thrown) => {
      throw ownErrors(thrown, place);
    });
  },
});

function toValues({ name, conditions, targets }: RoutingRule): Values {
  const { amountFrom, amountTo, currencies: codes, ...lists } = conditions;
  const [from, to] = [amountFrom, amountTo].map((end) => amountText(end, codes)) as [string, string];
  return {
    name,
    conditions: { ...noLists, ...lists, currencies: codes ?? [], amountFrom: from, amountTo: to },
    targets: targets.map(({ midId, weight }) => ({ midId, weight: String(weight) })),
  };
}

/** The rule of a form; throws the errors of its fields. */
function fromValues({ name, conditions, targets }: Values): Pick<RoutingRule, 'name' | 'conditions' | 'targets'> {
  const errors: Record<string, string> = {};
  const { currencies: codes } = conditions;
  const read: RuleConditions = Object.fromEntries(Object.entries(conditions).filter(([, { length }]) => length > 0));
  for (const end of ends) {
    const minor = minorOf(conditions[end], codes);
    if (minor === null) errors[`conditions.${end}`] = `Enter the amount as ${amountText('100000', codes)}.`;
    else read[end] = minor;
  }
  if (targets.some(({ midId }) => midId === '')) errors.targets = 'Choose a MID in every line.';
  if (targets.some(({ weight }) => !/^\d{1,7}$/.test(weight.trim()))) errors.targets = 'A weight is a whole number.';
  if (Object.keys(errors).length > 0) throw new RequestFailed(400, '', { fields: errors });
  return {
    name: name.trim(),
    conditions: read,
    targets: targets.map(({ midId, weight }) => ({ midId, weight: Number(weight) })),
  };
}

/** The server's error by the rows of this form: `rules.2.targets.0.weight` is an error of `targets`. */
function ownErrors(thrown: unknown, place: number): unknown {
  if (!(thrown instanceof RequestFailed)) return thrown;
  const own = new RegExp(`^rules\\.${place}\\.((conditions\\.)?\\w+).*`);
  const fields = Object.entries(thrown.fields).map(([path, message]) => [path.replace(own, '$1'), message]);
  return new RequestFailed(thrown.status, thrown.message, { fields: Object.fromEntries(fields) });
}

const currencyOptions = Object.keys(currencies).map((code) => ({ value: code, label: code, help: currencyName(code) }));
const brandOptions = optionsOf(...brands);
const regions = new Intl.DisplayNames('en', { type: 'region' });
const countryOptions = countryCodes.map((code) => ({ value: code, label: code, help: regions.of(code) ?? '' }));

const { text, list, amount, chips } = fieldsOf<Values>();

/** The currency of the amounts; none if several share their decimals. */
const unitOf = ({ conditions: { currencies: codes } }: Values) => {
  if (codes.length === 1) return codes[0];
  return amountCurrency(codes) === null ? anyCurrency : null;
};
const ofAmount = { unit: unitOf, size: 'full', className: undefined } as const;

const any = { none: 'Any', mono: true };

const conditionFields = ({ methods }: RoutingPage) => [
  list('conditions.binCountries', 'Issuing country', { ...any, options: countryOptions, placeholder: 'Add country' }),
  list('conditions.currencies', 'Currency', { ...any, options: currencyOptions, placeholder: 'Add currency' }),
  list('conditions.brands', 'Card brand', { options: brandOptions, none: 'Any', placeholder: 'Add brand' }),
  list('conditions.methods', 'Method', {
    ...any,
    placeholder: 'Add method',
    options: methods.map(({ id, name }) => ({ value: id, label: id, help: name })),
  }),
  amount('conditions.amountFrom', 'Amount from', {
    ...ofAmount,
    help: ({ conditions: { currencies: codes } }) =>
      amountCurrency(codes) === null ? 'In EUR. Other currencies use the same number of minor units.' : null,
  }),
  amount('conditions.amountTo', 'Amount up to', ofAmount),
];

const binField = chips('conditions.bins', 'BIN', {
  help: 'Two to eight digits each.',
  mono: true,
  placeholder: 'Add BIN',
  clean: (typed) => typed.replace(/\D/g, '') || null,
});

function Targets({ page }: { page: RoutingPage }) {
  const { register, control } = useFormContext<Values>();
  const { fields, append, remove } = useFieldArray({ control, name: 'targets' });
  const written = useWatch<Values, 'targets'>({ name: 'targets' });
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
