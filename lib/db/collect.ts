/**
 * Calls of a step that wait in the same turn of the event loop become one statement over a set of rows. There is no
 * timer: a call that is alone is sent at the end of the turn, and while statements are under way the next set grows.
 */
import { type Query, query } from './db.ts';
import { joinWaitQueue } from './pool-wait-queue.ts';
import type { Statement } from './statement.ts';
import { isOutcomeUnknown } from './statement-outcome.ts';

/** The most rows of a set: larger ones save nothing more, and delay the answers of their first rows. */
const rowsMax = 64;
/** The most sets of one step under way. */
const setsMax = 4;

/** Reads of one row by its id as {@link collected} statements; undefined where there is none. */
export function collectedReads<Row extends object>(
  read: Statement<{ ids: readonly string[] }, Row>,
  idOf: (row: Row) => string,
): (id: string, run?: Query) => Promise<Row | undefined> {
  const collectedBy = new Map<Query, (id: string) => Promise<Row | undefined>>();
  return (id, run = query) => {
    let readOne = collectedBy.get(run);
    if (!readOne) {
      const readAll = async (ids: readonly string[]) => {
        const rows = new Map((await read({ ids: [...new Set(ids)] }, run)).map((row) => [idOf(row), row]));
        return ids.map((each) => rows.get(each.toLowerCase()));
      };
      readOne = collected(readAll, (each) => each);
      collectedBy.set(run, readOne);
    }
    return readOne(id);
  };
}

type Waiting<Item, Answer> = {
  item: Item;
  key: string;
  leave: () => void;
  done: (answer: Answer) => void;
  failed: (err: unknown) => void;
};

/**
 * A step over sets as a function of one item. `run` answers each item by itself, in order. `keyOf` orders the rows of a set,
 * so that those of several processes lock in the same order. A set that fails is repeated row by row, so that a faulty row
 * fails alone, unless the set may have been committed.
 */
export function collected<Item, Answer>(
  run: (items: readonly Item[]) => Promise<Answer[]>,
  keyOf: (item: Item) => string,
): (item: Item) => Promise<Answer> {
  let waiting: Waiting<Item, Answer>[] = [];
  let underWay = 0;
  let isPlanned = false;

  function plan(): void {
    if (isPlanned || underWay >= setsMax || waiting.length === 0) return;
    isPlanned = true;
    setImmediate(start);
  }

  function start(): void {
    isPlanned = false;
    const set = waiting.slice(0, rowsMax).sort((one, other) => (one.key < other.key ? -1 : 1));
    waiting = waiting.slice(rowsMax);
    underWay += 1;
    void send(set).finally(() => {
      underWay -= 1;
      plan();
    });
    plan();
  }

  async function send(set: Waiting<Item, Answer>[]): Promise<void> {
    for (const { leave } of set) leave();
    try {
      const answers = await run(set.map(({ item }) => item));
      for (const [at, { done }] of set.entries()) done(answers[at] as Answer);
    } catch (err) {
      if (set.length > 1 && !isOutcomeUnknown(err)) await Promise.all(set.map((each) => send([each])));
      else for (const { failed } of set) failed(err);
    }
  }

  return (item) =>
    new Promise((done, failed) => {
      waiting.push({ item, key: keyOf(item), leave: joinWaitQueue(), done, failed });
      plan();
    });
}
