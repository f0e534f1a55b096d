/**
 * The queue of messages to payers and dashboard users. The row is the job: it is claimed by moving its due time
 * forward, and done when a mail server or a gateway has accepted the message. The only writer of the table `messages`.
 */
import { findLocale, type LocaleCode } from '../core/locales.ts';
import type { Money } from '../core/money.ts';
import { rowSet, statement } from '../db/index.ts';
import { translationsOf } from '../http/index.ts';
import type { Message } from '../prisma/client.ts';

export type Channel = 'email' | 'sms';

type MessageTexts = { subject: string; text: string };

type LinkFacts = {
  /** The payer's language as one of the contract's codes; English for any other text. */
  language: string | null | undefined;
  merchantName: string;
  amount: Money;
};

/** A message to a payer: its whole text, or the facts for one that has only the link. */
export type NewMessage = (LinkFacts | MessageTexts) & {
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
};

/** An e-mail to a dashboard user with a link to an account. */
export type NewEmail = { to: string; subject: string; text: string; url: string; expiresAt: Date };

/** A claimed message. */
export type DueMessage = Pick<
  Message,
  'id' | 'paymentId' | 'channel' | 'subject' | 'text' | 'expiresAt' | 'attempts'
> & { to: string };

/** A message in the sandbox's outbox. */
export type ListedMessage = DueMessage & Pick<Message, 'url' | 'state' | 'sentBy' | 'error' | 'createdAt'>;

/** What accepted a message: a mail server, an SMS gateway, or the sandbox's outbox if neither is configured. */
export type SentBy = 'smtp' | 'gateway' | 'outbox';

/** The result of one attempt. `final`: a retry would not help. The error is our own text and may be shown. */
export type SendResult = { sentBy: SentBy } | { error: string; final: boolean };

/** Seconds between attempts: about a day in total, enough for a mail server to recover. */
export const retrySeconds = [0, 10, 60, 300, 900, 3600, 10_800, 21_600, 43_200];
/** Longer than one attempt, so that no other process claims the message meanwhile. */
const leaseSeconds = 120;

/** How many messages of a kind a payment has at most: its payer can choose the address of each. */
const messagesMax = 3;

// The ids of a payment's messages of a kind follow from it, so that the primary key limits their number.
const slotsOf = (kind: 'receipt' | 'link') => `
    select n, left(encode(sha256(convert_to('${kind} ' || n || ' ' || :paymentId, 'UTF8')), 'hex'), 32)::uuid as id
      from generate_series(1, ${messagesMax}) n`;
const storedOf = (kind: 'receipt' | 'link') => `
  slots as (${slotsOf(kind)}),
  stored as (select id, n, recipient from slots join messages using (id))`;
const isFullSql = `(select count(*) from stored) = ${messagesMax} as "isFull"`;

const messages = rowSet(
  'queued',
  `paymentId uuid, transactionId uuid, channel "MessageChannel", recipient text, subject text, text text, url text,
  state "MessageState", error text, dueAt timestamptz, expiresAt timestamptz, createdAt timestamptz`,
);

const insertMessage = statement<
  { queued: string; paymentId: string; transactionId: string },
  { isQueued: boolean; isFull: boolean }
>(
  'message-queue',
  `with ${storedOf('link')},
   queued as (
     insert into messages (id, payment_id, transaction_id, channel, recipient, subject, text, url, state, error, due_at,
                           expires_at, created_at)
     select slots.id, queued.* from slots, ${messages.from}
      where n not in (select n from stored)
      order by n limit 1
     on conflict do nothing
     returning id
   )
   select exists (select from queued)
            or exists (select from messages where transaction_id = :transactionId::uuid) as "isQueued",
          ${isFullSql}`,
);

/**
 * Stores a message, due immediately: at most three of a payment. Repeated calls for the same attempt have no effect, so
 * callers may process a provider's response twice. False if it would be the fourth.
 */
