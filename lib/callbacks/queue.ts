/**
 * The queue of callbacks. The row is the job: it is due, claimed by moving its due time forward, and done when the
 * merchant's server has confirmed it. First attempts of a payment's callbacks are made in order, and a failed one
 * delays the later ones by a minute at most; payments, merchants and addresses do not wait for each other.
 */
import { isUuid, newId } from '../core/ids.ts';
import type { CardView, Payment } from '../core/payment.ts';
import type { NextAction, ProviderData } from '../core/provider-data.ts';
import { collected, type EntityRow, entity, rowSet, rowStep, statement } from '../db/index.ts';
import type { Callback } from '../prisma/client.ts';

/** A claimed callback. */
export type DueCallback = Pick<
  Callback,
  | ('id' | 'paymentId' | 'transactionId' | 'merchantId' | 'sequence' | 'outcome' | 'type' | 'orderState' | 'reason')
  | ('amountMinor' | 'attempts' | 'createdAt')
> & { url: string; address: string };

/**
 * The reported values that later attempts and responses may change, as of the insertion of the callback (by the
 * statement in lib/payments/transitions.ts). An empty object in rows of releases that did not freeze them: those report the current
 * values.
 */
export type CallbackSnapshot = {
  payment: Pick<
    Payment,
    | ('payer' | 'payee' | 'parameters' | 'method' | 'attemptId' | 'cardToken' | 'recurringToken' | 'firstRecurring')
    | ('digitalWallet' | 'panType')
  >;
  card: CardView | null;
  /** Of the reported transaction. */
  facts: ProviderData;
  action: NextAction | null;
  /** Of the attempt that a modification belongs to; null on the attempt itself. */
  attemptFacts: ProviderData | null;
};

/** The body of a first attempt as it is stored: form-encoded with an empty `hash`, and the SHA-256 of the body as sent. */
export type StoredBody = { unsignedBody: string; bodyDigest: Uint8Array };

/**
 * A callback with the source of its body: what its first attempt has stored, otherwise the frozen values. `body` is a signed
 * body: of a row that a release before 0.2.0 has written, or whose hash cannot be made again from its fields.
 */
export type QueuedCallback = DueCallback & {
  stored: StoredBody | null;
  body: string | null;
  snapshot: CallbackSnapshot | null;
};

type QueuedFields = DueCallback &
  Pick<Callback, 'unsignedBody' | 'bodyDigest' | 'body'> & { facts: CallbackSnapshot | { payment?: never } };

const queued = entity<QueuedFields>()(
  'c',
  `id, paymentId, transactionId, merchantId, sequence, outcome::text, type, orderState::text, reason, amountMinor, url,
  address, attempts, createdAt, unsignedBody, bodyDigest, body, facts`,
);

/** A callback's columns; expects the callback under the alias `c`. */
export const queuedColumns = queued.columns;

export type QueuedRow = EntityRow<QueuedFields, 'c'>;

