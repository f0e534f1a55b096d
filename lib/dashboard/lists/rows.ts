/** What the objects' pages have in common: a payment as one line, a means of payment, what was done by whom. */

import { findAuditRecords, may, type Viewer } from '../../auth';
import { brandById } from '../../core/cards';
import { formatAmount } from '../../core/money';
import type { CardView, Payment } from '../../core/payment';
import { checkoutStatus, fullName } from '../../protocols';
import type { Fact, FactGroup } from '../contract';
import type { Activity, MethodLabel, PaymentLine } from './contract';

/** A payment as another object's page tells of it. */
export function paymentLine(payment: Payment): PaymentLine {
  return {
    id: payment.id,
    amount: formatAmount(payment.amountMinor, payment.currency),
    currency: payment.currency,
    status: checkoutStatus[payment.state],
    reason: payment.state === 'declined' ? payment.reason : null,
    orderNumber: payment.orderNumber,
    createdAt: payment.createdAt.toISOString(),
  };
}

/** Who pays, as far as is known. */
export function payerName({ payer, card }: Payment): string | null {
  return payer.email || fullName(payer) || card?.holder || null;
}

/** A card as a list shows it. */
export function cardLabel(card: CardView | null): MethodLabel | null {
  return card && { name: brandById(card.brand)?.name ?? 'Card', last4: card.last4 };
}

/** Beginning and end of an identifier that is a secret of its merchant: `a41f…09bc`. */
export function maskToken(token: string): string {
  return `${token.slice(0, 4)}…${token.slice(-4)}`;
}

/** A token as this person may see it: whole for those who act with it, nothing for those who look on. */
export function visibleToken(viewer: Viewer, token: string): string | null {
  return may(viewer.role, 'tokens.remove') ? token : null;
}

export type NamedFact = [name: string, value: string | null | undefined, more?: Pick<Fact, 'code' | 'mail'>];

/** Facts under a title, without those that nobody knows. */
export function factGroup(title: string, facts: NamedFact[]): FactGroup {
  return { title, facts: facts.flatMap(([name, value, more]) => (value ? [{ name, value, ...more }] : [])) };
}

/** What was done to a subject in the dashboard, newest first, in the words of `sentences` by action. */
export async function activitiesOf(subject: string, sentences: Record<string, string>): Promise<Activity[]> {
  const done = await findAuditRecords([subject]);
  return done
    .map(({ at, action, actorName, after }) => ({
      at: at.toISOString(),
      what: sentences[action] ?? action,
      who: actorName,
      detail: detailOf(after),
    }))
    .reverse();
}

function detailOf(after: unknown): string | null {
  if (after === null || typeof after !== 'object' || !('detail' in after)) return null;
  return typeof after.detail === 'string' ? after.detail : null;
}
