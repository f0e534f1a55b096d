import type { Metadata } from 'next';
import { OnboardingForm } from '../../../../components/dashboard/sign-in/forms.tsx';
import {
  findInvitationByToken,
  type InvitationState,
  invitationState,
  isEmailTaken,
  roleNames,
} from '../../../../lib/auth/index.ts';
import { merchantName, signInPath } from '../../../../lib/dashboard/index.ts';
import { now } from '../../../../lib/db/clock.ts';
import { type TokenPageProps, textOf } from '../../session.ts';
import { SignInLayout } from '../../sign-in-layout.tsx';

export const metadata: Metadata = { title: 'Invitation', robots: 'noindex' };

const ended: Record<Exclude<InvitationState, 'open'> | 'none' | 'taken', [title: string, text: string]> = {
  none: ['Invitation not found', 'Check that the link is complete: some email programs break it over two lines.'],
  expired: ['This invitation has expired', 'It was valid for three days. Ask the sender for a new one.'],
  withdrawn: ['This invitation was withdrawn', 'Ask the sender for a new one.'],
  taken: ['You have an account already', 'The account of this email exists: sign in with your password.'],
  accepted: ['This invitation was accepted', 'Your account exists: sign in with your password.'],
};

export default async function InvitationPage({ params, searchParams }: TokenPageProps) {
  const { token } = await params;
  const { fault } = await searchParams;
  const invitation = await findInvitationByToken(token);
  const isTaken = invitation !== null && (await isEmailTaken(invitation.email, null));
  const stored = invitation ? invitationState(invitation, now()) : 'none';
  const state = stored === 'open' && isTaken ? 'taken' : stored;
  if (!invitation || state !== 'open') {
    const [title, text] = ended[state === 'open' ? 'none' : state];
    return (
      <SignInLayout title={title} links={[['Sign in', signInPath]]}>
        <p>{text}</p>
      </SignInLayout>
    );
  }
  const { email, name, role, merchantId } = invitation;
  const where = merchantId === null ? 'for all merchants' : `at ${await merchantName(merchantId)}`;
  return (
    <SignInLayout title="Welcome" about={`${email}, ${roleNames[role].toLowerCase()} ${where}`}>
      <OnboardingForm token={token} name={name} email={email} invalid={textOf(fault)} />
    </SignInLayout>
  );
}
