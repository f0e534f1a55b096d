/**
 * Decides which of a merchant's accounts are eligible for a payment, with the ineligibility reasons of the others, and
 * their order: by the first matching rule of the mapping, or by the accounts' priority. Protocols, payment pages and
 * attempts use it; one request computes it once and passes it on.
 */
import { env } from '../config/index.ts';
import { findConnector } from '../connectors/index.ts';
import { type BinCountries, countryOfBin } from '../core/bins.ts';
import { type BrandId, brandOf, brands } from '../core/cards.ts';
import { fieldErrorTexts, throwApiError, throwFieldErrors } from '../core/errors.ts';
import type { Operation, Payment, RoutingStep } from '../core/payment.ts';
import {
  acceptsDecryptedCards,
  type Caller,
  type KnownCaller,
  type Mapping,
  type Mid,
  type Rule,
  walletCapability,
} from '../merchants/index.ts';
import {
  type CardOperation,
  type CardSetId,
  checkCardParameters,
  missingCardSets,
  requiredCardSets,
} from '../methods/card-sets.ts';
import { findMethod } from '../methods/catalog.ts';
import { supportsPayment } from '../methods/payment-support.ts';
import { decryptCard, decryptParameters } from '../vault/index.ts';
import type { LimitCheck } from './turnover-limits.ts';

/** The properties of a payment that an account must support. */
export type MidRequirements = {
  operation: Operation;
  authorizeOnly?: boolean | undefined;
  /** The initial payment of a recurring chain. */
  recurringInit?: boolean;
  currency: string;
  amountMinor: bigint;
  /** Any method when absent. */
  method?: string;
  /** The wallet of the card. */
  digitalWallet?: string | null;
  /** An encrypted wallet token is passed to the provider. */
  walletToken?: boolean;
  /** Card parameter sets that the request does not satisfy: {@link missingParameterSets}. */
  missingSets?: readonly CardSetId[];
  /** The known digits of the card. */
  cardNumber?: string;
};

/** An account with its failed checks; an eligible account has none. */
export type Candidate = { mid: Mid; failed: readonly Ineligibility[] };

/** The eligibility check of a request, passed on to its attempt. */
export type Eligibility = { candidates: readonly Candidate[]; limitCheck: LimitCheck };

/** A failed check, with its text in the routing log. */
type Ineligibility = { check: Check; reason: string };

type Capabilities = NonNullable<ReturnType<typeof findConnector>>['capabilities'];

/** The text of a failed check; null where it is passed, or not applicable to an account without a connector. */
type Test = (mid: Mid, wanted: MidRequirements, capabilities: Capabilities | undefined) => string | null;

/**
 * The checks in order; the routing log contains the first that fails. DMS and SMS/DMS accounts accept authorizations,
 * SMS and SMS/DMS accounts sales (contract, release 6.7.0); zero amounts need the provider's support. An empty list of
 * an account is no restriction.
 */
const tests = {
  enabled: ({ enabled }) => (enabled ? null : 'switched off'),
  connector: (_mid, _wanted, capabilities) => (capabilities ? null : 'switched off'),
  operation: ({ operations }, { operation }) =>
    accepts(operations, operation) ? null : `does not support ${operation}`,
  providerOperation: (_mid, wanted, capabilities) =>
    !capabilities || supportsOperation(capabilities.operations, wanted)
      ? null
      : `its provider has no ${wanted.operation}`,
  currency: ({ currencies }, { currency }) => (accepts(currencies, currency) ? null : `does not support ${currency}`),
  method: ({ methods }, { method }) =>
    method === undefined || methods.includes(method) ? null : `does not support ${method}`,
  methodOperation: (_mid, wanted) => {
    const method = findMethod(wanted.method ?? '');
    return !method || supportsPayment(method, wanted)
      ? null
      : `${method.id} has no ${wanted.operation} in ${wanted.currency}`;
  },
  cardBrand: ({ cardBrands }, { method, cardNumber }) => {
    if (!cardNumber || cardBrands.length === 0 || (method ?? 'card') !== 'card') return null;
    return isAccepted(cardBrands, cardNumber)
      ? null
      : `does not take ${brandOf(cardNumber)?.name ?? 'a card of this brand'}`;
  },
  walletCard: (mid, { digitalWallet }) =>
    digitalWallet && !acceptsDecryptedCards(mid) ? `no decrypted ${digitalWallet}` : null,
  walletToken: (mid, { walletToken }) =>
    walletToken && walletCapability(mid) === 'none' ? 'no tokens of wallets' : null,
  zeroAmount: ({ zeroAmounts }, { amountMinor }, capabilities) =>
    amountMinor === 0n && !(zeroAmounts && capabilities?.zeroAmount) ? 'no zero amounts' : null,
  paymentMode: ({ paymentMode }, wanted) =>
    matchesPaymentMode(paymentMode, wanted) ? null : `Payment Mode ${paymentMode}`,
  cardSets: ({ capabilities }, { missingSets }) => {
    if (!missingSets?.length) return null;
    const missing = requiredCardSets(capabilities).find((id) => missingSets.includes(id));
    return missing === undefined ? null : `lacks parameters of set ${missing}`;
  },
} satisfies Record<string, Test>;

