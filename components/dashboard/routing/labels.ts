/** Routing rules in words: conditions as name and value, targets as a sentence, amounts in a currency where there is one. */
import { brandById } from '../../../lib/core/cards';
import { exponentOf } from '../../../lib/core/currencies';
import { formatAmount, parseAmount } from '../../../lib/core/money';
import type { RoutingRule, RuleConditions, RuleTarget } from '../../../lib/dashboard/routing/contract';

/** One condition as it is read: `Currency is` and `JPY`. */
export type ConditionLabel = { name: string; value: string };

type Names = { methods: ReadonlyMap<string, string>; mids: ReadonlyMap<string, string> };

/** The ids that rules hold, with their names. */
export function namesOf(page: {
  methods: { id: string; name: string }[];
  mids: { id: string; name: string }[];
}): Names {
  const named = (list: { id: string; name: string }[]) => new Map(list.map(({ id, name }) => [id, name]));
  return { methods: named(page.methods), mids: named(page.mids) };
}

const shownMost = 6;

function among(name: string, values: string[] | undefined): ConditionLabel[] {
  if (!values || values.length === 0) return [];
  const more = values.length - shownMost;
  const shown = more > 1 ? [...values.slice(0, shownMost), `${more} more`] : values;
  return [{ name: `${name} ${values.length === 1 ? 'is' : 'in'}`, value: shown.join(', ') }];
}

/** The conditions of a rule; none for a rule that holds for every payment. */
export function conditionLabels(conditions: RuleConditions): ConditionLabel[] {
  const { currencies, methods, brands, bins, binCountries } = conditions;
  return [
    ...among('Card country', binCountries),
    ...among(
      'Brand',
      brands?.map((id) => brandById(id)?.name ?? id),
    ),
    ...(bins?.length ? [{ name: 'Card begins with', value: bins.join(', ') }] : []),
    ...among('Currency', currencies),
    ...among('Method', methods),
    ...amountLabels(conditions),
  ];
}

function amountLabels({ amountFrom, amountTo, currencies }: RuleConditions): ConditionLabel[] {
  const currency = amountCurrency(currencies);
  const text = (minor: string) => grouped(currency === null ? minor : formatAmount(BigInt(minor), currency));
  const single = currencies?.length === 1 ? currencies[0] : undefined;
  const unit = single ? ` ${single}` : currency === null ? ' in the smallest unit' : '';
  if (amountFrom !== undefined && amountTo !== undefined) {
    return [{ name: 'Amount', value: `${text(amountFrom)} – ${text(amountTo)}${unit}` }];
  }
  if (amountFrom !== undefined) return [{ name: 'Amount from', value: text(amountFrom) + unit }];
  return amountTo === undefined ? [] : [{ name: 'Amount up to', value: text(amountTo) + unit }];
}

/**
 * The currency by whose decimals a rule's amounts are read: one of the rule's own where all of them have the same, null
 * where they differ or the rule holds for every currency, and the amount is in the smallest unit.
 */
export function amountCurrency(currencies: readonly string[] | undefined): string | null {
  const exponents = new Set((currencies ?? []).map(exponentOf));
  return exponents.size === 1 ? (currencies?.[0] ?? null) : null;
}

/** An amount of a rule as it is typed. */
export function amountText(minor: string | undefined, currencies: readonly string[] | undefined): string {
  if (minor === undefined) return '';
  const currency = amountCurrency(currencies);
  return currency === null ? minor : formatAmount(BigInt(minor), currency);
}

/** A typed amount in the smallest unit; undefined for none, null for what is no amount. */
export function minorOf(text: string, currencies: readonly string[] | undefined): string | undefined | null {
  const typed = text.trim();
  if (typed === '') return undefined;
  const currency = amountCurrency(currencies);
  if (currency === null) return /^\d{1,18}$/.test(typed) ? BigInt(typed).toString() : null;
  const parsed = parseAmount(typed, currency);
  return parsed.ok ? parsed.minor.toString() : null;
}

/** `18,204`, `1,249.00`. */
export function grouped(number: string | number): string {
  const [whole = '', decimals] = String(number).split('.');
  const parted = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return decimals === undefined ? parted : `${parted}.${decimals}`;
}

/** A target with its share of the payments, in percent. */
export type Share = { midId: string; name: string; percent: string };

/** The targets that get payments, with their shares; one that stands alone gets all. */
export function sharesOf(targets: readonly RuleTarget[], { mids }: Pick<Names, 'mids'>): Share[] {
  const used = targets.filter(({ weight }) => weight > 0);
  const all = used.reduce((sum, { weight }) => sum + weight, 0);
  return used.map(({ midId, weight }) => ({
    midId,
    name: mids.get(midId) ?? 'a MID that is gone',
    percent: percentText(weight / all),
  }));
}

/** `45.1 %`; without a decimal that says nothing. */
export function percentText(share: number): string {
  return `${(share * 100).toFixed(1).replace(/\.0$/, '')} %`;
}

/** `Acquira EU 70 % and Baltpay EU 30 %`. */
export function targetText(targets: readonly RuleTarget[], names: Pick<Names, 'mids'>): string {
  const shares = sharesOf(targets, names);
  if (shares.length === 1) return shares[0]?.name ?? '';
  return shares.map(({ name, percent }) => `${name} ${percent}`).join(' and ');
}

/** A rule's conditions as one line. */
export function conditionText({ conditions }: Pick<RoutingRule, 'conditions'>): string {
  const words = conditionLabels(conditions).map(({ name, value }) => `${name} ${value}`);
  return words.length === 0 ? 'Every payment' : words.join('; ');
}
