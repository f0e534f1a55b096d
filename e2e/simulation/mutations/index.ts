// Faults planted into the money path, one at a time, that the simulator has to find.
import { callbackMutations } from './callbacks.ts';
import { failureMutations } from './failures.ts';
import { limitMutations } from './limits.ts';
import { merchantMutations } from './merchants.ts';
import type { Mutation, Replacement } from './mutation.ts';
import { paymentMutations } from './payments.ts';
import { regressionMutations } from './regressions.ts';
import { requestMutations } from './requests.ts';
import { scheduleMutations } from './schedules.ts';
import { staffMutations } from './staff.ts';
import { timingMutations } from './timing.ts';

export type { Mutation } from './mutation.ts';

/** Those that the histories from any seed on find. */
export const findable: Mutation[] = [
  ...paymentMutations,
  ...scheduleMutations,
  ...callbackMutations,
  ...timingMutations,
  ...failureMutations,
  ...requestMutations,
  ...merchantMutations,
  ...staffMutations,
  ...limitMutations,
];

export const mutations: Mutation[] = [...findable, ...regressionMutations];

/** The files that a mutation changes. */
export const filesOf = (mutation: Mutation) => replacementsOf(mutation).map(({ file }) => file);

const replacementsOf = (mutation: Mutation): Replacement[] => [mutation, ...(mutation.also ?? [])];

/** The text of a file with its mutation; throws if the mutation no longer fits the file. */
export function mutated(file: string, text: string, mutation: Mutation): string {
  return replacementsOf(mutation)
    .filter((each) => each.file === file)
    .reduce((before, { from, to }) => {
      if (before.split(from).length !== 2) throw new Error(`The mutation "${mutation.name}" does not fit its file.`);
      return before.replace(from, () => to);
    }, text);
}
