/** The permissions of each role. `merchantOf` decides separately which merchant's rows a user reaches. */

export type Role = 'administrator' | 'account_manager' | 'merchant_owner' | 'operator' | 'viewer';

const everyRole: Role[] = ['administrator', 'account_manager', 'merchant_owner', 'operator', 'viewer'];
const moneyMovers: Role[] = ['administrator', 'account_manager', 'merchant_owner', 'operator'];
const owners: Role[] = ['administrator', 'account_manager', 'merchant_owner'];
const managers: Role[] = ['administrator', 'account_manager'];

const holders = {
  /** Payments and related objects: sessions, payouts, recurring payments, schedules, tokens, chargebacks, overview. */
  'payments.read': everyRole,
  'payments.export': moneyMovers,
  'payments.capture': moneyMovers,
  'payments.refund': moneyMovers,
  'payments.void': moneyMovers,
  /** Closing an unresolved item with a note. */
  'unresolved.close': moneyMovers,
  /** Settlement reports and their differences; importing and deciding about them. */
  'reconciliation.read': moneyMovers,
  'reconciliation.write': owners,
  /** Syncing a payment's status with its provider. */
  'payments.sync': moneyMovers,
  'schedules.change': moneyMovers,
  'tokens.remove': moneyMovers,
  'callbacks.resend': moneyMovers,
  /** Pausing and resuming deliveries to an address. */
  'callbacks.hold': owners,
  /** The developer pages: requests and callbacks with their bodies. */
  'developers.read': moneyMovers,
  /** Sending requests that Florin signs. */
  'developers.send': owners,
  /** The settings: merchants, MIDs, mappings, routing, wallets. */
  'settings.read': owners,
  'settings.change': managers,
  'merchants.create': managers,
  /** Seeing that keys exist; their passwords require `keys.change` and a recent proof of identity. */
  'keys.read': owners,
  'keys.change': owners,
  'branding.change': owners,
  'users.read': owners,
  'users.change': owners,
  'audit.read': owners,
  /** Verifying the hash chain of all entries. */
  'audit.verify': managers,
  /** A user's own data: views, second factor, sessions. */
  'own.change': everyRole,
} satisfies Record<string, readonly Role[]>;

/** A permission; checked at every address. */
export type Right = keyof typeof holders;

export type Viewer = {
  id: string;
  name: string;
  email: string;
  role: Role;
  /** The user's merchant; null for users who manage all of them. */
  merchantId: string | null;
};

/** Whether a role has a permission. */
export function may(role: Role, right: Right): boolean {
  return (holders[right] as readonly Role[]).includes(role);
}

/** Whether a role manages every merchant; all others see only their own. */
export function seesEveryMerchant(role: Role): boolean {
  return role === 'administrator' || role === 'account_manager';
}

/**
 * The merchant to which everything that a user reads or does is limited; null for roles that manage all. Throws for a
 * user of another role without a merchant, so that missing data never grants access to all rows.
 */
export function merchantOf(viewer: Pick<Viewer, 'id' | 'role' | 'merchantId'>): string | null {
  if (seesEveryMerchant(viewer.role)) return null;
  if (viewer.merchantId === null) throw new Error(`user ${viewer.id} has the role ${viewer.role} and no merchant`);
  return viewer.merchantId;
}

export const roleNames: Record<Role, string> = {
  administrator: 'Administrator',
  account_manager: 'Account manager',
  merchant_owner: 'Merchant owner',
  operator: 'Operator',
  viewer: 'Viewer',
};

export type Subject = Pick<Viewer, 'id' | 'role' | 'merchantId'>;

export type UserAction = 'role' | 'disable' | 'enable' | 'sessions' | 'second_factor';

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
  return everyRole.filter((role) =>
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
