import { describe, expect, it } from 'vitest';
import type { Done } from '../auth/audit';
import { callbackWith, paymentWith, settledAt, transactionWith } from './payment.test-data';
import { type History, timelineOf } from './timeline';

const later = new Date('2026-11-21T12:00:00.000Z');

function eventsOf(changes: Partial<History>, mayResend = true, now = later) {
  const history: History = {
    payment: paymentWith(),
    session: null,
    transactions: [transactionWith()],
    callbacks: [callbackWith()],
    done: [],
    mids: new Map([['mid', 'Acquira EU']]),
    ...changes,
  };
  return timelineOf(history, mayResend, now);
}

const titles = (...given: Parameters<typeof eventsOf>) => eventsOf(...given).map(({ title }) => title);

describe('the timeline', () => {
  it('tells a payment from its request to its callback', () => {
    expect(titles({})).toEqual([
      'Payment asked for',
      'Sale of 129.00 EUR sent to Acquira EU',
      'Sale approved',
      'Prepare to Settled',
      'Callback delivered',
    ]);
  });

  it('follows the state through 3DS, a decline, another attempt and a refund', () => {
    const callbacks = [
      callbackWith({ id: '1', type: '3ds', orderState: 'threeds', createdAt: new Date('2026-11-20T12:51:00Z') }),
      callbackWith({ id: '2', outcome: 'fail', orderState: 'declined', createdAt: new Date('2026-11-20T12:51:02Z') }),
      callbackWith({ id: '3', createdAt: new Date('2026-11-20T12:51:03Z') }),
    ];
    const payment = paymentWith({ state: 'refund', updatedAt: later });
    const states = eventsOf({ callbacks, payment }).filter(({ kind }) => kind === 'state');
    expect(states.map(({ title, status }) => [title, status])).toEqual([
      ['Prepare to 3DS', '3ds'],
      ['3DS to Decline', 'decline'],
      ['Decline to Settled', 'settled'],
      ['Settled to Refund', 'refund'],
    ]);
  });

  it('says what is open and gives what is final its references', () => {
    const open = eventsOf({ transactions: [transactionWith({ status: 'unknown', finishedAt: null })] })[1];
    expect(open?.tag).toEqual({ text: 'not certain, being asked again', tone: 'warn' });
    const facts = { providerRef: 'p-1', rrn: '632', approvalCode: '284713', threeDS: { transStatus: 'Y', eci: '05' } };
    const approved = eventsOf({ transactions: [transactionWith({ facts })] })[2];
    expect(approved).toMatchObject({
      title: 'Sale approved',
      detail: 'TransStatus Y, eci 05',
      tag: { text: 'approval 284713', tone: 'ok' },
      facts: [
        { name: 'Provider reference', value: 'p-1' },
        { name: 'RRN', value: '632' },
      ],
    });
    const fail = transactionWith({ status: 'fail', declineCode: '51', declineReason: 'Insufficient funds' });
    expect(eventsOf({ transactions: [fail] })[2]).toMatchObject({
      title: 'Sale declined',
      detail: 'Insufficient funds',
      tag: { text: '51', tone: 'bad' },
    });
  });

  it('names who did what and why', () => {
    const done: Done = {
      at: later,
      actor: 'user:1',
      actorName: 'Olaf Krämer',
      action: 'payment.refund',
      subject: 'payment:1',
      before: null,
      after: { amount: '40.00', reason: 'Too small' },
    };
    const refused = { ...done, action: 'payment.refund.refused', after: { amount: '40.00', message: 'No (208006)' } };
    const [first, second] = eventsOf({ done: [done, refused] }).filter(({ kind }) => kind === 'dashboard');
    expect(first).toMatchObject({ title: 'Refund of 40.00 EUR asked for', detail: '“Too small”', who: 'Olaf Krämer' });
    expect(second).toMatchObject({ title: 'Refund of 40.00 EUR asked for, and refused', detail: 'No (208006)' });
  });
});

describe('a callback in the timeline', () => {
  const only = (changes: Parameters<typeof callbackWith>[0], mayResend = true) =>
    eventsOf({ callbacks: [callbackWith(changes)] }, mayResend).find(({ kind }) => kind === 'callback');
  const failed = { at: settledAt, durationMs: 10_000, httpStatus: null, error: 'timeout', answer: null };
  const soon = new Date(later.getTime() + 30_000);

  it.each<[Parameters<typeof callbackWith>[0], string]>([
    [{}, 'Callback delivered'],
    [{ attempts: [failed, ...callbackWith().attempts] }, 'Callback delivered on try 2'],
    [{ state: 'waiting', attempts: [] }, 'Callback is on its way'],
    [{ state: 'waiting', attempts: [failed], dueAt: soon }, 'Callback not delivered, next try in 30 s'],
    [
      { state: 'waiting', attempts: [failed], dueAt: new Date(later.getTime() + 600_000) },
      'Callback not delivered, next try in 10 min',
    ],
    [
      { state: 'waiting', attempts: [failed], dueAt: new Date(later.getTime() + 36_000_000) },
      'Callback not delivered, next try in 10 h',
    ],
    [{ state: 'failed', attempts: [failed] }, 'Callback given up after 1 try'],
    [{ state: 'undelivered', url: null, attempts: [] }, 'Callback kept, not sent'],
  ])('%j: %s', (changes, title) => {
    expect(only(changes)?.title).toBe(title);
  });

  it('can be sent again where there is an address, by whoever may', () => {
    expect(only({})?.resend).toBe('callback');
    expect(only({}, false)?.resend).toBeUndefined();
    expect(only({ url: null, state: 'undelivered', attempts: [] })?.resend).toBeUndefined();
  });

  it('shows each try, and no query of the address', () => {
    const error = { at: later, durationMs: 5, httpStatus: 200, error: null, answer: 'ERROR' };
    const event = only({ attempts: [failed, error] });
    expect(event?.detail).toBe('sale, success, settled to shop.example/callback');
    expect(event?.tries?.map(({ result, what }) => [result, what])).toEqual([
      ['fail', 'timeout'],
      ['error', '200'],
    ]);
  });
});
