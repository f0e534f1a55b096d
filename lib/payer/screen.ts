/** Decides which screen a link shows, from the rows alone, for the document, the live state and the submit alike. */
import { createHash } from 'node:crypto';
import { isNotFinal, type Payment, type Session, type Transaction } from '../core/payment.ts';
import type { Presentation } from '../core/presentation.ts';
import type { NextAction } from '../core/provider-data.ts';
import type { State } from '../core/states.ts';
import type { Mapping } from '../merchants/index.ts';
import { notPayableReason, payerLeftReason } from '../payments/index.ts';
import type { DeclineAlert } from './contract.ts';

/** Why the last attempt was declined. */
export type DeclineReason = Omit<DeclineAlert, 'method'>;

export type Screen =
  | { kind: 'form'; declined?: DeclineReason }
  /** The payer is at the card's bank, in a frame of our page. */
  | { kind: 'challenge'; action: NextAction }
  /** The payer continues on the provider's own page. */
  | { kind: 'redirecting'; action: NextAction }
  /** The payer completes the payment elsewhere, with the displayed data. */
  | { kind: 'present'; present: Presentation }
  /** The outcome is unknown, or the provider is processing the attempt. */
  | { kind: 'waiting' }
  /** Money has moved or is reserved, or went back since; the link is used. */
  | { kind: 'paid' }
  | { kind: 'expired' }
  | { kind: 'cancelled'; reason: 'payer' | 'declines' }
  /** Another session of the same order has replaced this one. */
  | { kind: 'superseded' };

export type ScreenInput = {
  payment: Payment;
  session: Session;
  /** The attempt that the payer submitted last. */
  attempt: Transaction | null;
  mapping: Mapping;
  now: Date;
};

/** The decline codes of the open provider contract that name a field of the card. */
const blamedFields: { [code: string]: DeclineReason['field'] } = {
  wrong_number: 'card_number',
  wrong_expiry: 'card_expiry',
  wrong_cvv: 'card_cvv',
};

/**
 * The screen of a session. Moved money comes first, then an attempt in progress (an expired or cancelled session does
 * not revoke it), then the reasons that prevent an attempt, then the form.
 */
export function screenOf({ payment, session, attempt, mapping, now }: ScreenInput): Screen {
  const open = attempt !== null && isNotFinal(attempt);
  if (movedStates.includes(payment.state) && !open) return { kind: 'paid' };
  if (open) return unfinishedScreen(attempt);
  switch (notPayableReason(payment, session, mapping, now)) {
    case 'cancelled':
      return { kind: 'cancelled', reason: 'payer' };
    case 'superseded':
      return { kind: 'superseded' };
    case 'exhausted':
      return { kind: 'cancelled', reason: 'declines' };
    case 'expired':
      return { kind: 'expired' };
    case null:
      // A payer who left the attempt knows why it ended.
      return payment.state === 'declined' && attempt && attempt.declineReason !== payerLeftReason
        ? { kind: 'form', declined: declineReasonOf(attempt) }
        : { kind: 'form' };
    default:
      return { kind: 'waiting' };
  }
}

const movedStates: readonly State[] = ['settled', 'pending', 'refund', 'reversal', 'void', 'chargeback'];

function unfinishedScreen(attempt: Transaction): Screen {
  const { status, action, providerData } = attempt;
  if (action && status === 'challenge') return { kind: 'challenge', action };
  if (action && status === 'redirect') return { kind: 'redirecting', action };
  return providerData.present ? { kind: 'present', present: providerData.present } : { kind: 'waiting' };
}

/** Why an attempt was declined, as the page reports it. */
export function declineReasonOf(attempt: Transaction): DeclineReason {
  const kind = attempt.declineClass ?? 'bank';
  const field = kind === 'data' ? blamedFields[attempt.declineCode ?? ''] : undefined;
  return { kind, ...(field && { field }), ...(isPaidElsewhere(attempt) && { late: true }) };
}

/** Kinds of payment data that outlive the page: the money may be sent at any time. */
const laterKinds: readonly Presentation['kind'][] = ['details', 'message', 'crypto'];

/**
 * Whether the payer may have sent money for an attempt that has ended without it: they got payment data or a link, or
 * did not confirm elsewhere in time. One who left the attempt has said that they did not pay.
 */
export function isPaidElsewhere({ providerData, declineReason, declineClass }: Transaction): boolean {
  const kind = providerData.present?.kind;
  if (kind === undefined || kind === 'code' || declineReason === payerLeftReason) return false;
  return laterKinds.includes(kind) || declineClass === 'unconfirmed';
}

/**
 * A text that changes exactly when the page's state changes. The form's version changes when the shop changes the
 * order; that of displayed data when the provider renews it. A decline alone does not change it: the submit's response
 * has reported it to the payer, and other tabs still show the form.
 */
export function versionOf(screen: Screen, { payment, attempt }: Pick<ScreenInput, 'payment' | 'attempt'>): string {
  if (screen.kind === 'form') return `form-${orderHash(payment)}`;
  if (screen.kind === 'present') return `present-${attempt?.id ?? ''}-${shortHash(screen.present)}`;
  if (screen.kind === 'challenge' || screen.kind === 'redirecting') return `${screen.kind}-${attempt?.id ?? ''}`;
  return screen.kind === 'cancelled' ? `cancelled-${screen.reason}` : screen.kind;
}

function orderHash({ orderAmount, currency, description }: Payment): string {
  return shortHash([orderAmount, currency, description]);
}

function shortHash(shown: unknown): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 8);
}

/** Whether the payer completes the attempt later and elsewhere, by payment data, a link or coins: it outlives the page. */
export function isCompletedLater(screen: Screen): boolean {
  return screen.kind === 'present' && laterKinds.includes(screen.present.kind);
}

/** Whether the screen is final, so that a page need not follow it. */
export function isFinal(screen: Screen): boolean {
  return ['paid', 'expired', 'cancelled', 'superseded'].includes(screen.kind);
}
