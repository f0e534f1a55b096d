// Faults planted into callbacks.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are parts of source files.
import type { Mutation } from './index.ts';

const queue = 'lib/callbacks/queue.ts';
const outcome = 'lib/payments/attempt/outcome.ts';

export const callbackMutations: Mutation[] = [
  {
    name: 'a callback does not wait for an older one',
    file: queue,
    from: "where e.state = 'waiting'\n              and",
    to: "where e.state = 'waiting' and false\n              and",
  },
  {
    name: 'a capture is not reported',
    file: outcome,
    from: "        status: 'success',\n        report: { type: kind, outcome: 'success' },",
    to: "        status: 'success',\n        report: kind === 'capture' ? null : { type: kind, outcome: 'success' },",
  },
  {
    name: 'a decline is reported as a success',
    file: outcome,
    from: "        event: 'decline',\n        status: 'fail',\n        report: { type, outcome: 'fail' },",
    to: "        event: 'decline',\n        status: 'fail',\n        report: { type, outcome: 'success' },",
  },
  {
    name: 'a callback counts as delivered without an answer',
    file: 'lib/callbacks/deliver.ts',
    from: 'await queue.recordAttempt(callback, attempt,',
    to: 'await queue.recordAttempt(callback, { ...attempt, httpStatus: 200, error: undefined },',
  },
];
