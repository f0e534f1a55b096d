import type { Metadata } from 'next';
import Link from 'next/link';
import { ArrivalForm } from '../../../../../components/dashboard/gate/arrival';
import { Gate, Ways } from '../../../../../components/dashboard/gate/gate';
import { resetOf } from '../../../../../lib/auth/reset';
import { signInPath } from '../../../../../lib/dashboard/paths';
import { now } from '../../../../../lib/db/clock';
import { placeOf, type Query } from '../../../place';

export const metadata: Metadata = { title: 'New password', robots: 'noindex' };

type Props = { params: Promise<{ token: string }>; searchParams: Query };

export default async function NewPasswordPage({ params, searchParams }: Props) {
  const { token } = await params;
  const { fault } = await searchParams;
  const person = await resetOf(token, now());
  if (!person) {
    return (
      <Gate title="This link does not hold any more" {...placeOf()}>
        <p>A link to a new password works once, within the hour.</p>
        <Ways>
          <Link href={`${signInPath}/forgotten`} prefetch={false}>
            Ask for another link
          </Link>
          <Link href={signInPath} prefetch={false}>
            Sign in
          </Link>
        </Ways>
      </Gate>
    );
  }
  return (
    <Gate title="New password" about={`For ${person.email}. Every session of yours ends.`} {...placeOf()}>
      <ArrivalForm token={token} invited={null} email={person.email} fault={typeof fault === 'string' ? fault : null} />
    </Gate>
  );
}
