// Converts between a MID's form and its JSON: number fields contain text while the user types.
import type { MidValues } from '../../../lib/dashboard/mids/contract.ts';

/** The values to send: without those of hidden fields. An invalid number stays a text, which the server refuses. */
export function toSend(values: MidValues): object {
  const { priority, holdDays, timeoutSeconds, payerTextMax, provider, methods, credentials } = values;
  const asked = Object.entries(credentials).filter(([method]) => methods.includes(method));
  return {
    ...values,
    ...(provider === 'sandbox' && { url: '', apiKey: '', signingSecret: '' }),
    credentials: Object.fromEntries(asked),
    priority: numberOf(priority),
    holdDays: numberOf(holdDays),
    timeoutSeconds: numberOrNull(timeoutSeconds),
    payerTextMax: numberOrNull(payerTextMax),
  };
}

function numberOrNull(value: string | number | null): string | number | null {
  return value === null || String(value).trim() === '' ? null : numberOf(value);
}

function numberOf(value: string | number): string | number {
  const text = String(value).trim();
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}

/** The defaults of a new MID. `inSandbox` selects the sandbox simulator. */
export function newMidValues(inSandbox: boolean): MidValues {
  return {
    ...{ name: '', priority: 100, paymentMode: 'sms_dms', connector: 'http', provider: inSandbox ? 'sandbox' : 'own' },
    ...{ url: '', apiKey: '', signingSecret: '', timeoutSeconds: null, methods: ['card'], credentials: {} },
    ...{ currencies: [], operations: [], cardOnFileSupport: false, overrideLinkTarget: '' },
    ...{ refundSupport: 'api', lateSuccess: 'void', zeroAmounts: false },
    ...{ feePercent: '', feeFixed: '', feePayerBears: false, holdDays: 7 },
    ...{ dailyLimit: '', monthlyLimit: '', payerTextMax: null, wallet: '', cardSets: [] },
  };
}
