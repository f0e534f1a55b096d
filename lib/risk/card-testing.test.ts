import { beforeEach, describe, expect, it } from 'vitest';
import type { CardTestingKeys } from '../core/card-testing.ts';
import type { Payment, Transaction } from '../core/payment.ts';
import { cardTestingBlock, countAttemptEnd, endTestedCall, startTestedCall, testingDecline } from './index.ts';

let test = 0;

beforeEach(() => {
  test += 1;
});

/** The keys of an attempt; the counters of each test are its own. */
const keysOf = (card: string | number, address: string | null = null): CardTestingKeys => ({
  card: `${test} ${card}`,
  address: address && `${test} ${address}`,
  bin: `${test} ${card}`,
});
const paymentOf = (keys: CardTestingKeys) => ({ id: 'payment', declines: 0, merchantId: keys.card }) as Payment;

const blockOf = (keys: CardTestingKeys) => cardTestingBlock(keys, paymentOf(keys), new Date());

/** Starts the provider call of an attempt; its keys, or null if it was blocked. */
const start = (keys: CardTestingKeys) => (startTestedCall(keys, paymentOf(keys)) ? keys : null);

type End = Pick<Transaction, 'status' | 'declineClass'> & Partial<Pick<Transaction, 'declineCode'>>;
const declined: End = { status: 'fail', declineClass: 'bank' };
const approved: End = { status: 'success', declineClass: null };

/** Ends an attempt in this process, where it may be in progress or not. */
function count(keys: CardTestingKeys, how: End): void {
  countAttemptEnd(paymentOf(keys), { testingKeys: keys, declineCode: null, ...how } as Transaction);
}

/** Ends an attempt with the provider call that was started. */
function end(keys: CardTestingKeys | null, how: End): void {
  if (!keys) return;
  endTestedCall(keys);
  count(keys, how);
}

describe('an attempt', () => {
  it('is counted when it becomes final, after a challenge and where another process called the provider too', async () => {
    const keys = keysOf('a');
    for (let index = 0; index < 5; index += 1) {
      expect(await blockOf(keys)).toBeNull();
      count(keys, declined);
    }
    expect(await blockOf(keys)).toContain('5 of 5 attempts of this card number declined');
  });

  it('that was blocked is not counted, so that the block ends', async () => {
    const keys = keysOf('a');
    for (let index = 0; index < 10; index += 1) count(keys, { ...declined, declineCode: testingDecline.code });
    expect(await blockOf(keys)).toBeNull();
  });

  it('without keys is not counted', async () => {
    countAttemptEnd({ merchantId: 'm' }, { testingKeys: null, ...declined } as Transaction);
  });

  it.each<[string, End | null]>([
    ['is open', null],
    ['is open in another state', { status: 'challenge', declineClass: null }],
    ['was abandoned', { status: 'fail', declineClass: 'unconfirmed' }],
    ['failed technically', { status: 'fail', declineClass: 'technical' }],
  ])('does not count if it %s, neither as declined nor as approved', async (_name, how) => {
    for (let index = 0; index < 20; index += 1) {
      const keys = keysOf(`other ${index}`, 'x');
      if (how) end(start(keys), how);
      else endTestedCall(start(keys) ?? keys);
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

  it('no longer count when their provider call has ended, in whatever way', async () => {
    const keys = keysOf('a', 'x');
    for (let index = 0; index < 100; index += 1) {
      expect(start(keys)).not.toBeNull();
      endTestedCall(keys);
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
