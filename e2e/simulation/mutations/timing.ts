// Faults planted into what takes time: claims, due times, and waits that never end.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are parts of source files.
import type { Mutation } from './mutation.ts';

export const timingMutations: Mutation[] = [
  {
    name: 'the comparison of the clock never ends',
    file: 'lib/operations/clock-check.ts',
    from: "const [row] = await query<{ at: Date }>('clock', 'select clock_timestamp() as at');",
    to: 'const [row] = await new Promise<{ at: Date }[]>(() => {});',
  },
  // A claim leaves its rows due: any process claims them again while they are processed.
  {
    name: 'a claim of due transactions has no lease',
    file: 'lib/payments/poll-due.ts',
    from: "due_at = :now::timestamptz + interval '${leaseSeconds} seconds', polls",
    to: 'due_at = :now::timestamptz, polls',
  },
  {
    name: 'a claim of notifications has no lease',
    file: 'lib/payments/notifications.ts',
    from: "`due_at = :now::timestamptz + interval '${leaseSeconds} seconds', polls = polls + 1`",
    to: '`due_at = :now::timestamptz, polls = polls + 1`',
  },
  {
    name: 'a claim of unresolved items has no lease',
    file: 'lib/payments/resolve-unresolved.ts',
    from: "due_at = :now::timestamptz + interval '${leaseSeconds} seconds', polls",
    to: 'due_at = :now::timestamptz, polls',
  },
  {
    name: 'a claim of subscriptions has no lease',
    file: 'lib/recurring/charge.ts',
    from: "due_at = :now::timestamptz + interval '${leaseSeconds} seconds'",
    to: 'due_at = :now::timestamptz',
  },
  {
    name: 'a claim of callbacks has no lease',
    file: 'lib/callbacks/queue.ts',
    from: "due_at = :now::timestamptz + interval '${leaseSeconds} seconds', claimed_at",
    to: 'due_at = :now::timestamptz, claimed_at',
  },
  // What is due waits.
  {
    name: 'due transactions are polled an hour late',
    file: 'lib/payments/poll-due.ts',
    from: 'where t.mid_id = a.mid_id and t.due_at <= (select :now::timestamptz)',
    to: "where t.mid_id = a.mid_id and t.due_at <= (select :now::timestamptz - interval '1 hour')",
  },
  {
    name: 'due notifications are processed an hour late',
    file: 'lib/payments/notifications.ts',
    from: 'where due_at <= :now::timestamptz and mid_id',
    to: "where due_at <= :now::timestamptz - interval '1 hour' and mid_id",
  },
  {
    name: 'due unresolved items are processed an hour late',
    file: 'lib/payments/resolve-unresolved.ts',
    from: 'where due_at <= :now::timestamptz and merchant_id',
    to: "where due_at <= :now::timestamptz - interval '1 hour' and merchant_id",
  },
  {
    name: 'due subscriptions are charged half an hour late',
    file: 'lib/recurring/charge.ts',
    from: 'where u.due_at <= (select :now::timestamptz) and u.stopped_at is null and not s.paused',
    to: "where u.due_at <= (select :now::timestamptz - interval '30 minutes') and u.stopped_at is null and not s.paused",
  },
  {
    name: 'due callbacks are sent an hour late',
    file: 'lib/callbacks/queue.ts',
    from: 'c.merchant_id = a.merchant_id and c.due_at <= (select :now::timestamptz)',
    to: "c.merchant_id = a.merchant_id and c.due_at <= (select :now::timestamptz - interval '1 hour')",
  },
];
