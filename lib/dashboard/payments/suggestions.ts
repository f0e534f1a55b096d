/** The newest objects of a merchant that a request can reference, as examples for forms. */

import type { Protocol } from '../../core/payment';
import type { State } from '../../core/states';
import { query } from '../../db';

export type Suggestions = {
  paymentId: string | null;
  transId: string | null;
  orderNumber: string | null;
  recurringToken: string | null;
  recurringFirst: string | null;
  cardToken: string | null;
  scheduleId: string | null;
};

/** The newest payment of a protocol in one of the states (any if empty), recurring token, card token and schedule. */
export async function suggestionsFor(merchantId: string, protocol: Protocol, states: State[]): Promise<Suggestions> {
  const [row] = await query<{ [column: string]: string | null }>(
    'suggestions',
    `select p.id, p.attempt_id, p.order_number, c.recurring_token, c.attempt_id as first, k.token, s.id as schedule_id
       from (select 1) one
       left join lateral (select id, attempt_id, order_number from payments where merchant_id = $1::uuid
              and protocol = $2::"Protocol" and attempt_id is not null
              and (cardinality($3::"PaymentState"[]) = 0 or state = any($3::"PaymentState"[]))
              order by created_at desc, id desc limit 1) p on true
       left join lateral (select recurring_token, attempt_id from payments where merchant_id = $1::uuid
              and recurring_token is not null and recurring_first_id is null and state = 'settled'
              order by created_at desc, id desc limit 1) c on true
       left join lateral (select token from card_tokens where merchant_id = $1::uuid and removed_at is null order by created_at desc limit 1) k on true
       left join lateral (select id from schedules where merchant_id = $1::uuid and deleted_at is null order by created_at desc limit 1) s on true`,
    [merchantId, protocol, states],
  );
  return {
    paymentId: row?.id ?? null,
    transId: row?.attempt_id ?? null,
    orderNumber: row?.order_number ?? null,
    recurringToken: row?.recurring_token ?? null,
    recurringFirst: row?.first ?? null,
    cardToken: row?.token ?? null,
    scheduleId: row?.schedule_id ?? null,
  };
}
