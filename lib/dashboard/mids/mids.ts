/** MIDs: list, create, change, enable and disable. A MID is never deleted. */

import type { z } from 'zod';
import { auditChange } from '../../auth/index.ts';
import { env } from '../../config/index.ts';
import { exponentOf } from '../../core/currencies.ts';
import { isUuid, newId } from '../../core/ids.ts';
import {
  connectorNames,
  createMid,
  findMerchant,
  findMidSettings,
  isMidNameTaken,
  type StoredMid,
  setMidEnabled,
  updateMid,
} from '../../merchants/index.ts';
import { methods } from '../../methods/catalog.ts';
import { atVersion, requireProofOf, saveChange, switchActionOf } from '../changes.ts';
import { invalid, parseBody } from '../errors.ts';
import type { DashboardRequest } from '../guard.ts';
import { choice, chosen, enabledFilter, namedOptions, optionsOf, text } from '../lists/filters.ts';
import { resource } from '../lists/resource.ts';
import { merchantChoices } from '../merchants/choices.ts';
import { auditFields, midPage } from './page.ts';
import { type MidInput, midChange, midInput, newMid, validMid, withoutHidden } from './schema.ts';
import { readMidSettings, toMidSettings } from './to-settings.ts';

/** Where the cards of a MID's payments go, and the keys with which it is trusted. */
const cardDestination = ['connector', 'url', 'apiKey', 'signingSecret', 'credentials'];

/** Creates an enabled MID; returns its page. */
export async function createAction(request: DashboardRequest) {
  const { merchantId, ...input } = parseMid(newMid, request.body, null);
  if (!(await findMerchant(merchantId, request.scope))) throw invalid({ merchantId: 'This merchant does not exist.' });
  await requireUniqueName(merchantId, input.name);
  const id = newId();
  const settled = toMidSettings(id, input, null, env);
  const entry = { actor: `user:${request.viewer.id}`, action: 'mid.create' as const, subject: `mid:${id}`, merchantId };
  const { before, after } = auditFields(null, settled);
  await requireProofOf(request, { before, after }, cardDestination);
  await auditChange(entry, before, after, request.now);
  await createMid(id, merchantId, settled, request.now);
  return midPage({ ...request, params: { id } });
}

/** Changes a MID; returns its page. */
export async function changeAction(request: DashboardRequest) {
  const found = await findMidSettings(request.params.id ?? '', request.scope);
  const { version, ...input } = parseMid(midChange, request.body, found);
  const mid = await atVersion(request, 'mid', found, version);
  await requireUniqueName(mid.merchantId, input.name, mid.id);
  const settled = toMidSettings(mid.id, input, mid.settings, env);
  const difference = auditFields(mid, settled);
  await requireProofOf(request, difference, cardDestination);
  if (request.checks) return {};
  await saveChange(request, 'mid.change', mid, difference, () => updateMid(mid.id, version, settled, request.now));
  return midPage(request);
}

/** Enables or disables a MID. */
export const switchAction = switchActionOf('mid', findMidSettings, setMidEnabled, midPage);

/** The input of a form. Errors of single fields are reported together with those that need several fields. */
function parseMid<T extends MidInput>(schema: z.ZodType<T>, body: unknown, stored: StoredMid | null): T {
  const input = withoutHidden(body);
  const further = (failed: string[]) => {
    const rest = midInput.safeParse({ ...(input as object), ...validMid(failed, stored !== null) });
    return rest.success ? readMidSettings(stored?.id ?? newId(), rest.data, stored?.settings ?? null, env).errors : {};
  };
  return parseBody(schema, input, { further });
}

async function requireUniqueName(merchantId: string, name: string, exceptId?: string): Promise<void> {
  if (!(await isMidNameTaken(merchantId, name, exceptId))) return;
  throw invalid({ name: 'This merchant has another MID of this name.' });
}

const modes = { sms: 'SMS', dms: 'DMS', sms_dms: 'SMS/DMS' };

/** The list of MIDs, for users who may read settings. */
export const mids = resource({
  name: 'mids',
  right: 'settings.read',
  title: 'MIDs',
  nouns: ['MID', 'MIDs'],
  search: 'Name or ID',
  find(search, add) {
    const text = `lower(${add(search)}::text)`;
    return `(strpos(lower(a.name), ${text}) > 0 or a.id::text = ${text})`;
  },
  filters: [
    {
      ...chosen('merchant', 'Merchant', /./, (value, add) => `a.merchant_id = ${add(value)}::uuid`),
      manyMerchants: true,
      read: (query) => [query.get('merchant') ?? ''].filter(isUuid),
    },
    enabledFilter('a.enabled'),
    choice('mode', 'Mode', optionsOf(modes), (value, add) => `a.payment_mode = ${add(value)}::"PaymentMode"`),
    choice(
      'method',
      'Method',
      methods.map(({ id, name }) => ({ value: id, label: id, help: name })),
      (value, add) => `${add(value)}::text = any(a.methods)`,
    ),
    {
      // An empty list of currencies means all.
      ...text(
        'currency',
        'Currency',
        /./,
        (code, add) => `(a.currencies = '{}' or ${add(code)}::text = any(a.currencies))`,
      ),
      read: (query) => [query.get('currency')?.toUpperCase() ?? ''].filter((code) => exponentOf(code) !== null),
    },
  ],
  choices: async ({ scope }) => ({ merchant: namedOptions(await merchantChoices(scope)) }),
  columns: [
    { id: 'name', head: 'MID', width: '20%' },
    { id: 'merchantName', head: 'Merchant', width: '17%', manyMerchants: true },
    { id: 'enabled', head: 'Status', kind: 'enabled', width: 120 },
    { id: 'paymentMode', head: 'Mode', kind: 'tag', labels: modes, width: 100 },
    { id: 'methods', head: 'Methods', kind: 'few', most: 3, none: 'none', hideOnPhone: true },
    { id: 'currencies', head: 'Currencies', kind: 'few', most: 3, none: 'every', hideOnPhone: true, hideBelow: 'lg' },
    { id: 'priority', head: 'Priority', align: 'end', width: 80, hideOnPhone: true },
  ],
  href: '/dashboard/mids/{id}',
  create: { href: '/dashboard/mids/new', label: 'New MID', right: 'settings.change' },
  empty: {
    title: 'No MIDs yet',
    texts: ['A MID is a merchant account at a provider, with its methods, currencies and credentials.'],
  },
  source: {
    columns: `a.id, a.name, a.enabled, a.priority, a.payment_mode::text as "paymentMode", a.connector, a.methods,
      a.currencies, m.name as "merchantName", a.created_at as "createdAt"`,
    from: 'mids a join merchants m on m.id = a.merchant_id',
    at: 'a.created_at',
    id: 'a.id',
    merchant: 'a.merchant_id',
  },
  toRow: ({ connector, ...row }: { id: string; connector: string }) => ({
    ...row,
    connectorName: connectorNames().find(({ id }) => id === connector)?.name ?? connector,
  }),
});
