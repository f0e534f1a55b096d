/**
 * The request log: written after the response, many rows at a time, without anything waiting for it. All queues are
 * bounded, so that a slow database costs log rows and not payments: rows over the limit are dropped and counted.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { env } from '../config/index.ts';
import { newId } from '../core/ids.ts';
import { networkOf, type RateLimits } from '../core/rate-limits.ts';
import { rowSet, statement } from '../db/index.ts';
import type { ApiRequest } from '../prisma/client.ts';
import { log } from '../telemetry/index.ts';

/** One row of the log. Its texts are already scrubbed. */
export type RequestRow = Omit<ApiRequest, 'id'> & {
  /** The attempt in the response; it identifies the payment if the request does not. */
  transactionId: string | null;
  /** A session was created: its payment is the order's newest. */
  opened: boolean;
};

const pauseMilliseconds = 300;
const rowsPerInsert = 100;
/** The maximum of waiting rows, and of the bytes of their received bodies. */
const waitingMax = { rows: 5_000, bytes: 16 * 1024 * 1024 };
const reportSeconds = 60;
/** How long rows are created without yielding to other work. */
const busyMilliseconds = 10;

type Waiting = { bytes: number; row: () => RequestRow };

const waiting: Waiting[] = [];
let waitingBytes = 0;
let dropped = 0;
let reportedAt = 0;
let timer: NodeJS.Timeout | null = null;
let writing: Promise<void> | null = null;

let minuteOfRows = 0;
const rowsOfMinute = new Map<string, number>();

/**
 * Queues a request that anyone can send, unless there are too many of them in this minute, without `RATE_LIMITS=off`.
 * `merchantId`: the merchant that the request names, null for an unknown one.
 */
export function queueUnsignedRow(
  { merchantId, address }: { merchantId: string | null; address: string },
  bytes: number,
  row: () => RequestRow,
): void {
  if (env.rateLimits && !isWithinMinute(env.rateLimits, merchantId, networkOf(address))) drop(1);
  else queueRequestRow(bytes, row);
}

/** Counts a request that anyone can send; false if it is one too many of its merchant, or of its address there, in this minute. */
export function isWithinMinute(
  limits: RateLimits,
  merchantId: string | null,
  address: string,
  minute = Math.floor(performance.now() / 60_000),
): boolean {
  if (minute !== minuteOfRows) {
    minuteOfRows = minute;
    rowsOfMinute.clear();
  }
  const [ofMerchant, ofAddress] = [`${merchantId}`, `${merchantId} ${address}`];
  const counted = (key: string) => rowsOfMinute.get(key) ?? 0;
  if (counted(ofMerchant) >= limits['unsigned_log.merchant']) return false;
  if (counted(ofAddress) >= limits['unsigned_log.address']) return false;
  for (const key of [ofMerchant, ofAddress]) rowsOfMinute.set(key, counted(key) + 1);
  return true;
}

/** Queues a request. `row` is called later; `bytes` is the memory that its body uses meanwhile. */
export function queueRequestRow(bytes: number, row: () => RequestRow): void {
  if (env.requestLogDays === 0) return;
  if (waiting.length >= waitingMax.rows || waitingBytes + bytes > waitingMax.bytes) {
    drop(1);
    return;
  }
  waiting.push({ bytes, row });
  waitingBytes += bytes;
  if (waiting.length >= rowsPerInsert) write();
  else timer ??= setTimeout(write, pauseMilliseconds).unref();
}

/** Writes the waiting rows; resolves when they are written or lost. */
export async function flushRequests(): Promise<void> {
  while (waiting.length > 0 || writing) {
    write();
    await writing;
  }
}

// One statement at a time: the log never uses more than one connection.
function write(): void {
  if (timer) clearTimeout(timer);
  timer = null;
  if (writing || waiting.length === 0) return;
  const batch = waiting.splice(0, rowsPerInsert);
  for (const { bytes } of batch) waitingBytes -= bytes;
  writing = insert(batch).finally(() => {
    writing = null;
    if (waiting.length >= rowsPerInsert) write();
    else if (waiting.length > 0) timer ??= setTimeout(write, pauseMilliseconds).unref();
  });
}

async function insert(batch: Waiting[]): Promise<void> {
  try {
    const rows = await rowsOf(batch);
    await insertRequests({ requests: requests.encode(rows.map((row) => ({ ...row, id: newId() }))) });
  } catch (err) {
    log.debug({ err }, 'requests were not logged');
    drop(batch.length);
  }
}

// Scrubbing a large body takes time: yield between rows so that no payment waits for a whole batch.
async function rowsOf(batch: Waiting[]): Promise<RequestRow[]> {
  const rows: RequestRow[] = [];
  let since = performance.now();
  for (const { row } of batch) {
    try {
      rows.push(row());
    } catch (err) {
      log.debug({ err }, 'a request was not logged');
      drop(1);
    }
    if (performance.now() - since < busyMilliseconds) continue;
    await nextTurn();
    since = performance.now();
  }
  return rows;
}

function drop(rows: number): void {
  dropped += rows;
  const now = performance.now();
  if (reportedAt !== 0 && now - reportedAt < reportSeconds * 1000) return;
  reportedAt = now;
  log.warn({ dropped }, 'requests are missing from the request log');
  dropped = 0;
}

const requests = rowSet(
  'requests',
  `id uuid, at timestamptz, merchantId uuid, protocol "Protocol", action text, path text, httpStatus int,
  errorCode int, orderNumber text, paymentId uuid, transactionId uuid, opened bool, durationMs int, address text,
  mediaType text, userAgent text, request text, response text, refusedAt text`,
);

// If the request does not name its payment, it is looked up, but only for the merchant of a successful request.
const insertRequests = statement<{ requests: string }>(
  'requests-insert',
  `insert into api_requests (id, at, merchant_id, protocol, action, path, http_status, error_code, order_number, payment_id,
                          duration_ms, address, media_type, user_agent, request, response, refused_at)
select r.id, r.at, r.merchant_id, r.protocol, r.action, r.path, r.http_status, r.error_code, r.order_number,
       coalesce(r.payment_id, t.payment_id, o.id), r.duration_ms, r.address, r.media_type, r.user_agent, r.request,
       r.response, r.refused_at
  from (select * from ${requests.from}) r
  left join lateral (
    select t.payment_id from transactions t join payments p on p.id = t.payment_id
     where r.payment_id is null and t.id = r.transaction_id and p.merchant_id = r.merchant_id
  ) t on true
  left join lateral (
    select p.id from payments p
     where r.payment_id is null and r.opened and p.merchant_id = r.merchant_id and p.order_number = r.order_number
     order by p.created_at desc limit 1
  ) o on true`,
);

const deleteBatchRows = 2_000;
const cleanupIntervalMilliseconds = 60_000;
let cleanedAt = 0;

const deleteOlder = statement<{ until: Date }>(
  'requests-forget',
  `delete from api_requests where id in (
     select id from api_requests where at < :until order by at limit ${deleteBatchRows} for update skip locked
   ) returning id`,
);

/** Deletes rows that are older than the configured days; returns their number. */
export async function deleteOldRequests(now: Date): Promise<number> {
  if (Math.abs(now.getTime() - cleanedAt) < cleanupIntervalMilliseconds) return 0;
  const until = new Date(now.getTime() - env.requestLogDays * 86_400_000);
  const rows = await deleteOlder({ until });
  // After a full batch more rows may remain.
  if (rows.length < deleteBatchRows) cleanedAt = now.getTime();
  return rows.length;
}
