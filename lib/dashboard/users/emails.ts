/** Emails to users of the dashboard: invitations and password reset links. In English, as the dashboard is. */
import { type PasswordReset, roleNames, type SentInvitation } from '../../auth';
import { env } from '../../config';
import { queueEmail } from '../../outbox';

/** The URL of an invitation's token. */
export function invitationUrl(token: string): string {
  return `${env.baseUrl}/dashboard/invitation/${token}`;
}

/** The URL of a reset token. */
export function resetUrl(token: string): string {
  return `${env.baseUrl}/dashboard/sign-in/new-password/${token}`;
}

/** How this deployment sends emails. */
export function emailDelivery(): 'server' | 'outbox' | 'nowhere' {
  if (env.smtpUrl !== null) return 'server';
  return env.appEnv === 'sandbox' ? 'outbox' : 'nowhere';
}

/** Sends an invitation's link. */
export async function sendInvitation(
  { invitation, token }: SentInvitation,
  { by, merchant }: { by: string; merchant: string | null },
  now: Date,
): Promise<void> {
  const { name, email, role, expiresAt } = invitation;
  const url = invitationUrl(token);
  const where = merchant ?? 'all merchants';
  const text = `Hello ${name},

${by} has invited you to the Florin dashboard as ${roleNames[role].toLowerCase()} for ${where}. Create your account with this link:

${url}

The link works once, until ${dayOf(expiresAt)}. If you did not expect this invitation, ignore this email: no account is created without the link.
`;
  await queueEmail({ to: email, subject: 'Your invitation to the Florin dashboard', text, url, expiresAt }, now);
}

/** Sends a password reset link. */
export async function sendReset({ token, name, email, expiresAt }: PasswordReset, now: Date): Promise<void> {
  const url = resetUrl(token);
  const text = `Hello ${name},

set a new password for your Florin dashboard account with this link:

${url}

The link works once, within one hour. If you did not request it, ignore this email: your password does not change.
`;
  await queueEmail({ to: email, subject: 'Reset your password for the Florin dashboard', text, url, expiresAt }, now);
}

function dayOf(at: Date): string {
  const day = at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
  return `${day}, ${at.toISOString().slice(11, 16)} UTC`;
}
