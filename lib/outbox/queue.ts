/**
 * The queue of messages to payers and dashboard users. The row is the job: it is claimed by moving its due time
 * forward, and done when a mail server or a gateway has accepted the message. The only writer of the table `messages`.
 */
import { findLocale, type LocaleCode } from '../core/locales';
import type { Money } from '../core/money';
import { type Query, query } from '../db';
import { translationsOf } from '../http';

export type Channel = 'email' | 'sms';

export type NewMessage = {
  paymentId: string;
  /** The attempt that the link pays; one message is sent per attempt, even if queued again. */
  transactionId: string;
  channel: Channel;
  /** The payer's e-mail address or phone number; without one the row is stored as failed. */
  to: string | null | undefined;
  /** The address of the link. */
  url: string;
  /** When the link expires, ISO 8601. */
  expiresAt?: string;
  /** The payer's language as one of the contract's codes; English for any other text. */
  language: string | null | undefined;
  merchantName: string;
  amount: Money;
};

/** An e-mail to a dashboard user with a link to an account. */
export type NewEmail = { to: string; subject: string; text: string; url: string; expiresAt: Date };

/** A claimed message. */
export type DueMessage = {
  id: string;
  /** Null for an e-mail to a dashboard user. */
  paymentId: string | null;
  channel: Channel;
  to: string;
  subject: string;
  text: string;
  expiresAt: Date | null;
  attempts: number;
};

/** A message in the sandbox's outbox. */
export type ListedMessage = DueMessage & {
  url: string;
  state: 'waiting' | 'sent' | 'failed';
  sentBy: string | null;
  error: string | null;
  createdAt: Date;
};

/** What accepted a message: a mail server, an SMS gateway, or the sandbox's outbox if neither is configured. */
export type SentBy = 'smtp' | 'gateway' | 'outbox';

/** The result of one attempt. `final`: a retry would not help. The error is our own text and may be shown. */
export type SendResult = { sentBy: SentBy } | { error: string; final: boolean };

/** Seconds between attempts: about a day in total, enough for a mail server to recover. */
export const retrySeconds = [0, 10, 60, 300, 900, 3600, 10_800, 21_600, 43_200];
/** Longer than one attempt, so that no other process claims the message meanwhile. */
const leaseSeconds = 120;

/**
 * Stores a message, due immediately. Repeated calls for the same attempt have no effect, so callers may process a
 * provider's response twice. `run` makes it part of the caller's transaction.
 */
export async function queueMessage(message: NewMessage, now: Date, run: Query = query): Promise<void> {
  const { subject, text } = composeMessage(message);
  const to = (message.to ?? '').trim();
  const hasAddress = to !== '';
  await run(
    'message-queue',
    `insert into messages (id, payment_id, transaction_id, channel, recipient, subject, text, url, state, error, due_at,
                           expires_at, created_at)
     values (gen_random_uuid(), $1, $2, $3::"MessageChannel", $4, $5, $6, $7, $8::"MessageState", $9, $10::timestamptz,
             $11::timestamptz, $12::timestamptz)
     on conflict (transaction_id) do nothing`,
    [
      message.paymentId,
      message.transactionId,
      message.channel,
      to,
      subject,
      text,
      message.url,
      hasAddress ? 'waiting' : 'failed',
      hasAddress ? null : 'no address of the payer',
      hasAddress ? now : null,
      message.expiresAt ? new Date(message.expiresAt) : null,
      now,
    ],
  );
}

/**
 * Stores an e-mail to a dashboard user, due immediately. Its text is deleted once the e-mail is sent or has failed,
 * because nothing else stores a link to an account.
 */
export async function queueEmail({ to, subject, text, url, expiresAt }: NewEmail, now: Date): Promise<void> {
  await query(
    'email-queue',
    `insert into messages (id, channel, recipient, subject, text, url, state, due_at, expires_at, created_at)
     values (gen_random_uuid(), 'email', $1, $2, $3, $4, 'waiting', $6::timestamptz, $5::timestamptz, $6::timestamptz)`,
    [to, subject, text, url, expiresAt, now],
  );
}

/**
 * Composes a message. The link has its own line, so that punctuation and writing direction cannot affect it; e-mails
 * also say what to do with an unexpected one.
 */
export function composeMessage(message: Pick<NewMessage, 'channel' | 'url' | 'language' | 'merchantName' | 'amount'>): {
  subject: string;
  text: string;
} {
  const code: LocaleCode = findLocale(message.language ?? '')?.code ?? 'en';
  const { t, amount } = translationsOf(code);
  const values = { merchant: message.merchantName, amount: amount(message.amount).text };
  const text = `${t('outbox.text', values)}\n${message.url}`;
  return {
    subject: t('outbox.subject', values),
    text: message.channel === 'email' ? `${text}\n\n${t('outbox.unexpected')}\n` : text,
  };
}

const columns = `m.id, m.payment_id as "paymentId", m.channel::text as channel, m.recipient as "to", m.subject, m.text,
  m.expires_at as "expiresAt", m.attempts`;

/** Claims due messages, at most `limit`. */
export function claimDue(now: Date, limit: number): Promise<DueMessage[]> {
  return query<DueMessage>(
    'messages-claim',
    `with due as (
       select id from messages where state = 'waiting' and due_at <= $1::timestamptz
        order by due_at limit $2::int for update skip locked
     )
     update messages m set due_at = $1::timestamptz + interval '${leaseSeconds} seconds'
       from due where m.id = due.id
     returning ${columns}`,
    [now, limit],
  );
}

/** Records an attempt: sent, due again by the retry plan, or failed. */
export async function recordSendResult(message: DueMessage, result: SendResult, now: Date): Promise<void> {
  const sent = 'sentBy' in result;
  const seconds = sent || result.final ? undefined : retrySeconds[message.attempts + 1];
  const next = seconds === undefined ? null : new Date(now.getTime() + seconds * 1000);
  await query(
    'message-attempt',
    `update messages set state = $2::"MessageState", attempts = attempts + 1, due_at = $3::timestamptz,
            sent_by = $4, error = $5, sent_at = $6::timestamptz,
            text = case when payment_id is null and $8::boolean then '' else text end,
            url = case when payment_id is null and $8::boolean then '' else url end
      where id = $1 and state = 'waiting' and attempts = $7`,
    [
      message.id,
      sent ? 'sent' : next ? 'waiting' : 'failed',
      next,
      sent ? result.sentBy : null,
      sent ? null : result.error,
      sent ? now : null,
      message.attempts,
      next === null && !(sent && result.sentBy === 'outbox'),
    ],
  );
}

/** The latest messages, newest first. */
export function latestMessages(limit: number): Promise<ListedMessage[]> {
  return query<ListedMessage>(
    'messages-latest',
    `select ${columns}, m.url, m.state::text as state, m.sent_by as "sentBy", m.error, m.created_at as "createdAt"
       from messages m order by m.created_at desc limit $1::int`,
    [limit],
  );
}
