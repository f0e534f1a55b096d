/**
 * Related records of a payment: API requests, messages to the payer, the recurring chain, other payments of the payer.
 */
import type { Payment } from '../core/payment';
import { query, queryOnce } from '../db';

/** A request of the merchant's server, without bodies. */
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

/** A payment link sent, or waiting to be sent, to the payer. */
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

/** The first logged requests about a payment, oldest first. */
export async function requestsOf(paymentId: string): Promise<PaymentRequest[]> {
  return query<PaymentRequest>(
    'requests-of-payment',
    `select id, at, action, path, http_status as "httpStatus", error_code as "errorCode", refused_at as "refusedAt",
            duration_ms as "durationMs", address
       from api_requests where payment_id = $1 order by at, id limit ${requestsMax}`,
    [paymentId],
  );
}

/** The messages of some transactions. */
export async function messagesOf(transactionIds: string[]): Promise<PaymentMessage[]> {
  if (transactionIds.length === 0) return [];
  return query<PaymentMessage>(
    'messages-of-payment',
    `select id, channel::text, recipient, subject, state::text, error, created_at as "createdAt", sent_at as "sentAt"
       from messages where transaction_id = any($1::uuid[]) order by created_at, id`,
    [transactionIds],
  );
}

/** Limit of the counts of other payments with the same card or e-mail. */
export const relatedMax = 100;

export type RelatedRecords = {
  /** The initial payment of the recurring chain; null for a payment without one. */
  chainId: string | null;
  /** Whether the card has a card token. */
  hasToken: boolean;
  withCard: number;
  withEmail: number;
};

/** Finds the chain, the card token and other payments of the same payer at the merchant. */
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
