/** A MID as its page shows it: every setting, and for secrets only whether they are stored. */

import { may } from '../../auth';
import { readFeeOptions } from '../../core/commission';
import { formatAmount } from '../../core/money';
import {
  credentialsOf,
  findMidSettings,
  maxPayerTextLength,
  midUsage,
  notifyUrlOf,
  type StoredMid,
} from '../../merchants';
import { requiredCardSets } from '../../methods/card-sets';
import type { DashboardRequest } from '../guard';
import { limitCurrencyOf, type MidPage, type MidValues, type StoredSecrets } from './contract';
import { linesOf } from './credentials';
import { leadsToSandbox } from './sandbox-provider';

const weekMs = 7 * 86_400_000;

/** The page of a MID as this user may see it; null if it does not exist for them. */
export async function midPage({
  viewer,
  scope,
  params,
  now,
}: Pick<DashboardRequest, 'viewer' | 'scope' | 'params' | 'now'>): Promise<MidPage | null> {
  const mid = await findMidSettings(params.id ?? '', scope);
  if (!mid) return null;
  const [fortnight, week] = await Promise.all(
    [2, 1].map((weeks) => midUsage(mid.id, new Date(now.getTime() - weeks * weekMs))),
  );
  return {
    id: mid.id,
    version: mid.version,
    enabled: mid.enabled,
    createdAt: mid.createdAt.toISOString(),
    merchantId: mid.merchantId,
    merchantName: mid.merchantName,
    values: valuesOf(mid),
    stored: storedOf(mid),
    notifyUrl: notifyUrlOf(mid),
    use: {
      tries: fortnight?.tries ?? 0,
      sales: week?.sales ?? 0,
      holds: week?.holds ?? 0,
      lastAt: fortnight?.lastAt?.toISOString() ?? null,
    },
    mayChange: may(viewer.role, 'settings.change'),
  };
}

function valuesOf(mid: StoredMid): MidValues {
  const { settings, currencies, dailyLimitMinor, monthlyLimitMinor } = mid;
  const currency = limitCurrencyOf(currencies);
  const limit = (minor: bigint | null) => (minor === null ? '' : formatAmount(minor, currency));
  const fees = readFeeOptions(mid.feeOptions);
  const charges = Object.keys((mid.feeOptions ?? {}) as object).length > 0;
  const inSandbox = leadsToSandbox(settings);
  return {
    ...{ name: mid.name, priority: mid.priority, paymentMode: mid.paymentMode, connector: mid.connector },
    provider: inSandbox ? 'sandbox' : 'own',
    url: inSandbox ? '' : settings.url,
    ...{ apiKey: '', signingSecret: '' },
    timeoutSeconds: settings.timeoutSeconds ?? null,
    ...{ methods: mid.methods, currencies, operations: mid.operations },
    credentials: plainCredentials(mid),
    cardOnFileSupport: mid.cardOnFileSupport,
    overrideLinkTarget: mid.overrideLinkTarget ?? '',
    ...{ refundSupport: mid.refundSupport, zeroAmounts: mid.zeroAmounts },
    ...{ feePercent: charges ? fees.percent : '', feeFixed: charges ? fees.fixed : '', feePayerBears: fees.payerBears },
    holdDays: mid.holdDays,
    lateSuccess: mid.lateSuccess,
    dailyLimit: limit(dailyLimitMinor),
    monthlyLimit: limit(monthlyLimitMinor),
    payerTextMax: maxPayerTextLength(mid) ?? null,
    wallet: walletOf(mid.capabilities),
    cardSets: requiredCardSets(mid.capabilities),
  };
}

/** The non-secret part of the methods' credentials. */
function plainCredentials({ settings, methods }: StoredMid): MidValues['credentials'] {
  const matches: MidValues['credentials'] = {};
  for (const method of methods) {
    const stored = credentialsOf(settings, method);
    for (const { name, secret } of linesOf(method)) {
      matches[method] = { ...matches[method], [name]: secret ? '' : (stored[name] ?? '') };
    }
  }
  return matches;
}

function storedOf({ settings, methods }: StoredMid): StoredSecrets {
  const credentials: StoredSecrets['credentials'] = {};
  for (const method of methods) {
    const stored = credentialsOf(settings, method);
    const secrets = linesOf(method).filter(({ name, secret }) => secret && stored[name]);
    if (secrets.length > 0) credentials[method] = secrets.map(({ name }) => name);
  }
  return { apiKey: settings.apiKey !== '', signingSecret: settings.signingSecret !== '', credentials };
}

function walletOf(capabilities: unknown): MidValues['wallet'] {
  const { wallet } = (capabilities ?? {}) as { wallet?: unknown };
  return wallet === 'decrypted' || wallet === 'token' || wallet === 'none' ? wallet : '';
}
