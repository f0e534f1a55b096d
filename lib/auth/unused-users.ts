/** Deactivates users who no longer sign in (PCI DSS 4.0.1, 8.2.6). */
import { env } from '../config/index.ts';
import { audit } from './audit.ts';
import { deactivateUnused } from './users.ts';

const dayMilliseconds = 86_400_000;
/** How often a process looks for them. */
const intervalMilliseconds = 3_600_000;
let lookedAt = 0;

/** Deactivates the users who have not signed in for INACTIVE_USER_DAYS; returns their number. */
export async function deactivateUnusedUsers(now: Date): Promise<number> {
  const days = env.inactiveUserDays;
  if (days === 0 || Math.abs(now.getTime() - lookedAt) < intervalMilliseconds) return 0;
  const until = new Date(now.getTime() - days * dayMilliseconds);
  const count = await deactivateUnused(until, now, (id) =>
    audit({ actor: 'florin', action: 'person.disable', subject: `user:${id}`, after: { unusedDays: days } }, now),
  );
  // After some there may be more.
  if (count === 0) lookedAt = now.getTime();
  return count;
}
