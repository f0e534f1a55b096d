/**
 * What a person does with a payment. Each is decided on the version of the payment that the person saw, is written into
 * the audit log before it is done, and then takes the same way as a merchant server's request.
 */
import { z } from 'zod';
import { audit, merchantOf, type Viewer } from '../../auth';
import { resendCallback } from '../../callbacks';
import { ApiError, type ErrorKey } from '../../core/errors';
import { formatAmount, parseAmount } from '../../core/money';
import { type Kind, type Payment, refundableMinor } from '../../core/payment';
import { capture, findByIdempotencyKey, findPayment, refund, voidPayment } from '../../payments';
import { DashboardError } from '../errors';
import { parseBody } from '../parse-body';
import { paymentPage, subjectOf } from './payment';

const reasonMax = 200;
const changed = 'The payment was changed by someone else. Reload the page, review it and try again.';

const reused = 'This request was sent before with another amount. Reload the page, review it and try again.';

const versionForm = z.object({
  version: z.int().min(0),
  /** The name of this very request: sent again under it, it moves money once. */
  key: z.string().min(1).max(100).optional(),
});
const moneyForm = versionForm.extend({
  amount: z.string().max(32).optional(),
  reason: z.string().trim().max(reasonMax, `Enter at most ${reasonMax} characters.`).optional(),
});

type ActionRequest = { viewer: Viewer; id: string; body: unknown; now: Date };
type Page = Awaited<ReturnType<typeof paymentPage>>;

/** What a request does with a payment, and how the audit log names it. */
type ActionPlan = {
  action: string;
  after: Record<string, string>;
  act: (asking: { key?: string | undefined; asSeen: true }) => Promise<unknown>;
};

/** Captures a hold: all of it, or `amount`. */
export async function captureAction(asked: ActionRequest): Promise<Page> {
  const body = parseBody(moneyForm, asked.body);
  return runAction(asked, body, ['capture'], (payment) => {
    const minor = amountOf(body.amount, payment, payment.amountMinor);
    return {
      action: 'payment.capture',
      after: amountDetails(minor, payment, body.reason),
      act: (asking) => capture(payment, minor, asked.now, asking),
    };
  });
}

/** Gives back what remains, or `amount` of it. */
export async function refundAction(asked: ActionRequest): Promise<Page> {
  const body = parseBody(moneyForm, asked.body);
  return runAction(asked, body, ['refund', 'reversal'], (payment) => {
    const minor = amountOf(body.amount, payment, refundableMinor(payment));
    return {
      action: 'payment.refund',
      after: amountDetails(minor, payment, body.reason),
      act: (asking) => refund(payment, minor, asked.now, asking),
    };
  });
}

/** Voids a payment of the same day, or releases a hold. */
export async function voidAction(asked: ActionRequest): Promise<Page> {
  return runAction(asked, parseBody(versionForm, asked.body), ['void', 'reversal'], (payment) => {
    const held = payment.state === 'pending';
    // The form protocols release a hold by the way of a refund.
    const released = held && payment.protocol !== 'checkout';
    return {
      action: held ? 'payment.release' : 'payment.void',
      after: {},
      act: (asking) => (released ? refund(payment, null, asked.now, asking) : voidPayment(payment, asked.now, asking)),
    };
  });
}

/** Sends a callback again at once; answers the page of its payment. */
export async function resendAction({ viewer, id, now }: ActionRequest): Promise<Page> {
  const done = await resendCallback(id, merchantOf(viewer), now);
  if (!done) return null;
  if (done.state === 'no address') throw new DashboardError(409, 'This callback has no address to go to.');
  await log(viewer, 'callback.resend', done.paymentId, { type: done.type, sequence: done.sequence, callback: id }, now);
  return paymentPage(done.paymentId, viewer, now);
}

/**
 * Does what `plan` says on the version that was seen, and answers the payment's page. A request that was recorded before
 * under its key is answered with the page as well, whatever the payment's version: it was done once.
 */
async function runAction(
  { viewer, id, now }: ActionRequest,
  { version, key, amount }: { version: number; key?: string | undefined; amount?: string | undefined },
  kinds: readonly Kind[],
  plan: (payment: Payment) => ActionPlan,
): Promise<Page> {
  const payment = await findPayment(id, merchantOf(viewer) ?? undefined);
  if (!payment) return null;
  const before = key === undefined ? null : await findByIdempotencyKey(payment.id, key);
  if (before) {
    const { kind, amountMinor } = before.transaction;
    const isSame = amount === undefined || minorOf(amount, payment) === amountMinor;
    if (!kinds.includes(kind) || !isSame) throw new DashboardError(409, reused);
    return paymentPage(payment.id, viewer, now);
  }
  if (payment.version !== version) throw new DashboardError(409, changed);
  const { action, after, act } = plan(payment);
  await log(viewer, action, payment.id, after, now);
  try {
    await act({ key, asSeen: true });
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    const message = conflictTexts[thrown.key] ?? `${thrown.message} (${thrown.code})`;
    await log(viewer, `${action}.refused`, payment.id, { ...after, message }, now);
    throw new DashboardError(409, message);
  }
  return paymentPage(payment.id, viewer, now);
}

const conflictTexts: Partial<Record<ErrorKey, string>> = { duplicateRequest: changed, keyReused: reused };

function amountDetails(minor: bigint, { currency }: Payment, reason: string | undefined): Record<string, string> {
  return { amount: formatAmount(minor, currency), ...(reason && { reason }) };
}

/** The amount in minor units; null where the text is none. */
function minorOf(text: string, { currency }: Payment): bigint | null {
  const parsed = parseAmount(text.trim(), currency);
  return parsed.ok ? parsed.minor : null;
}

function log(viewer: Viewer, action: string, paymentId: string, after: Record<string, string | number>, now: Date) {
  return audit({ actor: `user:${viewer.id}`, action, subject: subjectOf(paymentId), after }, now);
}

function amountOf(text: string | undefined, payment: Payment, most: bigint): bigint {
  if (text === undefined) return most;
  const { currency } = payment;
  const minor = minorOf(text, payment);
  const example = formatAmount(most, currency);
  if (minor === null)
    throw new DashboardError(400, 'The amount is not valid.', { amount: `Enter the amount as ${example}.` });
  if (minor <= 0n) throw new DashboardError(400, 'The amount is not valid.', { amount: 'The amount is above zero.' });
  if (minor > most) {
    throw new DashboardError(400, 'The amount is not valid.', {
      amount: `At most ${example} ${currency} is possible.`,
    });
  }
  return minor;
}
