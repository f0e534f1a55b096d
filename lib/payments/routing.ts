/**
 * Which merchant accounts can carry a payment, and in which order. One question, asked when a session opens, when an
 * attempt starts and when a soft decline goes on to the next account.
 */
import { findConnector } from '../connectors';
import { brandOf } from '../core/cards';
import type { Caller, Mapping, Mid, Rule } from './merchants';
import type { Operation, TraceStep } from './payment';

/** What a merchant account has to be able to do. */
export type Wanted = {
  operation: Operation;
  authorizeOnly: boolean;
  currency: string;
  amountMinor: bigint;
  /** Any method when absent. */
  method?: string;
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
  if (mid.currencies.length > 0 && !mid.currencies.includes(wanted.currency)) return `no ${wanted.currency}`;
  if (wanted.method !== undefined && !mid.methods.includes(wanted.method)) return `no ${wanted.method}`;
  if (wanted.amountMinor === 0n && !(mid.zeroAmounts && capabilities.zeroAmount)) return 'no zero amounts';
  return fitsMode(mid.paymentMode, wanted) ? null : `Payment Mode ${mid.paymentMode}`;
}

function fitsMode(mode: Mid['paymentMode'], wanted: Wanted): boolean {
  if (wanted.operation !== 'purchase') return true;
  return wanted.authorizeOnly ? mode !== 'sms' : mode !== 'dms';
}

/** The accounts to try, best first, and what was thought of each. */
export type Choice = { mids: Mid[]; trace: TraceStep[] };

/**
 * Orders the accounts that fit. The first rule of the mapping whose conditions hold names its accounts, the first of
 * them drawn by weight; without a rule the accounts' own priority counts. `preferredMidId` goes before all others.
 */
export function chooseMids(
  caller: Caller & { mapping: Mapping },
  wanted: Wanted & { cardNumber?: string },
  preferredMidId?: string,
  random: () => number = Math.random,
): Choice {
  const passed: TraceStep[] = [];
  const fitting = caller.mids.filter((mid) => {
    const why = whyNot(mid, wanted);
    if (why !== null) passed.push({ midId: mid.id, taken: false, why });
    return why === null;
  });
  const rule = caller.mapping.rules.find((each) => ruleFits(each, wanted));
  const ordered = rule ? byRule(rule, fitting, random) : fitting;
  const preferred = ordered.find((mid) => mid.id === preferredMidId);
  const mids = preferred ? [preferred, ...ordered.filter((mid) => mid !== preferred)] : ordered;
  const why = preferred ? 'the account of the first payment' : rule ? `rule: ${rule.name}` : 'priority';
  const taken = mids[0] ? [{ midId: mids[0].id, taken: true, why }] : [];
  return { mids, trace: [...passed, ...taken] };
}

/** Whether a rule's conditions hold; an absent one always does. */
export function ruleFits(rule: Rule, wanted: Wanted & { cardNumber?: string }): boolean {
  const { currencies, methods, brands, bins, amountFrom, amountTo } = rule.conditions;
  if (!rule.enabled) return false;
  if (currencies && !currencies.includes(wanted.currency)) return false;
  if (methods && (wanted.method === undefined || !methods.includes(wanted.method))) return false;
  if (amountFrom !== undefined && wanted.amountMinor < BigInt(amountFrom)) return false;
  if (amountTo !== undefined && wanted.amountMinor > BigInt(amountTo)) return false;
  const number = wanted.cardNumber ?? '';
  if (bins && !bins.some((bin) => number.startsWith(bin))) return false;
  return !brands || brands.includes(brandOf(number)?.id ?? '');
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
