// The navigation of the dashboard. Each entry names the permission of its page: only accessible pages are shown.
import type { Right } from '../../../lib/dashboard/contract.ts';
import type { IconName } from '../icons.tsx';

type NavGroup = 'daily' | 'developers' | 'configure';

export type NavItem = {
  href: string;
  label: string;
  glyph: IconName;
  group: NavGroup;
  /** A permission of lib/auth/roles.ts; the layout checks it. */
  right: Right;
  key?: string;
  /** Other words for it, by which the command menu finds it. */
  also: string;
  count?: 'callbacks' | 'payments' | 'chargebacks' | 'unresolved';
};

type Page = [path: string, label: string, glyph: IconName, also: string, more?: Partial<NavItem>];

const pagesOf = (group: NavGroup, right: Right, pages: Page[]): NavItem[] =>
  pages.map(([path, label, glyph, also, more]) => {
    return { label, glyph, also, right, ...more, group, href: `/dashboard${path}` };
  });

const daily: Page[] = [
  ['', 'Overview', 'overview', 'home dashboard analytics statistics approval rate', { key: 'o' }],
  ['/payments', 'Payments', 'payments', 'transactions orders refunds captures voids', { key: 'p', count: 'payments' }],
  ['/sessions', 'Checkout sessions', 'sessions', 'payment links abandoned'],
  ['/payouts', 'Payouts', 'payouts', 'credits transfers'],
  ['/chargebacks', 'Chargebacks', 'chargebacks', 'disputes retrievals', { count: 'chargebacks' }],
  ['/unresolved', 'Unresolved', 'unresolved', 'pending tasks differences', { count: 'unresolved' }],
  ['/tokens', 'Tokens', 'tokens', 'stored cards card on file vault'],
  ['/chains', 'Recurring payments', 'link', 'subscriptions rebilling mit'],
  ['/schedules', 'Schedules', 'schedules', 'subscriptions plans recurring'],
];

const reconciliation: Page[] = [
  ['/reports', 'Settlement reports', 'payouts', 'reconciliation settlement csv upload batches fees'],
  ['/differences', 'Differences', 'unresolved', 'reconciliation missing duplicate amount fee'],
];

const developers: Page[] = [
  ['/callbacks', 'Callbacks', 'callback', 'webhooks notifications ipn deliveries', { key: 'c', count: 'callbacks' }],
  ['/requests', 'API logs', 'requests', 'api requests errors'],
  ['/hash-debugger', 'Hash debugger', 'hash', 'signature md5 invalid hash', { key: 'h' }],
  ['/callback-verifier', 'Callback verifier', 'verify', 'webhook signature'],
  [
    '/request-builder',
    'Request builder',
    'builder',
    'api console playground test request',
    { right: 'developers.send' },
  ],
];

const configure: Page[] = [
  ['/merchants', 'Merchants', 'merchants', 'shops accounts api keys password credentials'],
  ['/mids', 'MIDs', 'provider', 'merchant accounts acquirers providers connectors terminals'],
  ['/routing', 'Routing', 'routing', 'rules cascade failover', { key: 'r' }],
  ['/mappings', 'Mappings', 'mappings', 'protocols ip allowlist callback url webhook url'],
  ['/wallets', 'Wallets', 'wallets', 'apple pay google pay certificates'],
  ['/payment-page', 'Payment page', 'branding', 'branding checkout logo colours theme', { right: 'branding.change' }],
  ['/people', 'Users', 'users', 'people team roles permissions invite', { right: 'users.read' }],
  ['/audit-log', 'Audit log', 'audit', 'history changes activity', { right: 'audit.read' }],
];

/** Every entry in the order of the sidebar. */
export const navItems: readonly NavItem[] = [
  ...pagesOf('daily', 'payments.read', daily),
  ...pagesOf('daily', 'reconciliation.read', reconciliation),
  ...pagesOf('developers', 'developers.read', developers),
  ...pagesOf('configure', 'settings.read', configure),
];

/** The alert counts, shown in red. */
export type ActionCounts = { callbacks: number; payments: number; chargebacks: number; unresolved: number };

/** Whether a page belongs to an entry: the overview's path is a prefix of every other. */
export function isCurrent(path: string, href: string): boolean {
  return path === href || (href !== '/dashboard' && path.startsWith(`${href}/`));
}

const groupTitles = { daily: null, developers: 'Developers', configure: 'Configure' };

/** The groups that have entries, in order. */
export function navGroups(items: readonly NavItem[]): { title: string | null; items: NavItem[] }[] {
  const groups = Object.entries(groupTitles).map(([group, title]) => {
    return { title, items: items.filter((item) => item.group === group) };
  });
  return groups.filter((group) => group.items.length > 0);
}
