/**
 * Rules about which user may assign, change or remove which other user, in addition to the table of permissions. Only
 * administrators assign roles that manage every merchant; an owner decides only about their own merchant.
 */
import { type Role, roleNames, seesEveryMerchant, type Viewer } from './roles.ts';

export type Subject = Pick<Viewer, 'id' | 'role' | 'merchantId'>;

export type UserAction = 'role' | 'disable' | 'enable' | 'sessions' | 'second_factor';

const roles = Object.keys(roleNames) as Role[];

/** Whether a user may assign this role, at this merchant, to another user. */
export function mayAssignRole(actor: Subject, role: Role, merchantId: string | null): boolean {
  // Roles that manage every merchant belong to none, all others to exactly one.
  if (seesEveryMerchant(role) !== (merchantId === null)) return false;
  if (actor.role === 'administrator') return true;
  if (seesEveryMerchant(role)) return false;
  if (actor.role === 'account_manager') return true;
  return actor.role === 'merchant_owner' && actor.merchantId === merchantId;
}

/** The roles that a user may assign, in the order of the table of permissions. */
export function assignableRoles(actor: Subject): Role[] {
  return roles.filter((role) =>
    mayAssignRole(actor, role, seesEveryMerchant(role) ? null : (actor.merchantId ?? 'any')),
  );
}

/**
 * Whether a user may do this to another user. Users who can assign a role can also remove it; users cannot
 * change themselves. Only an administrator removes a lost second factor, because that opens an account.
 */
export function mayManageUser(actor: Subject, subject: Subject, act: UserAction): boolean {
  if (actor.id === subject.id) return false;
  if (act === 'second_factor') return actor.role === 'administrator';
  return mayAssignRole(actor, subject.role, subject.merchantId);
}

/** Whether a change leaves no user who can assign every role. `others`: further administrators who can sign in. */
export function removesLastAdministrator(subject: Pick<Subject, 'role'>, next: Role | null, others: number): boolean {
  return subject.role === 'administrator' && next !== 'administrator' && others === 0;
}
