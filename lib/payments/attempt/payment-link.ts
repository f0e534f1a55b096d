/** Whether an attempt by a method that sends a link to the payer can send another: without it the payer could not pay. */
import type { PartyDetails, Payment } from '../../core/payment.ts';
import { findMethod } from '../../methods/catalog.ts';
import { hasAllMessages } from '../../outbox/index.ts';
import { retryAfterForMessage } from '../../risk/index.ts';

/**
 * Counts the message to its recipient; null if it can be sent. Else the seconds until the recipient gets messages again;
 * 0 if the payment has all its messages.
 */
export async function linkWaitSeconds(
  { id, payer }: Payment,
  method: string,
  typed: PartyDetails | undefined,
): Promise<number | null> {
  if (await hasAllMessages(id)) return 0;
  const { email, phone } = { ...payer, ...typed };
  const recipient = findMethod(method)?.asks?.includes('phone') ? phone : email;
  return recipient ? (await retryAfterForMessage(recipient)) || null : null;
}
