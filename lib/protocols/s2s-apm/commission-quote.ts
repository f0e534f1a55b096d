/**
 * Stores the commission that a payer was quoted for a debit with the payment, so that a later change of the account's
 * fees does not affect it.
 */
import type { Payment } from '../../core/payment';

/** The method, the order's amount and the commission in minor units, and the account of the payment. */
export type StoredQuote = { method: string; orderMinor: bigint; commissionMinor: bigint; midId: string };

// No method has such a name, so that the quote is never sent to a provider.
const quoteKey = 'commission:quoted';

/** The member of a payment's parameters that holds the quote. */
export function quoteParameters({ method, orderMinor, commissionMinor, midId }: StoredQuote): Record<string, unknown> {
  return { [quoteKey]: { method, order: String(orderMinor), commission: String(commissionMinor), midId } };
}

/** The quote of a payment; null for one that has none. */
export function quoteOf({ parameters }: Pick<Payment, 'parameters'>): StoredQuote | null {
  const stored = parameters[quoteKey] as
    | { method: string; order: string; commission: string; midId: string }
    | undefined;
  if (!stored) return null;
  const { method, order, commission, midId } = stored;
  return { method, orderMinor: BigInt(order), commissionMinor: BigInt(commission), midId };
}
