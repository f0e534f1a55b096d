import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { EnrolmentForm } from '../../../../components/dashboard/account/enrolment.tsx';
import { SignOut } from '../../../../components/dashboard/shell/sign-out.tsx';
import styles from '../../../../components/dashboard/sign-in/sign-in.module.css';
import { roleNames } from '../../../../lib/auth/index.ts';
import { requiredEnrolment, safeNext, signInPath } from '../../../../lib/dashboard/index.ts';
import { authState, type SignInPageProps } from '../../session.ts';
import { SignInLayout } from '../../sign-in-layout.tsx';

export const metadata: Metadata = { title: 'Two-factor authentication' };

export default async function SecondFactorPage({ searchParams }: SignInPageProps) {
  const next = safeNext((await searchParams).next);
  const { viewer, enrolling: person, session } = await authState();
  if (viewer) redirect(next);
  if (!person || !session) redirect(`${signInPath}?${new URLSearchParams({ next })}`);
  const about = `Your role (${roleNames[person.role].toLowerCase()}) requires two-factor authentication.`;
  return (
    <SignInLayout title="Set up two-factor authentication" about={about}>
      <EnrolmentForm enrolment={await requiredEnrolment(person, session.id)} next={next} />
      <div className={styles.ways}>
        <SignOut />
      </div>
    </SignInLayout>
  );
}
