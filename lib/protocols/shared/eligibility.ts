// Finds the eligible accounts of a request. The requirements are applied one at a time, so that the error names the
// first one that no merchant account meets.
import { exponentOf, isCryptocurrency } from '../../core/currencies';
import { type ErrorKey, fieldErrorTexts, throwApiError, throwFieldErrors } from '../../core/errors';
import type { Mid } from '../../merchants';
import { findMethod } from '../../methods/catalog';
import type { Method } from '../../methods/method';
import {
  type Candidate,
  type Check,
  candidatesOf,
  type Eligibility,
  exceededLimit,
  type MidRequirements,
  midsBelowLimits,
  midsWithinLimits,
} from '../../routing';
import type { KnownCaller } from '../pipeline/handle';

export type EligibilityQuery = Omit<MidRequirements, 'method'> & {
  /** Method identifiers. If empty: the card, or all methods of the accounts if none accepts cards. */
  methods: string[];
  /** Whether a method's catalogue row supports the request; by default every row does. */
  supports?: (method: Method) => boolean;
  /** The path of the amount in this protocol, for the field error of a zero that no account accepts. */
  amountPath: string;
};

/** What can be offered: the methods of those asked that are supported, and the accounts, best first. */
export type Offerable = { methods: string[]; mids: [Mid, ...Mid[]]; candidates: Candidate[] };

/** `eligibility`: for the attempt that the same request makes by the one method that it asks for. */
export type EligibleAccounts = Omit<Offerable, 'candidates'> & { eligibility: Eligibility };

/**
 * Returns the eligible accounts and methods of a request. Throws in this order: no account (204002), the operation
 * (204005), the currency (204012), sale or authorisation against the Payment Modes (204003), a zero amount, methods
 * that do not exist (204010) or that no account supports (204004), turnover limits (204007, 204008, 204014, 204015).
 * Unknown and unsupported methods are ignored if at least one other is left.
 */
export async function eligibleAccounts(
  caller: KnownCaller,
  now: Date,
  asked: EligibilityQuery,
): Promise<EligibleAccounts> {
  const { methods, mids, candidates } = eligibleBeforeLimits(caller.mids, asked);
  const room = await midsWithinLimits(caller, mids, asked, now);
  const open = midsBelowLimits(mids, room);
  const [best, ...others] = open;
  if (!best) return throwApiError(exceededLimit(mids, room) ?? 'midDailyLimit');
  // An account at its limit takes the methods along that nobody else has.
  const left = methods.filter((id) => open.some((mid) => mid.methods.includes(id)));
  return { methods: left, mids: [best, ...others], eligibility: { candidates, room } };
}

/** The same without the limits, which are the only part that asks the database. */
export function eligibleBeforeLimits(accounts: readonly Mid[], asked: EligibilityQuery): Offerable {
  const { methods: wanted, currency } = asked;
  const candidates = candidatesOf(accounts, { ...asked, method: wanted.length === 1 ? wanted[0] : undefined });
  const enabled = requireAny(candidates, ['enabled'], 'mappingMissing');
  const operating = requireAny(enabled, ['operation'], 'actionNotSupported');
  if (exponentOf(currency) === null || !supportsCoin(asked)) throwApiError('currencyNotFound');
  const paid = requireAny(operating, ['currency'], 'currencyNotFound');
  const inMode = requireAny(paid, typeChecks, 'typeNotSupported');
  const fitting = inMode.filter(passes(['zeroAmount'])).map(({ mid }) => mid);
  if (fitting.length === 0) throwFieldErrors([{ path: asked.amountPath, text: fieldErrorTexts.positive }]);
  const methods = methodsOf(fitting, asked);
  const [best, ...others] = fitting.filter((mid) => methods.some((id) => mid.methods.includes(id)));
  return best ? { methods, mids: [best, ...others], candidates } : throwApiError('methodNotSupported');
}

/** What an account cannot do for payments of this type, by its provider or its Payment Mode. */
const typeChecks: readonly Check[] = ['connector', 'providerOperation', 'walletCard', 'walletToken', 'paymentMode'];

/** The methods asked for that the accounts have and whose rows serve the request, each once, in the request's order. */
function methodsOf(mids: Mid[], { methods, currency, supports = () => true }: EligibilityQuery): string[] {
  const held = new Set(mids.flatMap((mid) => mid.methods));
  const usual = held.has('card') ? ['card'] : [...held];
  const rows = [...new Set(methods.length > 0 ? methods : usual)].flatMap((id) => findMethod(id) ?? []);
  if (rows.length === 0) throwApiError('methodNotFound');
  return rows
    .filter((row) => held.has(row.id) && (row.kind === 'coin' || !isCryptocurrency(currency)) && supports(row))
    .map((row) => row.id);
}

/** An order in a cryptocurrency needs a method that pays in cryptocurrencies. */
function supportsCoin({ currency, methods }: EligibilityQuery): boolean {
  return !isCryptocurrency(currency) || methods.some((id) => findMethod(id)?.kind === 'coin');
}

function requireAny(candidates: Candidate[], checks: readonly Check[], otherwise: ErrorKey): Candidate[] {
  const fitting = candidates.filter(passes(checks));
  return fitting.length > 0 ? fitting : throwApiError(otherwise);
}

const passes =
  (checks: readonly Check[]) =>
  ({ failed }: Candidate) =>
    failed.every(({ check }) => !checks.includes(check));
