/** Letters to people of the dashboard: an invitation, and the link to a new password. In English, as the dashboard is. */
import { type PasswordReset, roleNames, type SentInvitation } from '../../auth';
import { env } from '../../config';
import { queueEmail } from '../../outbox';

/** The address that an invitation's token opens. */
export function invitationUrl(token: string): string {
  return `${env.baseUrl}/dashboard/invitation/${token}`;
}

/** The address that a reset's token opens. */
export function resetUrl(token: string): string {
  return `${env.baseUrl}/dashboard/sign-in/new-password/${token}`;
}

/** Where letters go in this deployment. */
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
  const where = merchant ?? 'every merchant';
  const text = `Hello ${name},

${by} invites you to the dashboard of Florin as ${roleNames[role].toLowerCase()} for ${where}. This link makes your account:
${url}

It works once, until ${dayOf(expiresAt)}. If you did not expect this invitation, do nothing: without the link there is no account.
`;
  await queueEmail({ to: email, subject: 'Your invitation to the dashboard of Florin', text, url, expiresAt }, now);
}

/** Sends the link to a new password. */
export async function sendReset({ token, name, email, expiresAt }: PasswordReset, now: Date): Promise<void> {
  const url = resetUrl(token);
  const text = `Hello ${name},

this link sets a new password for your account in the dashboard of Florin:
${url}

It works once, within the hour. If you did not ask for it, do nothing: your password stays as it is.
`;
  await queueEmail({ to: email, subject: 'A new password for the dashboard of Florin', text, url, expiresAt }, now);
}

function dayOf(at: Date): string {
  const day = at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
  return `${day}, ${at.toISOString().slice(11, 16)} UTC`;
}
