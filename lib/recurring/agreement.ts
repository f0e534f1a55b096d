/**
 * What a payer agrees to by paying, besides the payment itself (protocol.md 7a): later charges of the card, or its
 * storage. The payment page and the frame of hosted fields show it, and a payment is made only by the one that was shown.
 */
import type { Agreement } from '../core/agreement.ts';
import type { Payment, Session } from '../core/payment.ts';
import { findSchedule, planSubscription } from '../schedules/index.ts';
import { chargeAmountMinor } from './charge.ts';

/** The agreement of a payment; undefined for one that keeps no card. `now`: when it would be paid. */
export async function agreementOf({ payment }: { payment: Payment }, now: Date): Promise<Agreement | undefined> {
  const { operation, recurringInit, requestToken, scheduleId, merchantId, currency, amountMinor } = payment;
  const isFree = amountMinor === 0n;
  if (operation !== 'purchase' && operation !== 'debit') return undefined;
  if (!recurringInit) return requestToken ? { kind: 'token', isFree } : undefined;
  const schedule = scheduleId && (await findSchedule(merchantId, scheduleId));
  const { subscription } = schedule ? await planSubscription(payment, now) : {};
  if (!schedule || !subscription) return { kind: 'recurring', isFree };
  const minor = chargeAmountMinor(subscription, payment);
  const { intervalLength, intervalUnit, paymentsCount } = schedule;
  const every = { count: intervalLength, unit: intervalUnit };
  const amount = { minor, currency };
  return { kind: 'schedule', isFree, amount, every, first: subscription.dueAt, count: paymentsCount };
}

/** The agreement as a value of the form: one that has changed since the page was rendered is shown again. */
export function agreementMark(agreement: Agreement | undefined): string {
  const kind = `${agreement?.kind ?? ''}${agreement?.isFree ? ' free' : ''}`;
  if (agreement?.kind !== 'schedule') return kind;
  const { amount, every, first, count } = agreement;
  return [kind, amount.minor, every.count, every.unit, first.toISOString().slice(0, 10), count].join(' ');
}

/** Whether the payer has to consent to later charges (protocol.md 3). */
export function requiresConsent({ session, payment }: { session: Session; payment: Payment }): boolean {
  return session.consentRequired && (payment.operation === 'purchase' || payment.operation === 'debit');
}

type Offer = { caller: { mapping: { offerSavingCards: boolean } }; payment: Payment };

/** Whether the payer may have a card kept for later orders: not where it is kept anyway. */
export function offersSaving({ caller, payment }: Offer): boolean {
  const { operation, requestToken, recurringInit } = payment;
  return caller.mapping.offerSavingCards && operation === 'purchase' && !requestToken && !recurringInit;
}

/** What hosted fields show: the agreement and its boxes. `mark` names both, as the frame sends it with the choice. */
export async function shownAgreement(shown: Offer & { session: Session }, now: Date) {
  const agreement = await agreementOf(shown, now);
  const boxes = { saves: offersSaving(shown), consents: requiresConsent(shown) };
  const mark = [agreementMark(agreement), ...Object.entries(boxes).map(([name, isShown]) => isShown && name)];
  return { agreement, boxes, mark: mark.filter(Boolean).join(' ') };
}
