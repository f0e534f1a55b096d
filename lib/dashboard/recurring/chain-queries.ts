/**
 * Statements of recurring payments for lists and pages. A recurring agreement is identified by its initial payment,
 * whose id may be in a URL.
 */

import { isUuid } from '../../core/ids';
import type { Payment } from '../../core/payment';
import { fetchPage, newSqlBuilder, type Paged, type PageRequest, query } from '../../db';
import { type PaymentRow, paymentColumns, toPayment } from '../../payments';
import { applySearch } from '../payments/search';

/** `scheduled`: charged by a schedule. `open`: can be charged by its merchant. `stopped`: can no longer be charged. */
export const chainStates = ['scheduled', 'open', 'stopped'] as const;
export type ChainState = (typeof chainStates)[number];

export type ChainFilter = {
  merchantId: string | null;
  search: string;
  /** Empty means any. */
  states: ChainState[];
  from: Date | null;
  until: Date | null;
};

export type ListedChain = {
  token: string;
  firstTransId: string;
  /** The initial payment, with the charged card. */
  first: Payment;
  merchantName: string;
  state: ChainState;
  createdAt: Date;
  stoppedAt: Date | null;
  /** Paid subsequent charges, and the time of the latest. */
  charges: number;
  lastChargeAt: Date | null;
  /** The schedule of its active subscription with the next charge; null without one. */
  schedule: { id: string; name: string; paused: boolean; dueAt: Date } | null;
};

type Row = PaymentRow & {
  chain_token: string;
  first_trans_id: string;
  merchant_name: string;
  chain_state: ChainState;
  chain_created_at: Date;
  stopped_at: Date | null;
  charges: number;
  last_charge_at: Date | null;
  schedule: { id: string; name: string; paused: boolean; due_at: string } | null;
};

const stateSql = `case when r.stopped_at is not null then 'stopped'
  when exists (select 1 from subscriptions u where u.chain_token = r.token and u.stopped_at is null) then 'scheduled'
  else 'open' end`;

const from = `recurring_chains r join payments p on p.id = r.payment_id join merchants m on m.id = r.merchant_id
  left join cards k on k.id = p.card_id`;

const settledOf = `payments c where c.recurring_token = r.token and c.recurring_first_id is not null
  and c.settled_at is not null`;

const columns = `${paymentColumns}, r.token as chain_token, r.first_trans_id, r.created_at as chain_created_at,
  r.stopped_at, m.name as merchant_name, ${stateSql} as chain_state,
  (select count(*)::int from ${settledOf}) as charges, (select max(c.settled_at) from ${settledOf}) as last_charge_at,
  (select json_build_object('id', s.id, 'name', s.name, 'paused', s.paused, 'due_at', u.due_at)
     from subscriptions u join schedules s on s.id = u.schedule_id
    where u.chain_token = r.token and u.stopped_at is null order by u.due_at limit 1) as schedule`;

/** A page of recurring agreements, newest first; the cursor uses the ids of their initial payments. */
export async function listChains(filter: ChainFilter, page: PageRequest): Promise<Paged<ListedChain>> {
  const builder = newSqlBuilder();
  const { add, where } = builder;
  if (filter.merchantId !== null) where(`r.merchant_id = ${add(filter.merchantId)}::uuid`);
  if (filter.states.length > 0) where(`${stateSql} = any(${add(filter.states)}::text[])`);
  if (filter.from) where(`r.created_at >= ${add(filter.from)}::timestamptz`);
  if (filter.until) where(`r.created_at < ${add(filter.until)}::timestamptz`);
  const search = filter.search.trim();
  if (/^[0-9a-f]{32,64}$/i.test(search)) where(`r.token = ${add(search)}::text`);
  else if (!(await applySearch(builder, filter))) return { rows: [], more: false };
  const list = { columns, from, at: 'r.created_at', id: 'r.payment_id' };
  const { rows, more } = await fetchPage<Row>(list, builder, page);
  return { rows: rows.map(toListed), more };
}

/** The recurring agreement of an initial payment; with `merchantId` only that merchant's. */
export async function findListedChain(firstPaymentId: string, merchantId: string | null): Promise<ListedChain | null> {
  if (!isUuid(firstPaymentId)) return null;
  const [row] = await query<Row>(
    'chain-listed',
    `select ${columns} from ${from} where r.payment_id = $1 and ($2::uuid is null or r.merchant_id = $2::uuid)`,
    [firstPaymentId, merchantId],
  );
  return row ? toListed(row) : null;
}

function toListed(row: Row): ListedChain {
  const schedule = row.schedule;
  return {
    token: row.chain_token,
    firstTransId: row.first_trans_id,
    first: toPayment(row),
    merchantName: row.merchant_name,
    state: row.chain_state,
    createdAt: row.chain_created_at,
    stoppedAt: row.stopped_at,
    charges: row.charges,
    lastChargeAt: row.last_charge_at,
    schedule: schedule && {
      id: schedule.id,
      name: schedule.name,
      paused: schedule.paused,
      dueAt: new Date(schedule.due_at),
    },
  };
}

/** A page of the subsequent charges, newest first. */
export async function chargesOfChain(token: string, page: PageRequest): Promise<Paged<Payment>> {
  const builder = newSqlBuilder();
  builder.where(`p.recurring_token = ${builder.add(token)}::text and p.recurring_first_id is not null`);
  const list = {
    columns: paymentColumns,
    from: 'payments p left join cards k on k.id = p.card_id',
    at: 'p.created_at',
    id: 'p.id',
  };
  const { rows, more } = await fetchPage<PaymentRow>(list, builder, page);
  return { rows: rows.map(toPayment), more };
}
