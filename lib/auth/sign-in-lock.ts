/**
 * Locks an account after too many wrong passwords or codes in a row. The two are counted separately: a right password
 * must not reset the count of guessed codes. The count belongs to the entered email, whether or not it has an account,
 * so that the answer does not reveal which accounts exist. An attempt is counted before the password is checked, so
 * that concurrent attempts gain nothing. A browser in which the user has signed in before (known-devices.ts) has counts
 * of its own.
 */
import { createHash } from 'node:crypto';
import { prisma, statement } from '../db/index.ts';

export const failuresMax = 10;
export const lockMinutes = 30;
/** Failures further apart do not add up. */
const failureWindowMinutes = 24 * 60;

/** What is guessed: the password, or the second factor (codes of an authenticator, recovery codes, passkeys). */
export type CredentialKind = 'password' | 'code';

/** Whose attempts are counted together: those of an email, in one known browser or in all others. */
export type Guesser = { email: string; device: string | null };

/** `left` is the number of attempts after this one; if this one fails and was the last, the account is locked. */
export type SignInAttempt = { left: number; lockedUntil: Date | null };

type AttemptRow = { failures: number; locked_until: Date | null };

const addAttempt = statement<{ digest: Uint8Array; now: Date }, AttemptRow>(
  'sign-in-attempt',
  `insert into sign_in_failures (email_digest, failures, last_at) values (:digest, 1, :now::timestamptz)
   on conflict (email_digest) do update set
     failures = case when sign_in_failures.locked_until is not null
                       or sign_in_failures.last_at < :now::timestamptz - interval '${failureWindowMinutes} minutes'
                     then 1 else sign_in_failures.failures + 1 end,
     locked_until = case when sign_in_failures.locked_until is null and sign_in_failures.failures + 1 >= ${failuresMax}
                          and sign_in_failures.last_at >= :now::timestamptz - interval '${failureWindowMinutes} minutes'
                         then :now::timestamptz + interval '${lockMinutes} minutes' end,
     last_at = :now::timestamptz
   where sign_in_failures.locked_until is null or sign_in_failures.locked_until <= :now::timestamptz
   returning failures, locked_until`,
);

/** Counts an attempt of one kind. Refused, with the end of the lock, after too many. */
export async function countAttempt(
  guessed: CredentialKind,
  guesser: Guesser,
  now: Date,
): Promise<SignInAttempt | { refusedUntil: Date }> {
  const [row] = await addAttempt({ digest: digestOf(guessed, guesser), now });
  if (!row) return { refusedUntil: await lockEnd(guessed, guesser, now) };
  return { left: Math.max(0, failuresMax - row.failures), lockedUntil: row.locked_until };
}

const subtractAttempt = statement<{ digest: Uint8Array }>(
  'sign-in-attempt-undo',
  `update sign_in_failures set failures = greatest(failures - 1, 0),
          locked_until = case when failures > ${failuresMax} then locked_until end
    where email_digest = :digest`,
);

/** Removes a counted attempt that was right, or that was never checked. */
export async function uncountAttempt(guessed: CredentialKind, guesser: Guesser): Promise<void> {
  await subtractAttempt({ digest: digestOf(guessed, guesser) });
}

/** Clears the failures of one kind after a right password or code. */
export async function clearFailures(guessed: CredentialKind, guesser: Guesser): Promise<void> {
  await prisma().signInFailure.deleteMany({ where: { emailDigest: digestOf(guessed, guesser) } });
}

/** Deletes expired counts; returns their number. */
export async function deleteExpiredFailures(now: Date): Promise<number> {
  const { count } = await prisma().signInFailure.deleteMany({
    where: {
      lastAt: { lt: new Date(now.getTime() - failureWindowMinutes * 60_000) },
      OR: [{ lockedUntil: null }, { lockedUntil: { lte: now } }],
    },
  });
  return count;
}

async function lockEnd(guessed: CredentialKind, guesser: Guesser, now: Date): Promise<Date> {
  const row = await prisma().signInFailure.findUnique({ where: { emailDigest: digestOf(guessed, guesser) } });
  return row?.lockedUntil ?? now;
}

function digestOf(guessed: CredentialKind, { email, device }: Guesser): Buffer<ArrayBuffer> {
  // An email contains no line break.
  const kind = guessed === 'code' ? 'code\n' : '';
  const browser = device === null ? '' : `${device}\n`;
  return createHash('sha256')
    .update(browser + kind + email.trim().toLowerCase())
    .digest();
}