/** A callback from a row of {@link queuedColumns}. */
export function toQueuedCallback(row: QueuedRow): QueuedCallback {
  const { facts, unsignedBody, bodyDigest, ...callback } = queued.read(row);
  const stored = unsignedBody !== null && bodyDigest !== null ? { unsignedBody, bodyDigest } : null;
  return { ...callback, stored, snapshot: facts.payment ? facts : null };
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

/** Concurrent posts of one process to one merchant's address: a slow shop delays only its own callbacks. */
export const maxPerReceiver = 50;

const hashStartLength = 8;

/** What is stored and shown of a hash: enough to compare it with a receiver's log, too little to send it. */
export const hashStart = (hash: string) => hash.slice(0, hashStartLength);

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
type ClaimParams = { now: Date; limit: number; perReceiver: number; busyReceivers: string[]; busyMerchants: string[] };
const claim = statement<ClaimParams, QueuedRow>(
  'callbacks-claim',
  `with recursive receivers(address, merchant_id) as (
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
           where a.merchant_id || ' ' || a.address <> all(:busyReceivers::text[]) and a.merchant_id <> all(:busyMerchants::uuid[])
             and (p.paused_until is null or p.paused_until <= :now::timestamptz)
             and not exists (select 1 from callback_holds h where h.merchant_id = a.merchant_id and h.address = a.address)
           order by random()) a
    cross join lateral (
      select c.id from callbacks c
       where c.address = a.address and c.merchant_id = a.merchant_id and c.due_at <= (select :now::timestamptz)
         and not exists (
           select 1 from (select e.state, e.refused_at from callbacks e
                           where e.payment_id = c.payment_id and e.sequence < c.sequence offset 0) e
            where e.state = 'waiting'
              and (e.refused_at is null
                   or least(e.refused_at, c.created_at) > :now::timestamptz - interval '${holdBackSeconds} seconds'))
       order by c.due_at limit :perReceiver::int
    ) d
   limit :limit::int
), locked as (
  select c.id from callbacks c
   where c.id = any(array(select id from due)) and c.state::text = 'waiting'
     and coalesce(c.due_at, 'infinity') <= :now::timestamptz
     for update of c skip locked
)
update callbacks c set due_at = :now::timestamptz + interval '${leaseSeconds} seconds', claimed_at = :now::timestamptz
  where c.id = any(array(select id from locked))
returning ${queuedColumns}`,
);

/** SQL condition that no attempt is in progress; an attempt of a dead process ends with its lease. */
export function idleSql(table: string, at: string): string {
  const over = `${at}::timestamptz - interval '${leaseSeconds} seconds'`;
  return `(${table}.state <> 'waiting' or ${table}.claimed_at is null or ${table}.claimed_at <= ${over})`;
}

/** The receivers ({@link receiverOf}) and merchants that a claim excludes. */
export type BusyReceivers = { receivers: string[]; merchants: string[] };

/** Claims due callbacks: at most `limit`, at most {@link maxPerReceiver} per receiver, none of the `busy` ones. */
export async function claimDue(now: Date, limit: number, busy: BusyReceivers): Promise<QueuedCallback[]> {
  const { receivers: busyReceivers, merchants: busyMerchants } = busy;
  const rows = await claim({ now, limit, perReceiver: maxPerReceiver, busyReceivers, busyMerchants });
  return rows.map(toQueuedCallback);
}

// The stored body of a first attempt, also if another process has written it meanwhile.
const keepFirst = `unsigned_body = coalesce(c.unsigned_body, i.unsigned_body), body_digest = coalesce(c.body_digest, i.body_digest)`;
const bodyColumns = 'c.unsigned_body as "unsignedBody", c.body_digest as "bodyDigest"';

const bodies = rowSet('i', 'id uuid, unsignedBody text, bodyDigest bytea');
const storeBodies = statement<{ i: string }, StoredBody & { id: string }>(
  'callback-body',
  `update callbacks c set ${keepFirst} from ${bodies.from} where c.id = i.id returning c.id, ${bodyColumns}`,
);
const storeBody = collected(
  async (items: readonly (StoredBody & { id: string })[]): Promise<StoredBody[]> => {
    const stored = new Map((await storeBodies({ i: bodies.encode(items) })).map((row) => [row.id, row]));
    return items.map((item) => stored.get(item.id) ?? item);
  },
  ({ id }) => id,
);

/**
 * Stores the body for a callback's first attempt and returns the stored one, which a concurrent process may have
 * written. It is written before the post, so that after a crash a repeat does not differ from what the receiver got.
 */
export async function saveBody(id: string, body: StoredBody): Promise<StoredBody> {
  return storeBody({ id, ...body });
}

const storeSigned = statement<{ id: string; body: string }, { body: string }>(
  'callback-body-signed',
  'update callbacks set body = coalesce(body, :body::text) where id = :id::uuid returning body',
);

/** As {@link saveBody}, for a body whose hash cannot be made again from its fields. */
export async function saveSignedBody(id: string, body: string): Promise<string> {
  const [stored] = await storeSigned({ id, body });
  return stored?.body ?? body;
}

const stripSignatures = statement<StoredBody & { id: string }, StoredBody>(
  'callback-strip',
  `with i as materialized (
     select :id::uuid as id, :unsignedBody::text as unsigned_body, :bodyDigest::bytea as body_digest
   ), a as (
     update callback_attempts a set signature = left(a.signature, ${hashStartLength})
       from i where a.callback_id = i.id and length(a.signature) > ${hashStartLength}
   )
   update callbacks c set ${keepFirst}, body = null from i where c.id = i.id returning ${bodyColumns}`,
);

/**
 * As {@link saveBody}, for a callback that a release before 0.2.0 has attempted: also removes the signed body, which that
 * release stored, and shortens the hashes of its attempts.
 */
export async function stripBody(id: string, body: StoredBody): Promise<StoredBody> {
  const [stored] = await stripSignatures({ id, ...body });
  return stored ?? body;
}

/** The result of one delivery attempt. */
export type DeliveryAttempt = {
  httpStatus?: number;
  error?: string;
  timedOut: boolean;
  durationMs: number;
  answer?: string;
  answerHeaders?: Record<string, string>;
  /** The hash in the sent body; its beginning is stored. */
  signature?: string;
  /** Whether the body was another one than that of the first attempt. */
  differs?: boolean;
};

const insertAttempts = rowStep(
  'callback-attempt',
  `state "CallbackState", next timestamptz, at timestamptz, attempts int, attemptId uuid, durationMs int, httpStatus int,
  error text, answer text, answerHeaders jsonb, signature text, differs bool`,
  (from) => `with i as materialized (select * from ${from}), c as (
     update callbacks set state = i.state, attempts = callbacks.attempts + 1, due_at = i.next, claimed_at = null,
            refused_at = case when i.state <> 'delivered' then coalesce(callbacks.refused_at, i.at) end,
            delivered_at = case when i.state = 'delivered' then i.at end
       from i
      where callbacks.id = i.id and callbacks.state = 'waiting' and callbacks.attempts = i.attempts
     returning callbacks.id
   )
   insert into callback_attempts (id, callback_id, at, duration_ms, http_status, error, answer, answer_headers, signature,
                                  differs)
   select i.attempt_id, c.id, i.at, i.duration_ms, i.http_status, i.error, i.answer, i.answer_headers, i.signature,
          i.differs
     from c join i on i.id = c.id
   returning callback_id as id`,
);
const insertAttempt = collected(insertAttempts<{ id: string }>, ({ id }) => id);

/** Records an attempt: delivered on any 2xx, otherwise due again by the plan, otherwise failed. */
export async function recordAttempt(callback: DueCallback, attempt: DeliveryAttempt, now: Date): Promise<void> {
  const { id, merchantId, address } = callback;
  const { httpStatus, error, answer, answerHeaders, timedOut, differs = false } = attempt;
  const delivered = httpStatus !== undefined && httpStatus >= 200 && httpStatus < 300;
  const next = delivered ? null : nextAttemptAt(callback.attempts + 1, now);
  const state = delivered ? 'delivered' : next ? 'waiting' : 'failed';
  const result = { state, next, at: now, attempts: callback.attempts, durationMs: Math.round(attempt.durationMs) };
  const signature = attempt.signature && hashStart(attempt.signature);
  const response = { httpStatus, error, answer, answerHeaders, signature, differs };
  await insertAttempt({ id, attemptId: newId(), ...result, ...response });
  if (timedOut) await countTimeout({ merchantId, address, now });
}

/** When the attempt after `made` attempts is due, with a jitter of 10 % to spread retries. */
export function nextAttemptAt(made: number, now: Date, random: () => number = Math.random): Date | null {
  const seconds = retrySeconds[made];
  if (seconds === undefined) return null;
  return new Date(now.getTime() + seconds * 1000 * (1 + (random() * 2 - 1) * 0.1));
}

/** Five timeouts within five minutes pause a receiver for fifteen; its rows wait and none is lost. */
const countTimeout = statement<{ merchantId: string; address: string; now: Date }>(
  'receiver-timeout',
  `insert into callback_pauses as p (address, timeouts, first_timeout, merchant_id)
   values (:address, 1, :now::timestamptz, :merchantId::uuid)
   on conflict (merchant_id, address) do update set
     timeouts = case when p.first_timeout > :now::timestamptz - interval '${timeoutWindowSeconds} seconds'
                     then p.timeouts + 1 else 1 end,
     first_timeout = case when p.first_timeout > :now::timestamptz - interval '${timeoutWindowSeconds} seconds'
                          then p.first_timeout else :now::timestamptz end,
     paused_until = case when p.timeouts + 1 >= ${timeoutsBeforePause}
                          and p.first_timeout > :now::timestamptz - interval '${timeoutWindowSeconds} seconds'
                         then :now::timestamptz + interval '${pauseSeconds} seconds'
                         else p.paused_until end`,
);

/** A callback with its attempts, for troubleshooting. */
export type CallbackHistory = Pick<
  Callback,
  'id' | 'transactionId' | 'sequence' | 'outcome' | 'type' | 'orderState' | 'state' | 'url' | 'dueAt' | 'createdAt'
> & { attempts: AttemptRecord[] };

/** One recorded delivery attempt. */
export type AttemptRecord = {
  at: Date;
  durationMs: number;
  httpStatus: number | null;
  error: string | null;
  answer: string | null;
  answerHeaders?: Record<string, string> | null;
  /** The beginning of the hash in the body, whole in rows of releases before 0.2.0; null if it was not stored. */
  signature?: string | null;
  /** Whether the body was another one than that of the first attempt. */
  differs?: boolean;
};

const callbackHistories = entity<Omit<CallbackHistory, 'attempts'>>()(
  'c',
  'id, transactionId, sequence, outcome::text, type, orderState::text, state::text, url, dueAt, createdAt',
);

const attemptRecords = entity<Required<AttemptRecord>>()(
  'a',
  'at, durationMs, httpStatus, error, answer, answerHeaders, signature, differs',
);

// A callback without attempts has one row, without the attempt's columns.
type HistoryRow = EntityRow<Omit<CallbackHistory, 'attempts'>, 'c'> & EntityRow<Required<AttemptRecord>, 'a'>;

/** The schedule has 13 attempts; users can add any number. */
const shownAttemptsMax = 20;

const historiesByPayment = statement<
  { paymentId: string; id: string | null; most: number },
  HistoryRow & { attemptId: string | null }
>(
  'callbacks-of',
  `select ${callbackHistories.columns}, a.id as "attemptId", ${attemptRecords.columns}
     from (select * from callbacks where payment_id = :paymentId and (:id::uuid is null or id = :id::uuid)
            order by sequence desc limit :most::int) c
     left join lateral (select * from callback_attempts where callback_id = c.id
                         order by at desc limit ${shownAttemptsMax}) a on true
    order by c.sequence, a.at`,
);

/** The callbacks of a payment, the latest `most` of them, oldest first, each with its latest attempts. */
export const callbacksOf = (paymentId: string, most: number): Promise<CallbackHistory[]> =>
  historiesOf({ paymentId, id: null, most });

/** One of a payment's callbacks with its latest attempts; undefined if there is none. */
export async function callbackOf(paymentId: string, id: string): Promise<CallbackHistory | undefined> {
  const [history] = await historiesOf({ paymentId, id, most: 1 });
  return history;
}

async function historiesOf(wanted: { paymentId: string; id: string | null; most: number }): Promise<CallbackHistory[]> {
  const histories = new Map<string, CallbackHistory>();
  for (const row of await historiesByPayment(wanted)) {
    const history = histories.get(row['c.id']) ?? { ...callbackHistories.read(row), attempts: [] };
    histories.set(history.id, history);
    if (row.attemptId !== null) history.attempts.push(attemptRecords.read(row));
  }
  return [...histories.values()];
}

/** What a user's request to resend is decided on. */
type FoundCallback = { paymentId: string; type: string; sequence: number; url: string | null };

const find = statement<{ id: string; merchantId: string | null }, FoundCallback>(
  'callback-find',
  `select payment_id as "paymentId", type, sequence, url from callbacks
    where id = :id::uuid and (:merchantId::uuid is null or merchant_id = :merchantId::uuid)`,
);

/** A callback; null if the merchant has no such callback. */
export async function findCallback(id: string, merchantId: string | null): Promise<FoundCallback | null> {
  const [found] = isUuid(id) ? await find({ id, merchantId }) : [];
  return found ?? null;
}

const resend = statement<{ ids: readonly string[]; now: Date }, { id: string }>(
  'callbacks-resend',
  `update callbacks set state = 'waiting', due_at = :now::timestamptz, refused_at = null
    where id = any(:ids::uuid[]) and url is not null and ${idleSql('callbacks', ':now')} returning id`,
);

/**
 * Makes callbacks due at once: the same messages and ids. Those being delivered are left to that attempt. Returns the number
 * of the others.
 */
export async function resendCallbacks(ids: readonly string[], now: Date): Promise<number> {
  return (await resend({ ids, now })).length;
}
