/** Protocol mappings in the dashboard: one mapping with its settings, changing one and adding one. */
import { z } from 'zod';
import { audit, auditChange, type Json, may, type Viewer } from '../../auth';
import { configurableNames, mappingProtocols, mappingSettings, protocolNames } from '../../core/mapping-options';
import { guardedClient } from '../../http';
import {
  createMapping,
  findMapping,
  type MappingSettings,
  mappingsOf,
  type StoredMapping,
  updateMapping,
} from '../../merchants';
import { conflictError, refusedChange } from '../conflict';
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
  const settings = Object.fromEntries(mappingSettings.map((name) => [name, stored[name]]));
  return {
    ...(settings as Pick<MappingSettings, (typeof mappingSettings)[number]>),
    requiredPayerFields: offered('required', stored.requiredPayerFields),
    callbackFields: offered('callback', stored.callbackFields),
    statusFields: offered('status', stored.statusFields),
    dailyLimitMinor: stored.dailyLimitMinor?.toString() ?? null,
    weeklyLimitMinor: stored.weeklyLimitMinor?.toString() ?? null,
  };
}

const asksForChange = z.object({ version: z.int().min(0), values: z.record(z.string(), z.unknown()) });

/** Changes the settings in the body, on the version that the user saw. A check returns warnings and saves nothing. */
export async function changeMappingAction(asked: DashboardRequest): Promise<object | null> {
  const { viewer, scope, params, body, now } = asked;
  const stored = await findMapping(params.id ?? '', scope);
  if (!stored) return null;
  const requested = asksForChange.safeParse(body);
  if (!requested.success)
    throw new DashboardError(400, 'The request is not valid.', { version: 'The version is missing.' });
  const change = readChange(stored, requested.data.values);
  const changed = { what: 'The mapping', subject: `mapping:${stored.id}` };
  const since = stored.version - requested.data.version;
  if (since !== 0) throw await conflictError(asked, { ...changed, since });
  if (asked.checks) return { warnings: await warningsOf(stored, change) };
  const action = 'mapping.change';
  const [before, after] = [membersOf(stored, change), membersOf({ ...stored, ...change }, change)];
  const names = await auditChange({ actor: `user:${viewer.id}`, action, subject: changed.subject }, before, after, now);
  if (names.length > 0 && !(await updateMapping(stored.id, stored.version, change))) {
    throw await refusedChange(asked, action, changed);
  }
  return mappingPage(stored.id, viewer, scope);
}

type Change = z.infer<ReturnType<typeof changeSchema>>;

function readChange({ protocol }: StoredMapping, values: Record<string, unknown>): Change {
  const read = changeSchema(protocol).safeParse(values);
  if (read.success) return read.data;
  const fields: Record<string, string> = {};
  for (const { path, code, message, ...issue } of read.error.issues) {
    const names = code === 'unrecognized_keys' ? (issue as { keys: string[] }).keys : [path.join('.')];
    for (const name of names) fields[name] ??= message;
  }
  throw new DashboardError(400, 'Some settings are not valid.', fields);
}

/** A new callback URL is saved even if it cannot be reached yet: a shop often goes live later than its mapping. */
async function warningsOf(stored: StoredMapping, { defaultNotificationUrl: url }: Change): Promise<string[]> {
  if (!url || url === stored.defaultNotificationUrl || (await guardedClient().reachable(url))) return [];
  return [
    `${new URL(url).host} cannot be reached now. Callbacks are retried, and fail if the host is not reachable in time.`,
  ];
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
