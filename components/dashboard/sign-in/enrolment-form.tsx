'use client';
// Sets up the second factor that a role requires before any other page: the authenticator, then the recovery codes.
import { useState } from 'react';
import type { Enrolment } from '../../../lib/dashboard/account/contract';
import { EnrolmentSteps, RecoveryCodeList } from '../account/enrolment';
import { DashboardClient } from '../shell/client';
import { Button } from '../ui/button';
import styles from './sign-in.module.css';

type Props = {
  enrolment: Enrolment;
  /** The page afterwards; a path of the dashboard. */
  next: string;
};

export function EnrolmentForm({ enrolment, next }: Props) {
  const [codes, setCodes] = useState<string[] | null>(null);
  return (
    <DashboardClient>
      {codes === null ? (
        <EnrolmentSteps enrolment={enrolment} onDone={setCodes} />
      ) : (
        <div className={styles.form}>
          <h2>Your recovery codes</h2>
          <RecoveryCodeList codes={codes} />
          <Button kind="primary" size="tall" onClick={() => location.assign(next)}>
            I have saved them, continue
          </Button>
        </div>
      )}
    </DashboardClient>
  );
}
