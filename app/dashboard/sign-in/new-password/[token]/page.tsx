import type { Metadata } from 'next';
import { OnboardingForm } from '../../../../../components/dashboard/sign-in/forms.tsx';
import { findPasswordResetUser } from '../../../../../lib/auth/index.ts';
import { signInPath } from '../../../../../lib/dashboard/index.ts';
import { now } from '../../../../../lib/db/clock.ts';
import { type TokenPageProps, textOf } from '../../../session.ts';
import { SignInLayout } from '../../../sign-in-layout.tsx';

export const metadata: Metadata = { title: 'New password', robots: 'noindex' };

export default async function NewPasswordPage({ params, searchParams }: TokenPageProps) {
  const { token } = await params;
  const { fault } = await searchParams;
  const person = await findPasswordResetUser(token, now());
  if (!person) {
    const another: [string, string] = ['Request another link', `${signInPath}/forgotten`];
    return (
      <SignInLayout title="This link has expired" links={[another, ['Sign in', signInPath]]}>
        <p>A password reset link works once, within one hour.</p>
      </SignInLayout>
    );
  }
  return (
    <SignInLayout title="New password" about={`For ${person.email}. All your sessions end.`}>
      <OnboardingForm token={token} name={null} email={person.email} invalid={textOf(fault)} />
    </SignInLayout>
  );
}
