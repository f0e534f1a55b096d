// Finds the eligible accounts of a request. The requirements are applied one at a time, so that the error names the
// first one that no merchant account meets.
import { exponentOf, isCryptocurrency } from '../../core/currencies';
import { type ErrorKey, fieldErrorTexts, throwApiError } from '../../core/errors';
import { throwValidationError } from '../../http';
import type { Mid } from '../../merchants';
import { findMethod } from '../../methods/catalog';
import type { Method } from '../../methods/method';
import { eligibleMids, type MidRequirements, midsWithinLimits } from '../../routing';
import type { KnownCaller } from '../pipeline/handle';

export type EligibilityQuery = Omit<MidRequirements, 'method'> & {
  /** Method identifiers. If empty: the card, or all methods of the accounts if none accepts cards. */
  methods: string[];
  /** Whether a method's catalogue row supports the request; by default every row does. */
  supports?: (method: Method) => boolean;
  /** The path of the amount in this protocol, for the field error of a zero that no account accepts. */
  amountPath: string;
};

/** The supported methods among those requested, and the eligible accounts, best first. */
export type EligibleAccounts = { methods: string[]; mids: [Mid, ...Mid[]] };

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
  const { methods, mids } = eligibleBeforeLimits(caller.mids, asked);
  const room = await midsWithinLimits(caller, mids, asked, now);
  const [best, ...others] = room.mids;
  if (!best) return throwApiError(room.exceeded ?? 'midDailyLimit');
  // Methods that only accounts over their limits have are not offered.
  const open = methods.filter((id) => room.mids.some((mid) => mid.methods.includes(id)));
  return { methods: open, mids: [best, ...others] };
}

/** The same without the limits, the only part that queries the database. */
export function eligibleBeforeLimits(accounts: Mid[], asked: EligibilityQuery): EligibleAccounts {
  const enabled = requireAny(accounts, (mid) => mid.enabled, 'mappingMissing');
  const operating = requireAny(enabled, (mid) => isAmong(mid.operations, asked.operation), 'actionNotSupported');
  if (exponentOf(asked.currency) === null || !supportsCoin(asked)) throwApiError('currencyNotFound');
  const paid = requireAny(operating, (mid) => isAmong(mid.currencies, asked.currency), 'currencyNotFound');
  const inMode = eligibleMids(paid, { ...asked, amountMinor: 1n });
  if (inMode.length === 0) throwApiError('typeNotSupported');
  const fitting = eligibleMids(inMode, asked);
  if (fitting.length === 0) throwValidationError([{ path: asked.amountPath, text: fieldErrorTexts.positive }]);
  const methods = methodsOf(fitting, asked);
  const mids = fitting.filter((mid) => methods.some((id) => mid.methods.includes(id)));
  const [best, ...others] = mids;
  return best ? { methods, mids: [best, ...others] } : throwApiError('methodNotSupported');
}

/**
 * The requested methods that the accounts have and the catalogue supports, without duplicates, in the request's order.
 */
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

function requireAny(mids: Mid[], fits: (mid: Mid) => boolean, otherwise: ErrorKey): Mid[] {
  const fitting = mids.filter(fits);
  return fitting.length > 0 ? fitting : throwApiError(otherwise);
}

// A merchant account without a list has no limit of that kind.
function isAmong(list: string[], value: string): boolean {
  return list.length === 0 || list.includes(value);
}
