// How far the sinks of security events are behind, for the metrics and the readiness details.
import { statement } from '../db/index.ts';
import { configuredSinks } from './sinks.ts';

/** `since` is the time of the oldest waiting entry. */
export type SinkLag = { sink: string; rows: number; since: Date | null; error: string | null };

const waitingEntries = statement<{ sinks: string[] }, SinkLag>(
  'event-sinks-lag',
  `select s.sink, w.rows, w.since, s.error
     from event_sinks s
     cross join lateral (select count(*)::int as rows, min(a.at) as since from audit_entries a where a.id > s.last_id) w
    where s.sink = any(:sinks::text[]) order by s.sink`,
);

/** The configured sinks. */
export function sinkLags(): Promise<SinkLag[]> {
  return waitingEntries({ sinks: configuredSinks().map(({ name }) => name) });
}
