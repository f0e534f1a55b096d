// Money in responses: amounts, amounts received so far and chargebacks; and the deadline of requests.
import { afterEach, describe, expect, it } from 'vitest';
import { log } from '../telemetry/log.ts';
import type { ModificationRequest, Outcome } from './connector.ts';
import { httpConnector } from './http.ts';
import { answering, cardSale, testProviders } from './provider.test-server.ts';

log.level = 'silent';

const { peer, close } = testProviders();
afterEach(close);

const pay = cardSale;
const follow: ModificationRequest = { key: 'f-1', operation: 'refund', original: pay.key };
const approved = { reference: pay.key, status: 'approved' };

describe('amounts', () => {
  const eur = (minor: bigint) => ({ minor, currency: 'EUR' });
  it.each<[string, object, Outcome]>([
    ['approved', { amount: '80.00', currency: 'EUR' }, { kind: 'approved', amount: eur(8000n), facts: {} }],
    ['authorized', { amount: '84.50', currency: 'EUR' }, { kind: 'authorized', amount: eur(8450n), facts: {} }],
    [
      'approved',
      { amount: '1200', currency: 'JPY' },
      { kind: 'approved', amount: { minor: 1200n, currency: 'JPY' }, facts: {} },
    ],
    ['approved', { currency: 'EUR' }, { kind: 'approved', facts: {} }],
    [
      'processing',
      { amount: '84.50', currency: 'EUR', received: '40.00' },
      { kind: 'waiting', received: eur(4000n), facts: {} },
    ],
    ['processing', { amount: '84.50', currency: 'EUR' }, { kind: 'waiting', facts: {} }],
    ['approved', { amount: '84.505', currency: 'EUR' }, { kind: 'unknown', why: 'amount not understood' }],
    ['approved', { amount: 84.5, currency: 'EUR' }, { kind: 'unknown', why: 'amount not understood' }],
    ['approved', { amount: '84.50' }, { kind: 'unknown', why: 'amount not understood' }],
    ['authorized', { amount: '84.50', currency: 'euro' }, { kind: 'unknown', why: 'amount not understood' }],
    ['processing', { received: '40.00' }, { kind: 'unknown', why: 'amount not understood' }],
  ])('%s with %o', async (status, rest, outcome) => {
    const { settings } = await peer(answering(200, { reference: pay.key, status, ...rest }));
    expect(await httpConnector.pay({ settings }, pay)).toEqual(outcome);
    expect(await httpConnector.status({ settings }, pay.key)).toEqual(outcome);
  });

  it('are not needed for a decline', async () => {
    const { settings } = await peer(answering(200, { reference: pay.key, status: 'declined', amount: 0 }));
    expect((await httpConnector.pay({ settings }, pay)).kind).toBe('declined');
  });
});

describe('chargebacks', () => {
  const eur = { currency: 'EUR', date: '2026-11-20' };
  const first = { id: 'cb-1', amount: '20.00', ...eur, bank_date: '2026-11-21', reason_code: '10.4' };
  const second = { id: 'cb-2', amount: '5.00', ...eur, status: 'won' };
  const chargebacksOf = async (body: object) => {
    const outcome = await httpConnector.status(await peer(answering(200, { ...approved, ...body })), pay.key);
    return outcome.kind === 'approved' ? outcome.facts.chargebacks : outcome;
  };

  it('are several, with an id and a status each', async () => {
    expect(await chargebacksOf({ chargebacks: [first, second] })).toEqual([
      {
        id: 'cb-1',
        amount: { minor: 2000n, currency: 'EUR' },
        date: '2026-11-20',
        bankDate: '2026-11-21',
        reasonCode: '10.4',
        status: 'open',
      },
      { id: 'cb-2', amount: { minor: 500n, currency: 'EUR' }, date: '2026-11-20', status: 'won' },
    ]);
    expect(await chargebacksOf({ chargebacks: [] })).toBeUndefined();
    expect(await chargebacksOf({ chargebacks: null, chargeback: null })).toBeUndefined();
  });

  it('are also read as one object without an id', async () => {
    const single = { amount: '84.50', ...eur, reason_code: '10.4' };
    const read = { amount: { minor: 8450n, currency: 'EUR' }, date: '2026-11-20', reasonCode: '10.4', status: 'open' };
    expect(await chargebacksOf({ chargeback: single })).toEqual([{ id: 'chargeback', ...read }]);
    expect(await chargebacksOf({ chargeback: single, chargebacks: [] })).toEqual([{ id: 'chargeback', ...read }]);
  });

  it.each<[string, object]>([
    ['with an amount that is none', { chargebacks: [first, { ...second, amount: '5.005' }] }],
    ['with an amount of zero', { chargebacks: [{ ...first, amount: '0.00' }] }],
    ['without an id', { chargebacks: [{ ...first, id: undefined }] }],
    ['with an id twice', { chargebacks: [first, { ...second, id: 'cb-1' }] }],
    ['without a date', { chargebacks: [{ ...first, date: 'yesterday' }] }],
    ['of a status that does not exist', { chargebacks: [{ ...first, status: 'maybe' }] }],
    ['that are no list', { chargebacks: first }],
    ['a single one with an invalid amount', { chargeback: { ...first, amount: '84.505' } }],
    ['a text', { chargeback: 'lost' }],
  ])('are never dropped: one %s makes the look-up unknown', async (_case, body) => {
    expect(await chargebacksOf(body)).toEqual({ kind: 'unknown', why: 'chargeback not understood' });
  });
});

