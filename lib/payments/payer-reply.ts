/**
 * What a payer answers to what they are shown: the one-time code that they were sent, or the wish for a new code to scan.
 * It moves no money by itself; whatever the provider says of the payment afterwards is written down like any other news.
 */
import { v5 } from 'uuid';
import { newId } from '../core/ids';
import { isNotFinal, type Payment, type PaymentWithTransaction, type Transaction } from '../core/payment';
import type { PayerReply } from '../core/presentation';
import { applyOutcome } from './attempt/outcome';
import { findProvider } from './provider';
import { findPaymentWithTransaction } from './queries';

/**
 * Passes a reply on and writes down what the provider says. Null when nothing waits for such a reply: the attempt has
 * ended meanwhile, or what is shown takes no code, or no new one.
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

/** Two presses on "New code" are one; a code that is typed twice is two tries, as the payer means it. */
function replyKey({ payment, transaction }: PaymentWithTransaction, reply: PayerReply): string {
  return 'code' in reply ? newId() : v5(`renew-${payment.version}`, transaction.id);
}