export async function queueMessage(message: NewMessage, now: Date): Promise<boolean> {
  const recipient = (message.to ?? '').trim();
  const row = {
    ...message,
    ...('text' in message ? { subject: message.subject, text: message.text } : composeMessage(message)),
    recipient,
    ...(recipient === ''
      ? { state: 'failed', error: 'no address of the payer', dueAt: null }
      : { state: 'waiting', error: null, dueAt: now }),
    expiresAt: message.expiresAt ? new Date(message.expiresAt) : null,
    createdAt: now,
  };
  const { paymentId, transactionId } = message;
  const queued = messages.encode([row]);
  // Where another request has just taken the place, it is tried again.
  for (;;) {
    const [result] = await insertMessage({ queued, paymentId, transactionId });
    if (result?.isQueued) return true;
    if (!result || result.isFull) return false;
  }
}

const countLinks = statement<{ paymentId: string }, { isFull: boolean }>(
  'messages-are-sent',
  `with ${storedOf('link')} select ${isFullSql}`,
);

/** Whether a payment has all the messages that {@link queueMessage} stores for it. */
export async function hasAllMessages(paymentId: string): Promise<boolean> {
  const [row] = await countLinks({ paymentId });
  return row?.isFull === true;
}

const insertEmail = statement<NewEmail & { now: Date }>(
  'email-queue',
  `insert into messages (id, channel, recipient, subject, text, url, state, due_at, expires_at, created_at)
   values (gen_random_uuid(), 'email', :to, :subject, :text, :url, 'waiting', :now::timestamptz, :expiresAt::timestamptz,
           :now::timestamptz)`,
);

/** Stores an e-mail to a dashboard user, due immediately. Its text is deleted afterwards: it may hold a link. */
export async function queueEmail(email: NewEmail, now: Date): Promise<void> {
  await insertEmail({ ...email, now });
}

/** A payer's receipt; its text is complete. */
export type NewReceipt = { paymentId: string; to: string; subject: string; text: string; url: string };

const receipts = storedOf('receipt');

const insertReceipt = statement<NewReceipt & { now: Date }, { slot: number | null; isFull: boolean }>(
  'receipt-queue',
  `with ${receipts},
   queued as (
     insert into messages (id, payment_id, channel, recipient, subject, text, url, state, due_at, created_at)
     select id, :paymentId::uuid, 'email', :to, :subject, :text, :url, 'waiting', :now::timestamptz, :now::timestamptz
       from slots
      where n not in (select n from stored) and :to not in (select recipient from stored)
      order by n limit 1
     on conflict (id) do nothing
     returning id
   ),
   again as (
     update messages set state = 'waiting', error = null, attempts = 0, due_at = :now::timestamptz, subject = :subject,
                         text = :text, url = :url
       from stored where messages.id = stored.id and stored.recipient = :to and messages.state = 'failed'
   )
   select coalesce((select n from slots join queued using (id)), (select n from stored where recipient = :to)) as slot,
          ${isFullSql}`,
);

/**
 * Stores a receipt, due immediately: one per address, at most three of a payment; one that failed is sent again. Returns
 * its number, 1 to 3; null if it would be the fourth. Where another request has just taken the place, it is tried again.
 */
export async function queueReceipt(receipt: NewReceipt, now: Date): Promise<number | null> {
  for (;;) {
    const [row] = await insertReceipt({ ...receipt, now });
    if (row?.slot) return row.slot;
    if (!row || row.isFull) return null;
  }
}

const findRecipient = statement<{ transactionId: string }, { recipient: string }>(
  'message-recipient',
  'select recipient from messages where transaction_id = :transactionId::uuid',
);

/** Where the message of an attempt was sent. */
export async function recipientOf(transactionId: string): Promise<string | undefined> {
  const [row] = await findRecipient({ transactionId });
  return row?.recipient;
}

const findReceipt = statement<{ paymentId: string; slot: number }, { recipient: string }>(
  'receipt-find',
  `with ${receipts} select recipient from stored where n = :slot::int`,
);

