/**
 * What a person does with a payment. Each is decided on the version of the payment that the person saw, is written into
 * the audit log before it is done, and then takes the same way as a merchant server's request.
 */
import { z } from 'zod';
import { audit } from '../auth/audit';
import { merchantOf, type Viewer } from '../auth/roles';
import { Refusal } from '../core/errors';
import { formatAmount, parseAmount } from '../core/money';
import { resend } from '../payments/callbacks';
import { findPayment } from '../payments/find';
import { asSeen, capture, refund, voidPayment } from '../payments/follow';
import type { Payment } from '../payments/payment';
import { remainingMinor } from './allowed';
import { Fault } from './fault';
import { paymentPage, subjectOf } from './payment';
import { valid } from './valid';

const reasonMax = 200;
const changed = 'The payment has changed meanwhile. Look at it again and decide anew.';

const seen = z.object({ version: z.int().min(0) });
const moves = seen.extend({
  amount: z.string().max(32).optional(),
  reason: z.string().trim().max(reasonMax, `Write at most ${reasonMax} characters.`).optional(),
});

type Asked = { viewer: Viewer; id: string; body: unknown; now: Date };
type Page = Awaited<ReturnType<typeof paymentPage>>;

/** Captures a hold: all of it, or `amount`. */
export async function captureAction(asked: Asked): Promise<Page> {
  const { version, amount, reason } = valid(moves, asked.body);
  const payment = await seenPayment(asked, version);
  if (!payment) return null;
  const minor = amountOf(amount, payment, payment.amountMinor);
  const after = { amount: formatAmount(minor, payment.currency), ...(reason && { reason }) };
  return carryOut(asked, payment, 'payment.capture', after, () => capture(payment, minor, asked.now, asSeen));
}

/** Gives back what remains, or `amount` of it. */
export async function refundAction(asked: Asked): Promise<Page> {
  const { version, amount, reason } = valid(moves, asked.body);
  const payment = await seenPayment(asked, version);
  if (!payment) return null;
  const minor = amountOf(amount, payment, remainingMinor(payment));
  const after = { amount: formatAmount(minor, payment.currency), ...(reason && { reason }) };
  return carryOut(asked, payment, 'payment.refund', after, () => refund(payment, minor, asked.now, asSeen));
}

/** Voids a payment of the same day, or releases a hold. */
export async function voidAction(asked: Asked): Promise<Page> {
  const { version } = valid(seen, asked.body);
  const payment = await seenPayment(asked, version);
  if (!payment) return null;
  const action = payment.state === 'pending' ? 'payment.release' : 'payment.void';
  // The form protocols release a hold by the way of a refund.
  const released = payment.state === 'pending' && payment.protocol !== 'checkout';
  const undo = () => (released ? refund(payment, null, asked.now, asSeen) : voidPayment(payment, asked.now, asSeen));
  return carryOut(asked, payment, action, {}, undo);
}

/** Sends a callback again at once; answers the page of its payment. */
export async function resendAction({ viewer, id, now }: Asked): Promise<Page> {
  const done = await resend(id, merchantOf(viewer), now);
  if (!done) return null;
  if (done.state === 'no address') throw new Fault(409, 'This callback has no address to go to.');
  await log(viewer, 'callback.resend', done.paymentId, { type: done.type, sequence: done.sequence, callback: id }, now);
  return paymentPage(done.paymentId, viewer, now);
}

async function seenPayment({ viewer, id }: Asked, version: number): Promise<Payment | null> {
  const payment = await findPayment(id, merchantOf(viewer) ?? undefined);
  if (payment && payment.version !== version) throw new Fault(409, changed);
  return payment;
}

async function carryOut(
  { viewer, now }: Asked,
  payment: Payment,
  action: string,
  after: Record<string, string>,
  act: () => Promise<unknown>,
): Promise<Page> {
  await log(viewer, action, payment.id, after, now);
  try {
    await act();
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    const message = thrown.key === 'duplicateRequest' ? changed : `${thrown.message} (${thrown.code})`;
    await log(viewer, `${action}.refused`, payment.id, { ...after, message }, now);
    throw new Fault(409, message);
  }
  return paymentPage(payment.id, viewer, now);
}

function log(viewer: Viewer, action: string, paymentId: string, after: Record<string, string | number>, now: Date) {
  return audit({ actor: `user:${viewer.id}`, action, subject: subjectOf(paymentId), after }, now);
}

function amountOf(text: string | undefined, { currency }: Payment, most: bigint): bigint {
  if (text === undefined) return most;
  const parsed = parseAmount(text.trim(), currency);
  const example = formatAmount(most, currency);
  if (!parsed.ok) throw new Fault(400, 'The amount is not valid.', { amount: `Write the amount as ${example}.` });
  if (parsed.minor <= 0n) throw new Fault(400, 'The amount is not valid.', { amount: 'The amount is above zero.' });
  if (parsed.minor > most) {
    throw new Fault(400, 'The amount is not valid.', { amount: `At most ${example} ${currency} is possible.` });
  }
  return parsed.minor;
}
