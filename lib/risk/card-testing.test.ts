import { beforeEach, describe, expect, it } from 'vitest';
import type { Payment, Transaction } from '../core/payment.ts';
import { type CardTestingKeys, cardTestingBlock, countAttemptEnd, endTestedCall, startTestedAttempt } from './index.ts';

let test = 0;
let attempts = 0;

beforeEach(() => {
  test += 1;
});

/** The keys of an attempt; the counters of each test are its own. */
const keysOf = (card: string | number, address: string | null = null): CardTestingKeys => ({
  merchantId: `merchant ${test} ${card}`,
  card: `card ${test} ${card}`,
  address: address && `address ${test} ${address}`,
  bin: `bin ${test} ${card}`,
});
const payment = { id: 'payment', declines: 0 } as Payment;

const blockOf = (keys: CardTestingKeys) => cardTestingBlock(keys, payment, new Date());

/** Starts an attempt; its id, or null if it was blocked. */
function start(keys: CardTestingKeys): string | null {
  attempts += 1;
  const id = `attempt ${attempts}`;
  return startTestedAttempt(id, keys, payment) ? id : null;
}

type End = Pick<Transaction, 'status' | 'declineClass'> & { attemptId?: string };
const declined: End = { status: 'fail', declineClass: 'bank' };
const approved: End = { status: 'success', declineClass: null };

const end = (id: string | null, how: End) => countAttemptEnd({ id, attemptId: null, ...how } as Transaction);

/** Starts an attempt whose provider call ends without an outcome, as with a challenge. */
function challenge(keys: CardTestingKeys): string | null {
  const id = start(keys);
  endTestedCall(id ?? '');
  return id;
}

describe('an attempt', () => {
  it('is counted when it becomes final, after a challenge too', async () => {
    const keys = keysOf('a');
    for (let index = 0; index < 5; index += 1) {
      expect(await blockOf(keys)).toBeNull();
      end(challenge(keys), declined);
    }
    expect(await blockOf(keys)).toContain('5 of 5 attempts of this card number declined');
  });

  it('is counted once', async () => {
    const keys = keysOf('a');
    const id = challenge(keys);
    for (let index = 0; index < 10; index += 1) end(id, declined);
    expect(await blockOf(keys)).toBeNull();
  });

  it('is counted by the transaction that a failover continued it with', async () => {
    const keys = keysOf('a');
    for (let index = 0; index < 5; index += 1) end(`next ${index}`, { ...declined, attemptId: start(keys) ?? '' });
    expect(await blockOf(keys)).toContain('5 of 5 attempts of this card number declined');
  });

  it.each<[string, End | null]>([
    ['is open', null],
    ['is open in another state', { status: 'challenge', declineClass: null }],
    ['was abandoned', { status: 'fail', declineClass: 'unconfirmed' }],
    ['failed technically', { status: 'fail', declineClass: 'technical' }],
  ])('does not count if it %s, neither as declined nor as approved', async (_name, how) => {
    for (let index = 0; index < 20; index += 1) {
      const id = challenge(keysOf(`other ${index}`, 'x'));
      if (how) end(id, how);
    }
    expect(await blockOf(keysOf('new', 'x'))).toBeNull();
    for (let index = 0; index < 10; index += 1) end(start(keysOf(`tested ${index}`, 'x')), declined);
    expect(await blockOf(keysOf('new', 'x'))).toContain("10 of 10 attempts of this payer's address declined");
  });

  it('that is approved counts against the declines', async () => {
    for (let index = 0; index < 10; index += 1) {
      end(start(keysOf(`good ${index}`, 'x')), approved);
      end(start(keysOf(`bad ${index}`, 'x')), declined);
    }
    expect(await blockOf(keysOf('new', 'x'))).toBeNull();
  });

  it('that another process started is not counted here', async () => {
    const keys = keysOf('a');
    for (let index = 0; index < 10; index += 1) end(`elsewhere ${index}`, declined);
    expect(await blockOf(keys)).toBeNull();
  });
});

describe('attempts in progress', () => {
  it('of one card are stopped at its threshold, also with those that were declined', async () => {
    const keys = keysOf('a');
    for (let index = 0; index < 2; index += 1) end(start(keys), declined);
    const sent = Array.from({ length: 200 }, () => start(keys)).filter((id) => id !== null);
    expect(sent).toHaveLength(3);
    expect(await blockOf(keys)).toContain('declined within 10 minutes, and 3 more in progress');
    for (const id of sent) end(id, approved);
    expect(await blockOf(keys)).toBeNull();
  });

  it('no longer count when their provider call has ended, in whatever way and once', async () => {
    const keys = keysOf('a', 'x');
    for (let index = 0; index < 100; index += 1) {
      const id = start(keys);
      expect(id).not.toBeNull();
      endTestedCall(id ?? '');
      endTestedCall(id ?? '');
    }
    const sent = Array.from({ length: 10 }, () => start(keys)).filter((id) => id !== null);
    expect(sent).toHaveLength(5);
  });

  it('of many cards from one address are stopped', () => {
    const sent = Array.from({ length: 200 }, (_, index) => start(keysOf(index, 'x'))).filter((id) => id !== null);
    expect(sent).toHaveLength(100);
  });

  it('of an office of twenty honest payers at the same moment pass, again and again', () => {
    for (let round = 0; round < 5; round += 1) {
      const sent = Array.from({ length: 20 }, (_, index) => start(keysOf(`${round} ${index}`, 'x')));
      expect(sent).not.toContain(null);
      // One in ten is declined.
      for (const [index, id] of sent.entries()) end(id, index % 10 === 0 ? declined : approved);
    }
  });
});
