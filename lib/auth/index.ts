// Users of the dashboard: sign-in, second factor, sessions, roles, the audit log.
// Owns users, user_*, former_passwords, sign_in_rates, sign_in_failures, invitations, saved_views and audit_entries.
// May import the rooms before it: core to vault.

export {
  type AuditRecordWithActor,
  audit,
  auditChange,
  entryHash,
  findAuditRecords,
  type Json,
  type Members,
} from './audit.ts';
export * from './audit-log.ts';
export { authenticate, type Session, secondFactorRequired } from './authenticate.ts';
export { confirmIdentity } from './confirm-identity.ts';
export * from './invitations.ts';
export { isUsedPassword, passwordError, usedPasswordError } from './password-rules.ts';
// Not the checks of a password or a code: without sign-in's lock and audit entry they could be tried at will.
export {
  completePasswordReset,
  createPasswordReset,
  findPasswordResetUser,
  type PasswordReset,
  setPassword,
} from './passwords.ts';
export * from './roles.ts';
export * from './saved-views.ts';
export {
  completeEnrolment,
  recoveryCodesLeft,
  regenerateRecoveryCodes,
  removeSecondFactor,
  startEnrolment,
} from './second-factor.ts';
export * from './sessions.ts';
export * from './sign-in.ts';
export { invitationDays, isConfirmed } from './time-limits.ts';
export { base32 } from './totp.ts';
export * from './users.ts';
