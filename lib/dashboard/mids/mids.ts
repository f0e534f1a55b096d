/** MIDs: create, change, enable and disable. A MID is never deleted. */
import type { z } from 'zod';

import { auditChange } from '../../auth';
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
import { conflictError, refusedChange } from '../conflict';
import { DashboardError } from '../errors';
import type { DashboardRequest } from '../guard';
import { switchInput } from '../merchants/schema';
import { parseBody } from '../parse-body';
import { auditFields } from './audit-fields';
import type { MidPage } from './contract';
import { midPage } from './page';
import { type MidInput, midChange, midInput, newMid, validMid, withoutHidden } from './schema';
import { toMidSettings } from './to-settings';

type ActionRequest = Pick<DashboardRequest, 'viewer' | 'scope' | 'params' | 'body' | 'checks' | 'now'>;

const subjectOf = (id: string) => `mid:${id}`;
const changed = (id: string) => ({ what: 'The MID', subject: subjectOf(id) });

/** Creates an enabled MID; returns its page. */
export async function createAction(request: ActionRequest): Promise<MidPage | null> {
  const { merchantId, ...input } = parseMid(newMid, request.body, null);
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
export async function changeAction(request: ActionRequest): Promise<object | null> {
  const found = await findMidSettings(request.params.id ?? '', request.scope);
  const { version, ...input } = parseMid(midChange, request.body, found);
  const mid = await midAtVersion(request, version);
  if (!mid) return null;
  await requireUniqueName(mid.merchantId, input.name, mid.id);
  const settled = toMidSettings(mid.id, input, mid.settings, env);
  if (request.checks) return {};
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

/** The input of a form. Errors of single fields are reported together with those that need several fields. */
function parseMid<T extends MidInput>(schema: z.ZodType<T>, body: unknown, stored: StoredMid | null): T {
  const input = withoutHidden(body);
  return parseBody(schema, input, (failed) => {
    const rest = midInput.safeParse({ ...(input as object), ...validMid(failed, stored !== null) });
    if (rest.success) toMidSettings(stored?.id ?? newMidId(), rest.data, stored?.settings ?? null, env);
  });
}

async function runAction(
  request: ActionRequest,
  { id, version }: StoredMid,
  action: string,
  act: (id: string, version: number) => Promise<boolean>,
): Promise<void> {
  if (!(await act(id, version))) throw await refusedChange(request, action, changed(id));
}

async function midAtVersion(request: ActionRequest, version: number): Promise<StoredMid | null> {
  const mid = await findMidSettings(request.params.id ?? '', request.scope);
  if (mid && mid.version !== version) {
    throw await conflictError(request, { ...changed(mid.id), since: mid.version - version });
  }
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
