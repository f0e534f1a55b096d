// Jobs and handlers that fail.
import type { Mutation } from './mutation.ts';

const thrown = "throw new Error('planted');";

export const failureMutations: Mutation[] = [
  {
    name: 'the job of schedules fails',
    file: 'lib/recurring/charge.ts',
    from: 'if (isClockWrong()) return 0;',
    to: thrown,
  },
  {
    name: 'a scheduled charge fails',
    file: 'lib/recurring/charge.ts',
    from: 'if (!chain) return schedules',
    to: `if (chain) ${thrown} else return schedules`,
  },
  {
    name: 'the job of callbacks fails',
    file: 'lib/callbacks/deliver.ts',
    from: 'export function deliverDue(now: Date, patience = roundMilliseconds): Promise<number> {',
    to: `export function deliverDue(now: Date, patience = roundMilliseconds): Promise<number> { ${thrown}`,
  },
  {
    name: 'a refund fails after it was recorded',
    file: 'lib/payments/modifications.ts',
    from: "runInBackground('refund', () => executeModification(inserted, now));",
    to: thrown,
  },
];
