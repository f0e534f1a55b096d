import { describe, expect, it } from 'vitest';
import type { Role } from '../../auth/roles.ts';
import { type Payment, refundableMinor } from '../../core/payment.ts';
import { availableActions } from '../../payments/available-actions.ts';
import { offerOf, offersOf } from './allowed-actions.ts';
import { paymentWith, settledAt } from './payment.test-data.ts';

const sameDay = new Date('2026-11-20T23:59:59.999Z');
const nextDay = new Date('2026-11-21T00:00:00.000Z');

/** What is offered, as `refund 129.00 part, void 129.00`. */
function offered(
  changes: Partial<Payment>,
  more: { support?: 'api' | 'portal' | 'none'; role?: Role; now?: Date } = {},
) {
  const { support = 'api', role = 'operator', now = sameDay } = more;
  const payment = paymentWith(changes);
  const { actions } = offerOf(payment, availableActions(payment, { refundSupport: support }, now), role);
  const { capture, refund, void: undo } = actions;
  return [
    capture && `capture ${capture.most}`,
    refund && `refund ${refund.most}${refund.partial ? ' part' : ' whole'}`,
    undo && `${undo.kind} ${undo.amount}`,
  ]
    .filter(Boolean)
    .join(', ');
}

describe('the actions of a payment', () => {
  const authorised = { state: 'pending', settledMinor: 0n, settledAt: null } as const;

  it.each<[string, Partial<Payment>, Parameters<typeof offered>[1], string]>([
    ['held', authorised, {}, 'capture 129.00, release 129.00'],
    ['settled today', {}, {}, 'refund 129.00 part, void 129.00'],
    ['settled yesterday', {}, { now: nextDay }, 'refund 129.00 part'],
    ['refunded in part', { refundedMinor: 4000n }, {}, 'refund 89.00 part'],
    ['a refund on its way', { refundingMinor: 4000n }, {}, 'refund 89.00 part'],
    ['refunded up to the last cent', { refundingMinor: 12900n }, {}, ''],
    ['a payout', { operation: 'credit' }, {}, ''],
    ['a payout of yesterday', { operation: 'credit' }, { now: nextDay }, ''],
    ['held by a form protocol', { ...authorised, protocol: 's2s_card' }, {}, 'capture 129.00, release 129.00'],
    ['a debit disputed in part', { operation: 'debit', state: 'chargeback', chargedBackMinor: 2900n }, {}, ''],
    ['a debit', { operation: 'debit' }, {}, 'refund 129.00 whole, void 129.00'],
    ['captured in part', { settledMinor: 5000n }, {}, 'refund 50.00 part, void 50.00'],
    ['a MID that refunds in its portal', {}, { support: 'portal' }, 'void 129.00'],
    ['a MID that does not refund', {}, { support: 'none', now: nextDay }, ''],
    ['the provider at work', { inFlightId: 'x' }, {}, ''],
    ['held, the provider at work', { ...authorised, inFlightId: 'x' }, {}, ''],
    ['disputed as a whole', { state: 'chargeback', chargedBackMinor: 12900n }, {}, ''],
    ['disputed in part', { state: 'chargeback', chargedBackMinor: 2900n }, {}, 'refund 100.00 part'],
    ['a viewer', {}, { role: 'viewer' }, ''],
    ['a viewer and a hold', authorised, { role: 'viewer' }, ''],
    ...(['prepare', 'threeds', 'redirect', 'declined', 'refund', 'reversal', 'void'] as const).map(
      (state) => [state, { state }, {}, ''] as [string, Partial<Payment>, object, string],
    ),
  ])('%s', (_name, changes, more, wanted) => {
    expect(offered(changes, more)).toBe(wanted);
  });

  it('are none before anything was tried', async () => {
    const subject = { payment: paymentWith({ state: 'pending' }), mid: null, isCancelling: false };
    expect(await offersOf([subject], 'operator', sameDay)).toEqual([{ actions: {}, notes: [] }]);
  });

  it('keep the order of the payments', async () => {
    const subjects = [
      { payment: paymentWith({ operation: 'credit' }), mid: { refundSupport: 'api' } as const, isCancelling: false },
      { payment: paymentWith(authorised), mid: null, isCancelling: false },
      { payment: paymentWith(authorised), mid: { refundSupport: 'api' } as const, isCancelling: true },
      { payment: paymentWith(authorised), mid: { refundSupport: 'api' } as const, isCancelling: false },
    ];
    const offers = await offersOf(subjects, 'operator', sameDay);
    expect(offers.map(({ actions }) => Object.keys(actions).join(' '))).toEqual(['', '', '', 'capture void']);
  });

  it.each<[RegExp, Partial<Payment>, Parameters<typeof offered>[1]]>([
    [/^This payment can be voided/, {}, {}],
    [/^This payment can no longer be voided/, {}, { now: nextDay }],
    [/^Void is not available/, { refundedMinor: 1n }, {}],
    [/^Payouts cannot be refunded/, { operation: 'credit' }, {}],
    [/^Payouts cannot be refunded/, { operation: 'credit' }, { now: nextDay }],
    [/^Refunds are not available/, {}, { support: 'none' }],
    [/^You have read-only access \(role Viewer/, {}, { role: 'viewer' }],
    [/^The provider is processing/, { inFlightId: 'x' }, {}],
  ])(
    'come with why others are missing: %s',
    (wanted, changes, { support = 'api', role = 'operator', now = settledAt } = {}) => {
      const payment = paymentWith(changes);
      const { notes } = offerOf(payment, availableActions(payment, { refundSupport: support }, now), role);
      expect(notes.some((note) => wanted.test(note))).toBe(true);
    },
  );
});

describe('what can still be refunded', () => {
  it.each<[string, Partial<Payment>, bigint]>([
    ['all of a settled payment', {}, 12900n],
    ['less what is on its way back', { refundedMinor: 900n, refundingMinor: 2000n }, 10000n],
    ['nothing of a void one', { state: 'void' }, 0n],
    ['nothing of a disputed one', { state: 'chargeback', chargedBackMinor: 12900n }, 0n],
    ['what is not disputed', { state: 'chargeback', chargedBackMinor: 900n, refundedMinor: 1000n }, 11000n],
    ['nothing of a payout', { operation: 'credit' }, 0n],
  ])('is %s', (_name, changes, wanted) => {
    expect(refundableMinor(paymentWith(changes))).toBe(wanted);
  });
});
