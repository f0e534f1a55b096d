// The state machine of a payment as one table: state, event, next state. An absent pair is an invalid transition;
// callers use nextState() and have no conditions of their own.

import type { PaymentState } from '../prisma/client.ts';

export type State = PaymentState;

const attempt = {
  challenge: 'threeds',
  redirect: 'redirect',
  hold: 'pending',
  // The payer or their bank must act elsewhere; nothing is authorised yet.
  await: 'pending',
  settle: 'settled',
  decline: 'declined',
} as const;

const table = {
  prepare: attempt,
  threeds: attempt,
  redirect: attempt,
  pending: {
    // A payment that waits for its payer is also pending and can reach every state of an attempt.
    ...attempt,
    capture: 'settled',
    release: 'reversal',
    // The authorisation expired without a capture.
    expire: 'declined',
  },
  settled: { refund: 'refund', refundPart: 'settled', void: 'void', reverse: 'reversal', chargeback: 'chargeback' },
  // Another attempt on an open session, or payment/retry.
  declined: { retry: 'prepare' },
  refund: { chargeback: 'chargeback' },
  reversal: { chargeback: 'chargeback' },
  void: { chargeback: 'chargeback' },
  // Refunds and voids in progress, refunds of the undisputed part and further disputes do not change the state. After
  // the last dispute ends, the payment has the state that it would have without them.
  chargeback: {
    refund: 'chargeback',
    refundPart: 'chargeback',
    void: 'chargeback',
    reverse: 'chargeback',
    chargeback: 'chargeback',
    win: 'settled',
    winRefunded: 'refund',
    winVoided: 'void',
    winReversed: 'reversal',
  },
} as const satisfies Record<State, Record<string, State>>;

export type Event = { [From in State]: keyof (typeof table)[From] }[State];

/** All transitions (interface.md, States and transitions; protocol.md section 5, Moves). */
export const transitions: Readonly<Record<State, Readonly<Partial<Record<Event, State>>>>> = table;

/** All states, in table order. */
export const states = Object.keys(transitions) as State[];

/** The next state, or null if the event is not allowed in this state. */
export function nextState(state: State, event: Event): State | null {
  const moves = transitions[state];
  return Object.hasOwn(moves, event) ? (moves[event] ?? null) : null;
}
