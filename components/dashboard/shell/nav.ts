// The navigation of the dashboard. Each entry names the permission of its page, so that only accessible pages are
// shown.
import type { Right } from '../../../lib/dashboard/contract';
import type { IconName } from '../icons';

export type NavGroup = 'daily' | 'developers' | 'configure';

export type NavItem = {
  href: string;
  label: string;
  glyph: IconName;
  group: NavGroup;
  /** A permission of lib/auth/roles.ts; the layout checks it. */
  right: Right;
  /** The key after G. */
  key?: string;
  /** Other words for it, by which the command menu finds it. */
  also: string;
  /** The alert count of this entry. */
  count?: 'callbacks' | 'payments' | 'chargebacks' | 'unresolved';
};

type Page = Omit<NavItem, 'href' | 'group' | 'right'>;

const pagesOf = (group: NavGroup, right: Right, pages: Record<string, Page & { right?: Right }>): NavItem[] =>
  Object.entries(pages).map(([path, page]) => ({ right, ...page, group, href: `/dashboard${path}` }));

/** Every entry in the order of the sidebar. */
export const navItems: readonly NavItem[] = [
  ...pagesOf('daily', 'payments.read', {
    '': { label: 'Overview', glyph: 'overview', key: 'o', also: 'home dashboard analytics statistics approval rate' },
    '/payments': {
      ...({ label: 'Payments', glyph: 'payments', key: 'p', count: 'payments' } as const),
      also: 'transactions orders refunds captures voids',
    },
    '/sessions': { label: 'Checkout sessions', glyph: 'sessions', also: 'payment links abandoned' },
    '/payouts': { label: 'Payouts', glyph: 'payouts', also: 'credits transfers' },
    '/chargebacks': {
      ...({ label: 'Chargebacks', glyph: 'chargebacks', count: 'chargebacks' } as const),
      also: 'disputes retrievals',
    },
    '/unresolved': {
      ...({ label: 'Unresolved', glyph: 'unresolved', count: 'unresolved' } as const),
      also: 'pending tasks differences',
    },
    '/tokens': { label: 'Tokens', glyph: 'tokens', also: 'stored cards card on file vault' },
    '/chains': { label: 'Recurring payments', glyph: 'link', also: 'subscriptions rebilling mit' },
    '/schedules': { label: 'Schedules', glyph: 'schedules', also: 'subscriptions plans recurring' },
  }),
  ...pagesOf('developers', 'developers.read', {
    '/callbacks': {
      ...({ label: 'Callbacks', glyph: 'callback', key: 'c', count: 'callbacks' } as const),
      also: 'webhooks notifications ipn deliveries',
    },
    '/requests': { label: 'API logs', glyph: 'requests', also: 'api requests errors' },
    '/hash-debugger': { label: 'Hash debugger', glyph: 'hash', key: 'h', also: 'signature md5 invalid hash' },
    '/callback-verifier': { label: 'Callback verifier', glyph: 'verify', also: 'webhook signature' },
    '/request-builder': {
      ...({ label: 'Request builder', glyph: 'builder', right: 'developers.send' } as const),
      also: 'api console playground test request',
    },
  }),
  ...pagesOf('configure', 'settings.read', {
    '/merchants': { label: 'Merchants', glyph: 'merchants', also: 'shops accounts api keys password credentials' },
    '/mids': { label: 'MIDs', glyph: 'provider', also: 'merchant accounts acquirers providers connectors terminals' },
    '/routing': { label: 'Routing', glyph: 'routing', key: 'r', also: 'rules cascade failover' },
    '/mappings': { label: 'Mappings', glyph: 'mappings', also: 'protocols ip allowlist callback url webhook url' },
    '/wallets': { label: 'Wallets', glyph: 'wallets', also: 'apple pay google pay certificates' },
    '/payment-page': {
      ...({ label: 'Payment page', glyph: 'branding', right: 'branding.change' } as const),
      also: 'branding checkout logo colours theme',
    },
    '/people': {
      ...({ label: 'Users', glyph: 'users', right: 'users.read' } as const),
      also: 'people team roles permissions invite',
    },
    '/audit-log': {
      ...({ label: 'Audit log', glyph: 'audit', right: 'audit.read' } as const),
      also: 'history changes activity',
    },
  }),
];

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
