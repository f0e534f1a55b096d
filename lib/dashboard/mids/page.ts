/** A MID as its page shows it and as the audit log stores it, without its secrets, and the choices of its form. */

import type { z } from 'zod';
import { type Members, may } from '../../auth/index.ts';
import { env } from '../../config/index.ts';
import { brands } from '../../core/cards.ts';
import { readFeeOptions } from '../../core/commission.ts';
import { currencies, currencyName } from '../../core/currencies.ts';
import { formatAmount } from '../../core/money.ts';
import { pick } from '../../core/pick.ts';
import {
  connectorNames,
  findMidSettings,
  type MidSettings,
  maxPayerTextLength,
  methodSettingsOf,
  midUsage,
  notifyUrlOf,
  type StoredMid,
} from '../../merchants/index.ts';
import { cardSetIds, requiredCardSets } from '../../methods/card-sets.ts';
import { methods } from '../../methods/catalog.ts';
import type { Experience } from '../../methods/method.ts';
import { existing } from '../errors.ts';
import type { PageContext } from '../guard.ts';
import { namedOptions, optionsOf } from '../lists/filters.ts';
import { merchantChoices } from '../merchants/choices.ts';
import type { operations } from '../payments/list-filter.ts';
import { limitCurrencyOf } from './new-values.ts';
import { type midInput, plainSettings } from './schema.ts';
import { credentialFields, leadsToSandbox, linesOf } from './to-settings.ts';

type MidValues = z.input<typeof midInput>;

const weekMs = 7 * 86_400_000;

/** The page of a MID as this user may see it. */
export async function midPage({ viewer, scope, params, now }: PageContext) {
  const mid = existing(await findMidSettings(params.id ?? '', scope));
  const credentials = credentialsOf(mid);
  const usageSince = (weeks: number) => midUsage(mid.id, new Date(now.getTime() - weeks * weekMs));
  const [fortnight, week] = await Promise.all([usageSince(2), usageSince(1)]);
  return {
    ...pick(mid, 'id', 'version', 'enabled', 'merchantId', 'merchantName', 'createdAt'),
    values: valuesOf(mid, credentials.plain),
    stored: {
      apiKey: mid.settings.apiKey !== '',
      signingSecret: mid.settings.signingSecret !== '',
      credentials: credentials.secrets,
    },
    notifyUrl: notifyUrlOf(mid),
    /** Attempts of the last 14 days, sales and authorisations of the last 7; ten thousand may be more. */
    use: { tries: fortnight.tries, sales: week.sales, holds: week.holds, lastAt: fortnight.lastAt },
    mayChange: may(viewer.role, 'settings.change'),
  };
}

function limitText(minor: bigint | null, { currencies }: Pick<StoredMid, 'currencies'>): string | null {
  return minor === null ? null : formatAmount(minor, limitCurrencyOf(currencies));
}

function valuesOf(mid: StoredMid, credentials: MidValues['credentials']): MidValues {
  const { settings, feeOptions } = mid;
  const fees = readFeeOptions(feeOptions);
  const charges = Object.keys((feeOptions ?? {}) as object).length > 0;
  const inSandbox = leadsToSandbox(settings);
  return {
    ...plainSettings(mid),
    provider: inSandbox ? 'sandbox' : 'own',
    url: inSandbox ? '' : settings.url,
    apiKey: '',
    signingSecret: '',
    timeoutSeconds: settings.timeoutSeconds ?? null,
    credentials,
    overrideLinkTarget: (mid.overrideLinkTarget ?? '') as MidValues['overrideLinkTarget'],
    feePercent: charges ? fees.percent : '',
    feeFixed: charges ? fees.fixed : '',
    feePayerBears: fees.payerBears,
    dailyLimit: limitText(mid.dailyLimitMinor, mid) ?? '',
    monthlyLimit: limitText(mid.monthlyLimitMinor, mid) ?? '',
    payerTextMax: maxPayerTextLength(mid) ?? null,
    wallet: (mid.capabilities as { wallet?: MidValues['wallet'] } | null)?.wallet ?? '',
    cardSets: requiredCardSets(mid.capabilities),
  };
}

/** The credentials of a MID's methods, by method: those that are not secret, and the names of the stored secrets. */
function credentialsOf({ settings, methods }: StoredMid) {
  const plain: MidValues['credentials'] = {};
  const secrets: Record<string, string[]> = {};
  for (const method of methods) {
    const lines = linesOf(method);
    const stored = methodSettingsOf(settings, method);
    const values = lines.map(({ name, secret }) => [name, secret ? '' : (stored[name] ?? '')]);
    const named = lines.flatMap(({ name, secret }) => (secret && stored[name] ? [name] : []));
    if (values.length > 0) plain[method] = Object.fromEntries(values);
    if (named.length > 0) secrets[method] = named;
  }
  return { plain, secrets };
}

