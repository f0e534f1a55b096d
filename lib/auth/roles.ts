/**
 * Who may do what in the dashboard, as one table. A right is asked for on the server at every address; whose payments a
 * person reaches is a second question, answered by `merchantOf`.
 */

export type Role = 'administrator' | 'account_manager' | 'merchant_owner' | 'operator' | 'viewer';

const everyRole: Role[] = ['administrator', 'account_manager', 'merchant_owner', 'operator', 'viewer'];
const moneyMovers: Role[] = ['administrator', 'account_manager', 'merchant_owner', 'operator'];
const owners: Role[] = ['administrator', 'account_manager', 'merchant_owner'];
const managers: Role[] = ['administrator', 'account_manager'];

const holders = {
  /** Payments, and all that hangs on them: sessions, payouts, chains, schedules, tokens, chargebacks, the overview. */
  'payments.read': everyRole,
  'payments.export': moneyMovers,
  'payments.capture': moneyMovers,
  'payments.refund': moneyMovers,
  'payments.void': moneyMovers,
  /** Closing a difference between a provider and a payment, with a note. */
  'unresolved.close': moneyMovers,
  /** Asking the provider how a payment stands. */
  'payments.sync': moneyMovers,
  'schedules.change': moneyMovers,
  'tokens.remove': moneyMovers,
  'callbacks.resend': moneyMovers,
  /** Holding an address back and letting it go on. */
  'callbacks.hold': owners,
  /** The developers' corner: what went over the wire. */
  'developers.read': moneyMovers,
  /** Sending requests that Florin signs. */
  'developers.send': owners,
  /** The settings: merchants, accounts, mappings, routing, wallets. */
  'settings.read': owners,
  'settings.change': managers,
  'merchants.create': managers,
  /** Seeing that keys exist; their passwords need `keys.change` and a person who has just proved who they are. */
  'keys.read': owners,
  'keys.change': owners,
  /** The look of the payment page. */
  'branding.change': owners,
  'users.read': owners,
  'users.change': owners,
  'audit.read': owners,
  /** What a person keeps for themselves: views, second factor, sessions. */
  'own.change': everyRole,
} satisfies Record<string, readonly Role[]>;

/** What a role may do; asked for at every address. */
export type Right = keyof typeof holders;

/** A person who has signed in. */
export type Viewer = {
  id: string;
  name: string;
  email: string;
  role: Role;
  /** The merchant that the person belongs to; null for those who look after all of them. */
  merchantId: string | null;
};

/** Whether a role has a right. */
export function may(role: Role, right: Right): boolean {
  return (holders[right] as readonly Role[]).includes(role);
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
