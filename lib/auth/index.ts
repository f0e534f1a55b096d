// Users of the dashboard: sign-in, second factor, sessions, roles, the audit log.
// Owns users, user_*, sign_in_rates, sign_in_failures, invitations, saved_views and audit_entries.
// May import the rooms before it: core to connectors.
export { type AuditFilter, type ListedAuditRecord, countAuditRecords, listAuditActors, listAuditRecords, verifyHashChain } from './audit-log';
export { type AuditRecordWithActor, type Json, audit, auditChange, entryHash, findAuditRecords } from './audit';
export { type Session, authenticate, secondFactorRequired } from './authenticate';
export { confirmIdentity } from './confirm-identity';
export { deviceOf } from './device';
export { type Invitation, type InvitationState, type SentInvitation, acceptInvitation, createInvitation, findInvitation, findInvitationByToken, invitationState, listInvitations, renewInvitation, withdrawInvitation } from './invitations';
export { invitationDays, isConfirmed } from './limits';
export type { Members } from './member-diff';
export { type PasswordReset, completePasswordReset, createPasswordReset, findPasswordResetUser } from './password-reset';
export { passwordError, setPassword } from './passwords';
export { type Right, type Role, type Viewer, may, merchantOf, roleNames, seesEveryMerchant } from './roles';
export { NameTakenError, deleteSavedView, insertSavedView, listSavedViews, updateSavedView } from './saved-views';
export { completeEnrolment, recoveryCodesLeft, regenerateRecoveryCodes, removeSecondFactor, startEnrolment } from './second-factor';
export { endSession, endSessions, listUserSessions, markConfirmed } from './sessions';
export { type ClientInfo, type SecondFactorResult, type SignInResult, findPendingSignIn, signIn, signInWithCode, signOut } from './sign-in';
export { base32 } from './totp';
export { assignableRoles, mayAssignRole, mayManageUser } from './user-rules';
export { type User, findUser, isEmailTaken, listUsers, updateUser } from './users';
