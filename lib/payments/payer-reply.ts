/**
 * Passes a payer's reply to the provider: a one-time code, or the request for a new QR code. The provider's response is
 * applied like any other outcome.
 */
import { v5 } from 'uuid';
import { newId } from '../core/ids';
import { isNotFinal, type Payment, type PaymentWithTransaction, type Transaction } from '../core/payment';
import type { PayerReply } from '../core/presentation';
import { applyOutcome } from './attempt/outcome';
import { findProvider } from './provider-requests';
import { findPaymentWithTransaction } from './queries';

/**
 * Sends a reply to the provider and applies its response. Null when the payment does not expect such a reply: the
 * attempt is final, or its presentation takes no code or cannot be renewed.
 */
export async function submitPayerReply(
  payment: Payment,
  reply: PayerReply,
  now: Date,
): Promise<PaymentWithTransaction | null> {
  const both = payment.inFlightId ? await findPaymentWithTransaction(payment.inFlightId) : null;
  if (!both || !isNotFinal(both.transaction) || !acceptsReply(both.transaction, reply)) return null;
  const { connector, target } = await findProvider(both.transaction);
  const outcome = await connector.proceed(target, { key: replyKey(both, reply), original: both.transaction.id, reply });
  return applyOutcome(both, outcome, now);
}

function acceptsReply({ providerData: { present } }: Transaction, reply: PayerReply): boolean {
  return 'code' in reply ? present?.kind === 'code' : present?.kind === 'qr' && present.renewable === true;
}

/** Repeated requests for a new code share a key; every submitted one-time code has its own. */
function replyKey({ payment, transaction }: PaymentWithTransaction, reply: PayerReply): string {
  return 'code' in reply ? newId() : v5(`renew-${payment.version}`, transaction.id);
}
