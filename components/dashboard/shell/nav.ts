// The navigation of the dashboard. Each entry names the permission of its page, so that only accessible pages are
// shown.
import type { IconName } from '../icons';

export type NavGroup = 'daily' | 'developers' | 'configure';

export type NavItem = {
  href: string;
  label: string;
  glyph: IconName;
  group: NavGroup;
  /** A permission of lib/auth/roles.ts; the layout checks it. */
  right: string;
  /** The key after G. */
  key?: string;
  /** The alert count of this entry. */
  count?: 'callbacks' | 'payments' | 'chargebacks' | 'unresolved';
};

/** Every entry in the order of the sidebar. */
export const navItems = [
  {
    href: '/dashboard',
    label: 'Overview',
    glyph: 'overview',
    group: 'daily',
    right: 'payments.read',
    key: 'o',
  },
  {
    href: '/dashboard/payments',
    label: 'Payments',
    glyph: 'payments',
    group: 'daily',
    right: 'payments.read',
    key: 'p',
    count: 'payments',
  },
  {
    href: '/dashboard/sessions',
    label: 'Checkout sessions',
    glyph: 'sessions',
    group: 'daily',
    right: 'payments.read',
  },
  {
    href: '/dashboard/payouts',
    label: 'Payouts',
    glyph: 'payouts',
    group: 'daily',
    right: 'payments.read',
  },
  {
    href: '/dashboard/chargebacks',
    label: 'Chargebacks',
    glyph: 'chargebacks',
    group: 'daily',
    right: 'payments.read',
    count: 'chargebacks',
  },
  {
    href: '/dashboard/unresolved',
    label: 'Unresolved',
    glyph: 'unresolved',
    group: 'daily',
    right: 'payments.read',
    count: 'unresolved',
  },
  { href: '/dashboard/tokens', label: 'Tokens', glyph: 'tokens', group: 'daily', right: 'payments.read' },
  { href: '/dashboard/chains', label: 'Recurring payments', glyph: 'link', group: 'daily', right: 'payments.read' },
  {
    href: '/dashboard/schedules',
    label: 'Schedules',
    glyph: 'schedules',
    group: 'daily',
    right: 'payments.read',
  },
  {
    href: '/dashboard/callbacks',
    label: 'Callbacks',
    glyph: 'callback',
    group: 'developers',
    right: 'developers.read',
    key: 'c',
    count: 'callbacks',
  },
  {
    href: '/dashboard/requests',
    label: 'API logs',
    glyph: 'requests',
    group: 'developers',
    right: 'developers.read',
  },
  {
    href: '/dashboard/hash-debugger',
    label: 'Hash debugger',
    glyph: 'hash',
    group: 'developers',
    right: 'developers.read',
    key: 'h',
  },
  {
    href: '/dashboard/callback-verifier',
    label: 'Callback verifier',
    glyph: 'verify',
    group: 'developers',
    right: 'developers.read',
  },
  {
    href: '/dashboard/request-builder',
    label: 'Request builder',
    glyph: 'builder',
    group: 'developers',
    right: 'developers.send',
  },
  {
    href: '/dashboard/merchants',
    label: 'Merchants',
    glyph: 'merchants',
    group: 'configure',
    right: 'settings.read',
  },
  {
    href: '/dashboard/mids',
    label: 'MIDs',
    glyph: 'provider',
    group: 'configure',
    right: 'settings.read',
  },
  {
    href: '/dashboard/routing',
    label: 'Routing',
    glyph: 'routing',
    group: 'configure',
    right: 'settings.read',
    key: 'r',
  },
  {
    href: '/dashboard/mappings',
    label: 'Mappings',
    glyph: 'mappings',
    group: 'configure',
    right: 'settings.read',
  },
  {
    href: '/dashboard/wallets',
    label: 'Wallets',
    glyph: 'wallets',
    group: 'configure',
    right: 'settings.read',
  },
  {
    href: '/dashboard/payment-page',
    label: 'Payment page',
    glyph: 'branding',
    group: 'configure',
    right: 'branding.change',
  },
  {
    href: '/dashboard/people',
    label: 'Users',
    glyph: 'users',
    group: 'configure',
    right: 'users.read',
  },
  {
    href: '/dashboard/audit-log',
    label: 'Audit log',
    glyph: 'audit',
    group: 'configure',
    right: 'audit.read',
  },
] as const satisfies readonly NavItem[];

/** The alert counts, shown in red. */
export type ActionCounts = { callbacks: number; payments: number; chargebacks: number; unresolved: number };

/** Whether a page belongs to an entry: the overview's path is a prefix of every other. */
export function isCurrent(path: string, href: string): boolean {
  return path === href || (href !== '/dashboard' && path.startsWith(`${href}/`));
}

export const groupTitles: Record<NavGroup, string | null> = {
  daily: null,
  developers: 'Developers',
  configure: 'Configure',
};
