// Whether anybody can carry what a request asks for, and if not, which refusal of the routing family says so. The
// narrowing goes one property at a time, so that the answer names the first one that leaves no merchant account over.
import { exponentOf, isCryptocurrency } from '../../core/currencies';
import { type ErrorKey, fieldErrorTexts, throwApiError } from '../../core/errors';
import { throwValidationError } from '../../http';
import type { Mid } from '../../merchants';
import { findMethod } from '../../methods/catalog';
import type { Method } from '../../methods/method';
import { eligibleMids, type MidRequirements, midsWithinLimits } from '../../routing';
import type { KnownCaller } from '../pipeline/handle';

export type EligibilityQuery = Omit<MidRequirements, 'method'> & {
  /** Method identifiers; when empty the card, or whatever the accounts have where none takes cards. */
  methods: string[];
  /** Whether a method's row serves the request; every row does when absent. */
  supports?: (method: Method) => boolean;
  /** The path of the amount in this protocol, to be blamed for a zero that no account takes. */
  amountPath: string;
};

/** What can be offered: the methods of those asked that are supported, and the accounts, best first. */
export type EligibleAccounts = { methods: string[]; mids: [Mid, ...Mid[]] };

/**
 * The accounts and methods that can carry a request. Refuses in this order: no account at all (204002), the operation
 * (204005), the currency (204012), sale or authorization against the Payment Modes (204003), a zero amount, methods that
 * do not exist (204010) or that nobody supports (204004), turnover limits (204007, 204008, 204014, 204015). Methods that
 * are unknown or not supported are passed over as long as one is left.
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
  // An account at its limit takes the methods along that nobody else has.
  const open = methods.filter((id) => room.mids.some((mid) => mid.methods.includes(id)));
  return { methods: open, mids: [best, ...others] };
}

/** The same without the limits, which are the only part that asks the database. */
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

/** An order that is priced in a coin is for those methods that pay in coins. */
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
