/**
 * Everything that hashes passwords runs in one of two lines, one at a time, so that each occupies one of the two hashes
 * that run at once: requests of unknown browsers, and those of users, who are signed in or in a known browser. In the
 * first networks take turns, in the second users, so that one with many requests delays and refuses its own.
 */
import { env } from '../config/index.ts';
import { processWide } from '../core/process-wide.ts';
import { networkOf, type RateLimitName } from '../core/rate-limits.ts';

/** Who is served: an unknown browser, by its address, or a user, by email. */
export type TurnOwner = { address: string } | { email: string };

/** The requests of a line at a time, with the one that runs. */
const requestsMax = 20;
/** Of them an address, or a user, has as many as its rate limit accepts in so many seconds, and at least one. */
const shareSeconds = 3;
/** Networks in the rotation: a machine that is rented often has an IPv6 allocation of this size. */
const allocationBits = 48;

/** After so long a client may try again if too many wait. */
export const busySeconds = 5;

/** `owner` has a share of the places; those of one `group` take one turn together. */
type Turn = { owner: string; group: string; decide: (mayRun: boolean) => void };
type Line = { limit: RateLimitName; running: Turn | null; waiting: Turn[] };

const newLine = (limit: RateLimitName): Line => ({ limit, running: null, waiting: [] });
const lines = processWide('passwordTurns', () => ({
  browsers: newLine('sign_in.address'),
  users: newLine('proof.user'),
}));

/** Runs what hashes passwords in its turn; null, without running it, if too many wait. It must not take another turn. */
export async function runInTurn<T>(from: TurnOwner, run: () => Promise<T>): Promise<T | null> {
  const [line, owner, group] = placeOf(from);
  if (exceedsShare(line, owner) || !makeRoom(line, group)) return null;
  const mayRun = await new Promise<boolean>((decide) => {
    line.waiting.push({ owner, group, decide });
    if (!line.running) startNext(line);
  });
  if (!mayRun) return null;
  try {
    return await run();
  } finally {
    startNext(line);
  }
}

function placeOf(from: TurnOwner): [line: Line, owner: string, group: string] {
  if ('address' in from) return [lines.browsers, networkOf(from.address), networkOf(from.address, allocationBits)];
  const email = from.email.trim().toLowerCase();
  return [lines.users, email, email];
}

function exceedsShare({ limit, running, waiting }: Line, owner: string): boolean {
  const perMinute = env.rateLimits?.[limit] ?? Number.POSITIVE_INFINITY;
  const own = [running, ...waiting].filter((turn) => turn?.owner === owner).length;
  return own >= (perMinute * shareSeconds) / 60;
}

// If all places are taken, a group gets one of the group with the most, from the request that has waited longest.
// Were it the latest, or the new one, groups that fill each free place at once would keep all others out.
function makeRoom({ waiting }: Line, group: string): boolean {
  if (waiting.length < requestsMax - 1) return true;
  const countOf = (of: string) => waiting.filter((turn) => turn.group === of).length;
  const most = Math.max(...waiting.map((turn) => countOf(turn.group)));
  if (countOf(group) >= most) return false;
  const [replaced] = waiting.splice(
    waiting.findIndex((turn) => countOf(turn.group) === most),
    1,
  );
  replaced?.decide(false);
  return true;
}

function startNext(line: Line): void {
  const { running, waiting } = line;
  const isOwn = (turn: Turn) => turn.group === running?.group;
  // The others of the group whose turn ends go behind those of all groups.
  line.waiting = [...waiting.filter((turn) => !isOwn(turn)), ...waiting.filter(isOwn)];
  line.running = line.waiting.shift() ?? null;
  line.running?.decide(true);
}
