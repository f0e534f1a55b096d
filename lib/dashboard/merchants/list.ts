/** The list of merchants. */
import { type ListedMerchant, listMerchants } from '../../merchants';
import { created } from '../lists/columns';
import { enabledFilter, isEnabled } from '../lists/filters';
import { resource } from '../lists/resource';

export const merchants = resource({
  name: 'merchants',
  right: 'settings.read',
  title: 'Merchants',
  nouns: ['merchant', 'merchants'],
  search: 'Name, website, ID or key',
  filters: [enabledFilter],
  columns: [
    { id: 'name', head: 'Merchant', width: '30%' },
    { id: 'site', head: 'Website', none: 'not set', hideOnPhone: true },
    { id: 'enabled', head: 'Status', kind: 'enabled', width: 130 },
    // Without a MID nothing can be paid.
    { id: 'mids', head: 'Active MIDs', kind: 'warned', align: 'end', width: 100, hideOnPhone: true },
    { id: 'keys', head: 'Valid keys', kind: 'warned', align: 'end', width: 110, hideOnPhone: true },
    { ...created(), sorted: undefined, kind: 'date', width: 200, hideBelow: 'md' },
  ],
  href: '/dashboard/merchants/{id}',
  create: { href: '/dashboard/merchants/new', label: 'New merchant', right: 'merchants.create', everywhere: true },
  empty: { title: 'No merchants yet', texts: ['Each merchant has its own keys, MIDs and protocol settings.'] },
  source: ({ merchantId, search, values }, page, { now }) =>
    listMerchants({ merchantId, search, enabled: isEnabled(values) }, page, now),
  toRow: ({ createdAt, ...row }: ListedMerchant) => ({ ...row, createdAt: createdAt.toISOString() }),
});
