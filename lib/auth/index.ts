// Users of the dashboard: sign-in, second factor, sessions, roles, the audit log.
// Owns users, user_*, sign_in_rates, sign_in_failures, invitations, saved_views and audit_entries.
// May import the rooms before it: core to connectors.

export { type AuditRecordWithActor, audit, auditChange, entryHash, findAuditRecords, type Json } from './audit';
export {
  type AuditFilter,
  countAuditRecords,
  type ListedAuditRecord,
  listAuditActors,
  listAuditRecords,
  verifyHashChain,
} from './audit-log';
export { authenticate, type Session, secondFactorRequired } from './authenticate';
export { confirmIdentity } from './confirm-identity';
export {
  acceptInvitation,
  createInvitation,
  findInvitation,
  findInvitationByToken,
  type Invitation,
  type InvitationState,
  invitationState,
  listInvitations,
  renewInvitation,
  type SentInvitation,
  withdrawInvitation,
} from './invitations';
export type { Members } from './member-diff';
export {
  completePasswordReset,
  createPasswordReset,
  findPasswordResetUser,
  type PasswordReset,
} from './password-reset';
export { passwordError, setPassword } from './passwords';
export { may, merchantOf, type Right, type Role, roleNames, seesEveryMerchant, type Viewer } from './roles';
export { deleteSavedView, insertSavedView, listSavedViews, NameTakenError, updateSavedView } from './saved-views';
export {
  completeEnrolment,
  recoveryCodesLeft,
  regenerateRecoveryCodes,
  removeSecondFactor,
  startEnrolment,
} from './second-factor';
export { endSession, endSessions, listUserSessions, markConfirmed } from './sessions';
export {
  type ClientInfo,
  findPendingSignIn,
  type SecondFactorResult,
  type SignInResult,
  signIn,
  signInWithCode,
  signOut,
} from './sign-in';
export { invitationDays, isConfirmed } from './time-limits';
export { base32 } from './totp';
export { deviceOf } from './user-agent';
export { assignableRoles, mayAssignRole, mayManageUser } from './user-rules';
export { findUser, isEmailTaken, listUsers, type User, updateUser } from './users';
