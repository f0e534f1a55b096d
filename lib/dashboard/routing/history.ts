/**
 * Past payments with the inputs of routing, and the rules that decided them. Only the first six digits of a card number
 * are known; no card is decrypted for this.
 */

import type { Protocol } from '../../core/payment';
import { attemptKindsSql, query } from '../../db';
import type { Mapping, Mid } from '../../merchants';
import type { CardSetId } from '../../methods/card-sets';
import { type MidRequirements, missingParameterSets } from '../../routing';

/** One past payment: its routing inputs, and the MID of its first attempt. */
export type PastPayment = {
  id: string;
  orderNumber: string;
  createdAt: Date;
  wanted: MidRequirements & { method: string; cardNumber?: string };
  midId: string;
  /** The outcome of the first attempt; null while it is open. */
  approved: boolean | null;
  /** A subsequent recurring charge, which stays with the MID of the initial payment whatever the rules say. */
  isBound: boolean;
};

type Scope = { merchantId: string; protocol: Protocol; since: Date };

type PastRow = {
  id: string;
  order_number: string;
  created_at: Date;
  operation: MidRequirements['operation'];
  authorize_only: boolean;
  recurring_init: boolean;
  currency: string;
  amount_minor: bigint;
  digital_wallet: string | null;
  is_bound: boolean;
  parameters: Record<string, unknown>;
  mid_id: string;
  method: string;
  status: string;
  first6: string | null;
};

/** The newest attempted payments since `since`, at most `most`, newest first. */
export async function pastPayments(
  { merchantId, protocol, since }: Scope,
  { mids, mapping }: { mids: Mid[]; mapping: Pick<Mapping, 'protocol' | 'rules'> },
  most: number,
): Promise<PastPayment[]> {
  const rows = await query<PastRow>(
    'routing-past',
    `select p.id, p.order_number, p.created_at, p.operation::text, p.authorize_only, p.recurring_init, p.currency,
            p.amount_minor, p.digital_wallet, p.recurring_first_id is not null as is_bound, p.parameters,
            t.mid_id, t.method, t.status::text, k.first6
       from (select * from payments
              where merchant_id = $1::uuid and protocol = $2::"Protocol" and created_at >= $3::timestamptz
                and attempts > 0
              order by created_at desc, id desc limit $4::int) p
       join lateral (select * from transactions
                      where payment_id = p.id
                        and kind in ${attemptKindsSql()}
                      order by created_at, id limit 1) t on true
       left join cards k on k.id = t.card_id
      order by p.created_at desc, p.id desc`,
    [merchantId, protocol, since, most],
  );
  const matches: PastPayment[] = [];
  for (const row of rows) {
    const lacking = await missingParameterSets({ mids, mapping }, row, row.method);
    matches.push(toPast(row, lacking));
  }
  return matches;
}

function toPast(row: PastRow, lacking: CardSetId[]): PastPayment {
  const walletToken = row.method === 'applepay' || row.method === 'googlepay';
  const { operation, currency, method, status } = row;
  return {
    id: row.id,
    orderNumber: row.order_number,
    createdAt: row.created_at,
    wanted: {
      operation,
      currency,
      method,
      authorizeOnly: row.authorize_only,
      recurringInit: row.recurring_init,
      amountMinor: row.amount_minor,
      digitalWallet: walletToken ? null : row.digital_wallet,
      walletToken,
      missingSets: lacking,
      cardNumber: row.first6 ?? undefined,
    },
    midId: row.mid_id,
    approved: status === 'success' ? true : status === 'fail' ? false : null,
    isBound: row.is_bound,
  };
}

/** The number of payments by routing log reason, as `rule: Japan` or `priority`, and their total. */
export type DecisionCounts = { payments: number; by: Map<string, number> };

/** Counts the newest payments since `since`, at most `most`; a payment with several attempts may count twice. */
export async function countDecisions({ merchantId, protocol, since }: Scope, most: number): Promise<DecisionCounts> {
  type Row = { why: string | null; payments: number };
  const rows = await query<Row>(
    'routing-decided',
    `with past as (select id, trace from payments
                    where merchant_id = $1::uuid and protocol = $2::"Protocol" and created_at >= $3::timestamptz
                      and attempts > 0
                    order by created_at desc, id desc limit $4::int)
     select step ->> 'why' as why, count(distinct past.id)::int as payments
       from past, jsonb_array_elements(past.trace) step where (step ->> 'taken')::boolean group by 1
      union all select null, count(*)::int from past`,
    [merchantId, protocol, since, most],
  );
  const by = new Map(rows.flatMap(({ why, payments }) => (why === null ? [] : [[why, payments] as const])));
  return { payments: rows.find(({ why }) => why === null)?.payments ?? 0, by };
}
