import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { SignInForm } from '../../../components/dashboard/sign-in/forms.tsx';
import { PasskeyForm } from '../../../components/dashboard/sign-in/passkey-form.tsx';
import styles from '../../../components/dashboard/sign-in/sign-in.module.css';
import { env } from '../../../lib/config/index.ts';
import { safeNext } from '../../../lib/dashboard/index.ts';
import { authState, type SignInPageProps, signInError } from '../session.ts';
import { SignInLayout } from '../sign-in-layout.tsx';

export const metadata: Metadata = { title: 'Sign in' };

const sandboxHint = (
  <>
    In the sandbox, sign in as <code>merchant@demo.test</code>, who sees the demo shop, or as{' '}
    <code>manager@demo.test</code>, who sees all merchants. Their password was printed at the first start and is stored
    in <code>.data/demo-password</code>, unless <code>DEMO_PASSWORD</code> was set.
  </>
);

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const query = await searchParams;
  const next = safeNext(query.next);
  if ((await authState()).viewer) redirect(next);
  const hint = env.appEnv === 'sandbox' ? sandboxHint : 'No account? Ask your account manager for an invitation.';
  return (
    <SignInLayout title="Sign in" about="To the Florin dashboard" hint={hint}>
      {query.fresh ? (
        <p className={styles.note} role="status">
          Your password is changed and all sessions have ended. Sign in with the new password.
        </p>
      ) : null}
      <SignInForm next={next} error={signInError(query)} />
      <PasskeyForm purpose="sign_in" action="/sign-in/passkey" next={next} verb="Sign in with a passkey" />
    </SignInLayout>
  );
}
