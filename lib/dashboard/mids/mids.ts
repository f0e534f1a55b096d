/** MIDs: create, change, enable and disable. A MID is never deleted. */

import { audit, auditChange } from '../../auth';
import { env } from '../../config';
import {
  createMid,
  findMerchant,
  findMidSettings,
  isMidNameTaken,
  type MidSettings,
  newMidId,
  type StoredMid,
  setMidEnabled,
  updateMid,
} from '../../merchants';
import { DashboardError } from '../errors';
import { conflictMessage } from '../form-fields';
import type { DashboardRequest } from '../guard';
import { switchInput } from '../merchants/schema';
import { parseBody } from '../parse-body';
import { auditFields } from './audit-fields';
import type { MidPage } from './contract';
import { midPage } from './page';
import { midChange, newMid } from './schema';
import { toMidSettings } from './to-settings';

type ActionRequest = Pick<DashboardRequest, 'viewer' | 'scope' | 'params' | 'body' | 'now'>;

const subjectOf = (id: string) => `mid:${id}`;
const changed = conflictMessage('The MID');

/** Creates an enabled MID; returns its page. */
export async function createAction(request: ActionRequest): Promise<MidPage | null> {
  const { merchantId, ...input } = parseBody(newMid, request.body);
  const merchant = await findMerchant(merchantId, request.scope);
  if (!merchant)
    throw new DashboardError(400, 'The request is not valid.', { merchantId: 'This merchant does not exist.' });
  await requireUniqueName(merchantId, input.name);
  const id = newMidId();
  const settled = toMidSettings(id, input, null, env);
  const { before, after } = auditFields(null, settled);
  await auditChange({ ...entryOf(request, 'mid.create', id), merchantId }, before, after, request.now);
  await createMid(id, merchantId, settled, request.now);
  return midPage({ ...request, params: { id } });
}

/** Changes a MID; returns its page. */
export async function changeAction(request: ActionRequest): Promise<MidPage | null> {
  const { version, ...input } = parseBody(midChange, request.body);
  const mid = await midAtVersion(request, version);
  if (!mid) return null;
  await requireUniqueName(mid.merchantId, input.name, mid.id);
  const settled = toMidSettings(mid.id, input, mid.settings, env);
  const { before, after } = auditFields(mid, settled);
  const names = await auditChange(entryOf(request, 'mid.change', mid.id), before, after, request.now);
  if (names.length > 0)
    await runAction(request, mid, 'mid.change', (id, seen) => updateMid(id, seen, settled, request.now));
  return midPage(request);
}

/** Enables or disables a MID; returns its page. */
export async function switchAction(request: ActionRequest): Promise<MidPage | null> {
  const { version, enabled } = parseBody(switchInput, request.body);
  const mid = await midAtVersion(request, version);
  if (!mid) return null;
  if (mid.enabled === enabled) return midPage(request);
  const action = enabled ? 'mid.switch_on' : 'mid.switch_off';
  await auditChange(entryOf(request, action, mid.id), { enabled: mid.enabled }, { enabled }, request.now);
  await runAction(request, mid, action, (id, seen) => setMidEnabled(id, seen, enabled));
  return midPage(request);
}

async function runAction(
  request: ActionRequest,
  { id, version }: StoredMid,
  action: string,
  act: (id: string, version: number) => Promise<boolean>,
): Promise<void> {
  if (await act(id, version)) return;
  await audit({ ...entryOf(request, `${action}.refused`, id), after: { message: changed } }, request.now);
  throw new DashboardError(409, changed);
}

async function midAtVersion({ params, scope }: ActionRequest, version: number): Promise<StoredMid | null> {
  const mid = await findMidSettings(params.id ?? '', scope);
  if (mid && mid.version !== version) throw new DashboardError(409, changed);
  return mid;
}

async function requireUniqueName(merchantId: string, name: MidSettings['name'], exceptId?: string): Promise<void> {
  if (!(await isMidNameTaken(merchantId, name, exceptId))) return;
  throw new DashboardError(400, 'The request is not valid.', {
    name: 'This merchant has another MID of this name.',
  });
}

function entryOf({ viewer }: ActionRequest, action: string, id: string) {
  return { actor: `user:${viewer.id}`, action, subject: subjectOf(id) };
}
