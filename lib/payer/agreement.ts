/**
 * What a payer agrees to by paying, besides the payment itself (protocol.md 7a): later charges of the card, or its
 * storage. The page shows it beside the button, and it is recorded before the attempt, in the words that the payer read.
 */
import type { Translations } from '../core/translations.ts';
import { recordAgreement } from '../payments/index.ts';
import { chargeAmountMinor } from '../recurring/index.ts';
import { findSchedule, planSubscription } from '../schedules/index.ts';
import { type Agreed, type Agreement, agreedText } from './agreement-text.ts';
import type { View } from './view.ts';

/** The agreement of a payment; undefined for one that keeps no card. `now`: when it would be paid. */
export async function agreementOf({ payment }: Pick<View, 'payment'>, now: Date): Promise<Agreement | undefined> {
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
  return { kind: 'schedule', amount: { minor, currency }, every, first: subscription.dueAt, count: paymentsCount };
}

/** The agreement as a value of the form: one that has changed since the page was rendered is shown again. */
export function agreementMark(agreement: Agreement | undefined): string {
  if (agreement?.kind !== 'schedule') return `${agreement?.kind ?? ''}${agreement?.isFree ? ' free' : ''}`;
  const { amount, every, first, count } = agreement;
  return [agreement.kind, amount.minor, every.count, every.unit, first.toISOString().slice(0, 10), count].join(' ');
}

/** The merchant as the words of an agreement name it. */
export function merchantOf({ caller }: Pick<View, 'caller'>) {
  const { name, supportEmail } = caller.merchant;
  return { merchant: { name }, legal: { support: supportEmail ?? undefined } };
}

/**
 * Records what the payer has agreed to, in the words that the payer read: with a later attempt also that nothing is agreed
 * to any more.
 */
export async function recordAgreedText(
  view: Pick<View, 'caller' | 'payment'>,
  agreed: Agreed,
  words: Translations,
  now: Date,
): Promise<void> {
  const text = agreedText(agreed, merchantOf(view), words);
  if (text === '' && view.payment.attempts === 0) return;
  const ticked = agreed.isTicked || agreed.isSaved;
  await recordAgreement({ paymentId: view.payment.id, text, language: words.lang, ticked, now });
}
