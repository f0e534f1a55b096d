// The checks of a request that need more than its fields: eligible accounts and methods, card tokens, and the addresses
// that it contains. The checks of accounts run one property at a time, so that the error names the first one that leaves
// no account.

import { appSchemeOf } from '../../core/app-schemes.ts';
import { exponentOf, isCryptocurrency } from '../../core/currencies.ts';
import { isoDay } from '../../core/dates.ts';
import { type ErrorKey, fieldErrorTexts, throwApiError, throwFieldErrors } from '../../core/errors.ts';
import type { CardView } from '../../core/payment.ts';
import { guardedClient } from '../../http/index.ts';
import type { Mid } from '../../merchants/index.ts';
import { findMethod } from '../../methods/catalog.ts';
import type { Method } from '../../methods/method.ts';
import { findRepeated, type RequestIdentity } from '../../payments/index.ts';
import * as routing from '../../routing/index.ts';
import { hasSchedule } from '../../schedules/index.ts';
import { findToken } from '../../vault/index.ts';
import type { KnownCaller } from '../pipeline/handle.ts';

export type EligibilityQuery = Omit<routing.MidRequirements, 'method'> & {
  /** Method identifiers; when empty the card, or all methods of the accounts where none accepts cards. */
  methods: string[];
  /** Whether a catalogue method supports the request; all do when absent. */
  supports?: (method: Method) => boolean;
  /** The path of the amount in this protocol, for the field error of a zero amount. */
  amountPath: string;
  /** The request for the payment. Its repeat is not refused for a limit, which the payment itself may have reached. */
  request?: RequestIdentity;
};

/** The requested methods that are supported, and the eligible accounts, best first. */
export type Offerable = { methods: string[]; mids: [Mid, ...Mid[]]; candidates: routing.Candidate[] };

/** `eligibility`: for the attempt of the same request, by its one method. */
export type EligibleAccounts = Omit<Offerable, 'candidates'> & { eligibility: routing.Eligibility };

/**
 * Returns the eligible accounts and methods of a request. Throws in this order: no account (204002), the operation
 * (204005), the currency (204012), sale or authorisation against the Payment Modes (204003), a zero amount, methods
 * that do not exist (204010) or that no account supports (204004), turnover limits (204007, 204008, 204014, 204015).
 * Unknown and unsupported methods are ignored if at least one other is left.
 */
export async function eligibleAccounts(
  caller: KnownCaller,
  now: Date,
  query: EligibilityQuery,
): Promise<EligibleAccounts> {
  const { methods, mids, candidates } = eligibleBeforeLimits(caller.mids, query);
  const limitCheck = await routing.midsWithinLimits(caller, mids, query, now);
  const available = routing.midsBelowLimits(mids, limitCheck);
  const [best, ...others] = available;
  if (!best && query.request && (await findRepeated(caller, query.request, now)))
    return { methods, mids, eligibility: { candidates, limitCheck } };
  if (!best) return throwApiError(routing.exceededLimit(mids, limitCheck) ?? 'midDailyLimit');
  // Methods that only accounts at their limits have are not available.
  const remaining = methods.filter((id) => available.some((mid) => mid.methods.includes(id)));
  return { methods: remaining, mids: [best, ...others], eligibility: { candidates, limitCheck } };
}

/** {@link eligibleAccounts} for a card. */
export const eligibleCards = (
  caller: KnownCaller,
  now: Date,
  order: routing.MidRequirements & Pick<EligibilityQuery, 'request'>,
  amountPath = 'order_amount',
): Promise<EligibleAccounts> => eligibleAccounts(caller, now, { ...order, methods: ['card'], amountPath });

/** The same without the turnover limits, and so without queries. */
export function eligibleBeforeLimits(accounts: readonly Mid[], query: EligibilityQuery): Offerable {
  const { methods: wanted, currency } = query;
  const candidates = routing.candidatesOf(accounts, { ...query, method: wanted.length === 1 ? wanted[0] : undefined });
  const enabled = requireAny(candidates, ['enabled'], 'mappingMissing');
  const withOperation = requireAny(enabled, ['operation'], 'actionNotSupported');
  if (exponentOf(currency) === null || !supportsCoin(query)) throwApiError('currencyNotFound');
  const inCurrency = requireAny(withOperation, ['currency'], 'currencyNotFound');
  const inMode = requireAny(inCurrency, typeChecks, 'typeNotSupported');
  const eligible = inMode.filter(passes(['zeroAmount'])).map(({ mid }) => mid);
  if (eligible.length === 0) throwFieldErrors([{ path: query.amountPath, text: fieldErrorTexts.positive }]);
  const methods = methodsOf(eligible, query);
  const [best, ...others] = eligible.filter((mid) => methods.some((id) => mid.methods.includes(id)));
  return best ? { methods, mids: [best, ...others], candidates } : throwApiError('methodNotSupported');
}

