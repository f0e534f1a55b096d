/**
 * Which merchant accounts can carry a payment, and in which order. One question, asked when a session opens, when an
 * attempt starts and when a soft decline goes on to the next account.
 */
import { findConnector } from '../connectors';
import { type BinCountries, countryOfBin } from '../core/bins';
import { brandOf } from '../core/cards';
import type { Operation, RoutingStep } from '../core/payment';
import { acceptsDecryptedCards, type Caller, type Mapping, type Mid, type Rule, walletCapability } from '../merchants';
import { type CardSetId, requiredCardSets } from '../methods/card-sets';
import { findMethod } from '../methods/catalog';
import { supportsPayment } from '../methods/payment-support';

/** What a merchant account has to be able to do. */
export type MidRequirements = {
  operation: Operation;
  authorizeOnly: boolean;
  /** The first payment of a chain. */
  recurringInit?: boolean;
  currency: string;
  amountMinor: bigint;
  /** Any method when absent. */
  method?: string;
  /** The wallet that the card came out of. */
  digitalWallet?: string | null;
  /** A wallet's token goes along unopened. */
  walletToken?: boolean;
  /** Card parameter sets that the request leaves something required out of; see lib/routing/card-parameter-sets.ts. */
  lackingSets?: readonly CardSetId[];
};

/**
 * The accounts that fit, best first. An authorization goes to DMS and SMS/DMS accounts, an immediate sale to SMS and
 * SMS/DMS ones (contract, release 6.7.0); a zero amount only where the provider supports it.
 */
export function eligibleMids(mids: Mid[], wanted: MidRequirements): Mid[] {
  return mids.filter((mid) => ineligibilityReason(mid, wanted) === null);
}

/** Why an account cannot carry a payment, in words for the trace; null when it can. */
function ineligibilityReason(mid: Mid, wanted: MidRequirements): string | null {
  const capabilities = findConnector(mid.connector)?.capabilities;
  if (!mid.enabled || !capabilities) return 'switched off';
  if (mid.operations.length > 0 && !mid.operations.includes(wanted.operation)) return `no ${wanted.operation}`;
  if (!supportsOperation(capabilities.operations, wanted)) return `its provider has no ${wanted.operation}`;
  if (mid.currencies.length > 0 && !mid.currencies.includes(wanted.currency)) return `no ${wanted.currency}`;
  if (wanted.method !== undefined && !mid.methods.includes(wanted.method)) return `no ${wanted.method}`;
  const method = findMethod(wanted.method ?? '');
  if (method && !supportsPayment(method, wanted))
    return `${method.id} has no ${wanted.operation} in ${wanted.currency}`;
  if (wanted.digitalWallet && !acceptsDecryptedCards(mid)) return `no decrypted ${wanted.digitalWallet}`;
  if (wanted.walletToken && walletCapability(mid) === 'none') return 'no tokens of wallets';
  if (wanted.amountMinor === 0n && !(mid.zeroAmounts && capabilities.zeroAmount)) return 'no zero amounts';
  if (!matchesPaymentMode(mid.paymentMode, wanted)) return `Payment Mode ${mid.paymentMode}`;
  const lacking = requiredCardSets(mid.capabilities).find((id) => wanted.lackingSets?.includes(id));
  return lacking === undefined ? null : `lacks parameters of set ${lacking}`;
}

const connectorOperations = {
  purchase: 'sale',
  recurring: 'sale',
  debit: 'debit',
  credit: 'payout',
  transfer: 'transfer',
};

function supportsOperation(operations: readonly string[], { operation, authorizeOnly }: MidRequirements): boolean {
  return operations.includes(authorizeOnly ? 'authorize' : connectorOperations[operation]);
}

function matchesPaymentMode(mode: Mid['paymentMode'], wanted: MidRequirements): boolean {
  if (wanted.operation !== 'purchase') return true;
  return wanted.authorizeOnly ? mode !== 'sms' : mode !== 'dms';
}

/** The accounts to try, best first; which were passed over and why; and why the first of them is the first. */
export type RoutingChoice = { mids: Mid[]; skipped: RoutingStep[]; why: string };

/**
 * Orders the accounts that fit. The first rule of the mapping whose conditions hold names its accounts, the first of
 * them drawn by weight; without a rule the accounts' own priority counts. `preferredMidId` goes before all others,
 * whatever the rules say: a chain stays with the account that knows its card.
 */
export function chooseMids(
  caller: Pick<Caller, 'mids'> & { mapping: Pick<Mapping, 'rules'> },
  wanted: RoutingInput,
  preferredMidId?: string,
  random: () => number = Math.random,
): RoutingChoice {
  const passed: RoutingStep[] = [];
  const over = (mid: Mid, why: string) => passed.push({ midId: mid.id, taken: false, why });
  const fitting = caller.mids.filter((mid) => {
    const why = ineligibilityReason(mid, wanted);
    if (why !== null) over(mid, why);
    return why === null;
  });
  const rule = caller.mapping.rules.find((each) => ruleMatches(each, wanted));
  const ordered = rule ? orderByRule(rule, fitting, random) : fitting;
  const preferred = fitting.find((mid) => mid.id === preferredMidId);
  const mids = preferred ? [preferred, ...ordered.filter((mid) => mid !== preferred)] : ordered;
  for (const mid of fitting) if (!mids.includes(mid)) over(mid, `not in rule: ${rule?.name}`);
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
type RoutingInput = MidRequirements & { cardNumber?: string; binCountries?: BinCountries | null };

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
