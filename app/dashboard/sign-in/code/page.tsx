import type { Metadata } from 'next';
import { headers } from 'next/headers';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { Icon } from '../../../../components/dashboard/icons';
import { SecondFactorForm } from '../../../../components/dashboard/sign-in/second-factor';
import styles from '../../../../components/dashboard/sign-in/sign-in.module.css';
import { FormLinks, Hint, SignInLayout } from '../../../../components/dashboard/sign-in/sign-in-layout';
import { findPendingSignIn } from '../../../../lib/auth';
import { safeNext, secondStepPath, signInPath } from '../../../../lib/dashboard';
import { signInErrorKinds, signInErrorText } from '../../../../lib/dashboard/sign-in/labels';
import { deploymentInfo, type Query } from '../../deployment';
import { currentViewer } from '../../session';

export const metadata: Metadata = { title: 'Enter the code' };

export default async function SecondStepPage({ searchParams }: { searchParams: Query }) {
  const query = await searchParams;
  const next = safeNext(query.next);
  if (await currentViewer()) redirect(next);
  const person = await findPendingSignIn(await headers());
  if (!person) redirect(`${signInPath}?${new URLSearchParams({ next })}`);
  const kind = signInErrorKinds.find((each) => each === query.fault);
  const count = typeof query.count === 'string' ? query.count : null;
  const way = query.way === 'recovery' ? 'recovery' : 'totp';
  const to = (extra: Record<string, string>) => `${secondStepPath}?${new URLSearchParams({ next, ...extra })}`;
  return (
    <SignInLayout
      title={way === 'totp' ? 'Enter the code' : 'Enter a recovery code'}
      about={way === 'totp' ? 'Six digits from your authenticator app.' : 'One of your ten recovery codes.'}
      {...deploymentInfo()}
      back={
        <Link href={`${signInPath}?${new URLSearchParams({ next })}`} prefetch={false} className={styles.back}>
          <Icon name="left" />
          {person.email}
        </Link>
      }
    >
      <SecondFactorForm key={way} way={way} next={next} fault={kind ? signInErrorText(kind, count) : null} />
      <FormLinks>
        {way === 'totp' ? (
          <Link href={to({ way: 'recovery' })} prefetch={false}>
            Use a recovery code
          </Link>
        ) : (
          <Link href={to({})} prefetch={false}>
            Use the authenticator app
          </Link>
        )}
        {query.lost ? null : (
          <Link href={to({ lost: '1', ...(way === 'recovery' && { way }) })} prefetch={false}>
            I lost my phone
          </Link>
        )}
      </FormLinks>
      {query.lost ? (
        <Hint>
          Use one of your recovery codes and set up the new phone in your account. Without a recovery code, an
          administrator can remove your two-factor authentication after verifying your identity.
        </Hint>
      ) : null}
    </SignInLayout>
  );
}
