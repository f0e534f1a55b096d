// Faults that simulated histories have found in the service, planted again: the reverse of each correction.
import type { Mutation } from './mutation.ts';

const sync = 'lib/payments/provider-sync.ts';
const compare = 'lib/payments/compare-outcome.ts';
const unresolved = 'lib/payments/unresolved.ts';

export const regressionMutations: Mutation[] = [
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
    name: 'a poll from before an authorisation expires it',
    file: sync,
    from: 'if (!both?.transaction.dueAt || both.transaction.dueAt > leasedUntil) return;',
    to: 'if (!both?.transaction.dueAt) return;',
  },
];
