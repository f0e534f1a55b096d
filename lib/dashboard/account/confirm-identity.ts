/** Reads a proof of identity from a body and answers a proof that is wrong. */
import { z } from 'zod';
import { confirmIdentity } from '../../auth';
import { DashboardError, invalid } from '../errors';
import type { DashboardRequest } from '../guard';
import { signInErrorText } from '../sign-in/labels';

/** The user's current password. */
export const passwordField = z.string('Enter your password.').min(1, 'Enter your password.').max(128);
/** Six digits of an authenticator, with any grouping, or a recovery code. */
export const codeField = z
  .string('Enter the code.')
  .max(64)
  .transform((text) => text.replace(/\s/g, ''))
  .pipe(z.string().min(6, 'Enter the six digits of the code.'));

/** Either a password or a code. */
export const credentialForm = z.object({ password: passwordField.optional(), code: codeField.optional() });

/** Returns only for a valid proof. Throws an error with a message at the wrong field. */
export async function requireIdentity(
  { viewer, now }: Pick<DashboardRequest, 'viewer' | 'now'>,
  { password, code }: z.infer<typeof credentialForm>,
): Promise<void> {
  const field = code === undefined ? 'password' : 'code';
  if (code === undefined && password === undefined) throw invalid({ password: 'Enter your password.' });
  const proved = await confirmIdentity(viewer, code === undefined ? { password: password ?? '' } : { code }, now);
  if (proved.kind === 'done') return;
  if (proved.kind === 'locked') {
    const minutes = Math.max(1, Math.ceil((proved.until.getTime() - now.getTime()) / 60_000));
    const message = signInErrorText('locked', String(minutes));
    throw new DashboardError(429, message, { [field]: message });
  }
  const left = String(proved.left);
  const message = field === 'code' ? signInErrorText(proved.used ? 'used' : 'code', left) : wrongPassword(left);
  throw invalid({ [field]: message }, message);
}

function wrongPassword(left: string): string {
  return signInErrorText('wrong', left).replace(/^.*?\./, 'The password is incorrect.');
}
