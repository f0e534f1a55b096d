import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { Enrol } from '../../../../components/dashboard/gate/enrol';
import { Gate } from '../../../../components/dashboard/gate/gate';
import styles from '../../../../components/dashboard/gate/gate.module.css';
import { SignOut } from '../../../../components/dashboard/sign-out';
import { roleNames } from '../../../../lib/auth/roles';
import { demandedEnrolment } from '../../../../lib/dashboard/account/account';
import { safeNext, signInPath } from '../../../../lib/dashboard/paths';
import { placeOf, type Query } from '../../place';
import { currentEnrolling, currentViewer } from '../../session';

export const metadata: Metadata = { title: 'Second factor' };

export default async function SecondFactorPage({ searchParams }: { searchParams: Query }) {
  const next = safeNext((await searchParams).next);
  if (await currentViewer()) redirect(next);
  const person = await currentEnrolling();
  if (!person) redirect(`${signInPath}?${new URLSearchParams({ next })}`);
  const role = roleNames[person.role].toLowerCase();
  const about = `As ${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role} you reach every merchant, so a password alone is not enough.`;
  return (
    <Gate title="Set up a second factor" about={about} {...placeOf()}>
      <Enrol enrolment={await demandedEnrolment(person)} next={next} />
      <div className={styles.ways}>
        <SignOut />
      </div>
    </Gate>
  );
}
