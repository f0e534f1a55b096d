/** Time limits of sign-in and sessions. They use the system clock, never the sandbox clock. */
import { type Role, seesEveryMerchant } from './roles.ts';

/** A session ends this long after its last use. */
export const idleSeconds = 8 * 3600;
/** How often the use of a session is stored. */
export const renewSeconds = 15 * 60;

/** The maximum length of a session: shorter for users who manage every merchant. */
const sessionHours = (role: Role) => (seesEveryMerchant(role) ? 12 : 24);

/** For this long after a proof, no further one is required. */
export const confirmedSeconds = 5 * 60;
/** For this long after the password a required second factor can be set up; then the user signs in again. */
export const enrolSeconds = 15 * 60;
/** For this long after the password the second step can be completed. */
export const secondStepSeconds = 10 * 60;
export const invitationDays = 3;
export const resetMinutes = 60;

/** Whether a session that began at `createdAt` has reached its maximum length. */
export function isSessionExpired(role: Role, createdAt: Date, at: Date): boolean {
  return at.getTime() - createdAt.getTime() >= sessionHours(role) * 3_600_000;
}

/** Whether the user proved their identity shortly before `at`. */
export function isConfirmed(confirmedAt: Date | null, at: Date): boolean {
  return confirmedAt !== null && at.getTime() - confirmedAt.getTime() < confirmedSeconds * 1000;
}