type AuditedMid = Omit<MidSettings, 'capabilities' | 'feeOptions'> & { capabilities: unknown; feeOptions: unknown };

/** Both states of a MID for the audit log; `stored` is null for a new one. */
export function auditFields(stored: StoredMid | null, settled: MidSettings): { before: Members; after: Members } {
  return {
    before: stored ? { ...plainMembers(stored), ...secretsOf(stored, null) } : {},
    after: { ...plainMembers(settled), ...secretsOf(settled, stored) },
  };
}

function plainMembers(mid: AuditedMid): Members {
  const { settings, capabilities, feeOptions, overrideLinkTarget, currencies } = mid;
  const limit = (minor: bigint | null) =>
    minor === null ? null : `${limitText(minor, mid)} ${limitCurrencyOf(currencies)}`;
  return {
    ...plainSettings(mid),
    overrideLinkTarget,
    url: settings.url,
    timeoutSeconds: settings.timeoutSeconds,
    fees: feeOptions as Members['fees'],
    dailyLimit: limit(mid.dailyLimitMinor),
    monthlyLimit: limit(mid.monthlyLimitMinor),
    capabilities: capabilities as Members['capabilities'],
  };
}

// `set` for an existing secret, `changed` for a replaced one.
function secretsOf({ settings }: AuditedMid, before: AuditedMid | null): Members {
  const word = (value: string | undefined, old: string | undefined) =>
    value === undefined || value === '' ? null : old === undefined || old === value ? 'set' : 'changed';
  const credentials: Record<string, Members> = {};
  for (const [method, values] of Object.entries(settings.methods ?? {})) {
    const secret = new Set(linesOf(method).flatMap((line) => (line.secret ? [line.name] : [])));
    // Every value of a family's settings is treated as secret, because the catalogue does not mark them.
    const isSecret = (name: string) => method.endsWith('-') || secret.has(name);
    const shown = Object.entries(values).map(([name, value]) => {
      return [name, isSecret(name) ? word(value, before?.settings.methods?.[method]?.[name]) : value] as const;
    });
    credentials[method] = Object.fromEntries(shown);
  }
  return {
    apiKey: word(settings.apiKey, before?.settings.apiKey),
    signingSecret: word(settings.signingSecret, before?.settings.signingSecret),
    credentials: credentials as Members['credentials'],
  };
}

const experienceNames: Readonly<Record<Experience, string>> = {
  card: 'Cards',
  redirect: 'Redirect to the provider',
  app: 'Opens an app',
  confirm: 'Approved in another app',
  details: 'Bank details or voucher',
  qr: 'QR code',
  message: 'Payment link',
  crypto: 'Crypto',
  code: 'One-time code',
  none: 'Instant',
};

const groups = Object.keys(experienceNames) as Experience[];

const methodChoices = [...methods]
  .sort(
    (one, other) => groups.indexOf(one.experience) - groups.indexOf(other.experience) || one.id.localeCompare(other.id),
  )
  .map(({ id, name, experience }) => ({ value: id, label: name, group: experienceNames[experience] }));

const credentialForms = Object.fromEntries(
  methods.flatMap(({ id }) => {
    const fields = credentialFields(id);
    return fields.length > 0 ? [[id, fields]] : [];
  }),
);

const currencyChoices = Object.keys(currencies).map((value) => ({ value, label: currencyName(value) }));

const operationNames: Readonly<Record<(typeof operations)[number], string>> = {
  purchase: 'Purchases',
  debit: 'Debits',
  credit: 'Payouts',
  transfer: 'Transfers',
  recurring: 'Subsequent recurring charges',
};

/** The choices of this deployment; the merchants are those that the user sees. */
export async function midChoices(scope: string | null) {
  return {
    sandbox: env.appEnv === 'sandbox',
    connectors: namedOptions(connectorNames()),
    methods: methodChoices,
    credentials: credentialForms,
    currencies: currencyChoices,
    operations: optionsOf(operationNames),
    cardBrands: brands.map(({ id, name }) => ({ value: id, label: name })),
    cardSets: cardSetIds.map((value) => ({ value, label: value })),
    merchants: await merchantChoices(scope),
  };
}
