/** One user has a few reads of the dashboard at a time in a process; further ones wait for their turn. */
import { processWide } from '../core/process-wide.ts';
import { inTurn, newTurns, type Turns } from '../core/turns.ts';

/** A page sends about six requests, of which most end at once. */
const readsMax = 4;

const users = processWide('dashboardTurns', () => new Map<string, Turns>());

/** Reads for a user in their turn. Throws the error `tooBusy` if it does not come in time. */
export async function inUserTurn<T>(userId: string, read: () => Promise<T>): Promise<T> {
  const turns = users.get(userId) ?? newTurns();
  users.set(userId, turns);
  try {
    return await inTurn(turns, readsMax, read);
  } finally {
    if (turns.running === 0) users.delete(userId);
  }
}
