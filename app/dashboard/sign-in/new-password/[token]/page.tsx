import type { Metadata } from 'next';
import Link from 'next/link';
import { OnboardingForm } from '../../../../../components/dashboard/sign-in/onboarding-form';
import { FormLinks, SignInLayout } from '../../../../../components/dashboard/sign-in/sign-in-layout';
import { findPasswordResetUser } from '../../../../../lib/auth';
import { signInPath } from '../../../../../lib/dashboard';
import { now } from '../../../../../lib/db/clock';
import { deploymentInfo, type Query } from '../../../deployment';

export const metadata: Metadata = { title: 'New password', robots: 'noindex' };

type Props = { params: Promise<{ token: string }>; searchParams: Query };

export default async function NewPasswordPage({ params, searchParams }: Props) {
  const { token } = await params;
  const { fault } = await searchParams;
  const person = await findPasswordResetUser(token, now());
  if (!person) {
    return (
      <SignInLayout title="This link has expired" {...deploymentInfo()}>
        <p>A password reset link works once, within one hour.</p>
        <FormLinks>
          <Link href={`${signInPath}/forgotten`} prefetch={false}>
            Request another link
          </Link>
          <Link href={signInPath} prefetch={false}>
            Sign in
          </Link>
        </FormLinks>
      </SignInLayout>
    );
  }
  return (
    <SignInLayout title="New password" about={`For ${person.email}. All your sessions end.`} {...deploymentInfo()}>
      <OnboardingForm
        token={token}
        invited={null}
        email={person.email}
        fault={typeof fault === 'string' ? fault : null}
      />
    </SignInLayout>
  );
}
