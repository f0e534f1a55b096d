/**
 * Which merchant accounts can carry a payment, and in which order. One question, asked when a session opens, when an
 * attempt starts and when a soft decline goes on to the next account.
 */
import { findConnector } from '../connectors';
import { type BinCountries, countryOfBin } from '../core/bins';
import { brandOf } from '../core/cards';
import type { Operation, TraceStep } from '../core/payment';
import type { Caller, Mapping, Mid, Rule } from '../merchants/merchants';
import { takesDecrypted, walletWord } from '../merchants/mid-capabilities';
import { type CardSetId, demandedCardSets } from '../methods/card-sets';
import { findMethod } from '../methods/catalog';
import { serves } from '../methods/served';

/** What a merchant account has to be able to do. */
export type Wanted = {
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
export function eligibleMids(mids: Mid[], wanted: Wanted): Mid[] {
  return mids.filter((mid) => whyNot(mid, wanted) === null);
}

/** Why an account cannot carry a payment, in words for the trace; null when it can. */
function whyNot(mid: Mid, wanted: Wanted): string | null {
  const capabilities = findConnector(mid.connector)?.capabilities;
  if (!mid.enabled || !capabilities) return 'switched off';
  if (mid.operations.length > 0 && !mid.operations.includes(wanted.operation)) return `no ${wanted.operation}`;
  if (!canDo(capabilities.operations, wanted)) return `its provider has no ${wanted.operation}`;
  if (mid.currencies.length > 0 && !mid.currencies.includes(wanted.currency)) return `no ${wanted.currency}`;
  if (wanted.method !== undefined && !mid.methods.includes(wanted.method)) return `no ${wanted.method}`;
  const method = findMethod(wanted.method ?? '');
  if (method && !serves(method, wanted)) return `${method.id} has no ${wanted.operation} in ${wanted.currency}`;
  if (wanted.digitalWallet && !takesDecrypted(mid)) return `no decrypted ${wanted.digitalWallet}`;
  if (wanted.walletToken && walletWord(mid) === 'none') return 'no tokens of wallets';
  if (wanted.amountMinor === 0n && !(mid.zeroAmounts && capabilities.zeroAmount)) return 'no zero amounts';
  if (!fitsMode(mid.paymentMode, wanted)) return `Payment Mode ${mid.paymentMode}`;
  const lacking = demandedCardSets(mid.capabilities).find((id) => wanted.lackingSets?.includes(id));
  return lacking === undefined ? null : `lacks parameters of set ${lacking}`;
}

const providerWord = { purchase: 'sale', recurring: 'sale', debit: 'debit', credit: 'payout', transfer: 'transfer' };

function canDo(operations: readonly string[], { operation, authorizeOnly }: Wanted): boolean {
  return operations.includes(authorizeOnly ? 'authorize' : providerWord[operation]);
}

function fitsMode(mode: Mid['paymentMode'], wanted: Wanted): boolean {
  if (wanted.operation !== 'purchase') return true;
  return wanted.authorizeOnly ? mode !== 'sms' : mode !== 'dms';
}

/** The accounts to try, best first; which were passed over and why; and why the first of them is the first. */
export type Choice = { mids: Mid[]; passed: TraceStep[]; why: string };

/**
 * Orders the accounts that fit. The first rule of the mapping whose conditions hold names its accounts, the first of
 * them drawn by weight; without a rule the accounts' own priority counts. `preferredMidId` goes before all others,
 * whatever the rules say: a chain stays with the account that knows its card.
 */
export function chooseMids(
  caller: Pick<Caller, 'mids'> & { mapping: Pick<Mapping, 'rules'> },
  wanted: Routed,
  preferredMidId?: string,
  random: () => number = Math.random,
): Choice {
  const passed: TraceStep[] = [];
  const over = (mid: Mid, why: string) => passed.push({ midId: mid.id, taken: false, why });
  const fitting = caller.mids.filter((mid) => {
    const why = whyNot(mid, wanted);
    if (why !== null) over(mid, why);
    return why === null;
  });
  const rule = caller.mapping.rules.find((each) => ruleFits(each, wanted));
  const ordered = rule ? byRule(rule, fitting, random) : fitting;
  const preferred = fitting.find((mid) => mid.id === preferredMidId);
  const mids = preferred ? [preferred, ...ordered.filter((mid) => mid !== preferred)] : ordered;
  for (const mid of fitting) if (!mids.includes(mid)) over(mid, `not in rule: ${rule?.name}`);
  const why = preferred ? 'the account of the first payment' : rule ? `rule: ${rule.name}` : 'priority';
  return { mids, passed, why };
}

/** A choice as a payment's trace keeps it, with the accounts that had no room left. */
export function traceOf(choice: Choice, withRoom: Mid[]): TraceStep[] {
  const taken = withRoom[0] ? [{ midId: withRoom[0].id, taken: true, why: choice.why }] : [];
  return [...passedOver(choice, withRoom), ...taken];
}

/** The accounts of a choice that are passed over, those that had no room left behind the others. */
export function passedOver({ mids, passed }: Choice, withRoom: Mid[]): TraceStep[] {
  const full = mids.filter((mid) => !withRoom.includes(mid));
  return [...passed, ...full.map((mid) => ({ midId: mid.id, taken: false, why: 'turnover limit' }))];
}

/** What rules look at: the payment, as many digits of the card as are known, and the deployment's list of their countries. */
type Routed = Wanted & { cardNumber?: string; binCountries?: BinCountries | null };

/** Whether a rule's conditions hold; an absent one always does. */
function ruleFits({ enabled, conditions }: Rule, wanted: Routed): boolean {
  const { currencies, methods, brands, bins, binCountries, amountFrom, amountTo } = conditions;
  const { amountMinor, cardNumber = '' } = wanted;
  return (
    enabled &&
    isAmong(currencies, wanted.currency) &&
    isAmong(methods, wanted.method) &&
    isAmong(brands, brandOf(cardNumber)?.id) &&
    (!bins || bins.some((bin) => cardNumber.startsWith(bin))) &&
    (!binCountries || isAmong(binCountries, countryOfBin(cardNumber, wanted.binCountries))) &&
    (amountFrom === undefined || amountMinor >= BigInt(amountFrom)) &&
    (amountTo === undefined || amountMinor <= BigInt(amountTo))
  );
}

function isAmong(list: string[] | undefined, value: string | null | undefined): boolean {
  return !list || (value != null && list.includes(value));
}

function byRule(rule: Rule, fitting: Mid[], random: () => number): Mid[] {
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
