/**
 * What a payer was quoted for a debit besides the order's own amount: kept with the payment when it is opened, so that a
 * later change of the account's fees does not reach a payment that was calculated before it.
 */
import type { Payment } from '../core/payment';

/** By which method; the order's own amount and the commission, in minor units; the account that the payment goes to. */
export type KeptQuote = { method: string; orderMinor: bigint; commissionMinor: bigint; midId: string };

// No method has such a name, so that no provider is ever told.
const place = 'commission:quoted';

/** The member of a payment's parameters that holds the quote. */
export function quoteParameters({ method, orderMinor, commissionMinor, midId }: KeptQuote): Record<string, unknown> {
  return { [place]: { method, order: String(orderMinor), commission: String(commissionMinor), midId } };
}

/** The quote of a payment; null for one that has none. */
export function quoteOf({ parameters }: Pick<Payment, 'parameters'>): KeptQuote | null {
  const kept = parameters[place] as { method: string; order: string; commission: string; midId: string } | undefined;
  if (!kept) return null;
  const { method, order, commission, midId } = kept;
  return { method, orderMinor: BigInt(order), commissionMinor: BigInt(commission), midId };
}
