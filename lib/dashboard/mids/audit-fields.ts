/**
 * A MID's settings as the audit log stores them: everything except secrets, for which it records presence and changes.
 */

import type { Members } from '../../auth';
import { formatAmount } from '../../core/money';
import type { MidSettings, StoredMid } from '../../merchants';
import { limitCurrencyOf } from './contract';
import { linesOf } from './credentials';

type AuditedMid = Omit<MidSettings, 'capabilities' | 'feeOptions'> & { capabilities: unknown; feeOptions: unknown };

/** Both states of a MID for the log; `stored` is null for a new one. */
export function auditFields(stored: StoredMid | null, settled: MidSettings): { before: Members; after: Members } {
  return {
    before: stored ? { ...plainOf(stored), ...secretsOf(stored, null) } : {},
    after: { ...plainOf(settled), ...secretsOf(settled, stored) },
  };
}

function plainOf(mid: AuditedMid): Members {
  const { settings, capabilities, feeOptions, dailyLimitMinor, monthlyLimitMinor, currencies } = mid;
  const currency = limitCurrencyOf(currencies);
  const limit = (minor: bigint | null) => (minor === null ? null : `${formatAmount(minor, currency)} ${currency}`);
  return {
    ...{ name: mid.name, priority: mid.priority, paymentMode: mid.paymentMode, connector: mid.connector },
    ...{ url: settings.url, timeoutSeconds: settings.timeoutSeconds },
    ...{ methods: mid.methods, currencies, operations: mid.operations },
    ...{ cardOnFileSupport: mid.cardOnFileSupport, overrideLinkTarget: mid.overrideLinkTarget },
    ...{
      refundSupport: mid.refundSupport,
      zeroAmounts: mid.zeroAmounts,
      holdDays: mid.holdDays,
      lateSuccess: mid.lateSuccess,
    },
    fees: feeOptions as Members['fees'],
    dailyLimit: limit(dailyLimitMinor),
    monthlyLimit: limit(monthlyLimitMinor),
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
