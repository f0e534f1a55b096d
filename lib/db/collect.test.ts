import { setImmediate as turn } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { collected, collectedReads } from './collect.ts';
import { waitQueueStats } from './pool-wait-queue.ts';
import { withUnknownOutcome } from './statement-outcome.ts';

/** A step that records its sets and ends each when `end` is called. */
function newStep() {
  const sets: string[][] = [];
  const ends: ((failure?: Error) => void)[] = [];
  const call = collected(
    (items: readonly string[]) => {
      sets.push([...items]);
      return new Promise<string[]>((done, failed) => {
        ends.push((failure) => (failure ? failed(failure) : done(items.map((item) => item.toUpperCase()))));
      });
    },
    (item) => item,
  );
  /** Ends the oldest set under way, and waits for what follows from it. */
  const end = async (failure?: Error) => {
    ends.shift()?.(failure);
    await turn();
    await turn();
  };
  return { call, sets, end };
}

/** As a statement fails whose answer never came. */
const lostConnection = () => withUnknownOutcome(new Error('Connection terminated unexpectedly'));

const refusal = () => new pg.DatabaseError('value too long', 14, 'error');

describe('calls of one turn', () => {
  it('are one set in the order of their keys, each with its own answer', async () => {
    const { call, sets, end } = newStep();
    const answers = ['c', 'a', 'b'].map(call);
    expect(sets).toEqual([]);
    await turn();
    expect(sets).toEqual([['a', 'b', 'c']]);
    await end();
    expect(await Promise.all(answers)).toEqual(['C', 'A', 'B']);
  });

  it('are sent alone where nothing else waits', async () => {
    const { call, sets, end } = newStep();
    const first = call('a');
    await turn();
    await end();
    expect(await first).toBe('A');
    const second = call('b');
    await turn();
    await end();
    expect(await second).toBe('B');
    expect(sets).toEqual([['a'], ['b']]);
  });

  it('are at most 64 in a set, and four sets are under way: later ones wait for the end of one', async () => {
    const { call, sets, end } = newStep();
    const names = Array.from({ length: 278 }, (_, at) => String(at).padStart(3, '0'));
    const answers = names.map(call);
    for (let round = 0; round < 5; round += 1) await turn();
    expect(sets.map(({ length }) => length)).toEqual([64, 64, 64, 64]);
    answers.push(call('late'));
    await turn();
    expect(sets).toHaveLength(4);
    await end();
    expect(sets.map(({ length }) => length)).toEqual([64, 64, 64, 64, 23]);
    for (let round = 0; round < 4; round += 1) await end();
    expect(await Promise.all(answers)).toEqual([...names, 'LATE']);
  });

  it('count as waiting for the database until they are sent', async () => {
    const { call, end } = newStep();
    const before = waitQueueStats().length;
    const answers = ['a', 'b'].map(call);
    expect(waitQueueStats().length).toBe(before + 2);
    await turn();
    expect(waitQueueStats().length).toBe(before);
    await end();
    await Promise.all(answers);
  });
});

describe('a set that fails', () => {
  it('is repeated row by row where PostgreSQL refused it: the faulty row fails alone', async () => {
    const { call, sets, end } = newStep();
    const answers = Promise.allSettled(['a', 'b', 'c'].map(call));
    await turn();
    await end(refusal());
    expect(sets).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c']]);
    await end();
    await end(refusal());
    await end();
    expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(sets).toHaveLength(4);
  });

  it('is repeated row by row where it could not be written down, before anything was sent', async () => {
    const call = collected(
      async (items: readonly string[]) => {
        if (items.includes('b')) throw new Error('decline cannot happen to a payment in refund');
        return items.map((item) => item.toUpperCase());
      },
      (item) => item,
    );
    const answers = await Promise.allSettled(['a', 'b', 'c'].map(call));
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('is not repeated after a lost connection: it may have been committed', async () => {
    const { call, sets, end } = newStep();
    const answers = Promise.allSettled(['a', 'b'].map(call));
    await turn();
    await end(lostConnection());
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(sets).toHaveLength(1);
  });

  it('is not repeated where it has one row', async () => {
    const { call, sets, end } = newStep();
    const answer = Promise.allSettled([call('a')]);
    await turn();
    await end(refusal());
    expect((await answer)[0]?.status).toBe('rejected');
    expect(sets).toHaveLength(1);
  });
});

it('reads answer each id, also one that is asked for twice or in upper case, and an unknown one', async () => {
  const asked: (readonly string[])[] = [];
  const read = collectedReads(
    async ({ ids }) => {
      asked.push(ids);
      return [{ id: 'b' }, { id: 'a' }];
    },
    ({ id }) => id,
  );
  const rows = await Promise.all(['a', 'B', 'a', 'c'].map((id) => read(id)));
  expect(rows.map((row) => row?.id)).toEqual(['a', 'b', 'a', undefined]);
  expect(asked).toEqual([['B', 'a', 'c']]);
});