/** The checks of an account. */
export type Check = keyof typeof tests;

const checks = Object.entries(tests) as [Check, Test][];

/** The accounts in their order of priority, each with its failed checks. */
export function candidatesOf(mids: readonly Mid[], wanted: MidRequirements): Candidate[] {
  return mids.map((mid) => ({ mid, failed: [...failedChecks(mid, wanted)] }));
}

/** Properties of a payment that are known only after the request's eligibility check. */
type LaterKnown = Pick<MidRequirements, 'digitalWallet' | 'walletToken' | 'missingSets' | 'cardNumber'>;

const laterChecks: readonly Check[] = ['cardBrand', 'walletCard', 'walletToken', 'cardSets'];

/** Adds the checks of properties that became known after the candidates were computed. */
export function withLaterKnown(
  candidates: readonly Candidate[],
  wanted: MidRequirements & LaterKnown,
): readonly Candidate[] {
  const { digitalWallet, walletToken, missingSets, cardNumber } = wanted;
  if (!digitalWallet && !walletToken && !missingSets?.length && !cardNumber) return candidates;
  return candidates.map(({ mid, failed }) => {
    const later = [...failedChecks(mid, wanted)].filter(({ check }) => laterChecks.includes(check));
    const all = [...failed.filter(({ check }) => !laterChecks.includes(check)), ...later];
    return { mid, failed: all.sort((one, other) => placeOf(one.check) - placeOf(other.check)) };
  });
}

const placeOf = (check: Check) => checks.findIndex(([name]) => name === check);

/** The eligible accounts in their order of priority. Stops at the first failed check of each. */
export function eligibleMids(mids: readonly Mid[], wanted: MidRequirements): Mid[] {
  return mids.filter((mid) => failedChecks(mid, wanted).next().done);
}

type PaidBy = Pick<MidRequirements, 'method' | 'digitalWallet' | 'walletToken' | 'missingSets'>;

/**
 * The brands that the eligible accounts take together; null where any of them takes every brand. `by`: how it is
 * paid, by a typed or saved card when absent: the wallet of an earlier attempt does not restrict the next one.
 */
export function acceptedBrands(
  mids: readonly Mid[],
  wanted: Omit<MidRequirements, 'method'>,
  by: PaidBy = { digitalWallet: null },
): BrandId[] | null {
  const eligible = eligibleMids(mids, { ...wanted, method: 'card', ...by });
  if (eligible.length === 0 || eligible.some(({ cardBrands }) => cardBrands.length === 0)) return null;
  return brands.map(({ id }) => id).filter((id) => eligible.some(({ cardBrands }) => cardBrands.includes(id)));
}

/** Whether the brand of a number is one of those; at least its first six digits are known. */
export function isAccepted(accepted: readonly string[] | null, cardNumber: string): boolean {
  const brand = brandOf(cardNumber);
  return accepted === null || (brand !== null && accepted.includes(brand.id));
}

function* failedChecks(mid: Mid, wanted: MidRequirements): Generator<Ineligibility, void> {
  const capabilities = findConnector(mid.connector)?.capabilities;
  for (const [check, test] of checks) {
    const reason = test(mid, wanted, capabilities);
    if (reason !== null) yield { check, reason };
  }
}

const accepts = (list: readonly string[], value: string) => list.length === 0 || list.includes(value);

