// Users of the dashboard: sign-in, second factor, sessions, roles, the audit log.
// Owns users, user_*, sign_in_rates, sign_in_failures, invitations, saved_views and audit_entries.
// May import the rooms before it: core to connectors.

export { type AuditRecordWithActor, audit, auditChange, entryHash, findAuditRecords, type Json } from './audit.ts';
export {
  countAuditRecords,
  type ListedAuditRecord,
  listAuditActors,
  listAuditRecords,
  verifyHashChain,
} from './audit-log.ts';
export { authenticate, type Session, secondFactorRequired } from './authenticate.ts';
export { confirmIdentity } from './confirm-identity.ts';
export {
  acceptInvitation,
  createInvitation,
  findInvitation,
  findInvitationByToken,
  type Invitation,
  type InvitationState,
  invitationState,
  invitationUrl,
  listInvitations,
  renewInvitation,
  type SentInvitation,
  withdrawInvitation,
} from './invitations.ts';
export type { Members } from './member-diff.ts';
export {
  completePasswordReset,
  createPasswordReset,
  findPasswordResetUser,
  type PasswordReset,
} from './password-reset.ts';
export { passwordError, setPassword } from './passwords.ts';
export { may, merchantOf, type Right, type Role, roleNames, seesEveryMerchant, type Viewer } from './roles.ts';
export { deleteSavedView, insertSavedView, listSavedViews, NameTakenError, updateSavedView } from './saved-views.ts';
export {
  completeEnrolment,
  recoveryCodesLeft,
  regenerateRecoveryCodes,
  removeSecondFactor,
  startEnrolment,
} from './second-factor.ts';
export { endSession, endSessions, listUserSessions, markConfirmed } from './sessions.ts';
export {
  type ClientInfo,
  findPendingSignIn,
  type SecondFactorResult,
  type SignInResult,
  signIn,
  signInWithCode,
  signOut,
} from './sign-in.ts';
export { invitationDays, isConfirmed } from './time-limits.ts';
export { base32 } from './totp.ts';
export { deviceOf } from './user-agent.ts';
export { assignableRoles, mayAssignRole, mayManageUser } from './user-rules.ts';
export { findUser, isEmailTaken, listUsers, type User, updateUser } from './users.ts';
