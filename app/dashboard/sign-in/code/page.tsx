import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { SecondFactorForm } from '../../../../components/dashboard/sign-in/forms.tsx';
import { PasskeyForm } from '../../../../components/dashboard/sign-in/passkey-form.tsx';
import { findPendingSignIn, secondFactorWays } from '../../../../lib/auth/index.ts';
import { safeNext, secondStepPath, signInPath } from '../../../../lib/dashboard/index.ts';
import { authState, type SignInPageProps, signInError } from '../../session.ts';
import { SignInLayout } from '../../sign-in-layout.tsx';

export const metadata: Metadata = { title: 'Second step' };

const lostHint =
  'Use one of your recovery codes and set up the new device in your account. Without a recovery code, an administrator can remove your two-factor authentication after verifying your identity.';

const steps = {
  passkey: { title: 'Use your passkey', about: 'The passkey of this device, of a phone or of a security key.' },
  totp: { title: 'Enter the code', about: 'Six digits from your authenticator app.' },
  recovery: { title: 'Enter a recovery code', about: 'One of your ten recovery codes.' },
};
type Way = keyof typeof steps;
const links: Record<Way, string> = {
  passkey: 'Use a passkey',
  totp: 'Use the authenticator app',
  recovery: 'Use a recovery code',
};

export default async function SecondStepPage({ searchParams }: SignInPageProps) {
  const query = await searchParams;
  const next = safeNext(query.next);
  if ((await authState()).viewer) redirect(next);
  const person = await findPendingSignIn(await headers());
  const start = `${signInPath}?${new URLSearchParams({ next })}`;
  if (!person) redirect(start);
  const factors = await secondFactorWays(person.id);
  const ways: Way[] = [...factors.map((each) => (each === 'code' ? 'totp' : each)), 'recovery'];
  const way = ways.find((each) => each === query.way) ?? ways[0] ?? 'recovery';
  const to = (extra: Record<string, string>) => `${secondStepPath}?${new URLSearchParams({ next, way, ...extra })}`;
  const others = ways.filter((each) => each !== way).map((each): [string, string] => [links[each], to({ way: each })]);
  const lost: [string, string][] = query.lost ? [] : [['I lost my device', to({ lost: '1' })]];
  return (
    <SignInLayout
      {...steps[way]}
      back={[person.email, start]}
      links={[...others, ...lost]}
      hint={query.lost ? lostHint : null}
    >
      {way === 'passkey' ? (
        <PasskeyForm purpose="second_step" action="/sign-in/code" next={next} verb="Use a passkey" kind="primary" />
      ) : (
        <SecondFactorForm key={way} way={way} next={next} error={signInError(query)} />
      )}
    </SignInLayout>
  );
}
