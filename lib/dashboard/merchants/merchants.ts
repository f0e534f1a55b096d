/** Merchants: page, create, change, enable and disable. */

import { audit, auditChange, listUsers, may } from '../../auth';
import { newId } from '../../core/ids';
import {
  createMerchant,
  findMerchant,
  generateKeyPair,
  isMerchantNameTaken,
  type MerchantSettings,
  type StoredMerchant,
  settingsOf,
  updateMerchant,
} from '../../merchants';
import { conflictError, refusedChange } from '../conflict';
import { DashboardError } from '../errors';
import type { DashboardRequest } from '../guard';
import { parseBody } from '../parse-body';
import type { CreatedMerchant, MerchantPage, MerchantValues } from './contract';
import { merchantChange, newMerchantInput, switchInput } from './schema';

type ActionRequest = Pick<DashboardRequest, 'viewer' | 'scope' | 'params' | 'body' | 'checks' | 'now'>;

/** The subject of a merchant's entries in the audit log. */
const subjectOf = (id: string) => `merchant:${id}`;
const changed = (id: string) => ({ what: 'The merchant', subject: subjectOf(id) });
const actorOf = ({ viewer }: Pick<DashboardRequest, 'viewer'>) => `user:${viewer.id}`;

/** A merchant's page as this user may see it; null if it does not exist for them. */
export async function merchantPage({
  viewer,
  scope,
  params,
}: Pick<DashboardRequest, 'viewer' | 'scope' | 'params'>): Promise<MerchantPage | null> {
  const merchant = await findMerchant(params.id ?? '', scope);
  if (!merchant) return null;
  return {
    id: merchant.id,
    version: merchant.version,
    enabled: merchant.enabled,
    createdAt: merchant.createdAt.toISOString(),
    values: valuesOf(merchant),
    setup: await setupOf(merchant.id),
    mayChange: may(viewer.role, 'settings.change'),
    mayChangeKeys: may(viewer.role, 'keys.change'),
  };
}

async function setupOf(id: string): Promise<MerchantPage['setup']> {
  const [{ mids, mappings }, users] = await Promise.all([settingsOf(id), listUsers(id)]);
  return {
    mids: mids.length > 0,
    callbacks: mappings.some(({ defaultNotificationUrl }) => defaultNotificationUrl !== null),
    users: users.length > 0,
  };
}

function valuesOf(merchant: MerchantSettings): MerchantValues {
  const members = Object.entries(membersOf(merchant)).map(([name, value]) => [name, value ?? '']);
  return Object.fromEntries(members);
}

/** Creates an enabled merchant and shows its first key with the password. */
export async function createAction(request: ActionRequest): Promise<CreatedMerchant> {
  const { integration, ...settings } = parseBody(newMerchantInput, request.body);
  // A user who selected one merchant would not see a new one.
  if (request.scope !== null)
    throw new DashboardError(409, 'One merchant is selected. Switch to all merchants to create another.');
  await requireUniqueName(settings.name);
  const id = newId();
  const pair = generateKeyPair();
  const { environment, key } = pair;
  const signedRequests = integration === 'own_code';
  const after = { ...settings, signedRequests, key, environment, mappings: ['checkout', 's2s_card', 's2s_apm'] };
  await audit(
    { actor: actorOf(request), action: 'merchant.create', subject: subjectOf(id), after, merchantId: id },
    request.now,
  );
  await createMerchant(id, settings, { pair, signedRequests }, request.now);
  return { id, pair };
}

/** Changes a merchant; returns its page. */
export async function changeAction(request: ActionRequest): Promise<object | null> {
  const { version, ...settings } = parseBody(merchantChange, request.body);
  const merchant = await merchantAtVersion(request, version);
  if (!merchant) return null;
  await requireUniqueName(settings.name, merchant.id);
  if (request.checks) return {};
  const entry = { actor: actorOf(request), action: 'merchant.change', subject: subjectOf(merchant.id) };
  const names = await auditChange(entry, membersOf(merchant), membersOf(settings), request.now);
  if (names.length > 0) await runAction(request, merchant, 'merchant.change', settings);
  return merchantPage(request);
}

/** Enables or disables a merchant; every protocol refuses requests of a disabled one. Returns its page. */
export async function switchAction(request: ActionRequest): Promise<MerchantPage | null> {
  const { version, enabled } = parseBody(switchInput, request.body);
  const merchant = await merchantAtVersion(request, version);
  if (!merchant) return null;
  if (merchant.enabled === enabled) return merchantPage(request);
  const action = enabled ? 'merchant.switch_on' : 'merchant.switch_off';
  const entry = { actor: actorOf(request), action, subject: subjectOf(merchant.id) };
  await auditChange(entry, { enabled: merchant.enabled }, { enabled }, request.now);
  await runAction(request, merchant, action, { enabled });
  return merchantPage(request);
}

async function runAction(
  request: ActionRequest,
  { id, version }: StoredMerchant,
  action: string,
  change: MerchantSettings | { enabled: boolean },
): Promise<void> {
  if (!(await updateMerchant(id, version, change))) throw await refusedChange(request, action, changed(id));
}

async function merchantAtVersion(request: ActionRequest, version: number): Promise<StoredMerchant | null> {
  const merchant = await findMerchant(request.params.id ?? '', request.scope);
  if (merchant && merchant.version !== version) {
    throw await conflictError(request, { ...changed(merchant.id), since: merchant.version - version });
  }
  return merchant;
}

async function requireUniqueName(name: string, exceptId?: string): Promise<void> {
  if (!(await isMerchantNameTaken(name, exceptId))) return;
  throw new DashboardError(400, 'One field is not valid.', { name: 'Another merchant has this name already.' });
}

function membersOf(settings: MerchantSettings) {
  const { name, site, supportEmail, privacyUrl, termsUrl, frameAncestors, appSchemes } = settings;
  return { name, site, supportEmail, privacyUrl, termsUrl, frameAncestors, appSchemes };
}
