import { expect, it } from 'vitest';
import type { Status, Transaction } from '../core/payment.ts';
import type { Presentation } from '../core/presentation.ts';
import type { State } from '../core/states.ts';
import { action, mapping, payment, session, transaction } from './fixture.test-data.ts';
import { declineReasonOf, isFinal, type Screen, screenOf, versionOf } from './screen.ts';

const now = new Date('2026-11-20T12:00:00Z');

// payment | attempt (or -) | session: open, expired, cancelled, replaced, exhausted | screen
const cases = `
prepare    | -         | open      | form
prepare    | -         | over      | expired
prepare    | -         | cancelled | cancelled payer
prepare    | -         | replaced  | superseded
prepare    | sent      | open      | waiting
prepare    | sent      | over      | waiting
prepare    | unknown   | open      | waiting
prepare    | unknown   | over      | waiting
prepare    | waiting   | open      | waiting
threeds    | challenge | open      | challenge
threeds    | challenge | over      | challenge
redirect   | redirect  | open      | redirecting
declined   | fail      | open      | form declined
declined   | fail      | over      | expired
declined   | fail      | cancelled | cancelled payer
declined   | fail      | replaced  | superseded
declined   | fail      | exhausted | cancelled declines
prepare    | sent      | exhausted | waiting
settled    | success   | open      | paid
settled    | success   | over      | paid
settled    | success   | replaced  | paid
pending    | success   | open      | paid
pending    | waiting   | open      | waiting
refund     | success   | over      | paid
reversal   | success   | over      | paid
void       | success   | over      | paid
chargeback | success   | over      | paid
`;

const rows = cases
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()) as [State, Status | '-', string, string]);

function screenAt(state: State, status: Status | '-', of: string) {
  const attempt =
    status === '-'
      ? null
      : transaction({
          status,
          action: status === 'challenge' || status === 'redirect' ? action : null,
          declineClass: status === 'fail' ? 'funds' : null,
        });
  const open = attempt && !['success', 'fail'].includes(attempt.status);
  return screenOf({
    payment: payment({
      state,
      attempts: attempt ? 1 : 0,
      declines: of === 'exhausted' ? 3 : 0,
      current: of !== 'replaced',
      inFlightId: open ? attempt.id : null,
    }),
    session: session({
      expiresAt: of === 'over' ? now : new Date(now.getTime() + 1),
      cancelledAt: of === 'cancelled' ? now : null,
    }),
    attempt,
    mapping: mapping({ maximumDeclines: 3 }),
    now,
  });
}

it.each(rows)('%s, attempt %s, session %s: %s', (state, status, of, expected) => {
  const screen = screenAt(state, status, of);
  const more = screen.kind === 'cancelled' ? ` ${screen.reason}` : '';
  const declined = screen.kind === 'form' && screen.declined ? ' declined' : '';
  expect(screen.kind + more + declined).toBe(expected);
});

it('reports the field that the bank named, and none for other reasons', () => {
  const declined = (declineClass: 'data' | 'bank', declineCode: string) =>
    screenOf({
      payment: payment({ state: 'declined', attempts: 1 }),
      session: session({ expiresAt: new Date(now.getTime() + 1) }),
      attempt: transaction({ status: 'fail', declineClass, declineCode }),
      mapping: mapping({}),
      now,
    });
  expect(declined('data', 'wrong_cvv')).toEqual({ kind: 'form', declined: { kind: 'data', field: 'card_cvv' } });
  expect(declined('data', 'something')).toEqual({ kind: 'form', declined: { kind: 'data' } });
  expect(declined('bank', 'wrong_cvv')).toEqual({ kind: 'form', declined: { kind: 'bank' } });
});

it('reports no decline of an attempt that the payer left', () => {
  const left = (declineReason: string) =>
    screenOf({
      payment: payment({ state: 'declined', attempts: 1 }),
      session: session({ expiresAt: new Date(now.getTime() + 1) }),
      attempt: transaction({ status: 'fail', declineClass: 'unconfirmed', declineReason }),
      mapping: mapping({}),
      now,
    });
  expect(left('The payer left before confirming')).toEqual({ kind: 'form' });
  expect(left('The payer did not confirm in time')).toEqual({ kind: 'form', declined: { kind: 'unconfirmed' } });
});

