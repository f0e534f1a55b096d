// Whether anybody can carry what a request asks for, and if not, which refusal of the routing family says so. The
// narrowing goes one property at a time, so that the answer names the first one that leaves no merchant account over.
import { exponentOf } from '../core/currencies';
import { type ErrorKey, refuse, texts } from '../core/errors';
import { withinLimits } from '../payments/limits';
import type { Mid } from '../payments/merchants';
import { eligibleMids, type Wanted } from '../payments/routing';
import { refuseFaults } from './faults';
import type { KnownCaller } from './handle';

export type Asked = Omit<Wanted, 'method'> & {
  /** Method identifiers; any that the accounts have when empty. */
  methods: string[];
  /** The path of the amount in this protocol, to be blamed for a zero that no account takes. */
  amountPath: string;
};

/** What can be offered: the methods of those asked that are supported, and the accounts, best first. */
export type Admitted = { methods: string[]; mids: [Mid, ...Mid[]] };

/**
 * The accounts and methods that can carry a request. Refuses in this order: no account at all (204002), the operation
 * (204005), the currency (204012), sale or authorization against the Payment Modes (204003), a zero amount, the methods
 * (204004), turnover limits (204007, 204008, 204014, 204015). Methods that no account supports are passed over as long
 * as one is left.
 */
export async function admit(caller: KnownCaller, now: Date, asked: Asked): Promise<Admitted> {
  const { methods, mids } = narrow(caller.mids, asked);
  const room = await withinLimits(caller, mids, asked, now);
  const [best, ...others] = room.mids;
  if (!best) return refuse(room.exceeded ?? 'midDailyLimit');
  // An account at its limit takes the methods along that nobody else has.
  const open = methods.filter((id) => room.mids.some((mid) => mid.methods.includes(id)));
  return { methods: open, mids: [best, ...others] };
}

/** The same without the limits, which are the only part that asks the database. */
export function narrow(accounts: Mid[], asked: Asked): Admitted {
  const enabled = left(accounts, (mid) => mid.enabled, 'mappingMissing');
  const operating = left(enabled, (mid) => isAmong(mid.operations, asked.operation), 'actionNotSupported');
  if (exponentOf(asked.currency) === null) refuse('currencyNotFound');
  const paid = left(operating, (mid) => isAmong(mid.currencies, asked.currency), 'currencyNotFound');
  const inMode = eligibleMids(paid, { ...asked, amountMinor: 1n });
  if (inMode.length === 0) refuse('typeNotSupported');
  const fitting = eligibleMids(inMode, asked);
  if (fitting.length === 0) refuseFaults([{ path: asked.amountPath, text: texts.positive }]);
  const supported = new Set(fitting.flatMap((mid) => mid.methods));
  const methods = asked.methods.length > 0 ? asked.methods.filter((id) => supported.has(id)) : [...supported];
  const mids = fitting.filter((mid) => methods.some((id) => mid.methods.includes(id)));
  const [best, ...others] = mids;
  return best ? { methods: [...new Set(methods)], mids: [best, ...others] } : refuse('methodNotSupported');
}

function left(mids: Mid[], fits: (mid: Mid) => boolean, otherwise: ErrorKey): Mid[] {
  const fitting = mids.filter(fits);
  return fitting.length > 0 ? fitting : refuse(otherwise);
}

// A merchant account without a list has no limit of that kind.
function isAmong(list: string[], value: string): boolean {
  return list.length === 0 || list.includes(value);
}
