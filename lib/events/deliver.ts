/**
 * Delivery of security events: every entry of the audit log goes to every sink in order and at least once. A sink has a row
 * with its last accepted entry; a process leases the row while it sends, and moves it on when the batch is accepted. A
 * process that ends in between leaves the row as it was, and the next one sends the batch again.
 */
import { randomUUID } from 'node:crypto';
import { auditRecordsAfter } from '../auth/index.ts';
import { statement } from '../db/index.ts';
import { newConcurrencyLimiter, roundMilliseconds } from '../jobs/index.ts';
import { log } from '../telemetry/index.ts';
import { toOcsf } from './ocsf.ts';
import { configuredSinks, type Sink } from './sinks.ts';

const batchMax = 100;
/** Receivers of HTTP often refuse bodies over a megabyte. */
const bytesMax = 512 * 1024;
/** Longer than any attempt. */
const leaseSeconds = 60;
const retrySecondsMax = 300;
const limiter = newConcurrencyLimiter('security events', 10, { sink: 1 });

// A new sink begins with the entries from now on.
const createSink = statement<{ sink: string; now: Date }>(
  'event-sink-create',
  `insert into event_sinks (sink, last_id, due_at)
   select :sink, coalesce(max(id), 0), :now::timestamptz from audit_entries
   on conflict do nothing`,
);

type Claim = { sink: string; lastId: bigint; failures: number };
const claimSinks = statement<{ sinks: string[]; lease: string; now: Date }, Claim>(
  'event-sinks-claim',
  `update event_sinks set lease = :lease::uuid, leased_until = :now::timestamptz + interval '${leaseSeconds} seconds'
    where sink = any(:sinks::text[]) and due_at <= :now::timestamptz
      and (leased_until is null or leased_until <= :now::timestamptz)
      and last_id < (select max(id) from audit_entries)
   returning sink, last_id as "lastId", failures`,
);

type Outcome = { sink: string; lease: string; lastId: bigint | null; error: string | null; dueAt: Date | null };
const recordOutcome = statement<Outcome>(
  'event-sink-outcome',
  `update event_sinks set lease = null, leased_until = null, due_at = coalesce(:dueAt::timestamptz, due_at), error = :error,
          last_id = coalesce(:lastId::bigint, last_id), failures = case when :error::text is null then 0 else failures + 1 end
    where sink = :sink and lease = :lease::uuid`,
);

const created = new Set<string>();

/** Sends waiting entries to the sinks that are due; returns their number. A slow sink continues in the background. */
export async function deliverEvents(now: Date, patience = roundMilliseconds): Promise<number> {
  const busy = limiter.busy('sink');
  const sinks = new Map(configuredSinks().map((sink) => [sink.name, sink]));
  for (const name of sinks.keys()) {
    if (!created.has(name)) await createSink({ sink: name, now });
    created.add(name);
  }
  const names = [...sinks.keys()].filter((name) => !busy.includes(name));
  const lease = randomUUID();
  return limiter.claim(
    names.length,
    () => claimSinks({ sinks: names, lease, now }),
    (claim) => ({ keys: claim, run: () => deliver(sinks.get(claim.sink) as Sink, claim, lease, now) }),
    patience,
  );
}

async function deliver(sink: Sink, { lastId, failures }: Claim, lease: string, now: Date): Promise<void> {
  const found = await auditRecordsAfter(lastId, batchMax);
  const record = (outcome: Omit<Outcome, 'sink' | 'lease'>) => recordOutcome({ sink: sink.name, lease, ...outcome });
  try {
    const events = withinBytes(found.map(toOcsf), bytesMax);
    const entries = found.slice(0, events.length);
    if (entries.length > 0) await sink.send(events, now);
    await record({ lastId: entries.at(-1)?.id ?? null, error: null, dueAt: null });
  } catch (err) {
    const error = textOf(err);
    log.warn({ sink: sink.name, failures: failures + 1, error }, 'a sink did not accept security events');
    await record({ lastId: null, error, dueAt: retryAt(failures, now) });
  }
}

/** The first of the events whose JSON has at most so many bytes together; always at least one. */
export function withinBytes<Event>(events: readonly Event[], most: number): Event[] {
  let bytes = 0;
  return events.filter((event, index) => {
    bytes += Buffer.byteLength(JSON.stringify(event)) + 1;
    return index === 0 || bytes <= most;
  });
}

/** The next attempt after so many failures: after 1, 2, 4 ... seconds, at most five minutes. */
export function retryAt(failures: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(2 ** Math.min(failures, 20), retrySecondsMax) * 1000);
}

// Messages of Node may contain addresses; the code does not.
const textOf = (err: unknown) => {
  const { code, message } = err as NodeJS.ErrnoException;
  return (code ?? message ?? 'failed').slice(0, 100);
};