it('ends a session after fifty attempts, and counts attempts that were stopped and not stored as declines', () => {
  const after = (attempts: number, declines: number, stops: number, maximumDeclines: number | null) =>
    screenOf({
      payment: payment({ state: 'declined', attempts, declines }),
      session: session({ expiresAt: new Date(now.getTime() + 1), repeatedStops: Array(stops).fill(attempts) }),
      attempt: transaction({ status: 'fail', declineClass: 'bank' }),
      mapping: mapping({ maximumDeclines }),
      now,
    }).kind;
  expect([after(49, 0, 0, null), after(50, 0, 0, null)]).toEqual(['form', 'cancelled']);
  expect([after(11, 11, 38, 99), after(11, 11, 39, 99)]).toEqual(['form', 'cancelled']);
  expect([after(2, 2, 0, 3), after(2, 2, 1, 3)]).toEqual(['form', 'cancelled']);
});

it('says that money may be on its way after payment data, and after a missing confirmation elsewhere', () => {
  const at = (kind: string | undefined, declineClass: Transaction['declineClass'], declineReason = 'Expired') => {
    const present = kind === undefined ? undefined : ({ kind } as Presentation);
    return declineReasonOf(transaction({ status: 'fail', declineClass, declineReason, providerData: { present } }))
      .late;
  };
  for (const kind of ['details', 'message', 'crypto'])
    expect([at(kind, 'bank'), at(kind, 'unconfirmed')], kind).toEqual([true, true]);
  for (const kind of ['qr', 'app', 'confirm'])
    expect([at(kind, 'bank'), at(kind, 'unconfirmed')], kind).toEqual([undefined, true]);
  expect([at('code', 'unconfirmed'), at(undefined, 'unconfirmed')]).toEqual([undefined, undefined]);
  // The payer has said that they did not pay.
  expect(at('details', 'unconfirmed', 'The payer left before confirming')).toBeUndefined();
});

it('allows a reusable order number to be paid on an older link', () => {
  const screen = screenOf({
    payment: payment({ current: false }),
    session: session({ expiresAt: new Date(now.getTime() + 1) }),
    attempt: null,
    mapping: mapping({ orderIdReuse: 'always' }),
    now,
  });
  expect(screen.kind).toBe('form');
});

it('changes the version with the order and every challenge, but not with a decline alone', () => {
  const at = (screen: Screen, id: string, amount = '84.50') =>
    versionOf(screen, { payment: payment({ orderAmount: amount }), attempt: transaction({ id }) });
  expect(at({ kind: 'form' }, 'one')).toBe(at({ kind: 'form', declined: { kind: 'bank' } }, 'two'));
  expect(at({ kind: 'form' }, 'one')).not.toBe(at({ kind: 'form' }, 'one', '84.51'));
  expect(at({ kind: 'challenge', action }, 'one')).not.toBe(at({ kind: 'challenge', action }, 'two'));
  expect(at({ kind: 'waiting' }, 'one')).not.toBe(at({ kind: 'form' }, 'one'));
});

const qr = (payload: string): Presentation => ({ kind: 'qr', scheme: 'ips', payload, renewable: true });

it('shows the provider’s data, and changes the version with it', () => {
  const at = (status: Status, present?: Presentation | null) =>
    screenOf({
      payment: payment({ state: 'pending', attempts: 1 }),
      session: session({ expiresAt: now }),
      attempt: transaction({ status, providerData: { present } }),
      mapping: mapping({}),
      now,
    });
  expect(at('waiting', qr('one'))).toEqual({ kind: 'present', present: qr('one') });
  expect(at('waiting', null)).toEqual({ kind: 'waiting' });
  expect(at('success', qr('one'))).toEqual({ kind: 'paid' });
  const word = (present: Presentation) =>
    versionOf({ kind: 'present', present }, { payment: payment({}), attempt: null });
  expect(word(qr('one'))).toBe(word(qr('one')));
  expect(word(qr('one'))).not.toBe(word(qr('two')));
  expect(isFinal({ kind: 'present', present: qr('one') })).toBe(false);
});

it('follows every screen that is not final', () => {
  const followed = rows.filter(([state, status, of]) => !isFinal(screenAt(state, status, of))).map((row) => row[3]);
  expect([...new Set(followed)].sort()).toEqual(['challenge', 'form', 'form declined', 'redirecting', 'waiting']);
});
