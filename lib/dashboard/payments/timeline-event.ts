/** The entries of a payment's timeline, and what they are built from. */
import type { AuditRecordWithActor } from '../../auth/index.ts';
import type { CallbackHistory } from '../../callbacks/index.ts';
import type { Payment, Session, Transaction } from '../../core/payment.ts';
import type { PaymentMessage, PaymentRequest, Unresolved } from '../../payments/index.ts';
import type { Fact } from '../lists/rows.ts';

export type EventKind = 'request' | 'payer' | 'routing' | '3ds' | 'provider' | 'state' | 'callback' | 'dashboard';

/** One delivery attempt of a callback. */
export type CallbackAttempt = {
  at: string;
  /** `ok`: received. `error`: received, but answered ERROR. `fail`: to be retried, or failed. */
  result: 'ok' | 'error' | 'fail';
  /** The HTTP status, or the error that prevented one. */
  what: string;
  /** The beginning of the response. */
  answer: string | null;
  durationMs: number;
};

/** One entry of the timeline. */
export type TimelineEvent = {
  id: string;
  kind: EventKind;
  at: string;
  title: string;
  detail: string | null;
  who: string | null;
  /** The status whose shape replaces an icon. */
  status?: string;
  tag?: { text: string; tone: 'ok' | 'bad' | 'warn' | 'plain' };
  facts?: Fact[];
  tries?: CallbackAttempt[];
  /** The selected and skipped accounts, in order. */
  routing?: { mid: string; why: string; taken: boolean }[];
  /** Link to details. */
  href?: string;
  /** The callback that can be resent. */
  resend?: string;
};

/** An entry without a detail, unless `more` has one. */
export function eventOf(
  kind: EventKind,
  id: string,
  at: Date,
  { title, who, ...more }: Pick<TimelineEvent, 'title' | 'who'> & Partial<TimelineEvent>,
): TimelineEvent {
  return { id, kind, at: at.toISOString(), title, detail: null, who, ...more };
}

export type PaymentHistory = {
  payment: Payment;
  session: Session | null;
  transactions: Transaction[];
  callbacks: CallbackHistory[];
  done: AuditRecordWithActor[];
  requests: PaymentRequest[];
  messages: PaymentMessage[];
  unresolved: Unresolved[];
  /** Names of the MIDs by their ids. */
  mids: Map<string, string>;
};
