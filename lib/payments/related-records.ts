/** Related records of a payment: API requests, the recurring chain, the payer's others. */
import type { Payment } from '../core/payment.ts';
import { statement, unprepared } from '../db/index.ts';
import type { ApiRequest } from '../prisma/client.ts';

/** A request of the merchant's server, without bodies. */
export type PaymentRequest = Pick<
  ApiRequest,
  'id' | 'at' | 'action' | 'path' | 'httpStatus' | 'errorCode' | 'refusedAt' | 'durationMs' | 'address'
>;

/** Limit of each kind of record in the history of a payment, so that no payer or server can make a page of any size. */
export const historyMax = 200;

const requestsByPayment = statement<{ paymentId: string }, PaymentRequest>(
  'requests-of-payment',
  `select id, at, action, path, http_status as "httpStatus", error_code as "errorCode", refused_at as "refusedAt",
          duration_ms as "durationMs", address
     from api_requests where payment_id = :paymentId order by at, id limit ${historyMax}`,
);

/** The first logged requests about a payment, oldest first. */
export async function requestsOf(paymentId: string): Promise<PaymentRequest[]> {
  return requestsByPayment({ paymentId });
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

type RelatedParams = {
  paymentId: string;
  merchantId: string;
  recurringToken: string | null;
  cardId: string | null;
  email: string | null;
};
const relatedOf = unprepared<RelatedParams, { chain: string | null; token: boolean; card: bigint; email: bigint }>(
  `select (select payment_id from recurring_chains where token = :recurringToken::text and merchant_id = :merchantId::uuid)
            as chain,
          exists (select 1 from card_tokens
                   where merchant_id = :merchantId::uuid and card_id = :cardId::uuid and removed_at is null) as token,
          (select count(distinct payment_id) from (
             select t.payment_id from transactions t join payments p on p.id = t.payment_id
              where t.card_id = :cardId::uuid and p.merchant_id = :merchantId::uuid and t.payment_id <> :paymentId::uuid
              limit ${2 * relatedMax}) o) as card,
          (select count(*) from (
             select 1 from payments p where p.merchant_id = :merchantId::uuid and p.payer ? 'email'
                and lower(p.payer ->> 'email') = lower(:email::text) and p.id <> :paymentId::uuid
              limit ${relatedMax}) o) as email`,
);

/** Finds the chain, the card token and other payments of the same payer at the merchant. */
export async function findRelatedRecords(payment: Payment): Promise<RelatedRecords> {
  const { id, merchantId, recurringToken, card, payer } = payment;
  const email = payer.email || null;
  const [row] = await relatedOf({ paymentId: id, merchantId, recurringToken, cardId: card?.id ?? null, email });
  if (!row) throw new Error('a count without a row');
  return {
    chainId: row.chain,
    hasToken: row.token,
    withCard: Math.min(Number(row.card), relatedMax),
    withEmail: Number(row.email),
  };
}
