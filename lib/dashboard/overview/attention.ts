/** Alerts. Their counts use small partial indexes and end at a hundred, because the sidebar has them on every page. */
import { attemptKindsSql, statement, unprepared } from '../../db/index.ts';
import { moneyText } from '../labels.ts';

/** The maximum count: a hundred means that or more. */
const countMax = 100;
const dayHours = 24;
/** How long a failed callback raises an alert. */
const failedDays = 7;
/** How long a chargeback counts as new. */
export const newChargebackDays = 7;
/** An outcome that is unknown for longer raises an alert. */
export const unknownMinutes = 30;
const expiringHours = 48;
const recentHours = 2;
const usualDays = 7;
const addressesMax = 3;
const midsMax = 3;

/** Alerts of `merchantId` or, with null, of all merchants. */
type Values = { merchantId: string | null; now: Date };

const ofMerchant = (column: string) => `(:merchantId::uuid is null or ${column} = :merchantId::uuid)`;
const ago = (hours: number) => `:now::timestamptz - interval '${hours} hours'`;

const lateSql = `c.state in ('waiting', 'failed') and ${ofMerchant('c.merchant_id')} and
  ((c.state = 'waiting' and c.attempts > 0) or (c.state = 'failed' and c.created_at > ${ago(failedDays * dayHours)}))`;

/** Late callbacks, payments without a known outcome, new chargebacks, and open unresolved items. */
type Attention = { callbacks: number; payments: number; chargebacks: number; unresolved: number };

const count = (from: string) => `(select count(*)::int from (select 1 from ${from} limit ${countMax}) found)`;
const transactions = `transactions t join payments p on p.id = t.payment_id and ${ofMerchant('p.merchant_id')}`;

const countAlerts = statement<Values, Attention>(
  'attention-counts',
  `select ${count(`callbacks c where ${lateSql}`)} as callbacks,
          ${count(`${transactions} where t.due_at is not null and t.status in ('sent', 'unknown')
                     and t.created_at < ${ago(unknownMinutes / 60)}`)} as payments,
          ${count(`${transactions} where t.kind = 'chargeback'
                     and t.created_at > ${ago(newChargebackDays * dayHours)}`)} as chargebacks,
          ${count(`unresolved u where u.closed_at is null and ${ofMerchant('u.merchant_id')}`)} as unresolved`,
);

/** Counts the alerts of `merchantId` or, with null, of all merchants. Up to 100 each. */
export async function actionCounts(merchantId: string | null, now: Date): Promise<Attention> {
  const [row] = await countAlerts({ merchantId, now });
  return row ?? { callbacks: 0, payments: 0, chargebacks: 0, unresolved: 0 };
}

/** Callbacks to one address that wait after a failed attempt, or failed recently. */
type LateAddress = {
  address: string;
  waiting: number;
  failed: number;
  /** The last answer: an HTTP status, or the error that prevented one. */
  lastAnswer: string | null;
};

const lateAddresses = unprepared<Values, LateAddress>(
  `with late as (
     select c.id, c.address, c.state from callbacks c
      where ${lateSql} and c.address is not null order by c.created_at desc limit 1000
   )
   select l.address, (count(*) filter (where l.state = 'waiting'))::int as waiting,
          (count(*) filter (where l.state = 'failed'))::int as failed,
          (select coalesce(a.http_status::text, a.error) from callback_attempts a
            where a.callback_id = any(array_agg(l.id)) order by a.at desc limit 1) as "lastAnswer"
     from late l group by l.address order by count(*) desc, l.address limit ${addressesMax}`,
);

/** Authorisations of one currency that expire soon and are not captured yet. */
type ExpiringAuthorisations = { currency: string; holds: number; amountMinor: bigint };

const expiringAuthorisations = unprepared<Values, ExpiringAuthorisations>(
  `select t.currency, count(*)::int as holds, sum(t.amount_minor)::bigint as "amountMinor"
     from transactions t join payments p on p.id = t.payment_id
    where t.due_at is not null and t.due_at < :now::timestamptz + interval '${expiringHours} hours'
      and t.kind = 'authorize' and t.status = 'success' and p.state = 'pending' and ${ofMerchant('p.merchant_id')}
    group by t.currency order by holds desc, t.currency`,
);

/** A MID with an approval rate below its usual one. Rates are shares from 0 to 1. */
type DecliningMid = Record<'id' | 'name' | 'merchantName', string> &
  Record<'rate' | 'usual' | 'attempts' | 'technical', number>;

/** MIDs whose approval rate of the last two hours is ten points or more below that of the week before. */
const decliningMids = unprepared<Values, DecliningMid>(
  `with ended as (
     select t.mid_id, t.created_at >= ${ago(recentHours)} as recent, t.status = 'success' as approved,
            t.decline_class = 'technical' as technical
       from transactions t
      where t.mid_id in (select m.id from mids m where ${ofMerchant('m.merchant_id')})
        and t.created_at >= ${ago(usualDays * dayHours)} and t.status in ('success', 'fail')
        and t.kind in ${attemptKindsSql('credit', 'transfer')}
   ), rated as (
     select e.mid_id, count(*) filter (where e.recent) as attempts,
            count(*) filter (where e.recent and e.technical) as technical,
            avg(e.approved::int) filter (where e.recent) as rate,
            avg(e.approved::int) filter (where not e.recent) as usual,
            count(*) filter (where not e.recent) as before
       from ended e group by e.mid_id
   )
   select m.id, m.name, h.name as "merchantName", r.rate::float8 as rate, r.usual::float8 as usual,
          r.attempts::int as attempts, r.technical::int as technical
     from rated r join mids m on m.id = r.mid_id join merchants h on h.id = m.merchant_id
    where r.attempts >= 20 and r.before >= 100 and r.usual - r.rate >= 0.1
    order by r.usual - r.rate desc, m.name limit ${midsMax}`,
);

