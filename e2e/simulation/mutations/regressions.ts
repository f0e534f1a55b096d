// Faults that simulated histories have found in the service, planted again: the reverse of each correction.
import type { Mutation } from './mutation.ts';

const sync = 'lib/payments/provider-sync.ts';
const chargebacks = 'lib/payments/chargebacks.ts';
const compare = 'lib/payments/compare-outcome.ts';
const notifications = 'lib/payments/notifications.ts';
const resolve = 'lib/payments/resolve-unresolved.ts';
const unresolved = 'lib/payments/unresolved.ts';

export const regressionMutations: Mutation[] = [
  {
    name: 'a refused refund is a task without a look-up of its own',
    file: resolve,
    from: "if (isRejected(outcome)) return scheduleItem(item, 'task', now);",
    to: "if (isRejected(outcome)) return scheduleItem(item, 'task', null);",
  },
  {
    name: 'a look-up without an outcome is the last one of a task',
    file: resolve,
    from: 'if (!isFinalOutcome(current) || isBusy(both)) return rescheduleItem(item, now);',
    to: "if (!isFinalOutcome(current) || isBusy(both)) return item.action === 'task' ? scheduleItem(item, 'task', null) : rescheduleItem(item, now);",
  },
  {
    name: 'an outcome closes an item that was found after its request',
    file: compare,
    from: 'const isOpen = items.some(({ closedAt }) => closedAt === null);',
    to: "const { closeUnresolved } = await import('./unresolved.ts');\n      for (const item of kind === null ? items.filter(({ closedAt }) => closedAt === null) : [])\n        await closeUnresolved(both, item, { by: 'florin', resolution: 'The provider and the payment agree', reported: false }, now);\n      const isOpen = kind !== null && items.some(({ closedAt }) => closedAt === null);",
  },
  {
    name: 'the end of a late success is reported that was not reported',
    file: unresolved,
    from: "return newest?.outcome === 'undefined';",
    to: 'return newest !== undefined;',
  },
  {
    name: 'an outcome from before the end of an item opens it again',
    file: compare,
    from: 'if (round > 0 && (await createUnresolved(both, kind, now, newItem(transaction, current, kind, known.closedAt))))',
    to: 'if (await createUnresolved(both, kind, now, newItem(transaction, current, kind, known.closedAt)))',
  },
  {
    name: 'an item is closed although it was due again meanwhile',
    file: unresolved,
    from: 'and (:polls::int is null or polls = :polls::int)',
    to: 'and (:polls::int is null or true)',
  },
  {
    name: 'a poll from before an authorisation expires it',
    file: sync,
    from: 'if (!both?.transaction.dueAt || both.transaction.dueAt > leasedUntil) return;',
    to: 'if (!both?.transaction.dueAt) return;',
  },
  {
    name: 'a chargeback that is booked is not compared with the sums again',
    file: chargebacks,
    from: '  await flagDoubleReturn(booked, now);\n',
    to: '',
  },
  {
    name: 'a late success is closed while its void is undecided',
    file: resolve,
    from: 'return closeAgreed(item, both, items, now);',
    to: 'return closeItem(item, both, undoneResolution, now);',
  },
  {
    name: 'the numbers of notifications begin again',
    file: notifications,
    from: '(transaction_id, mid_id, received_at, due_at)\n   select id, mid_id, at, at from t\n   on conflict (transaction_id) do update set number = excluded.number,',
    to: '(transaction_id, mid_id, received_at, due_at, number)\n   select id, mid_id, at, at, 1 from t\n   on conflict (transaction_id) do update set number = n.number + 1,',
  },
  {
    name: 'the look-ups of an item begin again when it is opened again',
    file: unresolved,
    from: 'polls = unresolved.polls + 1,\n    action',
    to: 'polls = 0,\n    action',
  },
];
