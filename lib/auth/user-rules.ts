/**
 * Who may let whom in, and change or end what they may: rules about two people, on top of the table of rights. Those who
 * look after every merchant are named by administrators alone; an owner decides about their own merchant and nobody else.
 */
import { type Role, roleNames, seesEveryMerchant, type Viewer } from './roles';

/** Somebody as far as these rules ask. */
export type Subject = Pick<Viewer, 'id' | 'role' | 'merchantId'>;

/** What may be done with somebody. */
export type UserAction = 'role' | 'disable' | 'enable' | 'sessions' | 'second_factor';

const roles = Object.keys(roleNames) as Role[];

/** Whether a person may give this role, at this merchant, to somebody. */
export function mayAssignRole(actor: Subject, role: Role, merchantId: string | null): boolean {
  // A role at every merchant belongs to none, every other one to exactly one.
  if (seesEveryMerchant(role) !== (merchantId === null)) return false;
  if (actor.role === 'administrator') return true;
  if (seesEveryMerchant(role)) return false;
  if (actor.role === 'account_manager') return true;
  return actor.role === 'merchant_owner' && actor.merchantId === merchantId;
}

/** The roles that a person may give, in the order of the table of rights. */
export function assignableRoles(actor: Subject): Role[] {
  return roles.filter((role) =>
    mayAssignRole(actor, role, seesEveryMerchant(role) ? null : (actor.merchantId ?? 'any')),
  );
}

/**
 * Whether a person may do this with somebody. What they were given is taken back by whoever could give it; nobody does it
 * to themselves, and a lost second factor is taken away by an administrator alone, because it opens an account.
 */
export function mayManageUser(actor: Subject, subject: Subject, act: UserAction): boolean {
  if (actor.id === subject.id) return false;
  if (act === 'second_factor') return actor.role === 'administrator';
  return mayAssignRole(actor, subject.role, subject.merchantId);
}

/** Whether a change leaves nobody who could give every role. `others`: administrators besides this one who can sign in. */
export function removesLastAdministrator(subject: Pick<Subject, 'role'>, next: Role | null, others: number): boolean {
  return subject.role === 'administrator' && next !== 'administrator' && others === 0;
}
