import type { Metadata } from 'next';
import Link from 'next/link';
import { ForgotPasswordForm } from '../../../../components/dashboard/sign-in/forgot-password';
import { FormLinks, Hint, SignInLayout } from '../../../../components/dashboard/sign-in/sign-in-layout';
import { emailDelivery, signInPath } from '../../../../lib/dashboard';
import { deploymentInfo, type Query } from '../../deployment';

export const metadata: Metadata = { title: 'Reset password' };

export default async function ForgottenPage({ searchParams }: { searchParams: Query }) {
  const query = await searchParams;
  const delivery = emailDelivery();
  return (
    <SignInLayout title="Reset password" about="We send you a link by email." {...deploymentInfo()}>
      <ForgotPasswordForm fault={query.fault !== undefined} sent={query.sent === '1'} />
      <FormLinks>
        <Link href={signInPath} prefetch={false}>
          Back to sign-in
        </Link>
      </FormLinks>
      {delivery === 'outbox' ? (
        <Hint>
          This sandbox has no mail server: the email is in <a href="/sandbox/outbox">its outbox</a>.
        </Hint>
      ) : null}
      {delivery === 'nowhere' ? <Hint>This deployment cannot send emails. Ask an administrator.</Hint> : null}
    </SignInLayout>
  );
}
