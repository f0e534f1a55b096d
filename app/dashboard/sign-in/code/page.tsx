import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { SecondFactorForm } from '../../../../components/dashboard/sign-in/forms.tsx';
import { findPendingSignIn } from '../../../../lib/auth/index.ts';
import { safeNext, secondStepPath, signInPath } from '../../../../lib/dashboard/index.ts';
import { authState, type SignInPageProps, signInError } from '../../session.ts';
import { SignInLayout } from '../../sign-in-layout.tsx';

export const metadata: Metadata = { title: 'Enter the code' };

const lostHint =
  'Use one of your recovery codes and set up the new phone in your account. Without a recovery code, an administrator can remove your two-factor authentication after verifying your identity.';

export default async function SecondStepPage({ searchParams }: SignInPageProps) {
  const query = await searchParams;
  const next = safeNext(query.next);
  if ((await authState()).viewer) redirect(next);
  const person = await findPendingSignIn(await headers());
  const start = `${signInPath}?${new URLSearchParams({ next })}`;
  if (!person) redirect(start);
  const isApp = query.way !== 'recovery';
  const way = isApp ? 'totp' : 'recovery';
  const to = (extra: Record<string, string>) => `${secondStepPath}?${new URLSearchParams({ next, ...extra })}`;
  const links: [string, string][] = [
    isApp ? ['Use a recovery code', to({ way: 'recovery' })] : ['Use the authenticator app', to({})],
  ];
  if (!query.lost) links.push(['I lost my phone', to({ lost: '1', ...(!isApp && { way }) })]);
  return (
    <SignInLayout
      title={isApp ? 'Enter the code' : 'Enter a recovery code'}
      about={isApp ? 'Six digits from your authenticator app.' : 'One of your ten recovery codes.'}
      back={[person.email, start]}
      links={links}
      hint={query.lost ? lostHint : null}
    >
      <SecondFactorForm key={way} way={way} next={next} error={signInError(query)} />
    </SignInLayout>
  );
}