/** The address that a payment's receipt of this number was sent to. */
export async function receiptAddress(paymentId: string, slot: number): Promise<string | undefined> {
  const [row] = await findReceipt({ paymentId, slot });
  return row?.recipient;
}

/** A payment link or a receipt that was sent, or waits to be sent, to the payer. */
export type PaymentMessage = Pick<
  Message,
  'id' | 'channel' | 'recipient' | 'subject' | 'state' | 'error' | 'createdAt' | 'sentAt'
> & { isReceipt: boolean };

const listed = (isReceipt: boolean) => `id, channel::text, recipient, subject, state::text, error,
  created_at as "createdAt", sent_at as "sentAt", ${isReceipt} as "isReceipt"`;

const ofPayment = statement<{ paymentId: string; transactionIds: string[] }, PaymentMessage>(
  'messages-of-payment',
  `with slots as (${slotsOf('receipt')})
   select ${listed(false)} from messages where transaction_id = any(:transactionIds::uuid[])
   union all
   select ${listed(true)} from slots join messages using (id)
   order by "createdAt", id`,
);

/** The messages to a payment's payer, oldest first: those of its transactions, and its receipts. */
export const messagesOf = (paymentId: string, transactionIds: string[]): Promise<PaymentMessage[]> =>
  ofPayment({ paymentId, transactionIds });

/** Composes a message. The link has a line of its own, which punctuation and writing direction cannot affect. */
export function composeMessage(message: LinkFacts & { channel: Channel; url: string }): MessageTexts {
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

const claim = statement<{ now: Date; limit: number }, DueMessage>(
  'messages-claim',
  `with due as (
     select id from messages where state = 'waiting' and due_at <= :now::timestamptz
      order by due_at limit :limit::int for update skip locked
   )
   update messages m set due_at = :now::timestamptz + interval '${leaseSeconds} seconds'
     from due where m.id = due.id
   returning ${columns}`,
);

/** Claims due messages, at most `limit`. */
export function claimDue(now: Date, limit: number): Promise<DueMessage[]> {
  return claim({ now, limit });
}

type AttemptParams = {
  id: string;
  state: 'sent' | 'waiting' | 'failed';
  next: Date | null;
  sentBy: SentBy | null;
  error: string | null;
  sentAt: Date | null;
  attempts: number;
  isOver: boolean;
};
const updateMessage = statement<AttemptParams>(
  'message-attempt',
  `update messages set state = :state::"MessageState", attempts = attempts + 1, due_at = :next::timestamptz,
          sent_by = :sentBy, error = :error, sent_at = :sentAt::timestamptz,
          text = case when payment_id is null and :isOver::boolean then '' else text end,
          url = case when payment_id is null and :isOver::boolean then '' else url end
    where id = :id and state = 'waiting' and attempts = :attempts`,
);

/** Records an attempt: sent, due again by the retry plan, or failed. */
export async function recordSendResult(message: DueMessage, result: SendResult, now: Date): Promise<void> {
  const sent = 'sentBy' in result;
  const seconds = sent || result.final ? undefined : retrySeconds[message.attempts + 1];
  const next = seconds === undefined ? null : new Date(now.getTime() + seconds * 1000);
  await updateMessage({
    id: message.id,
    state: sent ? 'sent' : next ? 'waiting' : 'failed',
    next,
    sentBy: sent ? result.sentBy : null,
    error: sent ? null : result.error,
    sentAt: sent ? now : null,
    attempts: message.attempts,
    isOver: next === null && !(sent && result.sentBy === 'outbox'),
  });
}

const latest = statement<{ limit: number }, ListedMessage>(
  'messages-latest',
  `select ${columns}, m.url, m.state::text as state, m.sent_by as "sentBy", m.error, m.created_at as "createdAt"
     from messages m order by m.created_at desc limit :limit::int`,
);

/** The latest messages, newest first. */
export function latestMessages(limit: number): Promise<ListedMessage[]> {
  return latest({ limit });
}
