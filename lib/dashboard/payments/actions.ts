/**
 * Executes a user's actions on a payment. Each is bound to the version of the payment that the user saw, is written to
 * the audit log first, and then runs like a request of the merchant's server.
 */
import { z } from 'zod';
import { audit, merchantOf, type Viewer } from '../../auth';
import { resendCallback } from '../../callbacks';
import { ApiError, type ErrorKey } from '../../core/errors';
import { formatAmount, parseAmount } from '../../core/money';
import { type Kind, type Payment, refundableMinor } from '../../core/payment';
import { capture, findByIdempotencyKey, findPayment, refund, release, voidPayment } from '../../payments';
import { DashboardError } from '../errors';
import { parseBody } from '../parse-body';
import { paymentPage, subjectOf } from './payment';

const reasonMax = 200;
const changed = 'The payment was changed by someone else. Reload the page, review it and try again.';

const reused = 'This request was sent before with another amount. Reload the page, review it and try again.';

const versionForm = z.object({
  version: z.int().min(0),
  /** The idempotency key of the request. */
  key: z.string().min(1).max(100).optional(),
});
const moneyForm = versionForm.extend({
  amount: z.string().max(32).optional(),
  reason: z.string().trim().max(reasonMax, `Enter at most ${reasonMax} characters.`).optional(),
});

type ActionRequest = { viewer: Viewer; id: string; body: unknown; now: Date };
type Page = Awaited<ReturnType<typeof paymentPage>>;

/** The modification of a request, with its entry in the audit log. */
type ActionPlan = {
  action: string;
  after: Record<string, string>;
  act: (asking: { key?: string | undefined; ifUnchanged: true }) => Promise<unknown>;
};

/** Captures an authorisation, in whole or `amount`. */
export async function captureAction(request: ActionRequest): Promise<Page> {
  const body = parseBody(moneyForm, request.body);
  return runAction(request, body, ['capture'], (payment) => {
    const minor = amountOf(body.amount, payment, payment.amountMinor);
    return {
      action: 'payment.capture',
      after: amountDetails(minor, payment, body.reason),
      act: (options) => capture(payment, minor, request.now, options),
    };
  });
}

/** Refunds the remainder, or `amount` of it. */
export async function refundAction(request: ActionRequest): Promise<Page> {
  const body = parseBody(moneyForm, request.body);
  return runAction(request, body, ['refund', 'reversal'], (payment) => {
    const minor = amountOf(body.amount, payment, refundableMinor(payment));
    return {
      action: 'payment.refund',
      after: amountDetails(minor, payment, body.reason),
      act: (options) => refund(payment, minor, request.now, options),
    };
  });
}

/** Voids a payment of the same day, or releases an authorisation. */
export async function voidAction(request: ActionRequest): Promise<Page> {
  return runAction(request, parseBody(versionForm, request.body), ['void', 'reversal'], (payment) => {
    const isAuthorised = payment.state === 'pending';
    return {
      action: isAuthorised ? 'payment.release' : 'payment.void',
      after: {},
      act: (options) =>
        isAuthorised ? release(payment, request.now, options) : voidPayment(payment, request.now, options),
    };
  });
}

/** Resends a callback at once; returns the page of its payment. */
export async function resendAction({ viewer, id, now }: ActionRequest): Promise<Page> {
  const done = await resendCallback(id, merchantOf(viewer), now);
  if (!done) return null;
  if (done.state === 'no address') throw new DashboardError(409, 'This callback has no address to go to.');
  await log(viewer, 'callback.resend', done.paymentId, { type: done.type, sequence: done.sequence, callback: id }, now);
  return paymentPage(done.paymentId, viewer, now);
}

/**
 * Executes `plan` on the version that the user saw, and returns the payment's page. A repeat under the same key returns
 * the page without another execution, whatever the payment's version.
 */
async function runAction(
  { viewer, id, now }: ActionRequest,
  { version, key, amount }: { version: number; key?: string | undefined; amount?: string | undefined },
  kinds: readonly Kind[],
  plan: (payment: Payment) => ActionPlan,
): Promise<Page> {
  const payment = await findPayment(id, merchantOf(viewer) ?? undefined);
  if (!payment) return null;
  const recorded = key === undefined ? null : await findByIdempotencyKey(payment.id, key);
  if (recorded) {
    const { kind, amountMinor } = recorded.transaction;
    const isSame = amount === undefined || minorOf(amount, payment) === amountMinor;
    if (!kinds.includes(kind) || !isSame) throw new DashboardError(409, reused);
    return paymentPage(payment.id, viewer, now);
  }
  if (payment.version !== version) throw new DashboardError(409, changed);
  const { action, after, act } = plan(payment);
  await log(viewer, action, payment.id, after, now);
  try {
    await act({ key, ifUnchanged: true });
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
  return { amount: formatAmount(minor, currency), currency, ...(reason && { reason }) };
}

/** The amount in minor units; null where the text is not an amount. */
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
  const invalid = (amount: string) => new DashboardError(400, 'The amount is not valid.', { amount });
  if (minor === null) throw invalid(`Enter the amount as ${example}.`);
  if (minor <= 0n) throw invalid('The amount is above zero.');
  if (minor > most) throw invalid(`At most ${example} ${currency} is possible.`);
  return minor;
}
