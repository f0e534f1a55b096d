// Users of the dashboard: sign-in, second factor, sessions, roles, the audit log.
// Owns users, user_*, former_passwords, sign_in_rates, sign_in_failures, invitations, saved_views, audit_entries and
// refused_requests.
// May import the rooms before it: core to vault.

export {
  type AuditRecordWithActor,
  audit,
  auditChange,
  auditWith,
  diffMembers,
  entryHash,
  findAuditRecords,
  type Json,
  type Members,
  restartAuditLog,
  shortenedChange,
} from './audit.ts';
export * from './audit-actions.ts';
export * from './audit-anchors.ts';
export * from './audit-chain.ts';
export { auditKeyUnder } from './audit-key.ts';
export * from './audit-log.ts';
export { authenticate, type Session, secondFactorRequired } from './authenticate.ts';
export { type ConfirmResult, type Credential, confirmIdentity } from './confirm-identity.ts';
export * from './invitations.ts';
export {
  type Assertion,
  listPasskeys,
  type NewPasskey,
  passkeysMax,
  registerPasskey,
  registrationOptions,
  removePasskey,
  renamePasskey,
} from './passkeys.ts';
export { hashPassword, verifyPassword } from './password-hash.ts';
export { isUsedPassword, passwordError, usedPasswordError } from './password-rules.ts';
export { busySeconds, runInTurn } from './password-turns.ts';
// Not the checks of a password, a code or a passkey: without sign-in's lock and audit entry they could be tried at will.
export {
  completePasswordReset,
  createPasswordReset,
  findPasswordResetUser,
  type PasswordReset,
  passwordHashOf,
  setPassword,
} from './passwords.ts';
export { countRefusal, flushRefusals, type RefusedRequest, slowRefusal, writeRefusals } from './refused-requests.ts';
export * from './roles.ts';
export * from './saved-views.ts';
export {
  completeEnrolment,
  confirmationWays,
  type ProofWay,
  recoveryCodesLeft,
  regenerateRecoveryCodes,
  removeSecondFactor,
  secondFactorWays,
  startEnrolment,
  unlockingWays,
} from './second-factor.ts';
export * from './sessions.ts';
export * from './sign-in.ts';
export { invitationDays, isConfirmed } from './time-limits.ts';
export { base32 } from './totp.ts';
export { deactivateUnusedUsers } from './unused-users.ts';
export * from './users.ts';
