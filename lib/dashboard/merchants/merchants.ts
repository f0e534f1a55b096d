/** Merchants: list, page, create, change, enable and disable. */
import type { z } from 'zod';
import { listUsers, may } from '../../auth/index.ts';
import { newId } from '../../core/ids.ts';
import { mappingProtocols } from '../../core/mapping-options.ts';
import { pick } from '../../core/pick.ts';
import {
  createMerchant,
  findMerchant,
  generateKeyPair,
  isMerchantNameTaken,
  type MerchantSettings,
  settingsOf,
  updateMerchant,
} from '../../merchants/index.ts';
import { atVersion, logAction, saveChange, switchActionOf } from '../changes.ts';
import { existing, invalid, parseBody, refusal } from '../errors.ts';
import type { DashboardRequest, PageContext } from '../guard.ts';
import { created } from '../lists/columns.ts';
import { enabledFilter } from '../lists/filters.ts';
import { resource } from '../lists/resource.ts';
import { merchantChange, type merchantInput, newMerchantInput } from './schema.ts';

/** A merchant's page as this user may see it. */
export async function merchantPage({ viewer, scope, params }: PageContext) {
  const merchant = existing(await findMerchant(params.id ?? '', scope));
  const { id } = merchant;
  const [{ mids, mappings }, users] = await Promise.all([settingsOf(id), listUsers(id)]);
  const values = Object.entries(membersOf(merchant)).map(([name, value]) => [name, value ?? '']);
  return {
    ...pick(merchant, 'id', 'version', 'enabled', 'createdAt'),
    values: Object.fromEntries(values) as z.input<typeof merchantInput>,
    /** What payments need beside the first key: an active MID, a default callback URL, a user of the merchant. */
    setup: {
      mids: mids.length > 0,
      callbacks: mappings.some(({ defaultNotificationUrl }) => defaultNotificationUrl !== null),
      users: users.length > 0,
    },
    mayChange: may(viewer.role, 'settings.change'),
    mayChangeKeys: may(viewer.role, 'keys.change'),
  };
}

/** Creates an enabled merchant and shows its first key with the password. */
export async function createAction(request: DashboardRequest) {
  const { integration, ...settings } = parseBody(newMerchantInput, request.body);
  // A user who selected one merchant would not see a new one.
  if (request.scope !== null) {
    throw refusal('One merchant is selected. Switch to all merchants to create another.');
  }
  await requireUniqueName(settings.name);
  const id = newId();
  const pair = generateKeyPair();
  const { environment, key } = pair;
  const signedRequests = integration === 'own_code';
  const after = { ...settings, signedRequests, key, environment, mappings: [...mappingProtocols] };
  await logAction(request, 'merchant.create', `merchant:${id}`, { after, merchantId: id });
  await createMerchant(id, settings, { pair, signedRequests }, request.now);
  return { id, pair };
}

/** Changes a merchant; returns its page. */
export async function changeAction(request: DashboardRequest) {
  const { version, ...settings } = parseBody(merchantChange, request.body);
  const found = await findMerchant(request.params.id ?? '', request.scope);
  const merchant = await atVersion(request, 'merchant', found, version);
  await requireUniqueName(settings.name, merchant.id);
  if (request.checks) return {};
  const difference = { before: membersOf(merchant), after: membersOf(settings) };
  await saveChange(request, 'merchant.change', merchant, difference, () =>
    updateMerchant(merchant.id, version, settings),
  );
  return merchantPage(request);
}

/** Enables or disables a merchant; every protocol refuses requests of a disabled one. */
export const switchAction = switchActionOf(
  'merchant',
  findMerchant,
  (id, version, enabled) => updateMerchant(id, version, { enabled }),
  merchantPage,
);

async function requireUniqueName(name: string, exceptId?: string): Promise<void> {
  if (!(await isMerchantNameTaken(name, exceptId))) return;
  throw invalid({ name: 'Another merchant has this name already.' }, 'One field is not valid.');
}

const membersOf = (settings: MerchantSettings) =>
  pick(settings, 'name', 'site', 'supportEmail', 'privacyUrl', 'termsUrl', 'frameAncestors', 'appSchemes');

/** The list of merchants, for users who may read settings. */
export const merchants = resource({
  name: 'merchants',
  right: 'settings.read',
  title: 'Merchants',
  nouns: ['merchant', 'merchants'],
  search: 'Name, website, ID or key',
  find(search, add) {
    const text = `${add(search)}::text`;
    return `(strpos(lower(m.name), lower(${text})) > 0 or strpos(lower(coalesce(m.site, '')), lower(${text})) > 0
      or m.id::text = lower(${text}) or exists (select 1 from merchant_keys k where k.merchant_id = m.id and k.key = ${text}))`;
  },
  filters: [enabledFilter('m.enabled')],
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
  source: {
    columns: (now) => `m.id, m.name, m.site, m.enabled, m.created_at as "createdAt",
      (select count(*) from mids a where a.merchant_id = m.id and a.enabled)::int as mids,
      (select count(*) from merchant_keys k
        where k.merchant_id = m.id and (k.valid_until is null or k.valid_until > ${now}::timestamptz))::int as keys`,
    from: 'merchants m',
    at: 'm.created_at',
    id: 'm.id',
    merchant: 'm.id',
  },
  toRow: (row: { id: string }) => row,
});
