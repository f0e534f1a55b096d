import { describe, expect, it } from 'vitest';
import { sandboxCard, sandboxCards } from '../../core/sandbox-cards.ts';
import type { Operation } from './operation.ts';
import { countsAttempts, decideModification, finished, startPayment, startPayout } from './scenario.ts';
import type { PaymentRequest } from './wire.ts';

function orderWith(id: string | null, change: Partial<PaymentRequest> = {}): PaymentRequest {
  const card = id === null ? undefined : sandboxCard(id);
  const [exp_month = '', exp_year = ''] = (card?.expiry ?? '07/2031').split('/');
  return {
    reference: 'r',
    operation: 'sale',
    method: 'card',
    amount: '84.50',
    currency: 'EUR',
    minor: 8450n,
    order: { number: '1', description: '' },
    card: card && { number: card.number, exp_month, exp_year },
    return_url: 'https://pay.example/return/1',
    ...change,
  };
}

describe('how a payment begins', () => {
  // card | status | then finished as | what happens to the answer
  it.each([
    ['settled', 'approved', 'approved', undefined],
    ['declined', 'declined', 'declined', undefined],
    ['capture-declined', 'approved', 'approved', undefined],
    ['3ds-settled', 'challenge', 'approved', undefined],
    ['3ds-declined', 'challenge', 'declined', undefined],
    ['redirect-settled', 'redirect', 'approved', undefined],
    ['redirect-declined', 'redirect', 'declined', undefined],
    ['payout', 'declined', 'declined', undefined],
    ['no-funds', 'declined', 'declined', undefined],
    ['3ds-frictionless', 'approved', 'approved', undefined],
    ['3ds-code', 'challenge', 'approved', undefined],
    ['3ds-failed', 'declined', 'declined', undefined],
    ['timeout-settled', 'processing', 'approved', 'hang'],
    ['timeout-declined', 'processing', 'declined', 'hang'],
    ['dropped', 'approved', 'approved', 'drop'],
    ['slow', 'approved', 'approved', 'slow'],
    ['waiting-settled', 'processing', 'approved', undefined],
    ['waiting-declined', 'processing', 'declined', undefined],
    [null, 'redirect', 'approved', undefined],
  ])('%s: %s, then %s, answer %s', (id, status, end, transport) => {
    const start = startPayment(orderWith(id), 0, 6);
    expect([start.status, finished(start.scenario).status, start.transport]).toEqual([status, end, transport]);
    const authorised = startPayment(orderWith(id, { operation: 'authorize' }), 0, 6);
    expect(finished(authorised.scenario).status).toBe(end === 'approved' ? 'authorized' : end);
  });

  it.each(sandboxCards.filter((card) => card.outcome === 'declined' && !card.via))('$id gives its reason', (card) => {
    const { expiry } = card;
    const [exp_month = '', exp_year = ''] = (expiry ?? '07/2031').split('/');
    const start = startPayment(orderWith(null, { card: { number: card.number, exp_month, exp_year } }), 0, 6);
    expect(start.decline).toEqual(card.decline);
  });

  const device = { type: 'applepay', pan_type: 'dpan' } as const;
  const proven = { ...device, cryptogram: 'AgAAAAAABk4=' };
  // wallet | recurring | status
  it.each([
    ['a device with its cryptogram', { wallet: proven }, 'approved'],
    ['a device without it', { wallet: device }, 'declined'],
    ['a later payment of a chain', { wallet: device, recurring: 'next' }, 'approved'],
    ['the card itself', { wallet: { type: 'googlepay', pan_type: 'fpan' } }, 'challenge'],
  ] as [string, Partial<PaymentRequest>, string][])(
    'a card of 3-D Secure from a wallet, %s: %s',
    (_who, change, status) => {
      expect(startPayment(orderWith('3ds-settled', change), 0, 6).status).toBe(status);
    },
  );

  it('declines live cards and unknown dates of known ones', () => {
    const at = (number: string) => orderWith(null, { card: { number, exp_month: '04', exp_year: '2038' } });
    expect(startPayment(at('4012888888881881'), 0, 6).decline?.code).toBe('live_card');
    expect(startPayment(at('4111111111111111'), 0, 6).decline?.code).toBe('wrong_expiry');
  });

  it('ends what hangs only after the caller has given up', () => {
    expect(startPayment(orderWith('timeout-settled'), 0, 6).dueSeconds).toBeGreaterThan(6 + 2);
  });

  it('asks the payer nothing when they were checked elsewhere or are not there', () => {
    for (const change of [{ three_ds: 'none' }, { mpi: { eci: '05' } }, { recurring: 'next' }] as const) {
      for (const id of ['3ds-settled', '3ds-code', '3ds-frictionless']) {
        expect(startPayment(orderWith(id, change), 0, 6)).toMatchObject({ status: 'approved' });
        expect(startPayment(orderWith(id, change), 0, 6).facts.three_ds).toBeUndefined();
      }
    }
    expect(startPayment(orderWith('redirect-settled', { recurring: 'next' }), 0, 6).status).toBe('approved');
    expect(startPayment(orderWith('redirect-settled', { three_ds: 'none' }), 0, 6).status).toBe('redirect');
  });

  it('declines only the first attempt of first-fails, and counts attempts for it alone', () => {
    const order = orderWith('first-fails');
    expect(startPayment(order, 0, 6)).toMatchObject({ status: 'declined', decline: { soft: true } });
    expect(startPayment(order, 1, 6)).toMatchObject({ status: 'approved', decline: null });
    expect(countsAttempts(order)).toBe(true);
    expect(countsAttempts(orderWith('settled'))).toBe(false);
  });

  it('has network fields only after a success', () => {
    const { network } = startPayment(orderWith('amex', { descriptor: 'ORME' }), 0, 6).facts;
    expect(network).toMatchObject({ brand: 'amex', descriptor: 'ORME' });
    expect(network?.rrn).toMatch(/^\d{12}$/);
    expect(network?.arn).toMatch(/^\d{23}$/);
    expect(startPayment(orderWith('no-funds'), 0, 6).facts).toEqual({});
    expect(startPayment(orderWith('3ds-code'), 0, 6).facts).toEqual({});
  });

  it('pays out to the payout card only, and transfers to sandbox cards only', () => {
    const card = { exp_month: '01', exp_year: '2038' };
    const to = (number: string) => ({ payee_card: { ...card, number } });
    expect(startPayout(orderWith(null, to('4601541833776519'))).status).toBe('approved');
    expect(startPayout(orderWith(null, to('4111111111111111'))).status).toBe('declined');
    expect(startPayout(orderWith(null)).status).toBe('approved');
    const transfer = (number: string) =>
      startPayment(orderWith('settled', { operation: 'transfer', ...to(number) }), 0, 6);
    expect(transfer('4601541833776519').status).toBe('approved');
    expect(transfer('4012888888881881').status).toBe('declined');
  });
});

