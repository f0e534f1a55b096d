/**
 * Who may do what in the dashboard, as one table. A right is asked for on the server at every address; whose payments a
 * person reaches is a second question, answered by `merchantOf`.
 */

export type Role = 'administrator' | 'account_manager' | 'merchant_owner' | 'operator' | 'viewer';

export type Right = 'payments.read' | 'payments.capture' | 'payments.refund' | 'payments.void' | 'callbacks.resend';

/** A person who has signed in. */
export type Viewer = {
  id: string;
  name: string;
  email: string;
  role: Role;
  /** The merchant that the person belongs to; null for those who look after all of them. */
  merchantId: string | null;
};

const moneyMovers: Role[] = ['administrator', 'account_manager', 'merchant_owner', 'operator'];

const holders: Record<Right, readonly Role[]> = {
  'payments.read': [...moneyMovers, 'viewer'],
  'payments.capture': moneyMovers,
  'payments.refund': moneyMovers,
  'payments.void': moneyMovers,
  'callbacks.resend': moneyMovers,
};

/** Whether a role has a right. */
export function may(role: Role, right: Right): boolean {
  return holders[right].includes(role);
}

/** Whether a role looks after every merchant; all others see their own merchant only. */
export function seesEveryMerchant(role: Role): boolean {
  return role === 'administrator' || role === 'account_manager';
}

/**
 * The merchant to whose rows everything that a person reads or does is confined; null for nobody in particular. Throws
 * for a person who should belong to a merchant and does not: no rows at all is right then, never all of them.
 */
export function merchantOf(viewer: Pick<Viewer, 'id' | 'role' | 'merchantId'>): string | null {
  if (seesEveryMerchant(viewer.role)) return null;
  if (viewer.merchantId === null) throw new Error(`user ${viewer.id} has the role ${viewer.role} and no merchant`);
  return viewer.merchantId;
}

/** What a role is called in the dashboard. */
export const roleNames: Record<Role, string> = {
  administrator: 'Administrator',
  account_manager: 'Account manager',
  merchant_owner: 'Merchant owner',
  operator: 'Operator',
  viewer: 'Viewer',
};
