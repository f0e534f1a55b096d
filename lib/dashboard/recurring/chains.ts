/** Recurring payments: the list and one page. The id of the initial payment identifies one, and may be in a URL. */
import { pick } from '../../core/pick.ts';
import { type PaymentRow, paymentColumns, toPayment } from '../../payments/index.ts';
import { cardExpiry } from '../../protocols/index.ts';
import { listSubscriptions } from '../../recurring/index.ts';
import type { PageContext } from '../guard.ts';
import { protocolNames } from '../labels.ts';
import { amount, created, merchant, order, payer, state, time } from '../lists/columns.ts';
import { days, states } from '../lists/filters.ts';
import { pageSize } from '../lists/query.ts';
import { findListed, resource } from '../lists/resource.ts';
import { cardLabel, factGroups, maskToken, payerName, paymentLine, paymentLines, visibleToken } from '../lists/rows.ts';
import { samples } from '../lists/samples.ts';
import { subscriptionRow } from './schedules.ts';

type ListedChain = PaymentRow & {
  token: string;
  firstTransId: string;
  merchantName: string;
  chainState: 'scheduled' | 'open' | 'stopped';
  begunAt: Date;
  stoppedAt: Date | null;
  /** Paid subsequent charges, and the time of the latest. */
  charges: number;
  lastChargeAt: Date | null;
  /** The schedule of its active subscription with the next charge; null without one. */
  schedule: { id: string; name: string; paused: boolean; dueAt: string } | null;
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
  (select json_build_object('id', s.id, 'name', s.name, 'paused', s.paused, 'dueAt', u.due_at)
     from subscriptions u join schedules s on s.id = u.schedule_id
    where u.chain_token = r.token and u.stopped_at is null order by u.due_at limit 1) as schedule`;

const source = { columns, from, at: 'r.created_at', id: 'r.payment_id', merchant: 'r.merchant_id' };

/** The list of recurring payments; the full recurring token finds one too. */
export const chains = resource({
  name: 'chains',
  title: 'Recurring payments',
  nouns: ['recurring payment', 'recurring payments'],
  search: 'Order, email, recurring_token',
  find: (search, add) => (/^[0-9a-f]{32,64}$/i.test(search) ? `r.token = ${add(search)}::text` : null),
  filters: [
    states({ scheduled: 'Scheduled', open: 'Open', stopped: 'Stopped' }, () => stateSql),
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
    { ...time, id: 'lastChargeAt', head: 'Last charge', width: 140, hideOnPhone: true, hideBelow: 'xl' },
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
  source,
  toRow: chainRow,
});

function chainRow(chain: ListedChain) {
  const { schedule } = chain;
  const first = toPayment(chain);
  return {
    ...paymentLine(first),
    ...pick(chain, 'charges', 'merchantName', 'lastChargeAt'),
    createdAt: chain.begunAt,
    masked: maskToken(chain.token),
    state: chain.chainState,
    card: cardLabel(first.card),
    payer: payerName(first),
    schedule: schedule && { ...schedule, dueAt: new Date(schedule.dueAt) },
    scheduleName: schedule?.name ?? null,
  };
}

/** The page of a recurring agreement. */
export async function chainPage(request: PageContext) {
  const chain = await findListed<ListedChain>('chain', source, request);
  const { token } = chain;
  const [later, subscriptions] = await Promise.all([
    paymentLines(request.query, ({ add, where }) =>
      where(`p.recurring_token = ${add(token)}::text and p.recurring_first_id is not null`),
    ),
    listSubscriptions({ chainToken: token }, { size: pageSize }),
  ]);
  const first = toPayment(chain);
  const { card, payer } = first;
  return {
    ...chainRow(chain),
    /** `recurring_token`, for users who may charge it. */
    token: visibleToken(request.viewer, token),
    ...pick(chain, 'firstTransId', 'stoppedAt'),
    later,
    description: first.description,
    first: paymentLine(first),
    subscriptions: subscriptions.rows.map(subscriptionRow),
    groups: factGroups({
      Payer: [
        ['Name', payer.name ?? card?.holder],
        ['Email', payer.email, { mail: true }],
      ],
      Card: [
        ['Number', card && `${card.first6} •••• ${card.last4}`],
        ['Expires', card && cardExpiry(card)],
      ],
      Processing: [
        ['Merchant', chain.merchantName],
        ['Channel', `${protocolNames[first.protocol]}, ${first.operation}`],
      ],
    }),
  };
}