const now = new Date('2026-11-20T12:00:00Z');
const held = { status: 'authorized', amountMinor: 100n } as const;
const captured = { ...held, capturedMinor: 80n, capturedAt: now };
const settled = { status: 'approved', amountMinor: 100n, capturedMinor: 100n, capturedAt: now } as const;
const states: Record<string, Partial<Operation>> = {
  challenge: { status: 'challenge', amountMinor: 100n },
  redirect: { status: 'redirect', amountMinor: 100n },
  processing: { status: 'processing', amountMinor: 100n, dueAt: now },
  declined: { status: 'declined', amountMinor: 100n },
  held,
  captured,
  settled,
  'partly refunded': { ...settled, refundedMinor: 60n },
  'all refunded': { ...settled, refundedMinor: 100n },
  voided: { ...settled, voidedAt: now },
  released: { ...held, voidedAt: now },
};

function inState(name: string, scenario: Partial<Operation['scenario']> = {}): Operation {
  const empty = { capturedMinor: 0n, capturedAt: null, refundedMinor: 0n, voidedAt: null, dueAt: null };
  return { ...empty, scenario: { outcome: 'settled', hold: false, ...scenario }, ...states[name] } as Operation;
}

describe('what may follow', () => {
  // state | operation | amount asked, '-' for all | the amount that moves, or the refusal
  const rows = `
    held            | capture | -   | 100
    held            | capture | 80  | 80
    held            | capture | 101 | amount_too_high
    captured        | capture | 10  | not_held
    settled         | capture | 10  | not_held
    challenge       | capture | -   | not_held
    declined        | capture | -   | not_held
    released        | capture | -   | voided
    settled         | refund  | -   | 100
    settled         | refund  | 1   | 1
    settled         | refund  | 101 | amount_too_high
    settled         | refund  | 0   | amount_too_high
    captured        | refund  | -   | 80
    captured        | refund  | 81  | amount_too_high
    partly refunded | refund  | -   | 40
    partly refunded | refund  | 40  | 40
    partly refunded | refund  | 41  | amount_too_high
    all refunded    | refund  | -   | amount_too_high
    held            | refund  | -   | not_settled
    processing      | refund  | -   | not_settled
    voided          | refund  | -   | voided
    settled         | void    | -   | 100
    captured        | void    | -   | 80
    held            | void    | -   | 100
    partly refunded | void    | -   | already_refunded
    voided          | void    | -   | voided
    challenge       | void    | -   | 0
    redirect        | void    | -   | 0
    processing      | void    | -   | 0
    declined        | void    | -   | 0
  `;
  const cases = rows
    .trim()
    .split('\n')
    .map(
      (line) => line.split('|').map((cell) => cell.trim()) as [string, 'capture' | 'refund' | 'void', string, string],
    );

  it.each(cases)('%s: %s of %s gives %s', (state, kind, asked, expected) => {
    const verdict = decideModification(inState(state), kind, asked === '-' ? null : BigInt(asked), now);
    expect('decline' in verdict ? verdict.decline.code : String(verdict.amountMinor)).toBe(expected);
  });

  it.each(['challenge', 'redirect', 'processing'])('cancels what is in %s for good', (state) => {
    const verdict = decideModification(inState(state), 'void', null, now);
    expect(verdict).toMatchObject({ change: { status: 'declined', decline: { code: 'cancelled' }, dueAt: null } });
  });

  it('is declined where the card says so', () => {
    const decline = { code: 'declined', reason: 'no', class: 'bank', soft: false } as const;
    for (const [state, kind] of [
      ['held', 'capture'],
      ['settled', 'refund'],
      ['settled', 'void'],
    ] as const) {
      expect(decideModification(inState(state, { follow: { [kind]: decline } }), kind, null, now)).toEqual({ decline });
    }
  });
});
