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

type PastRow = Pick<PastPayment, 'id' | 'orderNumber' | 'createdAt' | 'midId' | 'isBound'> &
  Pick<MidRequirements, 'operation' | 'authorizeOnly' | 'recurringInit' | 'currency' | 'amountMinor'> & {
    digitalWallet: string | null;
    parameters: Record<string, unknown>;
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
    `select p.id, p.order_number as "orderNumber", p.created_at as "createdAt", p.operation::text,
            p.authorize_only as "authorizeOnly", p.recurring_init as "recurringInit", p.currency,
            p.amount_minor as "amountMinor", p.digital_wallet as "digitalWallet", p.parameters,
            p.recurring_first_id is not null as "isBound", t.mid_id as "midId", t.method, t.status::text, k.first6
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

function toPast({ digitalWallet, first6, status, ...row }: PastRow, missingSets: CardSetId[]): PastPayment {
  const { id, orderNumber, createdAt, midId, isBound, parameters: _parameters, ...wanted } = row;
  const walletToken = row.method === 'applepay' || row.method === 'googlepay';
  return {
    ...{ id, orderNumber, createdAt, midId, isBound },
    wanted: {
      ...{ ...wanted, walletToken, missingSets, cardNumber: first6 ?? undefined },
      digitalWallet: walletToken ? null : digitalWallet,
    },
    approved: status === 'success' ? true : status === 'fail' ? false : null,
  };
}

/**
 * Counts the newest payments since `since`, at most `most`, by routing log reason, as `rule: Japan` or `priority`; a
 * payment with several attempts may count twice.
 */
export async function countDecisions({ merchantId, protocol, since }: Scope, most: number) {
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
