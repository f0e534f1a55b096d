/** What stands around one payment: the requests about it, the messages to its payer, its chain, its payer's other payments. */

import type { Payment } from '../core/payment';
import { query, queryOnce } from '../db';

/** A request of the merchant's server, without its bodies. */
export type PaymentRequest = {
  id: string;
  at: Date;
  action: string;
  path: string;
  httpStatus: number;
  errorCode: number | null;
  refusedAt: string | null;
  durationMs: number;
  address: string;
};

/** A link that was sent to the payer, or was to be. */
export type PaymentMessage = {
  id: string;
  channel: 'email' | 'sms';
  recipient: string;
  subject: string;
  state: 'waiting' | 'sent' | 'failed';
  error: string | null;
  createdAt: Date;
  sentAt: Date | null;
};

const requestsMax = 200;

/** The logged requests about a payment, oldest first; of very many the first. */
export async function requestsOf(paymentId: string): Promise<PaymentRequest[]> {
  return query<PaymentRequest>(
    'requests-of-payment',
    `select id, at, action, path, http_status as "httpStatus", error_code as "errorCode", refused_at as "refusedAt",
            duration_ms as "durationMs", address
       from api_requests where payment_id = $1 order by at, id limit ${requestsMax}`,
    [paymentId],
  );
}

/** The messages that transactions have sent. */
export async function messagesOf(transactionIds: string[]): Promise<PaymentMessage[]> {
  if (transactionIds.length === 0) return [];
  return query<PaymentMessage>(
    'messages-of-payment',
    `select id, channel::text, recipient, subject, state::text, error, created_at as "createdAt", sent_at as "sentAt"
       from messages where transaction_id = any($1::uuid[]) order by created_at, id`,
    [transactionIds],
  );
}

/** Other payments with the same card or under the same e-mail are counted up to this number. */
export const relatedMax = 100;

export type RelatedRecords = {
  /** The payment that the chain began with; null for a payment outside of chains. */
  chainId: string | null;
  /** Whether the card is kept under a token. */
  hasToken: boolean;
  withCard: number;
  withEmail: number;
};

/** The neighbours of a payment at its merchant. */
export async function findRelatedRecords(payment: Payment): Promise<RelatedRecords> {
  const { id, merchantId, recurringToken, card, payer } = payment;
  const [row] = await queryOnce<{ chain: string | null; token: boolean; card: bigint; email: bigint }>(
    `select (select payment_id from recurring_chains where token = $3::text and merchant_id = $2::uuid) as chain,
            exists (select 1 from card_tokens where merchant_id = $2::uuid and card_id = $4::uuid and removed_at is null)
              as token,
            (select count(distinct payment_id) from (
               select t.payment_id from transactions t join payments p on p.id = t.payment_id
                where t.card_id = $4::uuid and p.merchant_id = $2::uuid and t.payment_id <> $1::uuid
                limit ${2 * relatedMax}) o) as card,
            (select count(*) from (
               select 1 from payments p where p.merchant_id = $2::uuid and p.payer ? 'email'
                  and lower(p.payer ->> 'email') = lower($5::text) and p.id <> $1::uuid
                limit ${relatedMax}) o) as email`,
    [id, merchantId, recurringToken, card?.id ?? null, payer.email || null],
  );
  if (!row) throw new Error('a count without a row');
  return {
    chainId: row.chain,
    hasToken: row.token,
    withCard: Math.min(Number(row.card), relatedMax),
    withEmail: Number(row.email),
  };
}
