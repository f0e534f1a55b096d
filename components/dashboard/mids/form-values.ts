// Between the form of an account and what is sent: a field of a whole number holds text while somebody types.
import type { MidValues } from '../../../lib/dashboard/mids/contract';

/** The values as they are sent. A number that is none stays a text, which the server refuses at its field. */
export function toSend(values: MidValues): object {
  const { priority, holdDays, timeoutSeconds, payerTextMax } = values;
  return {
    ...values,
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

/** What a new account begins with. `inSandbox` leads it to the sandbox's own provider. */
export function newMidValues(inSandbox: boolean): MidValues {
  return {
    ...{ name: '', priority: 100, paymentMode: 'sms_dms', connector: 'http', provider: inSandbox ? 'sandbox' : 'own' },
    ...{ url: '', apiKey: '', signingSecret: '', timeoutSeconds: null, methods: ['card'], credentials: {} },
    ...{
      currencies: [],
      operations: [],
      cardOnFileSupport: false,
      overrideLinkTarget: '',
      refundSupport: 'api',
      lateSuccess: 'void',
    },
    ...{ zeroAmounts: false, feePercent: '', feeFixed: '', feePayerBears: false, holdDays: 7 },
    ...{ dailyLimit: '', monthlyLimit: '', payerTextMax: null, wallet: '', cardSets: [] },
  };
}
