// The people of the dashboard as they come from the server. Times are ISO 8601.

export type RoleName = 'administrator' | 'account_manager' | 'merchant_owner' | 'operator' | 'viewer';

/** What may be done with somebody by whoever looks. */
export type UserAction = 'role' | 'disable' | 'enable' | 'sessions' | 'second_factor';

export type UserRow = {
  id: string;
  name: string;
  email: string;
  role: RoleName;
  roleName: string;
  /** Null for those who look after every merchant. */
  merchantId: string | null;
  merchant: string | null;
  secondFactor: boolean;
  disabled: boolean;
  /** When they were last here, of the sessions that still hold. */
  usedAt: string | null;
  /** Whether it is whoever looks. */
  own: boolean;
  acts: UserAction[];
};

export type InvitationRow = {
  id: string;
  name: string;
  email: string;
  roleName: string;
  merchant: string | null;
  sentAt: string;
  expiresAt: string;
  expired: boolean;
  /** Whether whoever looks may send it again and withdraw it. */
  mayChange: boolean;
};

/** A role that may be given, and whether it belongs to a merchant. */
export type RoleChoice = { role: RoleName; name: string; about: string; ofMerchant: boolean };

export type UsersData = {
  people: UserRow[];
  invitations: InvitationRow[];
  roles: RoleChoice[];
  /** The merchants of whom a role may be given. */
  merchants: { id: string; name: string }[];
  /** Where letters go: `server`, the sandbox's own `outbox`, or nowhere. */
  letters: 'server' | 'outbox' | 'nowhere';
};

/** What an invitation came to: `link` only where no mail server takes it, to be handed over by hand. */
export type InviteResult = UsersData & { link: string | null };
