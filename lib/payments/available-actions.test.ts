// The rules of capture, refund and void as one table, and the dashboard's offers checked against them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError, errors } from '../core/errors.ts';
import type { Operation, Payment, Protocol } from '../core/payment.ts';
import { type State, states } from '../core/states.ts';
import { offerOf } from '../dashboard/payments/allowed-actions.ts';
import { paymentWith, settledAt } from '../dashboard/payments/payment.test-data.ts';
import {
  type ActionAccount,
  availableActions,
  type Circumstances,
  type Modification,
  plannedMove,
} from './available-actions.ts';

const nextDay = new Date('2026-11-21T00:00:00.000Z');
const usual = { isUndone: false, isCancelling: false };

const authorised: Partial<Payment> = { state: 'pending', settledMinor: 0n, settledAt: null };
const disputed: Partial<Payment> = { state: 'chargeback', chargedBackMinor: 2900n };

/** The words of the table's first two columns. */
const situations: { [word: string]: Partial<Payment> } = {
  checkout: { protocol: 'checkout' },
  card: { protocol: 's2s_card' },
  apm: { protocol: 's2s_apm' },
  sale: { operation: 'purchase' },
  debit: { operation: 'debit' },
  payout: { operation: 'credit' },
  prepare: { state: 'prepare', settledMinor: 0n, settledAt: null },
  declined: { state: 'declined', settledMinor: 0n, settledAt: null },
  held: authorised,
  awaited: { ...authorised, inFlightId: 'attempt' },
  settled: {},
  partly: { refundedMinor: 4000n },
  refunding: { refundingMinor: 4000n },
  refunded: { state: 'refund', refundedMinor: 12900n },
  voided: { state: 'void' },
  disputed,
  lost: { state: 'chargeback', chargedBackMinor: 12900n },
  busy: { inFlightId: 'other' },
};

// A move is its kind and the maximum amount; `part`: may be partial, `!`: blocks the payment until its outcome is
// known. protocol and operation | state                  | account | day   | capture            | refund             |
// void
const table = `
  checkout sale           | prepare                | api     | same  | 208003             | 208005             | 100000 void
  checkout sale           | declined               | api     | same  | 208003             | 208005             | 100000 void
  checkout sale           | held                   | api     | same  | capture 12900 part ! | 208005           | reversal 12900 !
  checkout sale           | held                   | none    | next  | capture 12900 part ! | 208005           | reversal 12900 !
  checkout sale           | held busy              | api     | same  | 400                | 208005             | 400
  checkout sale           | awaited                | api     | same  | 208003             | 208005             | 100000 void
  checkout sale           | held cancelling        | api     | same  | 400                | 208005             | 400
  card sale               | held                   | api     | same  | capture 12900 part ! | reversal 12900 ! | 100000 void
  card sale               | held                   | portal  | same  | capture 12900 part ! | reversal 12900 ! | 100000 void
  card sale               | held busy              | api     | same  | 400                | 400                | 100000 void
  card sale               | awaited                | api     | same  | 208003             | 208005             | 100000 void
  card sale               | held cancelling        | api     | same  | 400                | 400                | 100000 void
  apm sale                | held                   | none    | same  | capture 12900 part ! | reversal 12900 ! | 100000 void
  checkout sale           | settled                | api     | same  | 208003             | refund 12900 part  | void 12900 !
  checkout sale           | settled                | api     | next  | 208003             | refund 12900 part  | 100000 void
  checkout sale           | settled                | none    | same  | 208003             | 100000 refund      | void 12900 !
  checkout sale           | settled                | portal  | same  | 208003             | 210002             | void 12900 !
  checkout sale           | settled busy           | api     | same  | 208003             | 400                | 400
  checkout sale           | settled busy           | portal  | next  | 208003             | 210002             | 100000 void
  card sale               | settled                | api     | same  | 208003             | refund 12900 part  | void 12900 !
  checkout sale           | partly                 | api     | same  | 208003             | refund 8900 part   | 100000 void
  checkout sale           | refunding              | api     | same  | 208003             | refund 8900 part   | 100000 void
  checkout sale           | refunded               | api     | same  | 208003             | 208005             | 100000 void
  checkout sale           | voided                 | api     | same  | 208003             | 208005             | 100000 void
  checkout sale           | disputed               | api     | same  | 208003             | refund 10000 part  | 100000 void
  checkout sale           | disputed               | none    | same  | 208003             | 100000 refund      | 100000 void
  checkout sale           | disputed undone        | api     | same  | 208003             | 208005             | 100000 void
  checkout sale           | disputed undone        | portal  | same  | 208003             | 208005             | 100000 void
  checkout sale           | lost                   | api     | same  | 208003             | 208005             | 100000 void
  card debit              | settled                | api     | same  | 208003             | reversal 12900 !   | void 12900 !
  card debit              | settled                | portal  | same  | 208003             | 210002             | void 12900 !
  card debit              | disputed               | api     | same  | 208003             | 208005             | 100000 void
  checkout payout         | settled                | api     | same  | 208003             | 100000 refund      | 100000 void
  checkout payout         | settled                | api     | next  | 208003             | 100000 refund      | 100000 void
  checkout payout         | settled                | portal  | same  | 208003             | 100000 refund      | 100000 void
  checkout payout         | settled busy           | api     | same  | 208003             | 100000 refund      | 400
  apm payout              | settled                | api     | same  | 208003             | 100000 refund      | 100000 void
  checkout payout         | lost                   | api     | same  | 208003             | 208005             | 100000 void`;

const rows = table
  .trim()
  .split('\n')
  .map(
    (line) => line.split('|').map((cell) => cell.trim()) as [string, string, string, string, string, string, string],
  );

