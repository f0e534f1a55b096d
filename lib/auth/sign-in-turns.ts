/**
 * Sign-ins of unknown browsers run one after the other, so that they occupy one of the two hashes that run at a time.
 * The other is free for known browsers and for users who are signed in.
 */
import { env } from '../config/index.ts';
import { processWide } from '../core/process-wide.ts';
import { networkOf } from '../core/rate-limits.ts';

/** The sign-ins of all addresses at a time, with the one that runs. */
const signInsMax = 20;
/** Of them an address has as many as its rate limit accepts in so many seconds. */
const shareSeconds = 3;

type Turns = { addresses: string[]; last: Promise<unknown> };

const turns = processWide('signInTurns', (): Turns => ({ addresses: [], last: Promise.resolve() }));

/** Runs a sign-in of an address in its turn; null, without running it, if too many wait. */
export async function runInTurn<T>(address: string, run: () => Promise<T>): Promise<T | null> {
  const network = networkOf(address);
  const perMinute = env.rateLimits?.['sign_in.address'] ?? Number.POSITIVE_INFINITY;
  const own = turns.addresses.filter((each) => each === network).length;
  if (turns.addresses.length >= signInsMax || own >= (perMinute * shareSeconds) / 60) return null;
  turns.addresses.push(network);
  const turn = turns.last.then(run);
  turns.last = turn.catch(() => undefined);
  try {
    return await turn;
  } finally {
    turns.addresses.splice(turns.addresses.indexOf(network), 1);
  }
}
