/**
 * What a payer was quoted for a debit besides the order's own amount: kept with the payment when it is opened, so that a
 * later change of the account's fees does not reach a payment that was calculated before it.
 */
import type { Payment } from '../core/payment';

/** By which method; the order's own amount and the commission, in minor units; the account that the payment goes to. */
export type StoredQuote = { method: string; orderMinor: bigint; commissionMinor: bigint; midId: string };

// No method has such a name, so that no provider is ever told.
const quoteKey = 'commission:quoted';

/** The member of a payment's parameters that holds the quote. */
export function quoteParameters({ method, orderMinor, commissionMinor, midId }: StoredQuote): Record<string, unknown> {
  return { [quoteKey]: { method, order: String(orderMinor), commission: String(commissionMinor), midId } };
}

/** The quote of a payment; null for one that has none. */
export function quoteOf({ parameters }: Pick<Payment, 'parameters'>): StoredQuote | null {
  const kept = parameters[quoteKey] as { method: string; order: string; commission: string; midId: string } | undefined;
  if (!kept) return null;
  const { method, order, commission, midId } = kept;
  return { method, orderMinor: BigInt(order), commissionMinor: BigInt(commission), midId };
}
