// The life of a payment as one table: state, event, next state. A pair that is absent cannot happen,
// so whoever moves a payment asks nextState() and has no conditions of its own.

export type State =
  | 'prepare'
  | 'threeds'
  | 'redirect'
  | 'pending'
  | 'settled'
  | 'declined'
  | 'refund'
  | 'reversal'
  | 'void'
  | 'chargeback';

export type Event =
  | 'challenge'
  | 'redirect'
  | 'hold'
  | 'await'
  | 'settle'
  | 'decline'
  | 'capture'
  | 'release'
  | 'expire'
  | 'refund'
  | 'refundPart'
  | 'void'
  | 'reverse'
  | 'chargeback'
  | 'win'
  | 'winRefunded'
  | 'winVoided'
  | 'winReversed'
  | 'retry';

const attempt = {
  challenge: 'threeds',
  redirect: 'redirect',
  hold: 'pending',
  // The payer or their bank has yet to act somewhere else: nothing is held.
  await: 'pending',
  settle: 'settled',
  decline: 'declined',
} as const;

/** Every move that exists (interface.md, States and transitions; protocol.md section 5, Moves). */
export const transitions: Readonly<Record<State, Readonly<Partial<Record<Event, State>>>>> = {
  prepare: attempt,
  threeds: attempt,
  redirect: attempt,
  pending: {
    // A payment that waits for its payer is pending too, and may go on to anything that an attempt can become.
    ...attempt,
    capture: 'settled',
    release: 'reversal',
    // The hold lapsed before anybody captured it.
    expire: 'declined',
  },
  settled: {
    refund: 'refund',
    refundPart: 'settled',
    void: 'void',
    reverse: 'reversal',
    chargeback: 'chargeback',
  },
  // Another attempt on an open session, or payment/retry.
  declined: { retry: 'prepare' },
  refund: { chargeback: 'chargeback' },
  reversal: { chargeback: 'chargeback' },
  void: { chargeback: 'chargeback' },
  // A refund or a void that was under way, a refund of the part that is not disputed, and further disputes leave the state as it
  // is. Once no dispute is left, the payment is what it was without them.
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
};

/** All states, in the order of the table. */
export const states = Object.keys(transitions) as State[];

/** The state that follows, or null when the event cannot happen to a payment in this state. */
export function nextState(state: State, event: Event): State | null {
  const moves = transitions[state];
  return Object.hasOwn(moves, event) ? (moves[event] ?? null) : null;
}
