/** Protocol mappings in the dashboard: one mapping with its settings, changing one and adding one. */
import { z } from 'zod';
import { audit, auditChange, type Json, may, type Viewer } from '../../auth';
import { configurableNames, mappingProtocols, protocolNames } from '../../core/mapping-options';
import { guardedClient } from '../../http';
import {
  createMapping,
  findMapping,
  type MappingSettings,
  mappingsOf,
  type StoredMapping,
  updateMapping,
} from '../../merchants';
import { DashboardError } from '../errors';
import type { DashboardRequest } from '../guard';
import type { MappingPage, MappingValues } from './contract';
import { changeSchema } from './schema';

/** One mapping; null if the user's scope has none with this id. */
export async function mappingPage(id: string, viewer: Viewer, scope: string | null): Promise<MappingPage | null> {
  const stored = await findMapping(id, scope);
  if (!stored) return null;
  const { protocol, version, merchant } = stored;
  return {
    id: stored.id,
    merchant,
    protocol,
    version,
    values: valuesOf(stored),
    siblings: (await mappingsOf(merchant.id)) ?? [],
    editable: may(viewer.role, 'settings.change'),
  };
}

/** Settings as the form shows them. Old rows may contain fields that the protocol cannot return; these are left out. */
function valuesOf(stored: StoredMapping): MappingValues {
  const { protocol } = stored;
  const offered = (place: 'required' | 'callback' | 'status', names: string[]) =>
    configurableNames(protocol, place).filter((name) => names.includes(name));
  return {
    enabled: stored.enabled,
    digest: stored.digest,
    requiredPayerFields: offered('required', stored.requiredPayerFields),
    callbackFields: offered('callback', stored.callbackFields),
    statusFields: offered('status', stored.statusFields),
    redirectParameters: stored.redirectParameters,
    defaultLanguage: stored.defaultLanguage,
    maximumDeclines: stored.maximumDeclines,
    orderIdReuse: stored.orderIdReuse,
    ipAllowlist: stored.ipAllowlist,
    signedRequests: stored.signedRequests,
    openPayouts: stored.openPayouts,
    defaultNotificationUrl: stored.defaultNotificationUrl,
    uppercase: stored.uppercase,
    reversalWord: stored.reversalWord,
    frameBySuccessUrl: stored.frameBySuccessUrl,
    scheduleRetries: stored.scheduleRetries,
    scheduleRetryHours: stored.scheduleRetryHours,
    missedSlots: stored.missedSlots,
    cascadeLimit: stored.cascadeLimit,
    dailyLimitMinor: stored.dailyLimitMinor?.toString() ?? null,
    weeklyLimitMinor: stored.weeklyLimitMinor?.toString() ?? null,
  };
}

const changed = 'The mapping was changed by someone else. Reload the page, review it and try again.';
const asksForChange = z.object({ version: z.int().min(0), values: z.record(z.string(), z.unknown()) });

/** Changes the settings in the body, on the version that the user saw. */
export async function changeMappingAction({
  viewer,
  scope,
  params,
  body,
  now,
}: DashboardRequest): Promise<MappingPage | null> {
  const stored = await findMapping(params.id ?? '', scope);
  if (!stored) return null;
  const requested = asksForChange.safeParse(body);
  if (!requested.success)
    throw new DashboardError(400, 'The request is not valid.', { version: 'The version is missing.' });
  const change = await readChange(stored, requested.data.values);
  if (requested.data.version !== stored.version) throw new DashboardError(409, changed);
  const entry = { actor: `user:${viewer.id}`, action: 'mapping.change', subject: `mapping:${stored.id}` };
  const [before, after] = [membersOf(stored, change), membersOf({ ...stored, ...change }, change)];
  const names = await auditChange(entry, before, after, now);
  if (names.length > 0 && !(await updateMapping(stored.id, stored.version, change))) {
    await audit({ ...entry, action: 'mapping.change.refused', after: { message: changed } }, now);
    throw new DashboardError(409, changed);
  }
  return mappingPage(stored.id, viewer, scope);
}

async function readChange({ protocol }: StoredMapping, values: Record<string, unknown>) {
  const read = changeSchema(protocol).safeParse(values);
  const fields: Record<string, string> = {};
  for (const { path, code, message, ...issue } of read.error?.issues ?? []) {
    const names = code === 'unrecognized_keys' ? (issue as { keys: string[] }).keys : [path.join('.')];
    for (const name of names) fields[name] ??= message;
  }
  const address = read.success ? read.data.defaultNotificationUrl : null;
  if (address && !(await guardedClient().reachable(address))) {
    fields.defaultNotificationUrl = 'This URL cannot be reached. Check its host name and port.';
  }
  if (!read.success || Object.keys(fields).length > 0) {
    throw new DashboardError(400, 'Some settings are not valid.', fields);
  }
  return read.data;
}

/** The settings of a change, as the audit log stores them. */
function membersOf(stored: MappingSettings, change: object): Record<string, Json> {
  const members: Record<string, Json> = {};
  for (const name of Object.keys(change) as (keyof MappingSettings)[]) {
    const value = stored[name];
    members[name] = typeof value === 'bigint' ? value.toString() : value;
  }
  return members;
}

const asksForMapping = z.object({ merchantId: z.uuid('Choose a merchant.'), protocol: z.enum(mappingProtocols) });

/** Adds a protocol to a merchant, with the default settings of a new mapping. */
export async function createMappingAction({ viewer, scope, body, now }: DashboardRequest): Promise<MappingPage | null> {
  const requested = asksForMapping.safeParse(body);
  if (!requested.success) {
    const fields = requested.error.issues.map(
      ({ path }) => [path.join('.'), 'Choose one of the offered values.'] as const,
    );
    throw new DashboardError(400, 'The mapping is not valid.', Object.fromEntries(fields));
  }
  const { merchantId, protocol } = requested.data;
  const known = scope === null || scope === merchantId ? await mappingsOf(merchantId) : null;
  if (!known) return null;
  const fields = { protocol: `The merchant uses ${protocolNames[protocol]} already.` };
  if (known.some((each) => each.protocol === protocol))
    throw new DashboardError(409, 'The mapping exists already.', fields);
  const entry = { actor: `user:${viewer.id}`, action: 'mapping.create', subject: `merchant:${merchantId}` };
  await audit({ ...entry, after: { protocol } }, now);
  const id = await createMapping(merchantId, protocol);
  return id === null ? null : mappingPage(id, viewer, scope);
}
