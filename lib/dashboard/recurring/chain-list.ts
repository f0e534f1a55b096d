/**
 * The list of recurring payments, and the agreement of one. A recurring agreement is identified by its initial payment,
 * whose id may be in a URL.
 */

import { isUuid } from '../../core/ids';
import { formatAmount } from '../../core/money';
import { query } from '../../db';
import { type PaymentRow, paymentColumns, toPayment } from '../../payments';
import { amount, created, merchant, order, payer, state } from '../lists/columns';
import type { ChainRow, ChainState } from '../lists/contract';
import { choices, days, optionsOf } from '../lists/filters';
import { resource } from '../lists/resource';
import { cardLabel, maskToken, payerName } from '../lists/rows';
import { samples } from '../lists/samples';
import { applySearch } from '../payments/search';

/** A recurring agreement with its initial payment, whose card is charged. */
export type ListedChain = PaymentRow & {
  token: string;
  firstTransId: string;
  merchantName: string;
  chainState: ChainState;
  begunAt: Date;
  stoppedAt: Date | null;
  /** Paid subsequent charges, and the time of the latest. */
  charges: number;
  lastChargeAt: Date | null;
  /** The schedule of its active subscription with the next charge; null without one. */
  schedule: { id: string; name: string; paused: boolean; due_at: string } | null;
};

// `scheduled`: charged by a schedule. `open`: can be charged by its merchant. `stopped`: can no longer be charged.
const stateSql = `case when r.stopped_at is not null then 'stopped'
  when exists (select 1 from subscriptions u where u.chain_token = r.token and u.stopped_at is null) then 'scheduled'
  else 'open' end`;

const from = `recurring_chains r join payments p on p.id = r.payment_id join merchants m on m.id = r.merchant_id
  left join cards k on k.id = p.card_id`;

const settledOf = `payments c where c.recurring_token = r.token and c.recurring_first_id is not null
  and c.settled_at is not null`;

const columns = `${paymentColumns}, r.token, r.first_trans_id as "firstTransId", r.created_at as "begunAt",
  r.stopped_at as "stoppedAt", m.name as "merchantName", ${stateSql} as "chainState",
  (select count(*)::int from ${settledOf}) as charges,
  (select max(c.settled_at) from ${settledOf}) as "lastChargeAt",
  (select json_build_object('id', s.id, 'name', s.name, 'paused', s.paused, 'due_at', u.due_at)
     from subscriptions u join schedules s on s.id = u.schedule_id
    where u.chain_token = r.token and u.stopped_at is null order by u.due_at limit 1) as schedule`;

export const chains = resource({
  name: 'chains',
  title: 'Recurring payments',
  nouns: ['recurring payment', 'recurring payments'],
  search: 'Order, email, recurring_token',
  async find(search, builder, merchantId) {
    if (!/^[0-9a-f]{32,64}$/i.test(search)) return applySearch(builder, { search, merchantId });
    builder.where(`r.token = ${builder.add(search)}::text`);
    return true;
  },
  filters: [
    choices(
      'state',
      'State',
      optionsOf({ scheduled: 'Scheduled', open: 'Open', stopped: 'Stopped' }),
      (values, add) => `${stateSql} = any(${add(values)}::text[])`,
    ),
    days('Started', 'begun'),
  ],
  views: [
    ['Scheduled', 'state=scheduled'],
    ['Charged by merchant', 'state=open'],
  ],
  columns: [
    ...[amount, state(), { ...order, head: 'Initial order' }],
    { id: 'card', head: 'Card', kind: 'method' },
    payer,
    { id: 'scheduleName', head: 'Schedule', hideOnPhone: true, hideBelow: 'lg' },
    { id: 'charges', head: 'Charges', align: 'end', width: 80, hideOnPhone: true },
    {
      id: 'lastChargeAt',
      head: 'Last charge',
      kind: 'time',
      align: 'end',
      width: 140,
      hideOnPhone: true,
      hideBelow: 'xl',
    },
    ...[merchant, created('Started')],
  ],
  href: '/dashboard/chains/{id}',
  rowName: 'Recurring payment of {orderNumber}',
  empty: {
    title: 'No recurring payments yet',
    texts: [
      'A recurring payment is an initial payment with `recurring_init` and every subsequent charge of the same card.',
    ],
    steps: [
      'A payment requests recurring charges',
      'It settles, and its callback contains recurring_token',
      'Your server or a schedule charges the card again',
    ],
    sample: ['Create a recurring payment', samples.chain],
  },
  source: { columns, from, at: 'r.created_at', id: 'r.payment_id', merchant: 'r.merchant_id' },
  toRow: chainRow,
});

/** A recurring agreement in the list. */
export function chainRow(chain: ListedChain): ChainRow {
  const { token, schedule, charges, lastChargeAt, begunAt, merchantName } = chain;
  const first = toPayment(chain);
  return {
    id: first.id,
    masked: maskToken(token),
    amount: formatAmount(first.amountMinor, first.currency),
    currency: first.currency,
    state: chain.chainState,
    orderNumber: first.orderNumber,
    card: cardLabel(first.card),
    payer: payerName(first),
    charges,
    lastChargeAt: lastChargeAt?.toISOString() ?? null,
    schedule: schedule && {
      ...{ id: schedule.id, name: schedule.name, paused: schedule.paused },
      dueAt: new Date(schedule.due_at).toISOString(),
    },
    scheduleName: schedule?.name ?? null,
    merchantName,
    createdAt: begunAt.toISOString(),
  };
}

/** The recurring agreement of an initial payment; with `merchantId` only that merchant's. */
export async function findChain(firstPaymentId: string, merchantId: string | null): Promise<ListedChain | null> {
  if (!isUuid(firstPaymentId)) return null;
  const [row] = await query<ListedChain>(
    'chain-listed',
    `select ${columns} from ${from} where r.payment_id = $1 and ($2::uuid is null or r.merchant_id = $2::uuid)`,
    [firstPaymentId, merchantId],
  );
  return row ?? null;
}
