/** A proof of who one is, as it comes in a body, and what is answered to one that does not fit. */
import { z } from 'zod';
import { confirmIdentity } from '../../auth';
import { DashboardError } from '../errors';
import type { DashboardRequest } from '../guard';
import { signInErrorText } from '../sign-in/labels';

/** The password that a person has. */
export const passwordField = z.string('Write your password.').min(1, 'Write your password.').max(128);
/** Six digits of an authenticator, however they are grouped, or a recovery code. */
export const codeField = z
  .string('Write the code.')
  .max(64)
  .transform((text) => text.replace(/\s/g, ''))
  .pipe(z.string().min(6, 'A code has six digits.'));

/** One of the two. */
export const credentialForm = z.object({ password: passwordField.optional(), code: codeField.optional() });

/** Goes on only for a proof that is right. Throws a {@link DashboardError} with a sentence at the field that is not. */
export async function requireIdentity(
  { viewer, now }: Pick<DashboardRequest, 'viewer' | 'now'>,
  { password, code }: z.infer<typeof credentialForm>,
): Promise<void> {
  const field = code === undefined ? 'password' : 'code';
  if (code === undefined && password === undefined) {
    throw new DashboardError(400, 'The request is not valid.', { password: 'Write your password.' });
  }
  const proved = await confirmIdentity(viewer, code === undefined ? { password: password ?? '' } : { code }, now);
  if (proved.kind === 'done') return;
  if (proved.kind === 'locked') {
    const minutes = Math.max(1, Math.ceil((proved.until.getTime() - now.getTime()) / 60_000));
    const message = signInErrorText('locked', String(minutes));
    throw new DashboardError(429, message, { [field]: message });
  }
  const left = String(proved.left);
  const message = field === 'code' ? signInErrorText(proved.used ? 'used' : 'code', left) : wrongPassword(left);
  throw new DashboardError(400, message, { [field]: message });
}

function wrongPassword(left: string): string {
  return signInErrorText('wrong', left).replace(/^.*?\./, 'This is not your password.');
}
