// Faults planted into the money path, one at a time, that the simulator has to find.
import { callbackMutations } from './callbacks.ts';
import { failureMutations } from './failures.ts';
import { paymentMutations } from './payments.ts';
import { scheduleMutations } from './schedules.ts';

/** A planted fault: a text of a file of the service, and what replaces it. */
export type Mutation = { name: string; file: string; from: string; to: string };

export const mutations: Mutation[] = [
  ...paymentMutations,
  ...scheduleMutations,
  ...callbackMutations,
  ...failureMutations,
];

/** The text of a file with its mutation; throws if the mutation no longer fits the file. */
export function mutated(text: string, { name, from, to }: Mutation): string {
  if (text.split(from).length !== 2) throw new Error(`The mutation "${name}" does not fit its file.`);
  return text.replace(from, () => to);
}
