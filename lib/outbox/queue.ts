/**
 * The queue of messages to payers and dashboard users. The row is the job: it is claimed by moving its due time
 * forward, and done when a mail server or a gateway has accepted the message. The only writer of the table `messages`.
 * Texts and links are sealed: a link gives its reader access to an account or a payment.
 */
import { newId } from '../core/ids.ts';
import { findLocale, type LocaleCode } from '../core/locales.ts';
import type { Money } from '../core/money.ts';
import { rowSet, statement } from '../db/index.ts';
import { translationsOf } from '../http/index.ts';
import type { Message } from '../prisma/client.ts';
import { SealError, seal, unseal } from '../vault/index.ts';

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

/** An e-mail to a dashboard user with a link. `id`: of a letter that is sent once, even if it is queued again. */
export type NewEmail = { id?: string; to: string; subject: string; text: string; url: string; expiresAt: Date };

/** A claimed message. */
export type DueMessage = Pick<Message, 'id' | 'paymentId' | 'channel' | 'subject' | 'expiresAt' | 'attempts'> & {
  to: string;
};

/** The text of a message, with the address of its link. */
type Content = { text: string; url: string };

/** A message with its text. */
export type Composed<Listed extends DueMessage = DueMessage> = Listed & Content;

/** A message in the sandbox's outbox. */
export type ListedMessage = Composed<DueMessage & Pick<Message, 'state' | 'sentBy' | 'error' | 'createdAt'>>;

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

// A text is bound to the message's id and recipient, so that it is sent to no other address.
const sealContent = (id: string, to: string, { text, url }: Content): Promise<Buffer> =>
  seal(JSON.stringify({ text, url }), 'message', { id, owner: to });

type Stored<Listed extends DueMessage> = Composed<Listed> & { sealed: Uint8Array | null };

/** Decrypts the text of a stored message; null if the text was altered or moved. Releases before 0.2 sealed none. */
export async function openMessage<Listed extends DueMessage>(
  message: Stored<Listed>,
): Promise<Composed<Listed> | null> {
  const { id, to, sealed } = message;
  if (!sealed) return message;
  try {
    return { ...message, ...JSON.parse(await unseal(sealed, 'message', { id, owner: to })) };
  } catch (err) {
    if (err instanceof SealError) return null;
    throw err;
  }
}

type Kind = 'receipt' | 'link';

// The ids of a payment's messages of a kind follow from it, so that the primary key limits their number.
const slotsOf = (kind: Kind) => `
    select n, left(encode(sha256(convert_to('${kind} ' || n || ' ' || :paymentId, 'UTF8')), 'hex'), 32)::uuid as id
      from generate_series(1, ${messagesMax}) n`;

/** A place for a message of a payment; without one in it, recipient and state are null. */
type Slot = { n: number; id: string; recipient: string | null; state: string | null };

const slotStatement = (kind: Kind) =>
  statement<{ paymentId: string }, Slot>(
    `message-slots-${kind}`,
    `with slots as (${slotsOf(kind)})
     select n, id, recipient, state::text as state from slots left join messages using (id) order by n`,
  );
const linkSlots = slotStatement('link');
const receiptSlots = slotStatement('receipt');

const isFree = ({ recipient }: Slot) => recipient === null;

const messages = rowSet(
  'queued',
  `id uuid, paymentId uuid, transactionId uuid, channel "MessageChannel", recipient text, subject text, sealed bytea,
  state "MessageState", error text, sendAt timestamptz, expiresAt timestamptz, createdAt timestamptz`,
);

const insertMessage = statement<{ queued: string }, { id: string }>(
  'message-queue',
  `insert into messages (id, payment_id, transaction_id, channel, recipient, subject, sealed, state, error, send_at,
                         expires_at, created_at)
   select * from ${messages.from} on conflict do nothing returning id`,
);

type Letter = MessageTexts & { id: string; channel: Channel; to: string; url: string } & Partial<
    Pick<Message, 'paymentId' | 'transactionId' | 'expiresAt'>
  >;