/** The checks of the payment's type, by provider and Payment Mode. */
const typeChecks: readonly routing.Check[] = [
  'connector',
  'providerOperation',
  'walletCard',
  'walletToken',
  'paymentMode',
];

/** The requested methods that the accounts have and that support the request, each once, in the request's order. */
function methodsOf(mids: Mid[], { methods, currency, supports = () => true }: EligibilityQuery): string[] {
  const supported = new Set(mids.flatMap((mid) => mid.methods));
  const defaults = supported.has('card') ? ['card'] : [...supported];
  const rows = [...new Set(methods.length > 0 ? methods : defaults)].flatMap((id) => findMethod(id) ?? []);
  if (rows.length === 0) throwApiError('methodNotFound');
  return rows
    .filter((row) => supported.has(row.id) && (row.kind === 'coin' || !isCryptocurrency(currency)) && supports(row))
    .map((row) => row.id);
}

/** A cryptocurrency amount requires a method that pays in coins. */
function supportsCoin({ currency, methods }: EligibilityQuery): boolean {
  return !isCryptocurrency(currency) || methods.some((id) => findMethod(id)?.kind === 'coin');
}

function requireAny(
  candidates: routing.Candidate[],
  checks: readonly routing.Check[],
  error: ErrorKey,
): routing.Candidate[] {
  const passing = candidates.filter(passes(checks));
  return passing.length > 0 ? passing : throwApiError(error);
}

const passes =
  (checks: readonly routing.Check[]) =>
  ({ failed }: routing.Candidate) =>
    failed.every(({ check }) => !checks.includes(check));

/** Refuses a return address with an app's scheme that the merchant has not listed. */
export function checkReturnUrls({ merchant }: KnownCaller, addresses: { [path: string]: string | undefined }): void {
  const fieldErrors = Object.entries(addresses).filter(([, address]) => {
    const scheme = address === undefined ? null : appSchemeOf(address);
    return scheme !== null && !merchant.appSchemes.includes(scheme);
  });
  if (fieldErrors.length > 0) throwFieldErrors(fieldErrors.map(([path]) => ({ path, text: fieldErrorTexts.notUrl })));
}

/** Rejects an unreachable address. The text is the same for every reason, so that requests cannot probe the network. */
export async function checkReachable(url: string | undefined, path = 'notification_url'): Promise<void> {
  if (url && !(await guardedClient().reachable(url))) throwFieldErrors([{ path, text: fieldErrorTexts.notUrl }]);
}

/** Refuses a schedule that the merchant does not have, and a start in the past. */
export async function checkSchedule(
  { merchant }: KnownCaller,
  { schedule_id: id, schedule_start_date: start }: { schedule_id?: string; schedule_start_date?: string },
  now: Date,
): Promise<void> {
  if (id && !(await hasSchedule(merchant.id, id))) throwApiError('scheduleNotFound');
  if (start && start < isoDay(now)) throwFieldErrors([{ path: 'schedule_start_date', text: fieldErrorTexts.notValid }]);
}

/** Returns the card of a token. Throws 205005 for an unknown or removed token, 205007 for another merchant's. */
export async function getCardToken(
  { merchant }: KnownCaller,
  token: string,
  now: Date,
): Promise<{ card: CardView; expired: boolean }> {
  const match = await findToken(merchant.id, token, now);
  if (match === null) return throwApiError('cardTokenNotFound');
  return match === 'foreign' ? throwApiError('cardTokenNotAccessible') : match;
}

/** Returns the card of a token that can be charged now. Throws 205006 also for an expired card. */
export async function getUsableCardToken(caller: KnownCaller, token: string, now: Date): Promise<{ card: CardView }> {
  const stored = await getCardToken(caller, token, now);
  return stored.expired ? throwApiError('cardTokenExpired') : stored;
}
