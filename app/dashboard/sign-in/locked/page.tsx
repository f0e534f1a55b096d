import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { SecondFactorForm, UnlockForm } from '../../../../components/dashboard/sign-in/forms.tsx';
import { safeNext, signInPath } from '../../../../lib/dashboard/index.ts';
import { authState, type SignInPageProps, signInError } from '../../session.ts';
import { SignInLayout } from '../../sign-in-layout.tsx';

export const metadata: Metadata = { title: 'Locked' };

export default async function LockedPage({ searchParams }: SignInPageProps) {
  const query = await searchParams;
  const next = safeNext(query.next);
  const { viewer, locked, session } = await authState();
  if (viewer) redirect(next);
  const start = `${signInPath}?${new URLSearchParams({ next })}`;
  if (!locked || !session) redirect(start);
  const error = signInError(query);
  const wanted = session.secondFactor ? 'the six digits from your authenticator app' : 'your password';
  return (
    <SignInLayout
      title="Your session is locked"
      about={`It was not used for a while. Enter ${wanted} to continue as ${locked.email}.`}
      links={[['Sign in again', start]]}
    >
      {session.secondFactor ? (
        <SecondFactorForm way="totp" action="/unlock" next={next} error={error} />
      ) : (
        <UnlockForm next={next} error={error} />
      )}
    </SignInLayout>
  );
}
