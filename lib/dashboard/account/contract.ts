// A user's own account as the server returns it. Times are ISO 8601.
import type { Answer } from '../guard.ts';
import type { account, finishSecondFactor, requiredEnrolment } from './account.ts';
import type { beginPasskey, finishPasskey } from './passkeys.ts';

export type AccountData = Answer<typeof account>;
export type OwnSession = AccountData['sessions'][number];

/** An authenticator during its setup. */
export type Enrolment = Answer<typeof requiredEnrolment>;

export type OwnPasskey = AccountData['passkeys'][number];

/** A passkey during its setup. */
export type PasskeySetup = Answer<typeof beginPasskey>;

/** Recovery codes, if the passkey is the first second factor. */
export type PasskeyResult = Answer<typeof finishPasskey>;

/** Recovery codes, shown once. */
export type RecoveryCodes = Answer<typeof finishSecondFactor>;