const permissionText = ({ move, refusal }: ReturnType<typeof availableActions>[Modification]) => {
  if (refusal)
    return `${errors[refusal].code}${refusal === 'voidNotAllowed' ? ' void' : refusal === 'refundNotAllowed' ? ' refund' : ''}`;
  return [move.kind, move.mostMinor, move.partial ? 'part' : '', move.exclusive ? '!' : ''].filter(Boolean).join(' ');
};

describe('the modifications that a payment allows', () => {
  it.each(rows)('%s, %s, refunds by %s, %s day', (kind, state, support, day, capture, refund, cancel) => {
    const words = [...kind.split(' '), ...state.split(' ')];
    const payment = paymentWith(Object.assign({}, ...words.map((word) => situations[word] ?? {})));
    const account = { refundSupport: support } as ActionAccount;
    const known = { isUndone: words.includes('undone'), isCancelling: words.includes('cancelling') };
    const actions = availableActions(payment, account, day === 'same' ? settledAt : nextDay, known);
    const texts = [actions.capture, actions.refund, actions.void].map(permissionText);
    expect(texts).toEqual([capture, refund, cancel]);
  });
});

const moveOf = (
  changes: Partial<Payment>,
  what: Modification,
  amountMinor: bigint | null,
  known: Circumstances = usual,
) => {
  try {
    const actions = availableActions(paymentWith(changes), { refundSupport: 'api' }, settledAt, known);
    const { kind, amountMinor: minor } = plannedMove(actions[what], amountMinor);
    return `${kind} ${minor}`;
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    return String(thrown.code);
  }
};

describe('the amount of a modification', () => {
  it.each<[string, Partial<Payment>, Modification, bigint | null, string]>([
    ['all of an authorisation', authorised, 'capture', null, 'capture 12900'],
    ['a part of an authorisation', authorised, 'capture', 100n, 'capture 100'],
    ['more than an authorisation', authorised, 'capture', 12901n, '208004'],
    ['all that remains', { refundedMinor: 900n }, 'refund', null, 'refund 12000'],
    ['a part of it', {}, 'refund', 1n, 'refund 1'],
    ['more than remains', { refundedMinor: 900n }, 'refund', 12001n, '208006'],
    ['of a payment whose refunds are pending', { refundingMinor: 12900n }, 'refund', 1n, '208006'],
    ['a debit as a whole', { operation: 'debit' }, 'refund', 12900n, 'reversal 12900'],
    ['a part of a debit', { operation: 'debit' }, 'refund', 12899n, '208009'],
    ['more than a debit', { operation: 'debit' }, 'refund', 12901n, '208008'],
    ['a part of a release', { ...authorised, protocol: 's2s_card' }, 'refund', 1n, '208009'],
    ['a void', {}, 'void', null, 'void 12900'],
  ])('%s', (_name, changes, what, amountMinor, wanted) => {
    expect(moveOf(changes, what, amountMinor)).toBe(wanted);
  });

  it('is checked before a pending cancellation', () => {
    const known = { isUndone: false, isCancelling: true };
    expect(moveOf(authorised, 'capture', 12901n, known)).toBe('208004');
    expect(moveOf(authorised, 'capture', 12900n, known)).toBe('400');
  });
});

const minor = fc.bigInt({ min: 0n, max: 2000n });

const payments = fc
  .record({
    protocol: fc.constantFrom<Protocol>('checkout', 's2s_card', 's2s_apm'),
    operation: fc.constantFrom<Operation>('purchase', 'debit', 'credit', 'transfer', 'recurring'),
    state: fc.constantFrom<State>(...states),
    amountMinor: minor,
    settledMinor: minor,
    refundedMinor: minor,
    refundingMinor: minor,
    chargedBackMinor: minor,
    inFlightId: fc.constantFrom(null, null, 'attempt', 'other'),
    settledAt: fc.constantFrom(null, settledAt),
  })
  .map(paymentWith);

describe('the offers of the dashboard', () => {
  it('equal what a modification accepts, in whole and in part', () => {
    const circumstances = fc.record({ isUndone: fc.boolean(), isCancelling: fc.boolean() });
    const support = fc.constantFrom('api', 'portal', 'none');
    fc.assert(
      fc.property(
        payments,
        support,
        circumstances,
        fc.constantFrom(settledAt, nextDay),
        (payment, refunds, known, now) => {
          const available = availableActions(payment, { refundSupport: refunds as 'api' }, now, known);
          const { actions } = offerOf(payment, available, 'operator');
          const accepts = (what: Modification, amountMinor: bigint | null) => {
            try {
              return plannedMove(available[what], amountMinor);
            } catch {
              return null;
            }
          };
          const releasing = payment.protocol === 'checkout' ? 'void' : 'refund';
          const isHeld = payment.state === 'pending';
          expect(actions.capture !== undefined).toBe(accepts('capture', null) !== null);
          expect(actions.refund !== undefined).toBe(!isHeld && accepts('refund', null) !== null);
          expect(actions.void !== undefined).toBe(accepts(isHeld ? releasing : 'void', null) !== null);
          // Of a payment without an amount nothing is the whole.
          const isWhole = payment.settledMinor === 0n;
          if (actions.refund && !actions.refund.partial && !isWhole) expect(accepts('refund', 0n)).toBeNull();
          if (actions.refund?.partial) expect(accepts('refund', 1n)).not.toBeNull();
          if (payment.operation === 'credit' && !isHeld) expect(actions).toEqual({});
        },
      ),
      { numRuns: 2000 },
    );
  });
});
