// The whole table as aligned text, so that each changed transition is one changed line.

import { describe, expect, test } from 'vitest';
import { type Event, nextState, type State, states, transitions } from './states.ts';

const moves = `
prepare    challenge  | threeds
prepare    redirect   | redirect
prepare    hold       | pending
prepare    await      | pending
prepare    settle     | settled
prepare    decline    | declined
threeds    challenge  | threeds
threeds    redirect   | redirect
threeds    hold       | pending
threeds    await      | pending
threeds    settle     | settled
threeds    decline    | declined
redirect   challenge  | threeds
redirect   redirect   | redirect
redirect   hold       | pending
redirect   await      | pending
redirect   settle     | settled
redirect   decline    | declined
pending    challenge  | threeds
pending    redirect   | redirect
pending    hold       | pending
pending    await      | pending
pending    capture    | settled
pending    release    | reversal
pending    expire     | declined
pending    settle     | settled
pending    decline    | declined
settled    refund     | refund
settled    refundPart | settled
settled    void       | void
settled    reverse    | reversal
settled    chargeback | chargeback
declined   retry      | prepare
refund     chargeback | chargeback
reversal   chargeback | chargeback
void       chargeback | chargeback
chargeback refund     | chargeback
chargeback refundPart | chargeback
chargeback void       | chargeback
chargeback reverse    | chargeback
chargeback chargeback | chargeback
chargeback win        | settled
chargeback winRefunded | refund
chargeback winVoided  | void
chargeback winReversed | reversal
`;

const events: Event[] = [
  ...(['challenge', 'redirect', 'hold', 'await', 'settle', 'decline', 'capture', 'release'] as const),
  ...(['expire', 'refund', 'refundPart', 'void', 'reverse', 'chargeback', 'retry'] as const),
  ...(['win', 'winRefunded', 'winVoided', 'winReversed'] as const),
];

const expected = new Map(
  moves
    .trim()
    .split('\n')
    .map((line) => line.split(/[\s|]+/) as [State, Event, State])
    .map(([state, event, next]) => [`${state} ${event}`, next]),
);

describe('states', () => {
  test('the ten of the contract', () => {
    expect(states).toHaveLength(10);
  });

  test.each(states.flatMap((state) => events.map((event) => [state, event] as const)))('%s %s', (state, event) => {
    expect(nextState(state, event)).toBe(expected.get(`${state} ${event}`) ?? null);
  });

  test('the table has no other transition, and each leads to a state of the table', () => {
    const all = Object.entries(transitions).flatMap(([state, row]) => Object.keys(row).map((event) => [state, event]));
    expect(all).toHaveLength(expected.size);
    for (const row of Object.values(transitions)) {
      for (const next of Object.values(row)) expect(states).toContain(next);
    }
  });

  test('an unknown event causes no transition', () => {
    for (const state of states) {
      for (const event of ['constructor', '__proto__', 'toString', '']) {
        expect(nextState(state, event as Event)).toBeNull();
      }
    }
  });

  test('every state can be reached from prepare', () => {
    const reached = new Set<State>(['prepare']);
    for (const state of reached) for (const next of Object.values(transitions[state])) reached.add(next);
    expect([...reached].sort()).toEqual([...states].sort());
  });
});
