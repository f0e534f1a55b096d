/**
 * The queue of messages, to payers and to people of the dashboard. The row is the job: it is claimed by pushing its due time forward, and done when a
 * mail server or a gateway has taken the message over. The only writer of the table `messages`.
 */
import { findLocale, type LocaleCode } from '../core/locales';
import type { Money } from '../core/money';
import { type Query, query } from '../db';
import { translationsOf } from '../http';

export type Channel = 'email' | 'sms';

export type NewMessage = {
  paymentId: string;
  /** The attempt that the link pays: it sends one message, however often it is queued. */
  transactionId: string;
  channel: Channel;
  /** The payer's e-mail address or phone number; nothing when none is known, which the row then says. */
  to: string | null | undefined;
  /** Where the link leads. */
  url: string;
  /** When the link stops working, ISO 8601. */
  expiresAt?: string;
  /** The payer's language as one of the contract's codes; English for any other text. */
  language: string | null | undefined;
  merchantName: string;
  amount: Money;
};

/** An e-mail to somebody of the dashboard, whose link opens an account. */
export type NewEmail = { to: string; subject: string; text: string; url: string; expiresAt: Date };

/** A message that is to go out now. */
export type DueMessage = {
  id: string;
  /** Null for a letter to somebody of the dashboard. */
  paymentId: string | null;
  channel: Channel;
  to: string;
  subject: string;
  text: string;
  expiresAt: Date | null;
  attempts: number;
};

/** A message as the sandbox shows it. */
export type ListedMessage = DueMessage & {
  url: string;
  state: 'waiting' | 'sent' | 'failed';
  sentBy: string | null;
  error: string | null;
  createdAt: Date;
};

/** Who took a message over: a mail server, an SMS gateway, or this outbox itself, where the sandbox has neither. */
export type SentBy = 'smtp' | 'gateway' | 'outbox';

/** What came of one try. `final`: trying again would not help. The error is in words of our own, fit for showing. */
export type SendResult = { sentBy: SentBy } | { error: string; final: boolean };

/** Seconds from one try to the next: about a day in all, for a mail server that is being mended. */
export const retrySeconds = [0, 10, 60, 300, 900, 3600, 10_800, 21_600, 43_200];
/** Longer than one try can take, so that nobody else takes it up meanwhile. */
const leaseSeconds = 120;

/**
 * Writes a message down, to be sent at once. Calling it again for the same attempt changes nothing, so that whoever gets
 * a provider's answer twice may call it twice. `run` puts it into a transaction of the caller's.
 */
export async function queueMessage(message: NewMessage, now: Date, run: Query = query): Promise<void> {
  const { subject, text } = composeMessage(message);
  const to = (message.to ?? '').trim();
  const known = to !== '';
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
      known ? 'waiting' : 'failed',
      known ? null : 'no address of the payer',
      known ? now : null,
      message.expiresAt ? new Date(message.expiresAt) : null,
      now,
    ],
  );
}

/**
 * Writes a letter to somebody of the dashboard down, to be sent at once. Its text stands in the row only until a mail
 * server has it or it is given up, because nothing else keeps a link that opens an account.
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
 * The words of a message. The link has a line of its own, where neither a full stop nor the direction of the writing can
 * get into it; an e-mail says besides what to do with one that was not expected.
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

/** Claims messages that are due, at most `limit`. */
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

/** Writes a try down: sent, due again by the plan, or given up. */
export async function recordSendResult(message: DueMessage, tried: SendResult, now: Date): Promise<void> {
  const sent = 'sentBy' in tried;
  const seconds = sent || tried.final ? undefined : retrySeconds[message.attempts + 1];
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
      sent ? tried.sentBy : null,
      sent ? null : tried.error,
      sent ? now : null,
      message.attempts,
      next === null && !(sent && tried.sentBy === 'outbox'),
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
