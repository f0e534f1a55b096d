// Faults planted into what users do in the dashboard.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are parts of source files.
import type { Mutation } from './mutation.ts';

const queue = 'lib/callbacks/queue.ts';
const resolve = 'lib/payments/resolve-unresolved.ts';

export const staffMutations: Mutation[] = [
  {
    name: 'an authorisation that a user approves is settled',
    file: resolve,
    from: "kind: kind === 'authorize' ? 'authorized' : 'approved',",
    to: "kind: 'approved',",
  },
  {
    name: 'the decision of a user is not carried out',
    file: resolve,
    from: '  await applyOutcome(both, decidedOutcome(',
    to: "  if (decision === 'approved') await applyOutcome(both, decidedOutcome(",
    also: [
      {
        file: resolve,
        from: 'const isDecided = fresh.transaction.status === decidedStatus[decision];',
        to: 'const isDecided = true;',
      },
    ],
  },
  {
    name: 'an item is closed by two users',
    file: 'lib/payments/unresolved.ts',
    from: 'where id = :id::uuid and payment_id = :paymentId::uuid and closed_at is null\n',
    to: 'where id = :id::uuid and payment_id = :paymentId::uuid\n',
    also: [
      { file: resolve, from: 'if (!both || item.closedAt !== null) return false;', to: 'if (!both) return false;' },
      {
        file: 'lib/dashboard/unresolved/list.ts',
        from: "  if (item.closedAt !== null) throw refusal('This item is closed already.');\n",
        to: '',
      },
    ],
  },
  {
    name: 'a user closes an item, and it stays open',
    file: resolve,
    from: 'return closeUnresolved(both, item, closing, now);',
    to: 'return true;',
    also: [
      {
        file: resolve,
        from: '(await closeUnresolved(fresh, item, closing, now));',
        to: 'Boolean([closeUnresolved, closing]);',
      },
    ],
  },
  {
    name: 'a callback is sent again while a try is running',
    file: queue,
    from: " and ${idleSql('callbacks', ':now')} returning id`",
    to: ' returning id`',
  },
  {
    name: 'a callback that is sent again is not counted',
    file: queue,
    from: 'attempts = callbacks.attempts + 1, due_at = i.next, claimed_at = null,',
    to: 'attempts = greatest(1, callbacks.attempts), due_at = i.next, claimed_at = null,',
  },
  {
    name: 'a callback that is sent again has another sequence',
    file: 'lib/callbacks/render.ts',
    from: "'florin-sequence': String(callback.sequence)",
    to: "'florin-sequence': String(callback.sequence + (callback.attempts > 2 ? 1 : 0))",
  },
  {
    name: 'a change in the dashboard has another idempotency key',
    file: 'lib/dashboard/payments/actions.ts',
    from: '      await act({ key, ifUnchanged: true });',
    to: '      await act({ key: `${key} ${Math.random()}`, ifUnchanged: true });',
  },
];
