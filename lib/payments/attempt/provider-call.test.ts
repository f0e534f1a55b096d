// The ids of a scheduled charge's attempts, which are their idempotency keys.
import { describe, expect, it } from 'vitest';
import { isUuid } from '../../core/ids.ts';
import { payment } from '../../core/payment.test-data.ts';
import type { Payment } from '../../core/payment.ts';
import { midWith } from '../../merchants/mid.test-data.ts';
import { chargeAttemptId } from './provider-call.ts';

const slot = '7a1d2c64-5d0e-5b43-9c1f-0f4ad2a4b0c1';
const mid = midWith({ id: '0199a000-0000-7000-8000-0000000000cc' });
const otherMid = midWith({ id: '0199a000-0000-7000-8000-0000000000dd' });

const charge = (members: Partial<Payment> = {}) => payment({ id: slot, subscriptionId: slot, ...members });

describe('chargeAttemptId', () => {
  it('is the same for the same request, whatever else has changed', () => {
    const id = chargeAttemptId(charge(), mid, 1);
    expect(isUuid(id ?? '')).toBe(true);
    const restored = charge({ version: 4, attempts: 1, orderNumber: '10428/1/ab', createdAt: new Date(0) });
    expect(chargeAttemptId(restored, mid, 1)).toBe(id);
  });

  it('differs for another payment, account, attempt, amount or currency', () => {
    const ids = [
      chargeAttemptId(charge(), mid, 1),
      chargeAttemptId(charge({ id: '7a1d2c64-5d0e-5b43-9c1f-0f4ad2a4b0c2' }), mid, 1),
      chargeAttemptId(charge(), otherMid, 1),
      chargeAttemptId(charge(), mid, 2),
      chargeAttemptId(charge({ amountMinor: 8451n }), mid, 1),
      chargeAttemptId(charge({ currency: 'USD' }), mid, 1),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('leaves every other payment a new id', () => {
    expect(chargeAttemptId(charge({ subscriptionId: null }), mid, 1)).toBeUndefined();
  });
});
