'use client';
// Sets up the second factor that a role requires before any other page: the authenticator, then the recovery codes.
import { useState } from 'react';
import type { Enrolment } from '../../../lib/dashboard/account/contract.ts';
import { EnrolmentSteps, RecoveryCodeList } from '../account/enrolment.tsx';
import { Button } from '../ui/button.tsx';
import styles from './sign-in.module.css';

/** `next` is the page afterwards, a path of the dashboard. */
export function EnrolmentForm({ enrolment, next }: { enrolment: Enrolment; next: string }) {
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes === null) return <EnrolmentSteps enrolment={enrolment} onDone={setCodes} />;
  return (
    <div className={styles.form}>
      <h2>Your recovery codes</h2>
      <RecoveryCodeList codes={codes} />
      <Button kind="primary" size="tall" onClick={() => location.assign(next)}>
        I have saved them, continue
      </Button>
    </div>
  );
}
