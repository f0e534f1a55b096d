/**
 * The queue of callbacks. The row is the job: it is due, claimed by moving its due time forward, and done when the
 * merchant's server has confirmed it. First attempts of a payment's callbacks are made in order, and a failed one
 * delays the later ones by a minute at most; payments, merchants and addresses do not wait for each other.
 */

import { isUuid, newId } from '../core/ids';
import type { CardView, Payment } from '../core/payment';
import type { NextAction, ProviderData } from '../core/provider-data';
import type { State } from '../core/states';
import { query } from '../db';

/** A claimed callback. */
export type DueCallback = {
  id: string;
  paymentId: string;
  transactionId: string;
  merchantId: string;
  sequence: number;
  outcome: 'success' | 'fail' | 'waiting' | 'undefined';
  type: string;
  orderState: State;
  reason: string | null;
  amountMinor: bigint;
  url: string;
  address: string;
  attempts: number;
  createdAt: Date;
};

/**
 * The reported values that later attempts and responses may change, as of the insertion of the callback (by the
 * statement in advance.ts). An empty object in rows of releases that did not freeze them: those report the current
 * values.
 */
export type CallbackSnapshot = {
  payment: Pick<
    Payment,
    | 'payer'
    | 'payee'
    | 'parameters'
    | 'method'
    | 'attemptId'
    | 'cardToken'
    | 'recurringToken'
    | 'firstRecurring'
    | 'digitalWallet'
    | 'panType'
  >;
  card: CardView | null;
  /** Of the reported transaction. */
  facts: ProviderData;
  action: NextAction | null;
  /** Of the attempt that a modification belongs to; null on the attempt itself. */
  attemptFacts: ProviderData | null;
};

/** A callback with the source of its body: the body of its first attempt, otherwise the frozen values. */
export type QueuedCallback = DueCallback & { body: string | null; snapshot: CallbackSnapshot | null };

/** A callback from a database row. */
export function toQueuedCallback(row: { [column: string]: unknown }): QueuedCallback {
  const frozen = row.facts as Partial<CallbackSnapshot>;
  return {
    id: row.id as string,
    paymentId: row.payment_id as string,
    transactionId: row.transaction_id as string,
    merchantId: row.merchant_id as string,
    sequence: row.sequence as number,
    outcome: row.outcome as DueCallback['outcome'],
    type: row.type as string,
    orderState: row.order_state as State,
    reason: row.reason as string | null,
    amountMinor: row.amount_minor as bigint,
    url: row.url as string,
    address: row.address as string,
    attempts: row.attempts as number,
    createdAt: row.created_at as Date,
    body: row.body as string | null,
    snapshot: frozen.payment ? (frozen as CallbackSnapshot) : null,
  };
}

/** Seconds between attempts (protocol.md 7): about three days in total. */
export const retrySeconds = [0, 5, 30, 120, 600, 1800, 3600, 7200, 18_000, 36_000, 36_000, 72_000, 86_400];
/** Longer than one delivery, so that no other process claims it meanwhile. */
const leaseSeconds = 40;
/** How long a failed callback delays the later ones of its payment, and how long one waits for failed ones. */
const holdBackSeconds = 60;
const timeoutsBeforePause = 5;
const timeoutWindowSeconds = 5 * 60;
const pauseSeconds = 15 * 60;

/**
 * Concurrent posts of one process to one receiver, which is a merchant's address. A slow shop delays only its own
 * callbacks, not those of other merchants on the same platform.
 */
export const maxPerReceiver = 50;

/** The key of a callback's receiver. */
export const receiverOf = ({ merchantId, address }: Pick<DueCallback, 'merchantId' | 'address'>) =>
  `${merchantId} ${address}`;

