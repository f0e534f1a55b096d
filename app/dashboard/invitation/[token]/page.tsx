import type { Metadata } from 'next';
import Link from 'next/link';
import { OnboardingForm } from '../../../../components/dashboard/sign-in/onboarding-form';
import { FormLinks, SignInLayout } from '../../../../components/dashboard/sign-in/sign-in-layout';
import { findInvitationByToken, type InvitationState, invitationState, roleNames } from '../../../../lib/auth';
import { merchantName, signInPath } from '../../../../lib/dashboard';
import { now } from '../../../../lib/db/clock';
import { deploymentInfo, type Query } from '../../deployment';

export const metadata: Metadata = { title: 'Invitation', robots: 'noindex' };

const ended: Record<Exclude<InvitationState, 'open'> | 'none', [title: string, text: string]> = {
  none: ['Invitation not found', 'Check that the link is complete: some email programs break it over two lines.'],
  expired: ['This invitation has expired', 'It was valid for three days. Ask the sender for a new one.'],
  withdrawn: ['This invitation was withdrawn', 'Ask the sender for a new one.'],
  accepted: ['This invitation was accepted', 'Your account exists: sign in with your password.'],
};

type Props = { params: Promise<{ token: string }>; searchParams: Query };

export default async function InvitationPage({ params, searchParams }: Props) {
  const { token } = await params;
  const { fault } = await searchParams;
  const invitation = await findInvitationByToken(token);
  const state = invitation ? invitationState(invitation, now()) : 'none';
  if (!invitation || state !== 'open') {
    const [title, text] = ended[state === 'open' ? 'none' : state];
    return (
      <SignInLayout title={title} {...deploymentInfo()}>
        <p>{text}</p>
        <FormLinks>
          <Link href={signInPath} prefetch={false}>
            Sign in
          </Link>
        </FormLinks>
      </SignInLayout>
    );
  }
  const { email, name, role, merchantId } = invitation;
  const where = merchantId === null ? 'for all merchants' : `at ${await merchantName(merchantId)}`;
  return (
    <SignInLayout title="Welcome" about={`${email}, ${roleNames[role].toLowerCase()} ${where}`} {...deploymentInfo()}>
      <OnboardingForm
        token={token}
        invited={{ name, email }}
        email={email}
        fault={typeof fault === 'string' ? fault : null}
      />
    </SignInLayout>
  );
}