/** The operations of connectors by those of payments. */
export const connectorOperations: Readonly<Record<Operation, string>> = {
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

type RoutingContext = { merchant: { id: string }; mids: Mid[]; mapping: Pick<Mapping, 'protocol' | 'rules'> };
/** `id` is that of the payment that has the parameters. */
type CardRequest = Pick<Payment, 'operation'> & Partial<Pick<Payment, 'id' | 'parameters'>>;

/** The parameter sets that a card payment does not satisfy; none where no account requires one. */
export async function missingParameterSets(
  { merchant, mids, mapping }: RoutingContext,
  payment: CardRequest,
  method = 'card',
): Promise<CardSetId[]> {
  const isRequired = mids.some((mid) => requiredCardSets(mid.capabilities).length > 0);
  if (!isRequired || method !== 'card') return [];
  return missingCardSets(await valuesOf(payment, merchant), operationOf(payment), protocolFamily(mapping));
}

/**
 * Returns the parameter sets that a request does not satisfy. Where that leaves no eligible account, throws the field
 * errors of the best account instead; where none takes the card's brand, the error of the field with the card.
 * Without a card, as at the creation of a session, routing rules on cards do not match.
 */
export async function requireCardParameters(
  caller: KnownCaller,
  payment: CardRequest & Omit<MidRequirements, 'method' | 'missingSets'>,
  instrument?: { number: string } | { storedCard: { cardId: string; token: string | null } } | { method: string },
  digitalWallet: MidRequirements['digitalWallet'] = payment.digitalWallet,
): Promise<CardSetId[]> {
  if (instrument && 'method' in instrument) return [];
  if (instrument) await requireBrand(caller, { ...payment, digitalWallet }, instrument);
  const missing = await missingParameterSets(caller, payment);
  if (missing.length === 0) return missing;
  const cardNumber =
    instrument &&
    ('storedCard' in instrument ? await numberOf(instrument.storedCard.cardId, caller) : instrument.number);
  const wanted = { ...payment, digitalWallet, method: 'card', cardNumber, binCountries: env.binCountries };
  // A fixed draw, so that a repeated request gets the same errors.
  const choose = (missingSets: CardSetId[]) => chooseMids(caller, { ...wanted, missingSets }, undefined, () => 0).mids;
  const [best] = choose([]);
  if (!best || choose(missing).length > 0) return missing;
  const requiredSets = requiredCardSets(best.capabilities);
  const protocol = protocolFamily(caller.mapping);
  const path = protocol === 's2s' ? 'parameters' : 'parameters.card';
  const options = { operation: operationOf(payment), protocol, path, demanded: requiredSets } as const;
  return throwFieldErrors(checkCardParameters(await valuesOf(payment, caller.merchant), options).errors);
}

async function requireBrand(
  caller: KnownCaller,
  { digitalWallet, ...payment }: MidRequirements,
  instrument: { number: string } | { storedCard: { cardId: string; token: string | null } },
): Promise<void> {
  const accepted = acceptedBrands(caller.mids, payment, { digitalWallet });
  if (accepted === null) return;
  const isStored = 'storedCard' in instrument;
  const number = isStored ? ((await numberOf(instrument.storedCard.cardId, caller)) ?? '') : instrument.number;
  if (isAccepted(accepted, number)) return;
  // The card of a recurring chain is no field of its request.
  if (isStored && instrument.storedCard.token === null) return throwApiError('mappingMissing');
  const path = isStored ? 'card_token' : digitalWallet ? 'payment_token' : 'card_number';
  return throwFieldErrors([{ path, text: fieldErrorTexts.notValid }]);
}

async function numberOf(cardId: string, { merchant }: KnownCaller): Promise<string | undefined> {
  return (await decryptCard(cardId, merchant.id))?.number;
}

const protocolFamily = ({ protocol }: Pick<Mapping, 'protocol'>) => (protocol === 'checkout' ? 'checkout' : 's2s');

// A subsequent payment has the parameters of its initial payment and is checked like a sale.
const operationOf = ({ operation }: CardRequest): CardOperation => (operation === 'recurring' ? 'purchase' : operation);

async function valuesOf({ id = '', parameters = {} }: CardRequest, merchant: { id: string }): Promise<object> {
  const secret = await decryptParameters({ id, merchantId: merchant.id, parameters }, 'card');
  return { ...(parameters.card as object | undefined), ...secret };
}

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
  const eligible = candidates.filter(({ failed }) => failed.length === 0).map(({ mid }) => mid);
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

/** The input of rules: the payment, and the deployment's BIN countries. */
type RoutingInput = MidRequirements & { binCountries?: BinCountries | null };

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
