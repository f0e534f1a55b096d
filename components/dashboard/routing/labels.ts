/**
 * Texts of routing rules: conditions as name and value, targets as a sentence, amounts in a currency if there is one.
 */
import { brandById } from '../../../lib/core/cards.ts';
import { exponentOf } from '../../../lib/core/currencies.ts';
import { formatAmount, grouped } from '../../../lib/core/money.ts';
import { typedMinor } from '../../../lib/core/typed-amount.ts';
import type { RoutingRule, RuleConditions, RuleTarget } from '../../../lib/dashboard/routing/contract.ts';

/** One condition as text: `Currency is` and `JPY`. */
export type ConditionLabel = { name: string; value: string };

/** What names the MIDs of a rule: the page. */
export type MidNames = { mids: readonly { id: string; name: string }[] };

const shownMost = 6;

function among(name: string, values: string[] | undefined): ConditionLabel[] {
  if (!values || values.length === 0) return [];
  const more = values.length - shownMost;
  const shown = more > 1 ? [...values.slice(0, shownMost), `${more} more`] : values;
  return [{ name: `${name} ${values.length === 1 ? 'is' : 'in'}`, value: shown.join(', ') }];
}

/** The conditions of a rule; none for a rule that applies to all payments. */
export function conditionLabels(conditions: RuleConditions): ConditionLabel[] {
  const { currencies, methods, brands, bins, binCountries } = conditions;
  return [
    ...among('Issuing country', binCountries),
    ...among(
      'Brand',
      brands?.map((id) => brandById(id)?.name ?? id),
    ),
    ...(bins?.length ? [{ name: 'BIN starts with', value: bins.join(', ') }] : []),
    ...among('Currency', currencies),
    ...among('Method', methods),
    ...amountLabels(conditions),
  ];
}

function amountLabels({ amountFrom, amountTo, currencies }: RuleConditions): ConditionLabel[] {
  const own = amountCurrency(currencies);
  const text = (minor: string) => grouped(formatAmount(BigInt(minor), own ?? anyCurrency));
  const single = currencies?.length === 1 ? currencies[0] : undefined;
  const unit = single ? ` ${single}` : own === null ? ` ${anyCurrency} or as many minor units` : '';
  if (amountFrom !== undefined && amountTo !== undefined) {
    return [{ name: 'Amount', value: `${text(amountFrom)} – ${text(amountTo)}${unit}` }];
  }
  if (amountFrom !== undefined) return [{ name: 'Amount from', value: text(amountFrom) + unit }];
  return amountTo === undefined ? [] : [{ name: 'Amount up to', value: text(amountTo) + unit }];
}

/** The currency in which the amounts of a rule for several currencies are entered. */
export const anyCurrency = 'EUR';

/**
 * The currency whose decimals a rule's amounts use: one of the rule's own if all of them have the same exponent; null
 * if they differ or the rule has none: then other currencies use the same number of minor units.
 */
export function amountCurrency(currencies: readonly string[] | undefined): string | null {
  const exponents = new Set((currencies ?? []).map(exponentOf));
  return exponents.size === 1 ? (currencies?.[0] ?? null) : null;
}

/** A rule's amount as input text. */
export function amountText(minor: string | undefined, currencies: readonly string[] | undefined): string {
  if (minor === undefined) return '';
  return formatAmount(BigInt(minor), amountCurrency(currencies) ?? anyCurrency);
}

/** An entered amount in minor units; undefined for none, null if invalid. */
export function minorOf(text: string, currencies: readonly string[] | undefined): string | undefined | null {
  if (text.trim() === '') return undefined;
  return typedMinor(text, amountCurrency(currencies) ?? anyCurrency)?.toString() ?? null;
}

/** The targets with their shares; a single one gets all. */
export function sharesOf(targets: readonly RuleTarget[], { mids }: MidNames) {
  const used = targets.filter(({ weight }) => weight > 0);
  const all = used.reduce((sum, { weight }) => sum + weight, 0);
  return used.map(({ midId, weight }) => ({
    midId,
    name: mids.find(({ id }) => id === midId)?.name ?? 'a removed MID',
    percent: percentText(weight / all),
  }));
}

/** `45.1 %`; `45 %` without a fraction. */
export function percentText(share: number): string {
  return `${(share * 100).toFixed(1).replace(/\.0$/, '')} %`;
}

/** `Acquira EU 70 % and Baltpay EU 30 %`. */
export function targetText(targets: readonly RuleTarget[], names: MidNames): string {
  const shares = sharesOf(targets, names);
  if (shares.length === 1) return shares[0]?.name ?? '';
  return shares.map(({ name, percent }) => `${name} ${percent}`).join(' and ');
}

/** A rule's conditions as one line. */
export function conditionText({ conditions }: Pick<RoutingRule, 'conditions'>): string {
  const words = conditionLabels(conditions).map(({ name, value }) => `${name} ${value}`);
  return words.length === 0 ? 'All payments' : words.join('; ');
}
