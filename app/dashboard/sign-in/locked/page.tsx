import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { SecondFactorForm, UnlockForm } from '../../../../components/dashboard/sign-in/forms.tsx';
import { PasskeyForm } from '../../../../components/dashboard/sign-in/passkey-form.tsx';
import { unlockingWays } from '../../../../lib/auth/index.ts';
import { lockedPath, safeNext, signInPath } from '../../../../lib/dashboard/index.ts';
import { authState, type SignInPageProps, signInError } from '../../session.ts';
import { SignInLayout } from '../../sign-in-layout.tsx';

export const metadata: Metadata = { title: 'Locked' };

const requests = {
  passkey: 'Use a passkey',
  code: 'Enter the six digits from your authenticator app',
  password: 'Enter your password',
};
const links = { passkey: 'Use a passkey', code: 'Use the authenticator app', password: 'Use the password' };

export default async function LockedPage({ searchParams }: SignInPageProps) {
  const query = await searchParams;
  const next = safeNext(query.next);
  const { viewer, locked } = await authState();
  if (viewer) redirect(next);
  const start = `${signInPath}?${new URLSearchParams({ next })}`;
  if (!locked) redirect(start);
  const error = signInError(query);
  const ways = await unlockingWays(locked.id);
  const way = ways.find((each) => each === query.way) ?? ways[0] ?? 'password';
  const others = ways.filter((each) => each !== way);
  const to = (each: string) => `${lockedPath}?${new URLSearchParams({ next, way: each })}`;
  return (
    <SignInLayout
      title="Your session is locked"
      about={`It was not used for a while. ${requests[way]} to continue as ${locked.email}.`}
      links={[...others.map((each): [string, string] => [links[each], to(each)]), ['Sign in again', start]]}
    >
      {way === 'passkey' ? (
        <PasskeyForm purpose="confirmation" action="/unlock" next={next} verb="Use a passkey" kind="primary" />
      ) : null}
      {way === 'code' ? <SecondFactorForm way="totp" action="/unlock" next={next} error={error} /> : null}
      {way === 'password' ? <UnlockForm next={next} error={error} /> : null}
    </SignInLayout>
  );
}
