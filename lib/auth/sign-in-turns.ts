/**
 * Sign-ins of unknown browsers run one after the other, so that they occupy one of the two hashes that run at a time.
 * The other is free for known browsers and for users who are signed in. Networks take turns, so that one with many
 * sign-ins delays and refuses its own.
 */
import { env } from '../config/index.ts';
import { processWide } from '../core/process-wide.ts';
import { networkOf } from '../core/rate-limits.ts';

/** The sign-ins of all addresses at a time, with the one that runs. */
const signInsMax = 20;
/** Of them an address has as many as its rate limit accepts in so many seconds. */
const shareSeconds = 3;
/** Networks in the rotation: a machine that is rented often has an IPv6 allocation of this size. */
const allocationBits = 48;

type Turn = { address: string; network: string; decide: (mayRun: boolean) => void };

const turns = processWide('signInTurns', () => ({ running: null as Turn | null, waiting: [] as Turn[] }));

/** Runs a sign-in of an address in its turn; null, without running it, if too many wait. */
export async function runInTurn<T>(client: string, run: () => Promise<T>): Promise<T | null> {
  const address = networkOf(client);
  const network = networkOf(client, allocationBits);
  if (exceedsShare(address) || !makeRoom(network)) return null;
  const mayRun = await new Promise<boolean>((decide) => {
    turns.waiting.push({ address, network, decide });
    if (!turns.running) startNext();
  });
  if (!mayRun) return null;
  try {
    return await run();
  } finally {
    startNext();
  }
}

function exceedsShare(address: string): boolean {
  const perMinute = env.rateLimits?.['sign_in.address'] ?? Number.POSITIVE_INFINITY;
  const own = [turns.running, ...turns.waiting].filter((turn) => turn?.address === address).length;
  return own >= (perMinute * shareSeconds) / 60;
}

// If all places are taken, a network gets one of the network with the most, from the sign-in that has waited longest.
// Were it the latest, or the new one, networks that fill each free place at once would keep all others out.
function makeRoom(network: string): boolean {
  const { waiting } = turns;
  if (waiting.length < signInsMax - 1) return true;
  const countOf = (of: string) => waiting.filter((turn) => turn.network === of).length;
  const most = Math.max(...waiting.map((turn) => countOf(turn.network)));
  if (countOf(network) >= most) return false;
  const [replaced] = waiting.splice(
    waiting.findIndex((turn) => countOf(turn.network) === most),
    1,
  );
  replaced?.decide(false);
  return true;
}

function startNext(): void {
  const { running, waiting } = turns;
  const isOwn = (turn: Turn) => turn.network === running?.network;
  // The others of the network whose turn ends go behind those of all networks.
  turns.waiting = [...waiting.filter((turn) => !isOwn(turn)), ...waiting.filter(isOwn)];
  turns.running = turns.waiting.shift() ?? null;
  turns.running?.decide(true);
}