// Every receiver with waiting rows gets its own share of a claim, in random order, so that long queues do not hide the
// rest; receivers at their limit in this process get none.
//
// The table's statistics do not know what is due: usually nothing waits, and a planner that relies on that reads the
// whole queue for each receiver and row. Each part therefore allows only one index: the queue has its own, over rows
// with a due time, and its conditions match no other index; a time from a subselect, a subselect with `offset 0` and a
// default for a column with a value exclude the others.
//
// An older callback of the payment delays a later one until its own first attempt. A failed one delays it for a minute
// from that attempt, but never for more than a minute from the insertion of the later one: three failed ones delay a
// fourth no longer than one does.
const claimSql = `
with recursive receivers(address, merchant_id) as (
  (select address, merchant_id from callbacks where due_at is not null order by address, merchant_id limit 1)
  union all
  select n.address, n.merchant_id
    from receivers a
    cross join lateral (
      select c.address, c.merchant_id from callbacks c
       where c.due_at is not null and (c.address, c.merchant_id) > (a.address, a.merchant_id)
       order by c.address, c.merchant_id limit 1
    ) n
), due as materialized (
  select d.id
    from (select a.address, a.merchant_id
            from receivers a
            left join callback_pauses p on p.merchant_id = a.merchant_id and p.address = a.address
           where a.merchant_id || ' ' || a.address <> all($4::text[]) and a.merchant_id <> all($5::uuid[])
             and (p.paused_until is null or p.paused_until <= $1::timestamptz)
             and not exists (select 1 from callback_holds h where h.merchant_id = a.merchant_id and h.address = a.address)
           order by random()) a
    cross join lateral (
      select c.id from callbacks c
       where c.address = a.address and c.merchant_id = a.merchant_id and c.due_at <= (select $1::timestamptz)
         and not exists (
           select 1 from (select e.state, e.refused_at from callbacks e
                           where e.payment_id = c.payment_id and e.sequence < c.sequence offset 0) e
            where e.state = 'waiting'
              and (e.refused_at is null
                   or least(e.refused_at, c.created_at) > $1::timestamptz - interval '${holdBackSeconds} seconds'))
       order by c.due_at limit $3::int
    ) d
   limit $2::int
), locked as (
  select c.id from callbacks c
   where c.id = any(array(select id from due)) and c.state::text = 'waiting'
     and coalesce(c.due_at, 'infinity') <= $1::timestamptz
     for update of c skip locked
)
update callbacks c set due_at = $1::timestamptz + interval '${leaseSeconds} seconds', claimed_at = $1::timestamptz
  where c.id = any(array(select id from locked))
returning c.id, c.payment_id, c.transaction_id, c.merchant_id, c.sequence, c.outcome::text, c.type,
          c.order_state::text, c.reason, c.amount_minor, c.url, c.address, c.attempts, c.created_at, c.body, c.facts`;

/**
 * SQL condition that no attempt is in progress: a callback that is being delivered is left to that attempt, and one of
 * a dead process is free again when its lease ends.
 */
export function idleSql(table: string, at: string): string {
  const over = `${at}::timestamptz - interval '${leaseSeconds} seconds'`;
  return `(${table}.state <> 'waiting' or ${table}.claimed_at is null or ${table}.claimed_at <= ${over})`;
}

/** The receivers ({@link receiverOf}) and merchants that a claim excludes. */
export type BusyReceivers = { receivers: string[]; merchants: string[] };

/** Claims due callbacks: at most `limit`, at most {@link maxPerReceiver} per receiver, none of the `busy` ones. */
export async function claimDue(now: Date, limit: number, busy: BusyReceivers): Promise<QueuedCallback[]> {
  type Row = { [column: string]: unknown };
  const values = [now, limit, maxPerReceiver, busy.receivers, busy.merchants];
  const rows = await query<Row>('callbacks-claim', claimSql, values);
  return rows.map(toQueuedCallback);
}

/**
 * Stores the body for a callback's first attempt and returns the stored one, which a concurrent process may have
 * written. It is written before the post, so that after a crash a repeat does not differ from what the receiver got.
 */
export async function saveBody(id: string, body: string): Promise<string> {
  const [stored] = await query<{ body: string }>(
    'callback-body',
    'update callbacks set body = coalesce(body, $2::text) where id = $1 returning body',
    [id, body],
  );
  return stored?.body ?? body;
}

/** The result of one delivery attempt. */
export type DeliveryAttempt = {
  httpStatus?: number;
  error?: string;
  timedOut: boolean;
  durationMs: number;
  answer?: string;
  answerHeaders?: Record<string, string>;
  /** The hash in the sent body. */
  signature?: string;
};

/** Records an attempt: delivered on any 2xx, otherwise due again by the plan, otherwise failed. */
export async function recordAttempt(callback: DueCallback, attempt: DeliveryAttempt, now: Date): Promise<void> {
  const delivered = attempt.httpStatus !== undefined && attempt.httpStatus >= 200 && attempt.httpStatus < 300;
  const next = delivered ? null : nextAttemptAt(callback.attempts + 1, now);
  const state = delivered ? 'delivered' : next ? 'waiting' : 'failed';
  await query(
    'callback-attempt',
    `with c as (
       update callbacks set state = $2::"CallbackState", attempts = attempts + 1, due_at = $3::timestamptz, claimed_at = null,
              refused_at = case when $2::"CallbackState" <> 'delivered' then coalesce(refused_at, $4::timestamptz) end,
              delivered_at = case when $2::"CallbackState" = 'delivered' then $4::timestamptz end
        where id = $1 and state = 'waiting' and attempts = $5
       returning id
     )
     insert into callback_attempts (id, callback_id, at, duration_ms, http_status, error, answer, answer_headers, signature)
     select $6::uuid, c.id, $4::timestamptz, $7, $8, $9, $10, $11::jsonb, $12 from c`,
    [
      callback.id,
      state,
      next,
      now,
      callback.attempts,
      newId(),
      Math.round(attempt.durationMs),
      attempt.httpStatus ?? null,
      attempt.error ?? null,
      attempt.answer ?? null,
      attempt.answerHeaders ? JSON.stringify(attempt.answerHeaders) : null,
      attempt.signature ?? null,
    ],
  );
  if (attempt.timedOut) await countTimeout(callback, now);
}

/** When the attempt after `made` attempts is due, with a jitter of 10 % to spread retries. */
export function nextAttemptAt(made: number, now: Date, random: () => number = Math.random): Date | null {
  const seconds = retrySeconds[made];
  if (seconds === undefined) return null;
  return new Date(now.getTime() + seconds * 1000 * (1 + (random() * 2 - 1) * 0.1));
}

