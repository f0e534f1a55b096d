/**
 * Orders eligible accounts, by the first matching rule of the mapping or by the accounts' priority. Used when an
 * attempt starts and at failover.
 */
import { type BinCountries, countryOfBin } from '../core/bins';
import { brandOf } from '../core/cards';
import type { RoutingStep } from '../core/payment';
import type { Caller, Mapping, Mid, Rule } from '../merchants';
import { type Candidate, candidatesOf, isEligible, type MidRequirements } from './candidates';

/** The accounts to try, best first; the skipped accounts with reasons; and why the first account was chosen. */
export type RoutingChoice = { mids: Mid[]; skipped: RoutingStep[]; why: string };

/** The eligible accounts of a caller, in the order in which they are tried. */
export function chooseMids(
  caller: Pick<Caller, 'mids'> & { mapping: Pick<Mapping, 'rules'> },
  wanted: RoutingInput,
  preferredMidId?: string,
  random?: () => number,
): RoutingChoice {
  return orderCandidates(candidatesOf(caller.mids, wanted), caller.mapping, wanted, preferredMidId, random);
}

/**
 * Orders candidates. The first rule whose conditions match selects the accounts, the first of them drawn by weight;
 * without a rule the accounts' priority applies. `preferredMidId` precedes all others regardless of rules: a recurring
 * chain stays with the account of its card.
 */
export function orderCandidates(
  candidates: readonly Candidate[],
  { rules }: Pick<Mapping, 'rules'>,
  wanted: RoutingInput,
  preferredMidId?: string,
  random: () => number = Math.random,
): RoutingChoice {
  const eligible = candidates.filter(isEligible).map(({ mid }) => mid);
  const skippedMids = candidates.flatMap(({ mid, failed: [first] }) =>
    first ? [{ midId: mid.id, taken: false, why: first.reason }] : [],
  );
  const rule = rules.find((each) => ruleMatches(each, wanted));
  const ordered = rule ? orderByRule(rule, eligible, random) : eligible;
  const preferred = eligible.find((mid) => mid.id === preferredMidId);
  const mids = preferred ? [preferred, ...ordered.filter((mid) => mid !== preferred)] : ordered;
  for (const mid of eligible) {
    if (!mids.includes(mid)) skippedMids.push({ midId: mid.id, taken: false, why: `not in rule: ${rule?.name}` });
  }
  const why = preferred ? 'the account of the first payment' : rule ? `rule: ${rule.name}` : 'priority';
  return { mids, skipped: skippedMids, why };
}

/** The routing log of a choice, with the accounts at a turnover limit. */
export function routingLogOf(choice: RoutingChoice, belowLimits: Mid[]): RoutingStep[] {
  const taken = belowLimits[0] ? [{ midId: belowLimits[0].id, taken: true, why: choice.why }] : [];
  return [...skippedSteps(choice, belowLimits), ...taken];
}

/** The skipped accounts of a choice, those at a turnover limit last. */
export function skippedSteps({ mids, skipped }: RoutingChoice, belowLimits: Mid[]): RoutingStep[] {
  const atLimit = mids.filter((mid) => !belowLimits.includes(mid));
  return [...skipped, ...atLimit.map((mid) => ({ midId: mid.id, taken: false, why: 'turnover limit' }))];
}

/** The input of rules: the payment, the known digits of the card, and the deployment's BIN countries. */
export type RoutingInput = MidRequirements & { cardNumber?: string; binCountries?: BinCountries | null };

/** Whether a rule's conditions match; an absent condition always does. */
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

function orderByRule(rule: Rule, eligible: Mid[], random: () => number): Mid[] {
  const named = rule.targets.flatMap(({ midId, weight }) => {
    const mid = eligible.find((each) => each.id === midId);
    return mid && weight > 0 ? [{ mid, weight }] : [];
  });
  const totalWeight = named.reduce((sum, each) => sum + each.weight, 0);
  let drawn = random() * totalWeight;
  const first = named.find((each) => {
    drawn -= each.weight;
    return drawn < 0;
  });
  const others = named.filter((each) => each !== first).sort((one, other) => other.weight - one.weight);
  return [...(first ? [first] : []), ...others].map((each) => each.mid);
}