describe('the deadline', () => {
  const deadline = new Date(Date.now() + 30_007);
  it('is sent with every request that moves money and with no other', async () => {
    const { settings, calls } = await peer(answering(200, approved));
    const target = { settings };
    await httpConnector.pay(target, { ...pay, deadline });
    await httpConnector.payout(target, { ...pay, deadline });
    for (const operation of ['capture', 'refund', 'void'] as const) {
      await httpConnector.modify(target, { ...follow, operation, deadline });
    }
    await httpConnector.pay(target, pay);
    await httpConnector.proceed(target, { key: 'p-1', original: pay.key, reply: { renew: true } });
    await httpConnector.status(target, pay.key);
    const sent = calls.map(({ headers }) => headers['florin-deadline']);
    expect(sent).toEqual([...Array(5).fill(deadline.toISOString()), undefined, undefined, undefined]);
  });

  it('that has passed leaves the outcome unknown', async () => {
    const refusal = { error: { code: 'deadline_passed', message: 'Too late' } };
    const { settings } = await peer(answering(408, refusal));
    expect(await httpConnector.pay({ settings }, { ...pay, deadline })).toEqual({ kind: 'unknown', why: 'http 408' });
  });
});

it.each([
  [30, '15'],
  [6, '6'],
])('a look-up of an account with %i seconds takes at most %s', async (timeoutSeconds, wait) => {
  const { settings, calls } = await peer(answering(200, approved), timeoutSeconds);
  await httpConnector.status({ settings }, pay.key);
  expect(calls[0]?.headers.prefer).toBe(`wait=${wait}`);
});

it('a text that PostgreSQL does not store has U+FFFD instead, so that the outcome is stored', async () => {
  const { settings } = await peer(answering(200, { ...approved, extended: { 'a\u0000': 'x\ud800\u0000' } }));
  expect(await httpConnector.pay({ settings }, pay)).toMatchObject({
    kind: 'approved',
    facts: { extended: { 'a\ufffd': 'x\ufffd\ufffd' } },
  });
});

it('a card number that a provider repeats is masked in every text that callbacks and users get', async () => {
  const number = '4111 1111 1111 1111';
  const answer = {
    reference: pay.key,
    status: 'declined',
    decline: { code: `bad ${number}`, message: `no ${number}` },
  };
  const more = { three_ds: { eci: number }, extended: { note: `card ${number}` }, network: { descriptor: number } };
  const { settings } = await peer(answering(200, { ...answer, ...more }));
  const outcome = await httpConnector.pay({ settings }, pay);
  expect(outcome).toMatchObject({
    kind: 'declined',
    facts: { extended: { note: expect.stringContaining('card 4111') } },
  });
  expect(JSON.stringify(outcome)).not.toMatch(/1111 1111|11111111/);
});
