/** Protocol mappings in the dashboard: one mapping with its settings, changing one and adding one. */
import { z } from 'zod';
import { type Json, may } from '../../auth/index.ts';
import { configurableNames, mappingProtocols, mappingSettings, protocolNames } from '../../core/mapping-options.ts';
import { guardedClient } from '../../http/index.ts';
import {
  createMapping,
  findMapping,
  type MappingSettings,
  mappingsOf,
  type StoredMapping,
  updateMapping,
} from '../../merchants/index.ts';
import { atVersion, logAction, saveChange } from '../changes.ts';
import { DashboardError, existing, parseBody, versionField } from '../errors.ts';
import type { DashboardRequest, PageContext } from '../guard.ts';
import { changeSchema } from './schema.ts';

/** One mapping. */
export async function mappingPage({ params, viewer, scope }: PageContext) {
  const stored = existing(await findMapping(params.id ?? '', scope));
  const { id, protocol, version, merchant } = stored;
  return {
    ...{ id, merchant, protocol, version, values: valuesOf(stored) },
    siblings: (await mappingsOf(merchant.id)) ?? [],
    editable: may(viewer.role, 'settings.change'),
  };
}

/** Settings as the form shows them. Old rows may contain fields that the protocol cannot return; these are left out. */
function valuesOf(stored: StoredMapping) {
  const { protocol } = stored;
  const offered = (place: 'required' | 'callback' | 'status', names: string[]) =>
    configurableNames(protocol, place).filter((name) => names.includes(name));
  const settings = Object.fromEntries(mappingSettings.map((name) => [name, stored[name]]));
  return {
    ...(settings as Pick<
      MappingSettings,
      Exclude<(typeof mappingSettings)[number], 'dailyLimitMinor' | 'weeklyLimitMinor'>
    >),
    requiredPayerFields: offered('required', stored.requiredPayerFields),
    callbackFields: offered('callback', stored.callbackFields),
    statusFields: offered('status', stored.statusFields),
    dailyLimitMinor: stored.dailyLimitMinor?.toString() ?? null,
    weeklyLimitMinor: stored.weeklyLimitMinor?.toString() ?? null,
  };
}

const changeForm = z.object({ version: versionField, values: z.record(z.string(), z.unknown()) });

/** Changes the settings in the body, on the version that the user saw. A check returns warnings and saves nothing. */
export async function changeAction(request: DashboardRequest) {
  const found = existing(await findMapping(request.params.id ?? '', request.scope));
  const { version, values } = parseBody(changeForm, request.body);
  const change = parseBody(changeSchema(found.protocol), values, { message: 'Some settings are not valid.' });
  const stored = await atVersion(request, 'mapping', found, version);
  if (request.checks) return { warnings: await warningsOf(stored, change) };
  const difference = { before: membersOf(stored, change), after: membersOf({ ...stored, ...change }, change) };
  await saveChange(request, 'mapping.change', stored, difference, () => updateMapping(stored.id, version, change));
  return mappingPage(request);
}

/** A new callback URL is saved even if it cannot be reached yet: a shop often goes live later than its mapping. */
async function warningsOf(stored: StoredMapping, { defaultNotificationUrl: url }: Partial<MappingSettings>) {
  if (!url || url === stored.defaultNotificationUrl || (await guardedClient().reachable(url))) return [];
  return [
    `${new URL(url).host} cannot be reached now. Callbacks are retried, and fail if the host is not reachable in time.`,
  ];
}

function membersOf(stored: MappingSettings, change: object): Record<string, Json> {
  const members: Record<string, Json> = {};
  for (const name of Object.keys(change) as (keyof MappingSettings)[]) {
    const value = stored[name];
    members[name] = typeof value === 'bigint' ? value.toString() : value;
  }
  return members;
}

const unknownChoice = 'Choose one of the offered values.';
const newMapping = z.object({ merchantId: z.uuid(unknownChoice), protocol: z.enum(mappingProtocols, unknownChoice) });

/** Adds a protocol to a merchant, with the default settings of a new mapping. */
export async function createAction(request: DashboardRequest) {
  const { scope } = request;
  const { merchantId, protocol } = parseBody(newMapping, request.body, { message: 'The mapping is not valid.' });
  const known = existing(scope === null || scope === merchantId ? await mappingsOf(merchantId) : null);
  if (known.some((each) => each.protocol === protocol)) {
    const fields = { protocol: `The merchant uses ${protocolNames[protocol]} already.` };
    throw new DashboardError(409, 'The mapping exists already.', fields);
  }
  await logAction(request, 'mapping.create', `merchant:${merchantId}`, { after: { protocol } });
  return mappingPage({ ...request, params: { id: existing(await createMapping(merchantId, protocol)) } });
}
