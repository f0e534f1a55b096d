/** Work of one kind, of which so much runs at a time. The rest waits in order, for a bounded time. */
import { ApiError } from './errors.ts';

/** As long as a statement waits for a connection. */
const waitMilliseconds = 5_000;

/** What runs, and what begins those that wait. */
export type Turns = { running: number; waiting: Set<() => void> };

export const newTurns = (): Turns => ({ running: 0, waiting: new Set() });

/** Calls `run` when fewer than `atOnce` run. Throws the error `tooBusy`, without calling it, if that takes too long. */
export async function inTurn<T>(turns: Turns, atOnce: number, run: () => Promise<T>): Promise<T> {
  if (turns.running < atOnce) turns.running += 1;
  else await placeOf(turns);
  try {
    return await run();
  } finally {
    passPlace(turns);
  }
}

function placeOf({ waiting }: Turns): Promise<void> {
  return new Promise((begin, refuse) => {
    const take = () => {
      clearTimeout(timer);
      begin();
    };
    const timer = setTimeout(() => {
      waiting.delete(take);
      refuse(new ApiError('tooBusy', undefined, 1));
    }, waitMilliseconds);
    waiting.add(take);
  });
}

/** The first that waits gets the place, before one that comes now. */
function passPlace(turns: Turns): void {
  const [next] = turns.waiting;
  if (next) {
    turns.waiting.delete(next);
    next();
  } else turns.running -= 1;
}

/** Whether work was refused because its turn did not come in time. */
export const isTooBusy = (thrown: unknown): boolean => thrown instanceof ApiError && thrown.key === 'tooBusy';