/** Five timeouts within five minutes pause a receiver for fifteen; its rows wait and none is lost. */
async function countTimeout({ merchantId, address }: DueCallback, now: Date): Promise<void> {
  await query(
    'receiver-timeout',
    `insert into callback_pauses as p (address, timeouts, first_timeout, merchant_id) values ($1, 1, $2::timestamptz, $3::uuid)
     on conflict (merchant_id, address) do update set
       timeouts = case when p.first_timeout > $2::timestamptz - interval '${timeoutWindowSeconds} seconds'
                       then p.timeouts + 1 else 1 end,
       first_timeout = case when p.first_timeout > $2::timestamptz - interval '${timeoutWindowSeconds} seconds'
                            then p.first_timeout else $2::timestamptz end,
       paused_until = case when p.timeouts + 1 >= ${timeoutsBeforePause}
                            and p.first_timeout > $2::timestamptz - interval '${timeoutWindowSeconds} seconds'
                           then $2::timestamptz + interval '${pauseSeconds} seconds'
                           else p.paused_until end`,
    [address, now, merchantId],
  );
}

/** The result of sending a callback again; null if the merchant has no such callback. */
export type ResendResult = {
  paymentId: string;
  type: string;
  sequence: number;
  state: 'queued' | 'on its way' | 'no address';
};

/**
 * Makes a callback due at once, independent of its earlier result: the same message with the same id. One that is being
 * delivered is left to that attempt. With `merchantId` only that merchant's.
 */
export async function resendCallback(
  callbackId: string,
  merchantId: string | null,
  now: Date,
): Promise<ResendResult | null> {
  if (!isUuid(callbackId)) return null;
  type Row = { payment_id: string; type: string; sequence: number; url: string | null; queued: boolean };
  const [row] = await query<Row>(
    'callback-resend',
    `with q as (
       update callbacks set state = 'waiting', due_at = $3::timestamptz, refused_at = null
        where id = $1::uuid and ($2::uuid is null or merchant_id = $2::uuid) and url is not null
          and ${idleSql('callbacks', '$3')}
       returning id
     )
     select payment_id, type, sequence, url, exists (select 1 from q) as queued from callbacks
      where id = $1::uuid and ($2::uuid is null or merchant_id = $2::uuid)`,
    [callbackId, merchantId, now],
  );
  if (!row) return null;
  const { payment_id: paymentId, type, sequence } = row;
  return { paymentId, type, sequence, state: row.queued ? 'queued' : row.url === null ? 'no address' : 'on its way' };
}

/** A callback with its attempts, for troubleshooting. */
export type CallbackHistory = {
  id: string;
  transactionId: string;
  sequence: number;
  outcome: string;
  type: string;
  orderState: State;
  state: 'waiting' | 'delivered' | 'failed' | 'undelivered';
  url: string | null;
  dueAt: Date | null;
  createdAt: Date;
  attempts: AttemptRecord[];
};

/** One recorded delivery attempt. */
export type AttemptRecord = {
  at: Date;
  durationMs: number;
  httpStatus: number | null;
  error: string | null;
  answer: string | null;
  answerHeaders?: Record<string, string> | null;
  /** The hash in the body; null for attempts of releases that did not store it. */
  signature?: string | null;
};

/** The callbacks of a payment, oldest first, each with its attempts. */
export async function callbacksOf(paymentId: string): Promise<CallbackHistory[]> {
  type Row = { [column: string]: unknown };
  const rows = await query<Row>(
    'callbacks-of',
    `select c.id, c.transaction_id, c.sequence, c.outcome::text, c.type, c.order_state::text, c.state::text, c.url, c.due_at, c.created_at,
            a.at, a.duration_ms, a.http_status, a.error, a.answer, a.answer_headers, a.signature
       from callbacks c left join callback_attempts a on a.callback_id = c.id
      where c.payment_id = $1 order by c.sequence, a.at`,
    [paymentId],
  );
  const histories = new Map<string, CallbackHistory>();
  for (const row of rows) {
    const history = histories.get(row.id as string) ?? historyOf(row);
    histories.set(history.id, history);
    if (row.at) {
      history.attempts.push({
        at: row.at as Date,
        durationMs: row.duration_ms as number,
        httpStatus: row.http_status as number | null,
        error: row.error as string | null,
        answer: row.answer as string | null,
        answerHeaders: row.answer_headers as Record<string, string> | null,
        signature: row.signature as string | null,
      });
    }
  }
  return [...histories.values()];
}

function historyOf(row: { [column: string]: unknown }): CallbackHistory {
  return {
    id: row.id as string,
    transactionId: row.transaction_id as string,
    sequence: row.sequence as number,
    outcome: row.outcome as string,
    type: row.type as string,
    orderState: row.order_state as State,
    state: row.state as CallbackHistory['state'],
    url: row.url as string | null,
    dueAt: row.due_at as Date | null,
    createdAt: row.created_at as Date,
    attempts: [],
  };
}
