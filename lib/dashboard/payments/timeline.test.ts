import { describe, expect, it } from 'vitest';
import type { AuditRecordWithActor } from '../../auth/audit.ts';
import { callbackWith, paymentWith, settledAt, transactionWith } from './payment.test-data.ts';
import { timelineOf } from './timeline.ts';
import type { PaymentHistory } from './timeline-events.ts';

const later = new Date('2026-11-21T12:00:00.000Z');

function eventsOf(changes: Partial<PaymentHistory>, mayResend = true, now = later, readsAnswers = true) {
  const history: PaymentHistory = {
    payment: paymentWith(),
    session: null,
    transactions: [transactionWith()],
    callbacks: [callbackWith()],
    done: [],
    requests: [],
    messages: [],
    agreements: [],
    unresolved: [],
    mids: new Map([['mid', 'Acquira EU']]),
    ...changes,
  };
  return timelineOf(history, { mayResend, readsAnswers }, now);
}

const titles = (...input: Parameters<typeof eventsOf>) => eventsOf(...input).map(({ title }) => title);

describe('the timeline', () => {
  it('shows a payment from its request to its callback', () => {
    expect(titles({})).toEqual([
      'Payment requested',
      'Sale of 129.00 EUR sent to Acquira EU',
      'Sale approved',
      'Created → Settled',
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
      ['Created → 3DS', '3ds'],
      ['3DS → Declined', 'decline'],
      ['Declined → Settled', 'settled'],
      ['Settled → Refunded', 'refund'],
    ]);
  });

  it('says what is open and gives what is final its references', () => {
    const open = eventsOf({ transactions: [transactionWith({ status: 'unknown', finishedAt: null })] })[1];
    expect(open?.tag).toEqual({ text: 'unknown, polling the provider', tone: 'warn' });
    const facts = { providerRef: 'p-1', rrn: '632', approvalCode: '284713', threeDS: { transStatus: 'Y', eci: '05' } };
    const [, , checked, approved] = eventsOf({ transactions: [transactionWith({ providerData: facts })] });
    expect(checked).toMatchObject({
      title: '3DS passed',
      detail: 'eci 05',
      tag: { text: 'transStatus Y', tone: 'plain' },
    });
    expect(approved).toMatchObject({
      title: 'Sale approved',
      detail: null,
      tag: { text: 'authorisation code 284713', tone: 'ok' },
      facts: [
        { name: 'Provider reference', value: 'p-1' },
        { name: 'RRN', value: '632' },
      ],
    });
    const decline = {
      declineCode: '51',
      declineReason: 'Insufficient funds',
      declineClass: 'funds',
      declineSoft: true,
    };
    const fail = transactionWith({ status: 'fail', ...decline } as Parameters<typeof transactionWith>[0]);
    expect(eventsOf({ transactions: [fail] })[2]).toMatchObject({
      title: 'Sale declined',
      detail: 'Insufficient funds (insufficient funds or limit exceeded; a retry may succeed)',
      tag: { text: '51', tone: 'bad' },
    });
  });

  it('splits the routing log by attempts', () => {
    const at = (minute: number) => new Date(`2026-11-20T12:5${minute}:00Z`);
    const first = transactionWith({ id: '1', status: 'fail', createdAt: at(0), finishedAt: at(1) });
    const second = transactionWith({ id: '2', createdAt: at(2), finishedAt: at(3) });
    const trace = [
      { midId: 'dms', taken: false, why: 'Payment Mode dms' },
      { midId: 'mid', taken: true, why: 'the first that fits' },
      { midId: 'dms', taken: true, why: 'a soft decline before' },
    ];
    const mids = new Map([
      ['mid', 'Acquira EU'],
      ['dms', 'Baltpay'],
    ]);
    const payment = paymentWith({ routingLog: trace, attemptId: '1' });
    const routed = eventsOf({ payment, mids, transactions: [first, second] }).filter(({ kind }) => kind === 'routing');
    expect(routed.map(({ title, routing }) => [title, routing?.map(({ mid, taken }) => `${mid} ${taken}`)])).toEqual([
      ['Routed to Acquira EU', ['Baltpay false', 'Acquira EU true']],
      ['Routed to Baltpay', ['Baltpay true']],
    ]);
  });

  it('joins the latest attempts of a long history with the end of the routing log', () => {
    const routingLog = ['Old', 'Former', 'Last'].map((midId) => ({ midId, taken: true, why: 'first' }));
    const latest = [transactionWith({ id: '2' }), transactionWith({ id: '3' })];
    const refund = transactionWith({ id: '4', kind: 'refund', attemptId: '3' });
    const history = { payment: paymentWith({ routingLog }), transactions: [...latest, refund] };
    const routed = eventsOf(history).filter(({ kind }) => kind === 'routing');
    expect(routed.map(({ title }) => title)).toEqual(['Routed to Former', 'Routed to Last']);
  });

  it('begins the states of a long history with that of the first callback which was read', () => {
    const declined = callbackWith({ outcome: 'fail', orderState: 'declined' });
    const callbacks = Array.from({ length: 200 }, (_, place) => ({ ...declined, id: `${place}` }));
    callbacks.push(callbackWith());
    expect(titles({ callbacks: callbacks.slice(1) }).filter((title) => title.includes('→'))).toEqual([
      'Declined → Settled',
    ]);
  });

  it('shows the requests of the merchant’s server, equal ones once', () => {
    const request = (id: string, action: string, second: number, refusedAt: string | null = null) => ({
      id,
      action,
      refusedAt,
      path: '/post',
      durationMs: 31,
      address: '203.0.113.24',
      at: new Date(settledAt.getTime() + second * 1000),
      httpStatus: 200,
      errorCode: refusedAt ? 208003 : null,
    });
    const opening = { ...request('0', 'SALE', 0), at: paymentWith().createdAt };
    const requested = ['1', '2', '3'].map((id) => request(id, 'GET_TRANS_STATUS', 60 + Number(id)));
    const requests = [opening, ...requested, request('4', 'CAPTURE', 70, 'run')];
    const result = eventsOf({ requests }).filter(({ kind }) => kind === 'request');
    expect(result.map(({ title, detail, who, tag }) => [title, detail, who, tag?.text])).toEqual([
      [
        'Payment requested',
        'Checkout, purchase, 129.00 EUR; SALE to /post, answered 200 in 31 ms',
        'Merchant server, 203.0.113.24',
        undefined,
      ],
      [
        'Status requested, 3 times',
        'GET_TRANS_STATUS to /post, answered 200 in 31 ms',
        'Merchant server, 203.0.113.24',
        undefined,
      ],
      [
        'Capture requested',
        'CAPTURE to /post, answered 200 in 31 ms; refused at: run',
        'Merchant server, 203.0.113.24',
        '208003',
      ],
    ]);
  });

  it('shows a challenge, a chargeback, the link that was sent and a receipt that was not', () => {
    const callbacks = [callbackWith({ id: '1', type: '3ds', orderState: 'threeds' }), callbackWith({ id: '2' })];
    const extended = { reason_code: '4853', chargeback_date: '2026-11-21' };
    const back = transactionWith({ id: 'back', kind: 'chargeback', attemptId: 'attempt', providerData: { extended } });
    const message = {
      id: 'm',
      channel: 'email' as const,
      recipient: 'lena@example.com',
      subject: 'Pay',
      state: 'sent' as const,
      error: null,
      createdAt: settledAt,
      sentAt: settledAt,
      isReceipt: false,
    };
    const receipt = { ...message, id: 'r', isReceipt: true, state: 'failed' as const };
    const events = eventsOf({ callbacks, transactions: [transactionWith(), back], messages: [message, receipt] });
    expect(events.map(({ title }) => title)).toEqual(
      expect.arrayContaining([
        '3DS challenge required',
        'Email with the link sent',
        'Email with the receipt not sent',
        'Chargeback of 129.00 EUR',
      ]),
    );
    expect(events.find(({ title }) => title.startsWith('Chargeback'))).toMatchObject({
      detail: 'Reason code 4853, of 2026-11-21',
      status: 'chargeback',
    });
  });

  const item = {
    id: 'u',
    paymentId: 'p',
    transactionId: 'attempt',
    merchantId: 'm',
    kind: 'late_success' as const,
    polls: 0,
    reason: 'Approved late',
    amount: { minor: 12900n, currency: 'EUR' },
    action: 'void' as const,
    refundSentAt: null,
    createdAt: later,
    closedAt: null,
    closedBy: null,
    resolution: null,
  };
  const unresolved = (changes: object) =>
    eventsOf({ unresolved: [{ ...item, ...changes }] })
      .filter(({ id }) => id.startsWith('u-'))
      .map(({ title, detail, who, tag }) => [title, detail, who, tag?.text]);

  it('shows an unresolved item being opened, and closed by Florin', () => {
    const opened = ['Unresolved: Approved late', '129.00 EUR', 'Florin'];
    expect(unresolved({})).toEqual([[...opened, 'Florin tries to void it']]);
    expect(unresolved({ action: 'task' })).toEqual([[...opened, 'needs a decision']]);
    const sent = 'Unresolved: Approved late; Florin has sent a refund, which the provider may have approved';
    expect(unresolved({ action: 'task', refundSentAt: later })).toEqual([
      [sent, ...opened.slice(1), 'needs a decision'],
    ]);
    const closed = { closedAt: later, closedBy: 'florin', resolution: 'Voided at the provider' };
    expect(unresolved(closed)).toEqual([
      [...opened, undefined],
      ['Unresolved item closed', 'Voided at the provider: Approved late', 'Florin', undefined],
    ]);
    // An item closed by a user is an audit log entry.
    expect(unresolved({ ...closed, closedBy: 'user:1' })).toEqual([[...opened, undefined]]);
  });

  it('shows an unresolved item being closed by a user, with the note', () => {
    const done = (decision: string): AuditRecordWithActor => ({
      at: later,
      actor: 'user:1',
      actorName: 'Olaf Krämer',
      action: 'unresolved.close',
      subject: 'payment:1',
      before: null,
      after: { item: 'Approved late', decision, reason: 'Paid back by transfer' },
    });
    const closed = eventsOf({ done: [done('closed'), done('approved')] }).filter(({ kind }) => kind === 'dashboard');
    expect(closed.map(({ title, detail, who }) => [title, detail, who])).toEqual([
      ['Unresolved item closed', '“Paid back by transfer”', 'Olaf Krämer'],
      ['Unresolved item closed as approved', '“Paid back by transfer”', 'Olaf Krämer'],
    ]);
  });

  it('names the user, the action and the reason', () => {
    const done: AuditRecordWithActor = {
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
    expect(first).toMatchObject({ title: 'Refund of 40.00 EUR requested', detail: '“Too small”', who: 'Olaf Krämer' });
    expect(second).toMatchObject({ title: 'Refund of 40.00 EUR requested (refused)', detail: 'No (208006)' });
  });
});

describe('a callback in the timeline', () => {
  it('has the answers of receivers only for users who may read callbacks', () => {
    const answer = 'Fatal error in /srv/shop.php';
    const callbacks = [
      callbackWith({ attempts: [{ at: settledAt, durationMs: 9, httpStatus: 500, error: null, answer }] }),
    ];
    const shown = (reads: boolean) => JSON.stringify(eventsOf({ callbacks }, true, later, reads));
    expect([shown(true).includes(answer), shown(false).includes(answer)]).toEqual([true, false]);
  });

  const only = (changes: Parameters<typeof callbackWith>[0], mayResend = true) =>
    eventsOf({ callbacks: [callbackWith(changes)] }, mayResend).find(({ kind }) => kind === 'callback');
  const failed = { at: settledAt, durationMs: 10_000, httpStatus: null, error: 'timeout', answer: null };
  const soon = new Date(later.getTime() + 30_000);

  it.each<[Parameters<typeof callbackWith>[0], string]>([
    [{}, 'Callback delivered'],
    [{ attempts: [failed, ...callbackWith().attempts] }, 'Callback delivered on attempt 2'],
    [{ state: 'waiting', attempts: [] }, 'Callback in progress'],
    [{ state: 'waiting', attempts: [failed], dueAt: soon }, 'Callback not delivered, next attempt in 30 s'],
    [
      { state: 'waiting', attempts: [failed], dueAt: new Date(later.getTime() + 600_000) },
      'Callback not delivered, next attempt in 10 min',
    ],
    [
      { state: 'waiting', attempts: [failed], dueAt: new Date(later.getTime() + 36_000_000) },
      'Callback not delivered, next attempt in 10 h',
    ],
    [{ state: 'failed', attempts: [failed] }, 'Callback failed after 1 attempt'],
    [{ state: 'undelivered', url: null, attempts: [] }, 'Callback recorded, not sent'],
  ])('%j: %s', (changes, title) => {
    expect(only(changes)?.title).toBe(title);
  });

  it('can be resent if it has a URL, by users who may', () => {
    expect(only({})?.resend).toBe('callback');
    expect(only({}, false)?.resend).toBeUndefined();
    expect(only({ url: null, state: 'undelivered', attempts: [] })?.resend).toBeUndefined();
  });

  it('shows each attempt, and no query of the URL', () => {
    const error = { at: later, durationMs: 5, httpStatus: 200, error: null, answer: 'ERROR' };
    const event = only({ attempts: [failed, error] });
    expect(event?.detail).toBe('sale, success, settled to shop.example/callback');
    expect(event?.tries?.map(({ result, what }) => [result, what])).toEqual([
      ['fail', 'timeout'],
      ['error', '200'],
    ]);
  });
});
