/**
 * The order in which eligible accounts are tried: a rule of the mapping decides it, or the accounts' own priority. Asked when
 * an attempt starts and when a soft decline goes on to the next account.
 */
import { type BinCountries, countryOfBin } from '../core/bins';
import { brandOf } from '../core/cards';
import type { RoutingStep } from '../core/payment';
import type { Caller, Mapping, Mid, Rule } from '../merchants';
import { type Candidate, candidatesOf, isEligible, type MidRequirements } from './candidates';

/** The accounts to try, best first; which were passed over and why; and why the first of them is the first. */
export type RoutingChoice = { mids: Mid[]; skipped: RoutingStep[]; why: string };

/** The accounts of a caller that may carry a payment, in the order in which they are tried. */
export function chooseMids(
  caller: Pick<Caller, 'mids'> & { mapping: Pick<Mapping, 'rules'> },
  wanted: RoutingInput,
  preferredMidId?: string,
  random?: () => number,
): RoutingChoice {
  return orderCandidates(candidatesOf(caller.mids, wanted), caller.mapping, wanted, preferredMidId, random);
}

/**
 * Orders candidates. The first rule of the mapping whose conditions hold names its accounts, the first of them drawn by
 * weight; without a rule the accounts' own priority counts. `preferredMidId` goes before all others, whatever the rules say:
 * a chain stays with the account that knows its card.
 */
export function orderCandidates(
  candidates: readonly Candidate[],
  { rules }: Pick<Mapping, 'rules'>,
  wanted: RoutingInput,
  preferredMidId?: string,
  random: () => number = Math.random,
): RoutingChoice {
  const fitting = candidates.filter(isEligible).map(({ mid }) => mid);
  const passed = candidates.flatMap(({ mid, failed: [first] }) =>
    first ? [{ midId: mid.id, taken: false, why: first.reason }] : [],
  );
  const rule = rules.find((each) => ruleMatches(each, wanted));
  const ordered = rule ? orderByRule(rule, fitting, random) : fitting;
  const preferred = fitting.find((mid) => mid.id === preferredMidId);
  const mids = preferred ? [preferred, ...ordered.filter((mid) => mid !== preferred)] : ordered;
  for (const mid of fitting) {
    if (!mids.includes(mid)) passed.push({ midId: mid.id, taken: false, why: `not in rule: ${rule?.name}` });
  }
  const why = preferred ? 'the account of the first payment' : rule ? `rule: ${rule.name}` : 'priority';
  return { mids, skipped: passed, why };
}

/** A choice as a payment's trace keeps it, with the accounts that had no room left. */
export function routingLogOf(choice: RoutingChoice, withRoom: Mid[]): RoutingStep[] {
  const taken = withRoom[0] ? [{ midId: withRoom[0].id, taken: true, why: choice.why }] : [];
  return [...skippedSteps(choice, withRoom), ...taken];
}

/** The accounts of a choice that are passed over, those that had no room left behind the others. */
export function skippedSteps({ mids, skipped }: RoutingChoice, withRoom: Mid[]): RoutingStep[] {
  const full = mids.filter((mid) => !withRoom.includes(mid));
  return [...skipped, ...full.map((mid) => ({ midId: mid.id, taken: false, why: 'turnover limit' }))];
}

/** What rules look at: the payment, as many digits of the card as are known, and the deployment's list of their countries. */
export type RoutingInput = MidRequirements & { cardNumber?: string; binCountries?: BinCountries | null };

/** Whether a rule's conditions hold; an absent one always does. */
function ruleMatches({ enabled, conditions }: Rule, wanted: RoutingInput): boolean {
  const { currencies, methods, brands, bins, binCountries, amountFrom, amountTo } = conditions;
  const { amountMinor, cardNumber = '' } = wanted;
  return (
    enabled &&
    matchesList(currencies, wanted.currency) &&
    matchesList(methods, wanted.method) &&
    matchesList(brands, brandOf(cardNumber)?.id) &&
    (!bins || bins.some((bin) => cardNumber.startsWith(bin))) &&
    (!binCountries || matchesList(binCountries, countryOfBin(cardNumber, wanted.binCountries))) &&
    (amountFrom === undefined || amountMinor >= BigInt(amountFrom)) &&
    (amountTo === undefined || amountMinor <= BigInt(amountTo))
  );
}

function matchesList(list: string[] | undefined, value: string | null | undefined): boolean {
  return !list || (value != null && list.includes(value));
}

function orderByRule(rule: Rule, fitting: Mid[], random: () => number): Mid[] {
  const named = rule.targets.flatMap(({ midId, weight }) => {
    const mid = fitting.find((each) => each.id === midId);
    return mid && weight > 0 ? [{ mid, weight }] : [];
  });
  const all = named.reduce((sum, each) => sum + each.weight, 0);
  let drawn = random() * all;
  const first = named.find((each) => {
    drawn -= each.weight;
    return drawn < 0;
  });
  const others = named.filter((each) => each !== first).sort((one, other) => other.weight - one.weight);
  return [...(first ? [first] : []), ...others].map((each) => each.mid);
}
