/** Time limits of sign-in and sessions. They use the system clock, never the sandbox clock. */
import { env } from '../config/index.ts';

/** A session ends this long after the sign-in, however much it is used. */
export const sessionSeconds = 12 * 3600;
/** How often the use of a session is stored. */
const useStoredSeconds = 30;

/** For this long after a proof, no further one is required. */
export const confirmedSeconds = 5 * 60;
/** For this long after the password a required second factor can be set up; then the user signs in again. */
export const enrolSeconds = 15 * 60;
/** For this long after the password the second step can be completed. */
export const secondStepSeconds = 10 * 60;
/** For this long a browser can answer with a passkey. */
export const challengeSeconds = 5 * 60;
export const invitationDays = 3;
export const resetMinutes = 60;

/** Since this time a session has been used, or it is locked (PCI DSS 4.0.1, 8.2.8). */
export const idleSince = (at: Date): Date => new Date(at.getTime() - env.sessionIdleMinutes * 60_000);

/** Whether a use at `at` is to be stored. */
export const isUseStored = (usedAt: Date, at: Date): boolean =>
  at.getTime() - usedAt.getTime() >= useStoredSeconds * 1000;

/** Whether the user proved their identity shortly before `at`. */
export function isConfirmed(confirmedAt: Date | null, at: Date): boolean {
  return confirmedAt !== null && at.getTime() - confirmedAt.getTime() < confirmedSeconds * 1000;
}
