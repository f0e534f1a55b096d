// Faults planted into the money path, one at a time, that the simulator has to find.
import { callbackMutations } from './callbacks.ts';
import type { Mutation } from './mutation.ts';
import { paymentMutations } from './payments.ts';
import { regressionMutations } from './regressions.ts';
import { scheduleMutations } from './schedules.ts';
import { timingMutations } from './timing.ts';

export type { Mutation } from './mutation.ts';

export const mutations: Mutation[] = [
  ...paymentMutations,
  ...scheduleMutations,
  ...callbackMutations,
  ...regressionMutations,
  ...timingMutations,
];

/** The text of a file with its mutation; throws if the mutation no longer fits the file. */
export function mutated(text: string, { name, from, to }: Mutation): string {
  if (text.split(from).length !== 2) throw new Error(`The mutation "${name}" does not fit its file.`);
  return text.replace(from, () => to);
}