/** Stores a message, due immediately; false if its id or transaction has one. */
async function insert({ to: recipient, ...letter }: Letter, now: Date): Promise<boolean> {
  const { paymentId, transactionId, expiresAt } = letter;
  const result =
    recipient === ''
      ? { state: 'failed', error: 'no address of the payer', sealed: null, sendAt: null }
      : { state: 'waiting', error: null, sealed: await sealContent(letter.id, recipient, letter), sendAt: now };
  const row = { ...letter, ...result, recipient, paymentId, transactionId, expiresAt, createdAt: now };
  const rows = await insertMessage({ queued: messages.encode([row]) });
  return rows.length > 0;
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

/**
 * Stores a message, due immediately: at most three of a payment. Repeated calls for the same attempt have no effect, so
 * callers may process a provider's response twice. False if it would be the fourth.
 */
export async function queueMessage(message: NewMessage, now: Date): Promise<boolean> {
  const { paymentId, transactionId, channel, url } = message;
  const texts = 'text' in message ? message : composeMessage(message);
  const expiresAt = message.expiresAt ? new Date(message.expiresAt) : null;
  const to = (message.to ?? '').trim();
  // Where another request has just taken the place, the next one is tried.
  for (;;) {
    if ((await recipientOf(transactionId)) !== undefined) return true;
    const place = (await linkSlots({ paymentId })).find(isFree);
    if (!place) return false;
    const { subject, text } = texts;
    const letter = { id: place.id, paymentId, transactionId, channel, to, subject, text, url, expiresAt };
    if (await insert(letter, now)) return true;
  }
}

/** Whether a payment has all the messages that {@link queueMessage} stores for it. */
export async function hasAllMessages(paymentId: string): Promise<boolean> {
  const slots = await linkSlots({ paymentId });
  return !slots.some(isFree);
}

/** Stores an e-mail to a dashboard user, due immediately. */
export async function queueEmail(email: NewEmail, now: Date): Promise<void> {
  await insert({ ...email, id: email.id ?? newId(), channel: 'email' }, now);
}

/** A payer's receipt; its text is complete. */
export type NewReceipt = { paymentId: string; to: string; subject: string; text: string; url: string };

const sendAgain = statement<{ id: string; to: string; subject: string; sealed: Uint8Array; now: Date }, { id: string }>(
  'receipt-again',
  `update messages set state = 'waiting', error = null, attempts = 0, send_at = :now::timestamptz, subject = :subject,
                       sealed = :sealed, text = '', url = ''
    where id = :id::uuid and recipient = :to and state = 'failed' returning id`,
);

/**
 * Stores a receipt, due immediately: one per address, at most three of a payment; one that failed is sent again. Returns
 * its number, 1 to 3; null if it would be the fourth. Where another request has just taken the place, it is tried again.
 */
export async function queueReceipt(receipt: NewReceipt, now: Date): Promise<number | null> {
  const { paymentId, to, subject } = receipt;
  for (;;) {
    const slots = await receiptSlots({ paymentId });
    const stored = slots.find(({ recipient }) => recipient === to);
    const place = stored ?? slots.find(isFree);
    if (!place) return null;
    const { id, n } = place;
    if (!stored) {
      if (await insert({ ...receipt, id, channel: 'email' }, now)) return n;
      continue;
    }
    if (stored.state === 'failed') {
      await sendAgain({ id, to, subject, sealed: await sealContent(id, to, receipt), now });
    }
    return n;
  }
}

/** The address that a payment's receipt of this number was sent to. */
export async function receiptAddress(paymentId: string, slot: number): Promise<string | undefined> {
  const slots = await receiptSlots({ paymentId });
  return slots.find(({ n }) => n === slot)?.recipient ?? undefined;
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

const columns = `m.id, m.payment_id as "paymentId", m.channel::text as channel, m.recipient as "to", m.subject, m.sealed,
  m.text, m.url, m.expires_at as "expiresAt", m.attempts`;

// A process of a release before 0.2 does not see what has no due_at.
const claim = statement<{ now: Date; limit: number }, Stored<DueMessage>>(
  'messages-claim',
  `with due as (
     select id from messages where state = 'waiting' and (send_at <= :now::timestamptz or due_at <= :now::timestamptz)
      order by coalesce(send_at, due_at) limit :limit::int for update skip locked
   )
   update messages m set send_at = :now::timestamptz + interval '${leaseSeconds} seconds', due_at = null
     from due where m.id = due.id
   returning ${columns}`,
);

/** Claims due messages, at most `limit`. */
export function claimDue(now: Date, limit: number): Promise<Stored<DueMessage>[]> {
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
  `update messages set state = :state::"MessageState", attempts = attempts + 1, send_at = :next::timestamptz,
          sent_by = :sentBy, error = :error, sent_at = :sentAt::timestamptz,
          sealed = case when :isOver::boolean then null else sealed end,
          text = case when :isOver::boolean then '' else text end, url = case when :isOver::boolean then '' else url end
    where id = :id and state = 'waiting' and attempts = :attempts`,
);

/** Records an attempt: sent, due again by the retry plan, or failed. After the last one the text is removed. */
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

const latest = statement<{ limit: number }, Stored<ListedMessage>>(
  'messages-latest',
  `select ${columns}, m.state::text as state, m.sent_by as "sentBy", m.error, m.created_at as "createdAt"
     from messages m order by m.created_at desc limit :limit::int`,
);

/** The latest messages, newest first; without a text where it was removed or altered. */
export async function latestMessages(limit: number): Promise<ListedMessage[]> {
  const rows = await latest({ limit });
  return Promise.all(rows.map(async (row) => (await openMessage(row)) ?? { ...row, text: '', url: '' }));
}
