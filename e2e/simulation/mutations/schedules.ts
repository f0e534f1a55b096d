// Faults planted into schedules.
import type { Mutation } from './mutation.ts';

const slots = 'lib/schedules/slot-moves.ts';
const charge = 'lib/recurring/charge.ts';

export const scheduleMutations: Mutation[] = [
  {
    name: 'a slot is not repeated after a decline',
    file: charge,
    from: 'if (subscription.retries >= plan.scheduleRetries) return',
    to: 'if (subscription.retries >= 0) return',
  },
  {
    name: 'a subscription goes on after a hard decline',
    file: charge,
    from: 'if (transaction.declineSoft === false)',
    to: 'if (transaction.declineSoft === null)',
  },
  {
    name: 'a paid slot stays the current one',
    file: slots,
    from: 'const done = slots.done + 1;',
    to: 'const done = slots.done;',
  },
];
