/** How long a sign-in holds. Times of the sign-in are the machine's own, never those of the sandbox's clock. */
import type { Role } from './roles';

/** A session ends this long after it was last used. */
export const idleSeconds = 8 * 3600;
/** How often the use of a session is written down. */
export const renewSeconds = 15 * 60;

/** A session ends this long after the sign-in, however much it is used: sooner for those who reach every merchant. */
export const sessionHours: Record<Role, number> = {
  administrator: 12,
  account_manager: 12,
  merchant_owner: 24,
  operator: 24,
  viewer: 24,
};

/** For so long after the proof, what asks for one more is done without it. */
export const confirmedSeconds = 5 * 60;
/** For so long after the password a demanded second factor can be set up; afterwards the person signs in again. */
export const enrolSeconds = 15 * 60;
/** For so long after the password the second step can be taken. */
export const secondStepSeconds = 10 * 60;
export const invitationDays = 3;
export const resetMinutes = 60;

/** Whether a session that began at `createdAt` has lasted as long as it may. */
export function isSessionExpired(role: Role, createdAt: Date, at: Date): boolean {
  return at.getTime() - createdAt.getTime() >= sessionHours[role] * 3_600_000;
}

/** Whether somebody has proved who they are shortly before `at`. */
export function isConfirmed(confirmedAt: Date | null, at: Date): boolean {
  return confirmedAt !== null && at.getTime() - confirmedAt.getTime() < confirmedSeconds * 1000;
}
