// A user's own account as the server returns it. Times are ISO 8601.
import type { Answer } from '../guard.ts';
import type { account, finishSecondFactor, requiredEnrolment } from './account.ts';

export type AccountData = Answer<typeof account>;
export type OwnSession = AccountData['sessions'][number];

/** An authenticator during its setup. */
export type Enrolment = Answer<typeof requiredEnrolment>;

/** Recovery codes, shown once. */
export type RecoveryCodes = Answer<typeof finishSecondFactor>;
