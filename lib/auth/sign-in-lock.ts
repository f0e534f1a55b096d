/**
 * Locks an account after too many wrong passwords, or too many wrong codes, in a row. The two are counted apart: a right
 * password says nothing about the codes, which somebody who has it would otherwise guess without end. The count belongs to the e-mail that was typed, whether
 * anybody has it or not, so that the answer tells nobody which accounts exist; and a try is counted before the password
 * is looked at, so that many at once are no more than many one after another.
 */
import { createHash } from 'node:crypto';
import { query } from '../db';

export const failuresMax = 10;
export const lockMinutes = 30;
/** Wrong ones that lie this far apart do not add up. */
const failureWindowMinutes = 24 * 60;

/** What is guessed: the password, or the second factor (codes of an authenticator and recovery codes). */
export type CredentialKind = 'password' | 'code';

/** `left` counts the tries after this one; if this one fails and was the last, the account is locked until then. */
export type SignInAttempt = { left: number; lockedUntil: Date | null };

/** Counts a try of one kind under this e-mail. Refused, with the end of the lock, once there have been too many. */
export async function countAttempt(
  guessed: CredentialKind,
  email: string,
  now: Date,
): Promise<SignInAttempt | { refusedUntil: Date }> {
  type Row = { failures: number; locked_until: Date | null };
  const [row] = await query<Row>(
    'sign-in-attempt',
    `insert into sign_in_failures (email_digest, failures, last_at) values ($1, 1, $2::timestamptz)
     on conflict (email_digest) do update set
       failures = case when sign_in_failures.locked_until is not null
                         or sign_in_failures.last_at < $2::timestamptz - interval '${failureWindowMinutes} minutes'
                       then 1 else sign_in_failures.failures + 1 end,
       locked_until = case when sign_in_failures.locked_until is null and sign_in_failures.failures + 1 >= ${failuresMax}
                            and sign_in_failures.last_at >= $2::timestamptz - interval '${failureWindowMinutes} minutes'
                           then $2::timestamptz + interval '${lockMinutes} minutes' end,
       last_at = $2::timestamptz
     where sign_in_failures.locked_until is null or sign_in_failures.locked_until <= $2::timestamptz
     returning failures, locked_until`,
    [digestOf(guessed, email), now],
  );
  if (!row) return { refusedUntil: await lockEnd(guessed, email, now) };
  return { left: Math.max(0, failuresMax - row.failures), lockedUntil: row.locked_until };
}

/** Takes back a try that was counted and that was right, or that nobody has looked at. */
export async function uncountAttempt(guessed: CredentialKind, email: string): Promise<void> {
  await query(
    'sign-in-attempt-undo',
    `update sign_in_failures set failures = greatest(failures - 1, 0),
            locked_until = case when failures > ${failuresMax} then locked_until end
      where email_digest = $1`,
    [digestOf(guessed, email)],
  );
}

/** Forgets the failures of one kind under an e-mail: its password or its code was right. */
export async function clearFailures(guessed: CredentialKind, email: string): Promise<void> {
  await query('sign-in-success', 'delete from sign_in_failures where email_digest = $1', [digestOf(guessed, email)]);
}

/** Removes counts that no longer matter. */
export async function removeOldFailures(now: Date): Promise<void> {
  await query(
    'sign-in-old',
    `delete from sign_in_failures where last_at < $1::timestamptz - interval '${failureWindowMinutes} minutes'
        and (locked_until is null or locked_until <= $1::timestamptz)`,
    [now],
  );
}

async function lockEnd(guessed: CredentialKind, email: string, now: Date): Promise<Date> {
  const [row] = await query<{ locked_until: Date | null }>(
    'sign-in-lock',
    'select locked_until from sign_in_failures where email_digest = $1',
    [digestOf(guessed, email)],
  );
  return row?.locked_until ?? now;
}

function digestOf(guessed: CredentialKind, email: string): Buffer {
  // No e-mail has a line break in it.
  const kind = guessed === 'code' ? 'code\n' : '';
  return createHash('sha256')
    .update(kind + email.trim().toLowerCase())
    .digest();
}
