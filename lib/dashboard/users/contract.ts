// The dashboard's users as the server returns them. Times are ISO 8601.

export type RoleName = 'administrator' | 'account_manager' | 'merchant_owner' | 'operator' | 'viewer';

/** What the signed-in user may do with this user. */
export type UserAction = 'role' | 'disable' | 'enable' | 'sessions' | 'second_factor';

export type UserRow = {
  id: string;
  name: string;
  email: string;
  role: RoleName;
  roleName: string;
  /** Null for users who manage every merchant. */
  merchantId: string | null;
  merchant: string | null;
  secondFactor: boolean;
  disabled: boolean;
  /** The last use of an active session. */
  usedAt: string | null;
  /** Whether this is the signed-in user. */
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
  /** Whether the signed-in user may resend and withdraw it. */
  mayChange: boolean;
};

/** A role that may be assigned, and whether it belongs to a merchant. */
export type RoleChoice = { role: RoleName; name: string; about: string; ofMerchant: boolean };

export type UsersData = {
  people: UserRow[];
  invitations: InvitationRow[];
  roles: RoleChoice[];
  /** The merchants whose roles may be assigned. */
  merchants: { id: string; name: string }[];
  /** How emails are sent: `server`, the sandbox's own `outbox`, or not at all. */
  letters: 'server' | 'outbox' | 'nowhere';
};

/** The result of an invitation: `link` only without a mail server, to be handed over by other means. */
export type InviteResult = UsersData & { link: string | null };
