// Histories that have found faults of the service, kept by their seeds. `before` histories precede each in the same
// processes. A change of the simulator gives a seed another history: docs/contributing/simulation.md lists what was found,
// and the scenario tests, where a fault has one.
import type { Place } from './shrink.ts';

/** On commit d533915a; the one of 5,003,386 on 04edab41, of 8,116,573 on 9fe9815e. */
export const regressions: (Place & { fault: string })[] = [
  { seed: 2_008_876, before: 0, fault: 'a slow statement closed a difference that had been found meanwhile' },
  { seed: 2_055_230, before: 4, fault: 'the same after a capture at the portal' },
  { seed: 2_083_705, before: 4, fault: 'the same for a late success' },
  { seed: 2_009_751, before: 0, fault: 'an old look-up listed a late success again after its void' },
  { seed: 2_017_126, before: 0, fault: 'the same in another process' },
  { seed: 2_089_627, before: 1, fault: 'the same after a refund' },
  { seed: 2_013_328, before: 2, fault: 'the same after an end at the provider' },
  { seed: 2_052_360, before: 9, fault: 'a poll from before an authorisation took it for an expired one and voided it' },
  { seed: 2_030_180, before: 4, fault: 'a process ended before it listed a chargeback of a voided payment' },
  { seed: 8_116_573, before: 22, fault: 'a slow look-up completed a notification that arrived after it' },
  { seed: 5_003_386, before: 0, fault: 'a late success was closed while its void was undecided, and listed again' },
];
