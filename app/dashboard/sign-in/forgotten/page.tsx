import type { Metadata } from 'next';
import { ForgotPasswordForm } from '../../../../components/dashboard/sign-in/forms.tsx';
import { linkBase } from '../../../../lib/config/index.ts';
import { emailDelivery, signInPath } from '../../../../lib/dashboard/index.ts';
import type { SignInPageProps } from '../../session.ts';
import { SignInLayout } from '../../sign-in-layout.tsx';

export const metadata: Metadata = { title: 'Reset password' };

const hints = {
  server: () => null,
  outbox: () => (
    <>
      This sandbox has no mail server: the email is in <a href={`${linkBase('public')}/sandbox/outbox`}>its outbox</a>.
    </>
  ),
  nowhere: () => 'This deployment cannot send emails. Ask an administrator.',
};

export default async function ForgottenPage({ searchParams }: SignInPageProps) {
  const { fault, sent } = await searchParams;
  return (
    <SignInLayout
      title="Reset password"
      about="We send you a link by email."
      links={[['Back to sign-in', signInPath]]}
      hint={hints[emailDelivery()]()}
    >
      <ForgotPasswordForm invalid={fault !== undefined} sent={sent === '1'} />
    </SignInLayout>
  );
}