type BrokenDay = { day: string; findings: number };

// The check is of the whole database, and not of a merchant.
const brokenLedgerDay = statement<object, BrokenDay>(
  'attention-ledger',
  `select day::text as day, findings from (select * from ledger_days order by day desc limit 1) d where findings > 0`,
);

/** An alert; `strong` is the beginning of the sentence. */
export type AttentionItem = {
  kind: 'mid' | 'callbacks' | 'unknown' | 'unresolved' | 'chargebacks' | 'holds' | 'certificate' | 'ledger';
  strong: string;
  rest: string;
  href: string;
  action: string;
};

/** The alerts of `scope`, the most urgent first. */
export async function findAttention(scope: string | null, now: Date) {
  const values = { merchantId: scope, now };
  const [ledger, mids, addresses, holds, counts] = await Promise.all([
    scope === null ? brokenLedgerDay({}) : [],
    decliningMids(values),
    lateAddresses(values),
    expiringAuthorisations(values),
    actionCounts(scope, now),
  ]);
  const items = [
    ...ledger.map(ledgerItem),
    ...mids.map((mid) => midItem(mid, scope === null)),
    ...addresses.map(callbackItem),
    ...countItems(counts),
    ...holds.map(authorisationItem),
  ];
  const sum = (name: 'waiting' | 'failed') => addresses.reduce((total, address) => total + address[name], 0);
  const worst = mids[0] ? { id: mids[0].id, name: mids[0].name } : null;
  return { items, worst, callbacks: { waiting: sum('waiting'), givenUp: sum('failed') } };
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
const many = (count: number, [one, more]: [string, string]) =>
  `${count >= 100 ? '100 or more' : count} ${count === 1 ? one : more}`;

function midItem(mid: DecliningMid, isOne: boolean): AttentionItem {
  const { id, name, merchantName, rate, usual, attempts, technical } = mid;
  const points = ((usual - rate) * 100).toFixed(1);
  const whose = isOne ? ` of ${merchantName}` : '';
  const why = technical > 0 ? ` ${technical} of ${attempts} attempts failed for technical reasons.` : '';
  return {
    kind: 'mid',
    strong: `${name}${whose} approves ${percent(rate)}`,
    rest: ` in the last two hours, ${points} points below its usual rate.${why}`,
    href: `/dashboard/payments?state=decline&mid=${id}`,
    action: 'View payments',
  };
}

function ledgerItem({ day, findings }: BrokenDay): AttentionItem {
  return {
    kind: 'ledger',
    strong: `The check of the ledger of ${day} has ${findings} ${findings === 1 ? 'finding' : 'findings'}`,
    rest: '. Amounts or states of payments contradict each other. The command “florin ledger check” lists them.',
    href: '/dashboard/audit-log?what=ledger.close',
    action: 'View the audit log',
  };
}

/** The host of the address, which is enough to identify the receiver. */
function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

function callbackItem({ address, waiting, failed, lastAnswer }: LateAddress): AttentionItem {
  const callbacks = (count: number) => `${many(count, ['callback', 'callbacks'])} to ${hostOf(address)}`;
  const open = waiting > 0 && `${callbacks(waiting)} ${waiting === 1 ? 'is waiting' : 'are waiting'}`;
  const lost = failed > 0 && (open ? `${failed} failed` : `${callbacks(failed)} failed`);
  const answered =
    lastAnswer && /^\d+$/.test(lastAnswer) ? ` The address answered ${lastAnswer}.` : ' The address did not answer.';
  return {
    kind: 'callbacks',
    strong: [open, lost].filter(Boolean).join(', '),
    rest: `.${answered}`,
    href: `/dashboard/callbacks?state=waiting,failed&host=${encodeURIComponent(hostOf(address))}`,
    action: 'View callbacks',
  };
}

function countItems({ payments, chargebacks, unresolved }: Attention): AttentionItem[] {
  const items: (AttentionItem & { count: number })[] = [
    {
      count: unresolved,
      kind: 'unresolved',
      strong: `${many(unresolved, ['payment differs', 'payments differ'])} from what the provider reports`,
      rest: '. Money may have moved that the payment does not account for.',
      href: '/dashboard/unresolved?state=open',
      action: 'View unresolved items',
    },
    {
      count: payments,
      kind: 'unknown',
      strong: `The outcome of ${many(payments, ['payment', 'payments'])} is unknown`,
      rest: ` for more than ${unknownMinutes} minutes. Florin keeps polling the provider.`,
      href: '/dashboard/payments?attention=yes',
      action: 'View payments',
    },
    {
      count: chargebacks,
      kind: 'chargebacks',
      strong: many(chargebacks, ['new chargeback', 'new chargebacks']),
      rest: ` in the last ${newChargebackDays} days.`,
      href: '/dashboard/chargebacks',
      action: 'View chargebacks',
    },
  ];
  return items.flatMap(({ count, ...item }) => (count > 0 ? [item] : []));
}

function authorisationItem({ currency, holds, amountMinor }: ExpiringAuthorisations): AttentionItem {
  return {
    kind: 'holds',
    strong: `${many(holds, ['authorisation', 'authorisations'])} of ${moneyText(amountMinor, currency)} ${holds === 1 ? 'expires' : 'expire'}`,
    rest: ` within ${expiringHours} hours unless captured.`,
    href: `/dashboard/payments?state=pending&currency=${currency}`,
    action: 'View payments',
  };
}
